"""`python -m structlearn`, where the program itself is not on the path."""

from structlearn.cli import main

if __name__ == "__main__":
    main()
