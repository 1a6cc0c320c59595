"""Log-linear models that grow feature by feature."""
