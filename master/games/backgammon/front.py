"""The front of backgammon."""

from master.games.front import CommandGroup, Front, ListedCommand

_CLI = "master.cli.backgammon"
_GAME = "master.games.backgammon"

FRONT = Front(
    commands={
        "eval": ListedCommand(
            f"{_CLI}.position_commands:eval_command", "Evaluate a position.", CommandGroup.POSITIONS
        ),
        "cube": ListedCommand(
            f"{_CLI}.position_commands:cube_command",
            "Answer the cube question.",
            CommandGroup.POSITIONS,
        ),
        "external": ListedCommand(
            f"{_CLI}.external.external_command:external_command",
            "Be an external player of GNU Backgammon.",
            CommandGroup.ENGINES,
        ),
        "ubgi": ListedCommand(
            f"{_CLI}.external.ubgi_command:ubgi_command",
            "Be the engine of a backgammon interface.",
            CommandGroup.ENGINES,
        ),
        "profile": ListedCommand(
            f"{_CLI}.studying.profile_command:profile_command",
            "Say how somebody plays.",
            CommandGroup.MATCHES,
        ),
        "quiz": ListedCommand(
            f"{_CLI}.studying.quiz_command:quiz_command",
            "Be asked about errors again.",
            CommandGroup.MATCHES,
        ),
    },
    verbs={
        "rollout": f"{_CLI}.rollout_command:rollout_backgammon",
        "play": f"{_CLI}.playing.play_backgammon:play_backgammon",
        "analyse": f"{_CLI}.analysing.analyse_command:analyse_backgammon",
        "move": f"{_CLI}.position_commands:move_backgammon",
        "perft": f"{_CLI}.perft_command:perft_backgammon",
        "bench": f"{_CLI}.bench_command:bench_backgammon_command",
    },
    read_position="master.games.backgammon.typed:read_id",
    show_position=f"{_CLI}.position_board:show_position",
    position_svg=f"{_GAME}.drawing.state_svg:state_svg",
    handlers=f"{_GAME}.handlers.handlers:HANDLERS",
    job_words=f"{_CLI}.rollout_words:WORDS",
    job_report=f"{_CLI}.rollout_report:rollout_report",
    job_lines=f"{_CLI}.rollout_report:rollout_lines",
    job_texts={
        "export": f"{_CLI}.rollout_texts:export_lines",
        "xg-table": f"{_CLI}.rollout_texts:xg_lines",
    },
    job_board=f"{_GAME}.job_pictures:job_board",
    job_outcomes=f"{_GAME}.job_pictures:job_outcomes",
    job_notes=f"{_CLI}.rollout_report:cube_lines",
)
