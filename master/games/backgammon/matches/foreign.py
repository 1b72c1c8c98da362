"""Match files of other programs, read by the package gammonview: .xg, .bgf and OGXM, also as JSON.

Converts gammonview's documents (see its OGXM JSON specification).  The package is needed only when
such a file is read.

gammonview counts plies from 1 and rounds numbers (equities to four digits, probabilities to
three); white is player 0.  Comments, clocks, second analyses and errors of resigning are not kept.
"""

from __future__ import annotations

import codecs
import contextlib
import importlib
import io
import json
import re
import resource
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from types import ModuleType
from typing import Any

from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.cube import Cube, cube_action
from engine_ext.backgammon.match_cube import cube_of
from engine_ext.backgammon.move_text import BAR, OFF, format_move
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.flow import (
    GameStage,
    ReplayState,
    advance,
    apply,
    legal_play,
    start_of,
    turned_to,
)
from master.games.backgammon.matches.record import (
    GAMES_MAX,
    Action,
    AnalysedMatch,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Result,
    Step,
    Take,
)
from master.games.backgammon.matches.repairs import (
    CrawfordFlags,
    read_forgiving,
    resignation,
    stand_in,
    whole_points,
)
from master.games.backgammon.matches.replay import check_crawford, check_game
from master.games.errors import RecordError
from master.games.skipped import SkippedGame

_MIB = 1 << 20

ADDRESS_BYTES_MAX = 256 * _MIB
"""Of the child's address space (RLIMIT_AS): Python and gammonview take 17 MiB before they read,
and about 130 MiB more for the longest document that is taken."""

DOCUMENT_BYTES_MAX = 24 * _MIB
"""Of JSON: some 60,000 moves with their evaluations, a match of 1,900 plays with 32 moves each.
Its objects take six times as much memory here."""

DEADLINE_S = 30.0
"""A match to 25 points takes some two seconds; the page answers within a minute."""

ERROR_CHARACTERS_MAX = 200
"""Of a package's own words, which may quote the file."""


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """Bounds of one reading.

    Args:
        address_bytes: of the child's address space.
        document_bytes: of the document, as JSON.
        deadline_s: from the start to the end of the child.
    """

    address_bytes: int = ADDRESS_BYTES_MAX
    document_bytes: int = DOCUMENT_BYTES_MAX
    deadline_s: float = DEADLINE_S


def read_in_child(
    package: str, function: str, content: bytes, limits: ReadingLimits | None = None
) -> Any:
    """Return the document that a package's function reads from a file, as JSON values.

    Blocks for as long as the child runs, and never longer than the deadline.

    Args:
        package: that is imported in the child.
        function: of the package; takes bytes, returns a document.
        content: of the file.
        limits: None: those of this module.

    Raises:
        RecordError: the function raised, or exceeded a limit; one line names the reason.
    """
    limits = limits or ReadingLimits()
    command = (
        sys.executable, "-P", "-m", __name__, package, function, str(limits.address_bytes),
        str(limits.document_bytes), str(int(limits.deadline_s) + 1),
    )  # fmt: skip
    try:
        ended = subprocess.run(
            command, input=content, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=limits.deadline_s, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise RecordError(f"reading it takes longer than {limits.deadline_s:g} s") from None
    except OSError as error:
        raise RecordError(f"no process can be started to read it: {error.strerror}") from None
    try:
        answer = json.loads(ended.stdout)
        if "error" not in answer:
            return answer["document"]
    except (LookupError, TypeError, ValueError):
        raise RecordError(_end_of(ended.returncode)) from None
    raise RecordError(str(answer["error"]))


def _end_of(code: int) -> str:
    """Return the reason why a child ended without an answer."""
    ended = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return f"the process that read it {ended}"


def _answer(function: Any, content: bytes, document_bytes: int, address_bytes: int) -> str:
    """Return the answer: a document, or an error in one line."""
    try:
        text = json.dumps({"document": function(content)}, separators=(",", ":"))
        if len(text) <= document_bytes:
            return text
        error = f"its content takes more than {document_bytes / _MIB:g} MiB"
    except MemoryError:
        error = f"reading it takes more than {address_bytes / _MIB:g} MiB of memory"
    except Exception as found:  # bad bytes make it raise anything, from struct, zlib, json, ...
        error = " ".join(str(found).split())[:ERROR_CHARACTERS_MAX] or type(found).__name__
    return json.dumps({"error": error})


def _limit(kind: int, wanted: int) -> None:
    """Lower a limit of this process; a lower one of the system's stays."""
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(kind, (wanted, hard))


def main(arguments: Sequence[str]) -> None:
    """Read standard input, within limits, and print the answer; the package's output is dropped."""
    package, name, *numbers = arguments
    address_bytes, document_bytes, cpu_s = map(int, numbers)
    _limit(resource.RLIMIT_AS, address_bytes)
    _limit(resource.RLIMIT_CPU, cpu_s)  # in case the parent has ended
    with contextlib.redirect_stdout(io.StringIO()):
        function = getattr(importlib.import_module(package), name)
        answer = _answer(function, sys.stdin.buffer.read(), document_bytes, address_bytes)
    sys.stdout.write(answer)


if __name__ == "__main__":
    main(sys.argv[1:])


FOREIGN_BYTES_MAX = 1 << 22
"""Largest file, 4 MiB: long matches with analysis take under 1; compressed, it may grow a lot."""

READER = "gvformat"
"""Gammonview's package."""

EXTRA = "files"
"""The optional extra that includes gammonview."""

CUBE_VALUE_MAX = 4096
"""The engine's limit."""

_WHITE = 1
"""White, as a ply's colour."""

_DOUBLE, _TAKE, _DROP = 21, 22, 23
_ENDS = (24, 25, 26, 29, 30)
"""The ends of a game or match, a forfeit, nothing: the result contains everything."""

_RESIGNATIONS = (27, 28)
_DICE_MAX = 20
_PLY = re.compile(r"([1-9])ply")
_LEVELS = {"rollout": "rollout", "database": "opening book", "": "level not recorded"}


def _is_bgf(content: bytes) -> bool:
    head = content[:4096].partition(b"\n")[0]
    return head.startswith(b"{") and b'"format"' in head and b"BGF" in head


def _is_gva(content: bytes) -> bool:
    head = content[:4096].removeprefix(codecs.BOM_UTF8).lstrip()
    return head.startswith(b"{") and b'"player_white"' in head


GVA_FUNCTION = "canonicalize"
"""This function takes no bytes: a document as JSON is parsed here."""

_FORMATS: tuple[tuple[str, str, Callable[[bytes], bool]], ...] = (
    ("eXtreme Gammon", "convert_xg", lambda content: content.startswith(b"RGMH")),
    ("OGXM", "read_gvab", lambda content: content.startswith(b"OGXM")),
    ("BGBlitz", "convert_bgf", _is_bgf),
    ("GammonView", GVA_FUNCTION, _is_gva),
)
"""The program of the files, gammonview's function that reads them, and a test of the content."""


def is_foreign(content: bytes) -> bool:
    """Whether `read_foreign` reads this file."""
    return any(is_it(content) for _, _, is_it in _FORMATS)


def read_foreign(content: bytes, name: str) -> AnalysedMatch:
    """Read a match of another program, with its analysis.

    Raises:
        RecordError: it cannot be read, or the extra is not installed; the text names the file, and
            the expected content.
    """
    program, function, _ = next(entry for entry in _FORMATS if entry[2](content))
    bytes_max = DOCUMENT_BYTES_MAX if function == GVA_FUNCTION else FOREIGN_BYTES_MAX
    if len(content) > bytes_max:
        raise RecordError(f"{name}: a file of {program} has at most {bytes_max} bytes")
    reader = _gammonview(program, name)
    try:
        if function == GVA_FUNCTION:
            document = _read_json(content)
        else:
            document = read_in_child(READER, function, content)
    except RecordError as error:
        raise RecordError(f"{name}: expected a whole file of {program}: {error}") from None
    try:
        return read_document(document, reader, name)
    except RecordError as error:
        raise RecordError(f"{name}: {error}") from None


def _read_json(content: bytes) -> Any:
    try:
        return json.loads(content.decode("utf-8-sig"))
    except (RecursionError, ValueError) as error:
        raise RecordError(str(error)) from None


def _gammonview(program: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(READER)
    except ImportError:
        raise RecordError(
            f"{name}: files of {program} need an optional extra: pip install 'manyply[{EXTRA}]'"
        ) from None


def read_document(document: dict[str, Any], reader: ModuleType, name: str) -> AnalysedMatch:
    """Convert a document of gammonview.

    Args:
        document: made from a file by gammonview.
        reader: gammonview's package.
        name: of the file, for warnings.

    Raises:
        RecordError: it breaks the rules, or has something that a record cannot keep.
    """
    try:
        return read_forgiving(lambda flags: _read(document, reader, flags), name)
    except RecordError:
        raise
    except (ArithmeticError, AttributeError, LookupError, OSError, TypeError, ValueError) as error:
        raise RecordError(f"expected a document as gammonview describes it: {error!r}") from None


def _read(
    document: dict[str, Any], reader: ModuleType, flags: CrawfordFlags | None
) -> AnalysedMatch:
    """Read games; with `flags`, without the Crawford rule; then fill `flags`."""
    match = _header(document)
    if flags is not None:
        match = replace(match, uses_crawford=False)
    if len(document["games"]) > GAMES_MAX:
        raise RecordError(f"a match has at most {GAMES_MAX} games")
    games: list[Game] = []
    analyses: list[tuple[ActionAnalysis | None, ...]] = []
    skipped: list[SkippedGame] = []
    for number, game in enumerate(document["games"], start=1):
        # OGXM calls the one game of a match to one point the Crawford game.
        is_crawford = bool(game.get("is_crawford")) and match.length > 1
        score = (0, 0)
        try:
            game_reader = _ForeignGameReader(match, document, reader)
            score = game_reader.score_before(game["plies"], games)
            record, analysis = game_reader.read(game, score, is_crawford and flags is None)
            check_game(replace(match, games=(*games, record)), len(games))
        except RecordError as error:
            skipped.append(SkippedGame(number, _bare(error, len(games) + 1)))
            if (instead := stand_in(match, games, score)) is None:
                continue
            record, analysis = instead, ()
        games.append(record)
        analyses.append(analysis)
        if flags is not None:
            flags.append(is_crawford)
    if skipped and len(skipped) == len(document["games"]):
        raise RecordError(f"game {skipped[0].number}: {skipped[0].reason}")
    match = replace(match, games=tuple(games))
    check_crawford(match)
    is_analysed = any(entry is not None for analysis in analyses for entry in analysis)
    return AnalysedMatch(match, tuple(analyses) if is_analysed else (), skipped=tuple(skipped))


def _bare(error: RecordError, number: int) -> str:
    """The error in a game, without the game's number."""
    text = str(error)
    return text.removeprefix(f"game {number}").lstrip(":, ") if text.startswith("game ") else text


def _header(document: dict[str, Any]) -> Match:
    if document.get("variant"):
        raise RecordError("expected usual backgammon, not another variant")
    tags = {"event": document.get("event"), "place": document.get("site")}
    if document.get("timestamp"):
        tags["date"] = datetime.fromtimestamp(document["timestamp"], UTC).date().isoformat()
    has_crawford = any(game.get("is_crawford") for game in document["games"])
    return Match(
        players=(str(document["player_white"]), str(document["player_black"])),
        length=document["match_length"],
        uses_crawford=bool(document.get("crawford")) or has_crawford,
        jacoby=bool(document.get("jacoby")),
        beavers=bool(document.get("beaver")),
        uses_cube=document.get("cube_limit") != 1,
        tags={tag: text for tag, text in tags.items() if text},
    )


class _ForeignGameReader:
    """A game, up to the plies read so far."""

    def __init__(self, match: Match, document: dict[str, Any], reader: ModuleType) -> None:
        self._match = match
        self._level = (document.get("analysis_info") or {}).get("eval_level")
        self._reader = reader
        self._actions: list[Action] = []
        self._analyses: list[ActionAnalysis | None] = []
        self._doubled: ActionAnalysis | None = None  # the analysis of the offered double

    def read(
        self, game: dict[str, Any], score: tuple[int, int], is_crawford: bool
    ) -> tuple[Game, tuple[ActionAnalysis | None, ...]]:
        winner, points = game["winner"], game["points_won"]
        # Of a game that was not finished BGBlitz's files have a winner of no points.
        result = Result(winner, points) if winner in (0, 1) and points else None
        record = Game(score, result=result, is_crawford=is_crawford)
        state = start_of(self._match, record)
        for number, ply in enumerate(game["plies"], start=1):
            try:
                state = self._read_ply(ply, state, result)
            except RecordError as error:
                raise RecordError(f"ply {number}: {error}") from None
        if result is not None and state.result is None:
            state = self._end(state, result)
        result = whole_points(self._match, record, state.result)
        record = replace(record, actions=tuple(self._actions), result=result)
        return record, tuple(self._analyses)

    def _end(self, state: ReplayState, result: Result) -> ReplayState:
        """Add the action that ended a game whose plies leave it open: a drop, or a resignation."""
        action: Action | None
        is_drop = state.stage is GameStage.ANSWER and result.winner != state.decider
        if is_drop and result.points == state.game.match.cube_value:
            action = Drop(state.decider)
        else:
            try:
                action = resignation(state, result)
            except RecordError:
                action = None  # an award, if anything: `check_game` decides
        if action is None:
            return state
        self._actions.append(action)
        self._analyses.append(self._doubled if is_drop else None)
        return apply(state, action)

    def score_before(self, plies: list[dict[str, Any]], before: list[Game]) -> tuple[int, int]:
        """The score before the game, which only positions contain."""
        ogid = plies[0].get("ogid_before") if plies else None
        if ogid:
            position = self._reader.parse_ogid(ogid)
            return (position.score_white, position.score_black)
        if not before or before[-1].result is None:
            return before[-1].score if before else (0, 0)
        points = [*before[-1].score]
        points[before[-1].result.winner] += before[-1].result.points
        return (points[0], points[1])

    def _read_ply(
        self, ply: dict[str, Any], state: ReplayState, result: Result | None
    ) -> ReplayState:
        action_id = ply["action_id"]
        if action_id in _ENDS:
            return state
        action: Action | None
        if action_id in _RESIGNATIONS:
            if result is None:
                raise RecordError("expected a result after a resignation")
            action = resignation(state, result)
        else:
            action = _read_action(ply, action_id, int(ply["color"] != _WHITE))
        if action is None:
            return state
        before = turned_to(state, action)
        after, _ = advance(before, action)
        self._actions.append(action)
        self._analyses.append(self._read_analysis(ply, action, before))
        return after

    def _read_analysis(
        self, ply: dict[str, Any], action: Action, state: ReplayState
    ) -> ActionAnalysis | None:
        known = ply.get("analysis") or {}
        if isinstance(action, Take | Drop):  # the double's, from the doubler's view
            return self._doubled
        checker, cube, luck = None, None, None
        if state.game.match.cube_value <= CUBE_VALUE_MAX:
            if isinstance(action, Play):
                checker = self._read_checker(known, action, state)
                luck = known.get("luck")
                asked = known.get("cube_decision") or known.get("missed_double") or {}
                cube = self._read_cube(asked, cube_of(state.game.match))
            elif isinstance(action, Double):
                cube = self._read_cube(known, cube_of(state.game.match))
        found = ActionAnalysis(checker, cube, luck)
        self._doubled = None if found == ActionAnalysis() else found
        return self._doubled

    def _read_checker(
        self, known: dict[str, Any], play: Play, state: ReplayState
    ) -> CheckerAnalysis | None:
        position = state.game.position
        made = legal_play(position, play.dice, play.steps)
        cube = cube_of(state.game.match)
        moves: list[MoveAnalysis] = []
        played = -1
        for listed in known.get("alternatives") or ():
            if not listed.get("eval") or not listed.get("move"):
                continue
            move = legal_play(position, play.dice, _steps(listed["move"], play.player))
            if move is None:
                continue
            played = len(moves) if move == made else played
            probs, level = _probs(listed["eval"]), self._level_of(listed)
            text = format_move(position, move.steps)
            cubeless = cube.cubeless_equity(probs)
            moves.append(MoveAnalysis(text, level, float(listed["equity"]), cubeless, probs))
        if played < 0:
            return None
        return CheckerAnalysis(tuple(moves), played, len(legal_moves(position, play.dice)) == 1)

    def _read_cube(self, asked: dict[str, Any], cube: Cube) -> CubeAnalysis | None:
        if not asked.get("eval"):
            return None
        names = ("no_double_equity", "double_take_equity", "double_pass_equity")
        no_double, double_take, double_pass = (float(asked[name]) for name in names)
        action = cube_action(no_double, double_take, double_pass, cube)
        probs = _probs(asked["eval"])
        level, cubeless = self._level_of(asked), cube.cubeless_equity(probs)
        return CubeAnalysis(level, no_double, double_take, double_pass, action, cubeless, probs)

    def _level_of(self, analysed: dict[str, Any]) -> str:
        """Our word for a level; gammonview's first ply is our 0-ply."""
        word = str(analysed.get("eval_level") or self._level or "")
        if (match := _PLY.fullmatch(word)) is not None:
            return f"{int(match[1]) - 1}-ply"
        return _LEVELS.get(word, word)


def _read_action(ply: dict[str, Any], action_id: int, player: int) -> Action:
    if action_id <= _DICE_MAX:
        dice = sorted((int(ply["d1"]), int(ply["d2"])), reverse=True)
        return Play(player, (dice[0], dice[1]), _steps(ply["moves"], player))
    if action_id == _DOUBLE:
        return Double(player)
    if action_id in (_TAKE, _DROP):
        return Take(player) if action_id == _TAKE else Drop(player)
    raise RecordError("expected a roll, a cube action or a resignation, not a position set up")


def _steps(moves: list[dict[str, Any]], player: int) -> tuple[Step, ...]:
    """White moves up from its bar, 0, and black down from its own, 25."""
    sources = [move["from"] if player else BAR - move["from"] for move in moves]
    targets = [max(OFF, source - move["pips"]) for source, move in zip(sources, moves, strict=True)]
    return tuple(zip(sources, targets, strict=True))


def _probs(evaluation: dict[str, Any]) -> Probs:
    names = ("win", "gammon_win", "bg_win", "gammon_loss", "bg_loss")
    return Probs(*(min(1.0, max(0.0, float(evaluation[name]))) for name in names))
