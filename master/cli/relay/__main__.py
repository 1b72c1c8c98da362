"""`manyply-relay`: shows a fleet to a master above as one analyser."""

from protocol.guards.loading import check_room_to_load


def main() -> None:
    """Run the daemon; the process ends with a documented exit code."""
    check_room_to_load("manyply-relay")
    from master.cli.relay import command  # noqa: PLC0415  # may not fit before the check

    command.main()


if __name__ == "__main__":
    main()
