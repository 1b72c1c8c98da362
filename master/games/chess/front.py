"""The front of chess."""

from master.games.front import CommandGroup, Front, ListedCommand

_CLI = "master.cli.chess"
_GAME = "master.games.chess"

FRONT = Front(
    commands={
        "uci": ListedCommand(
            f"{_CLI}.uci_command:uci_command",
            "Be the engine of a chess board.",
            CommandGroup.ENGINES,
        ),
    },
    verbs={
        "analyse": f"{_CLI}.analyse_command:analyse_chess",
        "bench": f"{_CLI}.bench_command:bench_chess_command",
        "play": f"{_CLI}.play_chess:play_chess",
        "search": f"{_CLI}.search_command:search_chess",
        "simulate": f"{_CLI}.simulate_command:simulate_chess",
        "perft": f"{_CLI}.perft_command:perft_chess",
    },
    read_position=f"{_CLI}.position_board:read_shown",
    show_position=f"{_CLI}.position_board:show_position",
    position_svg=f"{_GAME}.drawing.board_svg:board_svg",
    handlers=f"{_GAME}.handlers:HANDLERS",
    search_job=f"{_GAME}.fleet_search:search_whole",
    search_words=f"{_GAME}.exact_report:WORDS",
    job_report=f"{_GAME}.exact_report:job_report",
    job_lines=f"{_GAME}.exact_report:job_lines",
)
