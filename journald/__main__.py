"""`python -m journald` is the same program as `journald`."""

from journald.cli.main import main

if __name__ == "__main__":
    main()
