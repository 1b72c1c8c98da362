"""What backgammon offers."""

from master.games.front import Front, OwnCommand

_CLI = "master.cli.backgammon"
_GAME = "master.games.backgammon"

FRONT = Front(
    commands={
        "eval": OwnCommand(f"{_CLI}.position_commands:eval_command", "Evaluate a position."),
        "cube": OwnCommand(f"{_CLI}.position_commands:cube_command", "Answer the cube question."),
        "external": OwnCommand(
            f"{_CLI}.external.external_command:external_command",
            "Be an external player of GNU Backgammon.",
        ),
        "ubgi": OwnCommand(
            f"{_CLI}.external.ubgi_command:ubgi_command",
            "Be the engine of a backgammon interface.",
        ),
        "profile": OwnCommand(
            f"{_CLI}.studying.profile_command:profile_command", "Say how somebody plays."
        ),
        "quiz": OwnCommand(
            f"{_CLI}.studying.quiz_command:quiz_command", "Be asked about errors again."
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
    read_position=f"{_CLI}.arguments:read_id",
    show_position=f"{_CLI}.position_board:show_position",
    position_svg=f"{_GAME}.drawing.state_svg:state_svg",
    job_words=f"{_CLI}.rollout_words:WORDS",
    job_report=f"{_CLI}.rollout_report:rollout_report",
    job_lines=f"{_CLI}.rollout_report:rollout_lines",
    job_texts={
        "export": f"{_CLI}.rollout_texts:export_lines",
        "xg-table": f"{_CLI}.rollout_texts:xg_lines",
    },
    job_board=f"{_GAME}.job_pictures:job_board",
    job_outcomes=f"{_GAME}.job_pictures:job_outcomes",
)
