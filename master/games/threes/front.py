"""The front of Threes!."""

from master.games.front import Front

_CLI = "master.cli.threes"
_GAME = "master.games.threes"

FRONT = Front(
    verbs={
        "play": f"{_CLI}.playing.play_threes:play_threes",
        "rollout": f"{_CLI}.rollout_command:rollout_threes",
        "move": f"{_CLI}.move_command:move_threes",
        "perft": f"{_CLI}.perft_command:perft_threes",
        "bench": f"{_CLI}.bench_command:bench_threes_command",
    },
    read_position=f"{_CLI}.arguments:read_position",
    show_position=f"{_CLI}.position_board:show_position",
    job_words=f"{_GAME}.report:WORDS",
    job_report=f"{_GAME}.report:job_report",
    job_lines=f"{_GAME}.report:job_lines",
    job_svg=f"{_GAME}.report_plot:job_svg",
    job_outcomes=f"{_GAME}.report_plot:job_outcomes",
    job_unit=f"{_GAME}.report:SCORE_UNIT",
    watched=f"{_GAME}.watched:WATCHED",
)
