"""Reads .mat texts: the rules and scores of a match, game by game.

mat_lines reads the layout, mat_game the words of cells, and replay checks the games.

Rules that the file does not name are the usual ones (Crawford; Jacoby, no beavers), unless the
games are legal only under other rules.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import product

from engine_ext.backgammon.match_state import MATCH_LENGTH_MAX, SCORE_MAX
from master.games.backgammon.matches.analysed import AnalysedMatch
from master.games.backgammon.matches.crawford import breach_warnings
from master.games.backgammon.matches.mat_game import (
    MatGameReader,
    automatic_cubes,
    gains_of,
)
from master.games.backgammon.matches.mat_lines import GameText, MatchText, cut
from master.games.backgammon.matches.mat_tags import Header, read_header
from master.games.backgammon.matches.record import Game, Match, Result
from master.games.backgammon.matches.replay import may_be_crawford, score_after, start_of
from master.games.backgammon.matches.stand_in import stand_in
from master.games.errors import LineError, RecordError
from master.games.skipped import SkippedGame


def read_mat(text: str, name: str = "match") -> Match:
    """Read a match or a money session; see `read_mat_warned`."""
    return read_mat_warned(text, name).match


def read_mat_warned(text: str, name: str = "match", first_line: int = 1) -> AnalysedMatch:
    """Read a match or a money session, with warnings about parts read differently than written.

    Args:
        text: the file's content.
        name: the file, for errors.
        first_line: number of the text's first line in the file.

    Returns:
        The match, its plays in the engine's step order, and warnings.  It replays
        (`replay.check_match`).  Illegal games are skipped.

    Raises:
        RecordError: no game can be read; the text is `name:line: ` and the expected text.
    """
    parts = cut(text, name, first_line)
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
    plain = Match(
        header.names(left, right), length, uses_cube=header.uses_cube,
        tags=header.tags_by_column(left, right),
    )  # fmt: skip
    read: list[_GamesRead] = []
    for match in _with_rules(plain, header, parts):
        read.append(_games(parts, match, name))
        if not read[-1].faults:
            break
    if all(len(each.faults) == len(parts.games) for each in read):
        faults = [each.faults[0] for each in read]
        raise max(faults, key=lambda fault: fault.place)  # under the rules that fit the most games
    best = min(read, key=lambda each: len(each.faults))
    return AnalysedMatch(
        best.match,
        warnings=(*_warnings(best.match, header, name), *_unscored_warning(parts, best, name)),
        skipped=best.skipped(),
    )


@dataclass
class _GamesRead:
    """The games of a text, read under some rules: the match so far, and the errors in games.

    `numbers` are those of the faulty games in the text.
    """

    match: Match
    numbers: list[int] = field(default_factory=list)
    faults: list[LineError] = field(default_factory=list)

    def skipped(self) -> tuple[SkippedGame, ...]:
        return tuple(
            SkippedGame(number, fault.message, fault.place[0])
            for number, fault in zip(self.numbers, self.faults, strict=True)
        )


def _warnings(match: Match, header: Header, name: str) -> tuple[str, ...]:
    """Return warnings about a match read without Crawford rule, unless its header excludes it."""
    if match.length == 0 or match.uses_crawford or header.crawford is False:
        return ()
    return breach_warnings(name, match)


def _with_rules(plain: Match, header: Header, parts: MatchText) -> Iterator[Match]:
    """Yield the match under each set of rules that fits the file's, the usual ones first."""

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


def _games(parts: MatchText, match: Match, name: str) -> _GamesRead:
    """Read the games by the rules of a match without games."""
    read = _GamesRead(match)
    is_unscored = _is_unscored(parts)
    for index, written in enumerate(parts.games):
        text = written
        following = parts.games[index + 1].score if index + 1 < len(parts.games) else None
        games = read.match.games
        if is_unscored:
            score = score_after(games[-1]) if games else (0, 0)
            text, following = replace(text, score=score), None
        try:
            game: Game | None = _read_game(read.match, text, following, name)
        except LineError as error:
            read.numbers.append(index + 1)
            read.faults.append(error)
            game = stand_in(match, games, text.score)
        if game is not None:
            read.match = replace(match, games=(*games, game))
    return read


def _read_game(match: Match, text: GameText, following: tuple[int, int] | None, name: str) -> Game:
    """Read the game after those of a match; in money play it may begin with automatic doubles."""
    if match.length:
        return _read_begun(match, text, following, name)
    gains = gains_of(text.score, following)
    for cube, scale in automatic_cubes(text, gains):
        try:
            found = _read_begun(match, text, following, name, cube, scale)
        except LineError:
            continue
        if gains is None or found.result == Result(*gains):
            return found
    return _read_begun(match, text, following, name)


def _read_begun(
    match: Match,
    text: GameText,
    following: tuple[int, int] | None,
    name: str,
    cube: int = 1,
    scale: int = 1,
) -> Game:
    """Read the game as one that begins with this cube."""
    try:
        _check_score(match.games, text)
        game = Game(text.score, cube=cube)
        options: tuple[bool, ...] = (False,)
        if match.uses_crawford:
            options = may_be_crawford(replace(match, games=(*match.games, game)), len(match.games))
        is_crawford = options[0] if len(options) == 1 else not _has_word(text, "double")
        game = replace(game, is_crawford=is_crawford)
        state = start_of(match, game)
    except RecordError as error:
        raise LineError(name, text.line, str(error)) from None
    return MatGameReader(match, game, state, text, name, scale).read(following)


def _is_unscored(parts: MatchText) -> bool:
    """Whether all games of a session are at 0 : 0: some programs do not keep the score."""
    is_session = parts.length == 0 and len(parts.games) > 1
    return is_session and all(text.score == (0, 0) for text in parts.games)


def _unscored_warning(parts: MatchText, read: _GamesRead, name: str) -> tuple[str, ...]:
    if not _is_unscored(parts) or max(read.match.games[-1].score) == 0:
        return ()
    return (f"{name}: every game stands at 0 : 0; the score is counted from the results",)


def _check_score(games: Sequence[Game], text: GameText) -> None:
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
