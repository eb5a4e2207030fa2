"""`python -m shared.cli`: the `bilayer` command from a checkout."""

from shared.cli import main

if __name__ == "__main__":
    main()
