"""`manyply-analyser`: lends this machine's cores to a master."""

from protocol.guards.loading import check_address_space


def main() -> None:
    """Run the daemon; the process ends with a documented exit code."""
    check_address_space("manyply-analyser")
    from analyser import command  # noqa: PLC0415  # may not fit before the check

    command.main()


if __name__ == "__main__":
    main()
