"""`projectl`, and `python -m projectl`."""

import sys


def main() -> None:
    """Run the command. Loading it takes a moment, in which Ctrl-C ends it as quietly as later."""
    try:
        from projectl.cli import main as command

        command()
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
