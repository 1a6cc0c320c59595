"""Networks as biologists infer them: by similarity, information, dynamics or factors."""
