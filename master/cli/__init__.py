"""The `manyply` command.

The one place that composes a master with local analysers in one process.  Everything else
it does is to read options, call the engine or a master, and print.
"""

from master.service.collector import relax_collector
from protocol.guards.loading import check_room_to_load


def main() -> None:
    """Run the command line; the process ends with a documented exit code."""
    check_room_to_load("manyply")
    relax_collector()  # what is loaded stays: to look for cycles in it takes 6 % of a short command
    from master.cli.app import run  # noqa: PLC0415  # may not fit before the check

    run()
