"""Exit codes, and the form of a mistake: one line.

A user's mistake is a `CommandError` and never a traceback; a broken invariant of ours stays an
exception with its traceback.
"""

from __future__ import annotations

from collections.abc import Iterable

import click

from protocol.exit_codes import ExitCode

__all__ = ["EXIT_CODES_HELP", "CommandError", "ExitCode", "did_you_mean", "usage_line"]

EXIT_CODES_HELP = """\b
Exit codes:
  0    done
  1    the job is not finished: it failed, or another
       command halted it; or something of it is lost
  2    bad input: an option, an ID, dice, a move, a job or
       a file
  3    the state directory, standard output or a file
       cannot be used, or the database was lost meanwhile
  4    the master does not answer
  130  interrupted by Ctrl-C; `manyply resume` goes on
  141  nobody reads standard output any more
"""


class CommandError(Exception):
    """Ends the command with one line on standard error and an exit code."""

    def __init__(self, text: str, exit_code: ExitCode = ExitCode.BAD_INPUT) -> None:
        super().__init__(" ".join(text.split()))
        self.exit_code = exit_code


LIKE_MIN = 0.7
"""The least likeness of a word that is suggested, 0 to 1: `level` is not meant as `fleet`."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of an error about an unknown word: the nearest known one, or nothing."""
    return _hint(_nearest(word, known))


def _hint(word: str | None) -> str:
    return "" if word is None else f": did you mean {word!r}?"


def _nearest(word: str, known: Iterable[str]) -> str | None:
    from difflib import get_close_matches  # noqa: PLC0415  # only to say this

    return next(iter(get_close_matches(word, list(known), 1, LIKE_MIN)), None)


def _unknown_option(word: str, command: click.Command) -> str:
    """Return the error about an unknown option, with the nearest one; an old word has a new one."""
    from protocol.guards.renamed_option import all_names  # noqa: PLC0415  # only to say this

    shown = {"--help": "--help"}
    for option in command.params:
        if isinstance(option, click.Option) and not option.hidden:
            shown |= dict.fromkeys(all_names(option), option.opts[0])
            shown |= {name: name for name in (*option.opts, *option.secondary_opts)}
    by_letters = {name.lstrip("-"): found for name, found in shown.items()}
    nearest = _nearest(word.lstrip("-"), by_letters)  # dashes would make short words alike
    return f"No such option {word!r}{_hint(nearest and by_letters[nearest])}"


def usage_line(error: click.ClickException) -> str:
    """Return the mistake in a command line, and the help that describes the right form."""
    text = " ".join(error.format_message().split()).rstrip(".")
    context = getattr(error, "ctx", None)
    if isinstance(error, click.NoSuchOption) and context is not None:
        text = _unknown_option(error.option_name, context.command)
    return f"{text} (see {context.command_path} --help)" if context is not None else text
