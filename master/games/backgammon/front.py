"""What backgammon offers."""

from master.games.front import Front, OwnCommand

_CLI = "master.cli.backgammon"

FRONT = Front(
    commands={
        "eval": OwnCommand(f"{_CLI}.position_commands:eval_command", "Evaluate a position."),
        "cube": OwnCommand(f"{_CLI}.position_commands:cube_command", "Answer the cube question."),
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
    position_svg="master.games.backgammon.drawing.state_svg:state_svg",
    job_words=f"{_CLI}.rollout_words:WORDS",
    job_report=f"{_CLI}.rollout_report:rollout_report",
    job_lines=f"{_CLI}.rollout_report:rollout_lines",
)
