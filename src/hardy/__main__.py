"""The command line: ``hardy``, or ``python -m hardy``."""

from hardy._interrupts import interruptible


def main() -> None:
    """Run the command line; Ctrl-C while it is still being loaded ends it with one line too."""
    with interruptible():
        from hardy.cli import main as run

        run()


if __name__ == "__main__":
    main()
