"""The matches that a player learns from: named files, or those kept by `manyply play`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import wraps
from pathlib import Path
from typing import Any

import click

from master.cli.arguments import together
from master.cli.backgammon.analysing.analyse_asking import AnswerOptions
from master.cli.backgammon.analysing.analyse_depth import Depth, depth_options
from master.cli.backgammon.analysing.analyse_many import (
    BadFile,
    FileAnalysis,
    ManyOptions,
    analysed_files,
    echo_bad,
    match_files,
)
from master.cli.backgammon.rule_options import given_rules, rules_options
from master.cli.errors import CommandError
from master.cli.place import Place, place_options
from master.config.paths import default_state_dir
from master.games.backgammon.matches.profile import PlayedMatch

_options = together(
    click.argument("files", metavar="[FILE...]", nargs=-1, type=click.Path(path_type=Path)),
    depth_options,
    click.option("--stored", "is_stored", is_flag=True,
                 help="Compute nothing: use the analyses in the files."),
    rules_options,
    place_options,
)  # fmt: skip


def study_options(function: Callable[..., Any]) -> Callable[..., Any]:
    """Add files and options of their analysis; the command is given a function as `study`."""

    @wraps(function)
    def with_study(
        *args: Any,
        files: tuple[Path, ...],
        depth: Depth,
        is_stored: bool,
        place: Place,
        table: Any,
        jacoby: bool | None,
        beavers: bool | None,
        **rest: Any,
    ) -> Any:
        def study(player: str | None, *, is_quiet: bool) -> Studied:
            answering = AnswerOptions(depth, place, is_quiet, table)
            rules = given_rules({"table": table, "jacoby": jacoby, "beavers": beavers})
            return Studied(files, ManyOptions(answering, rules, player, is_stored))

        return function(*args, study=study, **rest)

    return _options(with_study)


class Studied:
    """The matches, analysed."""

    def __init__(self, files: Sequence[Path], options: ManyOptions) -> None:
        """Read and analyse; a file that is no match is named, and the others are taken.

        Args:
            files: files and folders; none: the folder of kept matches.
            options: how, and whose decisions.

        Raises:
            CommandError: there is no match, or the questions cannot be answered.
        """
        bad: list[BadFile] = []
        paths = list(files) or [_kept_folder()]
        self.options = options
        self.matches = [_played(each) for each in analysed_files(paths, options, bad)]
        self.is_whole = not bad and not any(each.match.skipped for each in self.matches)
        """Whether every file was a match, and every game could be read."""
        for wrong in bad:
            echo_bad(wrong)
        if not self.matches:
            raise CommandError("there is no match to look at")


def _played(each: FileAnalysis) -> PlayedMatch:
    """Return a match without the analyses of correct decisions: so memory holds thousands."""
    played = PlayedMatch(str(each.file), each.match, each.figures, each.task.players)
    wrong = {(one.game, one.action) for one in played.decisions if one.error > 0.0}
    analyses = tuple(
        tuple(known if (game, action) in wrong else None for action, known in enumerate(own))
        for game, own in enumerate(each.match.analyses)
    )
    return replace(played, match=replace(each.match, analyses=analyses))


def _kept_folder() -> Path:
    """Return where `manyply play` keeps matches; CommandError if it has kept none."""
    folder = default_state_dir() / "matches"
    if not folder.is_dir() or not match_files([folder])[0]:
        raise CommandError(f"name files or folders: `manyply play` has kept no match in {folder}")
    return folder
