"""`manyply-analyser`: lends this machine's cores to a master."""

from protocol.guards.loading import check_room_to_load


def main() -> None:
    """Run the daemon; the process ends with a documented exit code."""
    check_room_to_load("manyply-analyser")
    from analyser import command  # noqa: PLC0415  # may not fit before the check

    command.main()


if __name__ == "__main__":
    main()
