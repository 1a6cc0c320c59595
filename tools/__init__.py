"""What writes and checks the generated parts of the repository; no part of the package."""
