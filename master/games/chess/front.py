"""What chess offers."""

from master.games.front import Front, OwnCommand

_CLI = "master.cli.chess"

FRONT = Front(
    commands={
        "uci": OwnCommand(f"{_CLI}.uci_command:uci_command", "Be the engine of a chess board."),
    },
    verbs={
        "play": f"{_CLI}.play_chess:play_chess",
        "search": f"{_CLI}.search_command:search_chess",
        "perft": f"{_CLI}.perft_command:perft_chess",
    },
)
