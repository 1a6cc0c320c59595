"""What methods share that join columns by their mutual information."""
