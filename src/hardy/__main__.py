"""The command line: ``hardy``, or ``python -m hardy``."""

import sys


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends it with one line too."""
    try:
        from hardy.cli import main as run

        run()
    except KeyboardInterrupt:
        print("hardy: interrupted", file=sys.stderr)
        sys.exit(2)


if __name__ == "__main__":
    main()
