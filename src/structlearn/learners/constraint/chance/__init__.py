"""What of many tests or correlations is more than chance."""
