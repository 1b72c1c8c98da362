"""`manyply rollout threes`: games played from the start, by any number of machines."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from engine_ext.threes.context import SEED_MAX, Lookahead, ThreesContext
from master.cli.arguments import TRIALS_MAX, CountType, json_option
from master.cli.drawings import drawing_option
from master.cli.place import Place, place_options
from master.cli.threes.arguments import lookahead_options
from protocol.guards.renamed_option import renamed_option

if TYPE_CHECKING:
    from master.contract.master import Master

GAMES_DEFAULT = 100
"""Some seconds of two cores at the default look-ahead."""

PLIES_DEFAULT = "2"
SEED_DEFAULT = 1


@click.command("threes", short_help="Games of Threes!, played from the start.")
@renamed_option("--trials", "games", old=["--games"], type=CountType(1, TRIALS_MAX), metavar="N",
                show_default=True, default=GAMES_DEFAULT, help="Number of games.")  # fmt: skip
@lookahead_options(PLIES_DEFAULT)
@click.option("--seed", type=CountType(0, SEED_MAX), metavar="S", show_default=True,
              default=SEED_DEFAULT, help="The same seed plays the same games.")  # fmt: skip
@drawing_option("--svg", "Also draw how many games reach which card and score.")
@place_options
@json_option
def rollout_threes(
    games: int, lookahead: Lookahead, seed: int, svg: Path | None, place: Place, is_json: bool
) -> None:
    """Play games of Threes! and print the scores and cards that they reach.

    The games are the same on any machine.  Ctrl-C stops and keeps those that are finished;
    `manyply resume` goes on, and `manyply extend JOB --trials N` adds games.
    """
    from engine_ext.threes.engine import engine_digest
    from master.cli.jobs.watching import run_job
    from master.contract.views import JobRequest
    from master.games.threes.report import label

    context = ThreesContext(engine_digest(), lookahead, seed)

    async def start(running: Master) -> int:
        return await running.submit(JobRequest(context.to_text(), games, label=label(context)))

    run_job(place, start, is_json=is_json, games=("threes",), svg=svg)
