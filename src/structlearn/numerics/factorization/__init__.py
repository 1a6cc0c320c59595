"""A matrix as a product of smaller ones: singular values, parts that add up, wide margins, known patterns."""
