"""Reads .mat texts: the rules and scores of a match, game by game.

Knows what a file may leave unsaid.  Must not know layout (see mat_lines), the words of cells (see
mat_game) or how a game goes on (see replay).

What the file does not say is taken from what was played, never against it: the rules that it does
not name are the usual ones (Crawford; Jacoby, no beavers), unless the games can only have been
played otherwise.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from engine_ext.backgammon.match_state import MATCH_LENGTH_MAX, SCORE_MAX
from master.games.backgammon.matches.crawford import breach_warnings
from master.games.backgammon.matches.mat_game import MatGameReader
from master.games.backgammon.matches.mat_lines import GameText, LineError, MatchText, cut
from master.games.backgammon.matches.mat_tags import Header, read_header
from master.games.backgammon.matches.record import Game, Match
from master.games.backgammon.matches.replay import may_be_crawford, score_after, start_of
from master.games.errors import RecordError


def read_mat(text: str, name: str = "match") -> Match:
    """Read a match or a money session; see `read_mat_warned`."""
    return read_mat_warned(text, name)[0]


def read_mat_warned(text: str, name: str = "match") -> tuple[Match, tuple[str, ...]]:
    """Read a match or a money session, and say where it breaks the Crawford rule.

    Args:
        text: the file's content.
        name: the file, for errors.

    Returns:
        The match, its plays in the engine's step order, and warnings.  It replays
        (`replay.check_match`).

    Raises:
        RecordError: `name:line: what was expected`.
    """
    parts = cut(text, name)
    length = parts.length
    if not parts.games or length is None:
        raise RecordError(f"{name}: expected a line 'Game 1' with a game below it, found no game")
    if length > MATCH_LENGTH_MAX:
        raise RecordError(
            f"{name}: expected at most a {MATCH_LENGTH_MAX} point match, not {length}"
        )
    try:
        header = read_header(parts.tags)
    except RecordError as error:
        raise RecordError(f"{name}: {error}") from None
    left, right = parts.games[0].names
    plain = Match(header.names(left, right), length, tags=header.tags_by_column(left, right))
    faults: list[LineError] = []
    for match in _with_rules(plain, header, parts):
        try:
            played = replace(match, games=tuple(_games(parts, match, name)))
        except LineError as error:
            faults.append(error)
        else:
            return played, _warnings(played, header, name)
    raise max(faults, key=lambda fault: fault.place)  # under the rules that explain the most


def _warnings(match: Match, header: Header, name: str) -> tuple[str, ...]:
    """Say what was read without the rule, unless the file says itself that there is none."""
    if match.length == 0 or match.uses_crawford or header.crawford is False:
        return ()
    return breach_warnings(name, match)


def _with_rules(plain: Match, header: Header, parts: MatchText) -> Iterator[Match]:
    """Yield the match under the rules the file names, and else the usual ones first."""

    def choices(given: bool | None, usual: bool, matters: bool) -> tuple[bool, ...]:
        if given is not None or not matters:
            return (bool(given),)
        return (usual, not usual)

    is_money = plain.length == 0
    is_beavered = any(_has_word(text, "beaver") for text in parts.games)
    for crawford, jacoby, beavers in product(
        choices(None if header.crawford else header.crawford, True, not is_money),
        choices(header.jacoby, True, is_money),
        choices(header.beavers, is_beavered, is_money),
    ):
        yield replace(plain, uses_crawford=crawford, jacoby=jacoby, beavers=beavers)


def _games(parts: MatchText, match: Match, name: str) -> Iterator[Game]:
    games: list[Game] = []
    for index, text in enumerate(parts.games):
        try:
            _check_score(match, games, text)
            game = Game(text.score)
            options: tuple[bool, ...] = (False,)
            if match.uses_crawford:
                begun = replace(match, games=(*games, game))
                options = may_be_crawford(begun, index)
            is_crawford = options[0] if len(options) == 1 else not _has_word(text, "double")
            game = replace(game, is_crawford=is_crawford)
            state = start_of(match, game)
        except RecordError as error:
            raise LineError(name, text.line, str(error)) from None
        following = parts.games[index + 1].score if index + 1 < len(parts.games) else None
        games.append(MatGameReader(match, game, state, text, name).read(following))
        yield games[-1]


def _check_score(match: Match, games: list[Game], text: GameText) -> None:
    if max(text.score) > SCORE_MAX:
        raise RecordError(f"a score is at most {SCORE_MAX}")
    if not games:
        return
    expected = score_after(games[-1])
    if games[-1].result is not None and text.score != expected:
        raise RecordError(
            f"expected the score {expected[0]}-{expected[1]} after the game before, "
            f"found {text.score[0]}-{text.score[1]}"
        )
    if text.score[0] < expected[0] or text.score[1] < expected[1]:
        raise RecordError(f"the score falls to {text.score[0]}-{text.score[1]}")


def _has_word(text: GameText, word: str) -> bool:
    return any(word in cell.text.lower() for cell in text.cells)
