"""The front of Othello."""

from master.games.front import CommandGroup, Front, ListedCommand

_CLI = "master.cli.othello"
_GAME = "master.games.othello"

FRONT = Front(
    commands={
        "nboard": ListedCommand(
            f"{_CLI}.nboard_command:nboard_command",
            "Be the engine of an Othello board.",
            CommandGroup.ENGINES,
        ),
    },
    verbs={
        "analyse": f"{_CLI}.analyse_command:analyse_othello",
        "play": f"{_CLI}.play_othello:play_othello",
        "search": f"{_CLI}.search_command:search_othello",
        "simulate": f"{_CLI}.simulate_command:simulate_othello",
        "perft": f"{_CLI}.perft_command:perft_othello",
    },
    read_position=f"{_CLI}.position_board:read_shown",
    show_position=f"{_CLI}.position_board:show_position",
    position_svg=f"{_GAME}.drawing.record_svg:record_svg",
    handlers=f"{_GAME}.handlers:HANDLERS",
    search_job=f"{_GAME}.fleet_search:search_whole",
    search_words=f"{_GAME}.search_report:WORDS",
    job_report=f"{_GAME}.search_report:job_report",
    job_lines=f"{_GAME}.search_report:job_lines",
)
