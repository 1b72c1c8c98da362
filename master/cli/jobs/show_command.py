"""`manyply show`: draws a position, or prints the state of a job."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, NamedTuple

import click

from master.cli.arguments import (
    JOB_NUMBER,
    check_layout,
    json_option,
    layout_options,
    offer_jobs,
    reads_text,
)
from master.cli.drawings import drawing_option, png_option, write_drawing, write_png
from master.cli.jobs.job_commands import master_option, show_job
from master.cli.output import echo, echo_drawing, echo_json, screen
from master.cli.place import Place
from master.cli.terminal import terminal_width
from master.games.errors import OtherTextError
from master.games.front import Front, Recorded
from master.games.table import fronts
from master.reports.texts import quoted


class ShownPosition(NamedTuple):
    """A position, the front of its game, and the recorded move that was decided in it."""

    front: Front
    position: Any
    recorded: Recorded | None = None


def read_job_or_id(text: str) -> int | ShownPosition:
    """Return a job's number (digits alone), or the position of an ID or of a recorded move.

    Raises:
        ValueError: it is neither.
    """
    if re.fullmatch(r"[-+]?\d+", text.strip()):
        number: int = JOB_NUMBER(text)
        return number
    for _, front in fronts():
        if front.read_recorded is not None and (recorded := front.read_recorded(text)) is not None:
            return ShownPosition(front, recorded.position, recorded)
    reasons: list[str] = []
    named = [front for name, front in fronts() if text.startswith(f"{name}:")]
    for front in named or [front for _, front in fronts()]:
        if front.read_position is not None:
            try:
                return ShownPosition(front, front.read_position(text))
            except OtherTextError:
                continue
            except ValueError as error:
                reasons.append(str(error))
    if reasons:
        raise ValueError("; ".join(reasons))
    forms = ", ".join(front.position_form for _, front in fronts() if front.position_form)
    raise ValueError(
        f"{quoted(text)} is neither a job number nor a position. Positions: start, {forms}"
    )


@click.command("show")
@click.argument(
    "asked", metavar="[JOB|ID]", callback=reads_text(read_job_or_id), nargs=-1,
    shell_complete=offer_jobs,
)  # fmt: skip
@master_option
@drawing_option(
    "--svg",
    "Also draw the position, or the result of the job, to a file.",
)
@png_option("The same as PNG; needs the extra `png`.")
@layout_options
@json_option
def show_command(
    asked: int | ShownPosition | None,
    master: str | None,
    svg: Path | None,
    png: Path | None,
    layout: str | None,
    is_json: bool,
) -> None:
    """Draw a position, or print the state of a job, by default the newest one.

    Digits alone are a job's number.  "move 3.42 of m2.mat" is a move of a match file, by the number
    that `manyply analyse` prints: its board, what was done, and the analysis that is kept.
    With --json a job is the object of `rollout --json`.
    """
    check_layout(layout, is_json=is_json)
    if not isinstance(asked, ShownPosition):
        show_job(asked, master, is_json=is_json, svg=svg, png=png, layout=layout)
        return
    if layout is not None:
        raise click.UsageError(f"--{layout} is for a job's result, and this is a position")
    if master is not None:
        raise click.UsageError("a position is drawn here: leave out --master")
    position_svg = asked.front.position_svg
    for path, option, write in ((svg, "--svg", write_drawing), (png, "--png", write_png)):
        if path is not None:
            if position_svg is None:
                raise click.UsageError(
                    f"of such a position there is no drawing in a file: leave out {option}"
                )
            write(path, position_svg(asked.position))
    _show_position(asked, is_json=is_json)


def _show_position(asked: ShownPosition, *, is_json: bool) -> None:
    if asked.recorded is not None:
        _show_recorded(asked.recorded, is_json=is_json)
        return
    report, draw = asked.front.position_report, asked.front.draw_position
    if is_json and report is not None:
        echo_json(report(asked.position))
    elif draw is not None:
        drawn = draw(asked.position, screen())
        echo(drawn.heading)
        echo_drawing(drawn.lines)
        if drawn.note:
            echo(f" {drawn.note}")


def _show_recorded(recorded: Recorded, *, is_json: bool) -> None:
    """Print a move of a file, with the analysis of it that is kept."""
    from master.cli.jobs.kept_answers import kept_answers

    answers = kept_answers(Place(), recorded.questions)
    if is_json:
        echo_json(recorded.report(answers))
    else:
        for line in recorded.lines(answers, terminal_width()):
            echo(line)
