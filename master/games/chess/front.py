"""What chess offers."""

from master.games.front import Front

_CLI = "master.cli.chess"

FRONT = Front(
    verbs={
        "perft": f"{_CLI}.perft_command:perft_chess",
    },
)
