"""What Threes! offers."""

from master.games.front import Front

_CLI = "master.cli.threes"
_GAME = "master.games.threes"

FRONT = Front(
    verbs={"rollout": f"{_CLI}.rollout_command:rollout_threes"},
    job_words=f"{_GAME}.report:WORDS",
    job_report=f"{_GAME}.report:job_report",
    job_lines=f"{_GAME}.report:job_lines",
)
