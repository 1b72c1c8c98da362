"""Reads a game of chess from its PGN text, in the variants of forty years of programs.

Source: the PGN standard of 1994.  Accepted beyond it: marks of evaluation, moves with hyphens, null
moves, numbers from 0, and tags anywhere before the moves.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import takewhile

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, read_fen
from master.games.chess.game import ChessGame, Ending, MoveError, game_from
from master.games.chess.record import ChessRecord
from master.games.chess.san import NULL_MOVE
from master.games.chess.typed import LEFT_OUT

UNKNOWN = "*"
DRAWN = "1/2-1/2"

UNSEEN = r"[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]"
"""Marks of order, of joining and of a file's start: no program shows them."""

_TO = r"[ \t]*[-:\u2010-\u2015\u2212][ \t]*"
_HALF = r"(?:1[/\u2044]2|\u00bd|0[.,]5)"
RESULT = rf"(?:(?:1{_TO}0|0{_TO}1|{_HALF}{_TO}{_HALF}|1[/\u2044]2|\u00bd)(?![-:/\w])|\*)"
"""A pattern of results in all spellings: with any dash or a colon, blanks around it."""

_SPELLED = str.maketrans(dict.fromkeys("\u2010\u2011\u2012\u2013\u2014\u2015\u2212:", "-")
                         | {"\u2044": "/", "\u00bd": "1/2"})  # fmt: skip
_RESULTS = {"1-0": "1-0", "0-1": "0-1", DRAWN: DRAWN, "1/2": DRAWN, UNKNOWN: UNKNOWN}
_FORCED = {Ending.CHECKMATE, Ending.STALEMATE, Ending.MATERIAL}
"""Endings that need no claim."""

_WON = re.compile(r"(.{1,200}?) (?:won|wins)\b", re.IGNORECASE)


def result_named(text: str) -> str:
    """Return the result that a tag or a word means: 1-0, 0-1, 1/2-1/2, *; empty: none of them."""
    seen = re.sub(rf"\s|{UNSEEN}", "", text).translate(_SPELLED)
    return _RESULTS.get(re.sub("0[.,]5", "1/2", seen), "")


def recorded_result(
    tags: Mapping[str, str], ended: str, game: ChessGame
) -> tuple[str, tuple[str, ...]]:
    """Return a game's recorded result, and the contradictions in its record.

    Args:
        tags: the tag Result comes first, unless it is * or none.
        ended: the result behind the moves; empty: there is none.
        game: the moves; a result that they force is reported, and changes no recorded result.

    Returns:
        The result, empty if none is recorded or the board shows the same; and warnings.
    """
    tag = tags.get("Result", "").strip()
    named = result_named(tag)
    warnings = []
    if tag and tag != "?" and not named:
        warnings.append(f"tag Result {tag[:20]!r} is none of 1-0, 0-1, 1/2-1/2 and *")
    result = (named if named not in ("", UNKNOWN) else ended) or named
    if named and ended and named != ended:
        warnings.append(f"tag Result is {named}, the moves end with {ended}: read as {result}")
    if result not in ("", UNKNOWN) and game.ending in _FORCED and result != game.result:
        ending = game.ending.value if game.ending else ""
        warnings.append(f"recorded as {result}, but the moves end with {ending} ({game.result})")
    if doubt := _termination_doubt(tags, result):
        warnings.append(doubt)
    return "" if result == game.result else result, tuple(warnings)


def _termination_doubt(tags: Mapping[str, str], result: str) -> str:
    """Return a warning if the tag Termination contradicts the result; empty: it does not."""
    text = tags.get("Termination", "").strip()
    meant = ""
    if text.lower() == "unterminated":
        meant = UNKNOWN
    elif text.lower().startswith("game drawn"):
        meant = DRAWN
    elif won := _WON.match(text):
        sides = {tags.get("White", ""): "1-0", tags.get("Black", ""): "0-1"}
        meant = sides.get(won[1], "") if len(sides) == 2 else ""
    if not meant or result in ("", meant):
        return ""
    return f"tag Termination is {text[:60]!r}, but the result is {result}"


TAG_CHARACTERS_MAX = 4_096
"""Of a tag's value; the standard has lines of 255."""

TAGS_MAX = 256
"""Of a game; programs write two dozen."""

PLIES_MAX = 20_000
"""Of a game: the rule of 75 moves ends any before 17,697 half-moves."""

WORD_CHARACTERS_MAX = 100
"""Longest move with its marks; further characters are not read."""

_OURS = {"White", "Black", "Result", "SetUp", "FEN", "Variant"}
_NAMES = {
    name.lower(): name
    for name in (*_OURS, "Event", "Site", "Date", "Round", "Termination", "Annotator")
}
"""The tags that we read; capitals and small letters count the same."""

_LACKING = ("w", *LEFT_OUT)
"""The words that replace missing ones behind a FEN's men."""

_STANDARD = {"", "standard", "normal", "chess", "regular", "from position"}
_CHESS960 = {"chess960", "chess 960", "960", "fischerandom", "fischerrandom", "fischer random",
             "fischer random chess", "fischerandom chess", "freestyle"}  # fmt: skip

_TAG = re.compile(r'\[\s*([A-Za-z0-9][A-Za-z0-9_+#=:-]*)\s*"((?:[^"\\\n]|\\.|"(?!\s*\]))*)"\s*\]')
_COMMENT = r"\{[^}]*\}|;[^\n]*"
_SEEN = re.compile(rf"({_COMMENT})|{UNSEEN}+")
_GAP = re.compile(rf"(?:\s|{UNSEEN})+|^%[^\n]*|{_COMMENT}", re.MULTILINE)
_NO_TAG = re.compile(r"\[[^\n]*")

_SYMBOLS = (
    r"[\u00ab\u00b1\u00bb\u00d7\u00f7\u0394\u2016\u2020\u2021\u203c\u2047-\u2049\u2190-\u2211"
    r"\u2213-\u23ff\u25a0-\u25ff\u2610-\u2612\u2713-\u2718\u27c0-\u27ff\u2900-\u2bff]"
)
"""The Informator's signs of evaluation: arrows, mathematical signs, shapes; no men."""

_MARKS = rf"(?:[-+=/!?#~]|{_SYMBOLS})"
_LETTERS = "(?:TN|N|RR|D)"
"""A novelty, an editorial remark and a diagram."""

_WORD = re.compile(
    rf"(?P<comment>{_COMMENT}|^%[^\n]*)|(?P<open>\()|(?P<close>\))|(?P<glyph>\$[0-9]+)"
    rf"|(?P<result>{RESULT})"
    r"|(?P<null>(?:--|Z0|0000|@@@@|<>)(?![^\s{};()$!?]))"
    r"|(?P<number>[0-9]+\s*[.\u2026]+|[.\u2026]+|[0-9]+(?=\s|$))"
    rf"|(?P<mark>{_SYMBOLS}+|{_MARKS}+{_LETTERS}?(?=[\s{{}};()$]|$)"
    rf"|(?:{_LETTERS}|ch|mate|dbl|ep|e\.\s?p\.?)(?=\s|$))"
    r"|(?P<move>[^\s{}();$\[\].*\u2026]+(?:(?<=[36]e)\.\s?p\.?|(?<=[36])\s+e\.\s?p\.?)?)"
    r"|(?P<other>\S)",
    re.MULTILINE,
)
_MOVE = re.compile(
    rf"(.*?)(?:\s*e\.?\s?p\.?)?((?:{_MARKS}(?:(?<![18][=/]){_LETTERS})?)*)", re.DOTALL
)
_NOVELTY = re.compile(
    rf"((?:[KQRN\u2654-\u2658\u265a-\u265e]|B(?![1-8][a-h][1-8]))\S*[1-8]){_LETTERS}"
)
"""Not of a pawn's move: it may end with the letter of a knight, its promotion."""

_LIKE_A_MOVE = re.compile(f"[a-hA-H][1-8]|[Oo0]-[Oo0]|{NULL_MOVE}")
_CAPTURE = re.compile("\u00d7(?=[a-h])")
_DASHES = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212", "------")
_GLYPHS = {
    "!": "$1", "?": "$2", "!!": "$3", "??": "$4", "!?": "$5", "?!": "$6", "\u25a1": "$7",
    "\u203c": "$3", "\u2047": "$4", "\u2049": "$5", "\u2048": "$6",
    "=": "$10", "\u221e": "$13", "+=": "$14", "+/=": "$14", "\u2a72": "$14", "=+": "$15",
    "=/+": "$15", "\u2a71": "$15", "+/-": "$16", "\u00b1": "$16", "-/+": "$17", "\u2213": "$17",
    "+-": "$18", "-+": "$19",
}  # fmt: skip
"""Numeric annotation glyphs of marks (PGN standard, section 10)."""

_ONE_MARK = re.compile("|".join(map(re.escape, sorted(_GLYPHS, key=len, reverse=True))) + "|.")


_ENDS = re.compile(
    r"abandon|adjourn|agree|claim|disconnect|draw|forfeit|flag|illegal|los[et]|mate|repetition"
    r"|resign|stalemate|time|unfinished|win|won",
    re.IGNORECASE,
)
"""Words of an ending, such as `White resigns`."""


class PgnError(ValueError):
    """A text that cannot be read, from a line on."""

    def __init__(self, reason: str, line: int) -> None:
        """Keep the line.

        Args:
            reason: the expected text.
            line: of the game's text, from 1.
        """
        super().__init__(reason)
        self.line = line


@dataclass(frozen=True, slots=True)
class PgnGame:
    """A game that was read.

    Args:
        record: the game.
        is_whole: whether a record of moves and tags holds all that the text held.
        warnings: the contradictions in the text, and how they were read.
        warning_lines: of the text, from 1, that the first of these are about; others are about the
            game.
    """

    record: ChessRecord
    is_whole: bool
    warnings: tuple[str, ...] = ()
    warning_lines: tuple[int, ...] = ()


@dataclass(slots=True)
class _Movetext:
    """The content of the text after the tags; places are indices of the text."""

    words: list[str]
    notes: list[list[str]]
    places: list[int] = field(default_factory=list)
    """Of the words."""
    numbered: set[int] = field(default_factory=set)
    """Indices of the words that follow a move's number."""
    result: str = ""
    is_whole: bool = True
    behind: list[str] = field(default_factory=list)
    """Words behind the last move that are none: White resigns."""
    behind_at: int = 0
    """The place of the first of these."""


def read_pgn(text: str) -> PgnGame:
    """Return the game of a text, to be continued, and whether that is all of the text.

    It leaves out comments, variations, results that do not follow from the moves, and details
    that do not fit a position.

    Raises:
        ValueError: the text is no game, or several, or has null moves; names the expected form.
    """
    read = read_game(text)
    game = read.record.game
    if NULL_MOVE in game.moves:
        board = game.boards[game.moves.index(NULL_MOVE)]
        raise ValueError(f"move {board.move_number}: no game goes on after a null move")
    return replace(read, record=replace(read.record, recorded="", notes=()))


def read_game(text: str) -> PgnGame:
    """Return the game of a text with its complete record.

    Raises:
        ValueError: the text is no game of standard chess or Chess960, or several; names the
            expected form.  A PgnError, if one line of the text is wrong.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    tags, at, left_out = _tags(text)
    moves = text[:at] + _SEEN.sub(r"\1", text[at:])
    found = _movetext(moves, at)
    _end_with_a_move(found, result_named(tags.get("Result", "")))
    if found.behind:
        said = " ".join(found.behind)[:40]
        why = f"expected a move or a result such as 1-0, not {said!r}: left out"
        left_out.append((why, found.behind_at))
    if not tags and not found.words:
        raise ValueError('expected a game in PGN: tags such as [White "Ann"], then moves')
    _check_variant(tags.get("Variant", ""))
    start, warnings = _start(tags.get("FEN", START))
    try:
        game = game_from(start, found.words)
    except MoveError as error:
        raise PgnError(str(error), _line(moves, found.places[error.ply])) from None
    recorded, doubts = recorded_result(tags, found.result, game)
    others = tuple((name, value) for name, value in tags.items() if name not in _OURS)
    white, black = (_known(tags.get(name, "")) for name in ("White", "Black"))
    notes = tuple(tuple(each) for each in found.notes) if any(found.notes) else ()
    record = ChessRecord(game, white, black, others, recorded, notes)
    named = {found.result, result_named(tags.get("Result", "")) or game.result} - {""}
    is_whole = found.is_whole and named <= {game.result} and not (left_out or warnings)
    said_first = (why for why, _ in left_out)
    lines = tuple(_line(moves, place) for _, place in left_out)
    return PgnGame(record, is_whole, (*said_first, *warnings, *doubts), lines)


def _line(text: str, place: int) -> int:
    """Return the line, from 1, of a place in a text."""
    return text.count("\n", 0, place) + 1


def _known(name: str) -> str:
    return "" if name == "?" else name


def _tags(text: str) -> tuple[dict[str, str], int, list[tuple[str, int]]]:
    """Return the tags of a text, the first of each name, their end, and the parts left out.

    Of each part there is a warning, and its place.
    """
    tags: dict[str, str] = {}
    left_out, at, end = list[tuple[str, int]](), 0, 0
    while at < len(text):
        if found := _TAG.match(text, at):
            if len(found[2]) > TAG_CHARACTERS_MAX:
                most = f"at most {TAG_CHARACTERS_MAX:,} characters"
                raise ValueError(f"tag {found[1][:40]}: expected {most}, not {len(found[2]):,}")
            name = _NAMES.get(found[1].lower(), found[1])
            tags.setdefault(name, re.sub(r"\\(.)", r"\1", found[2]))
            if len(tags) > TAGS_MAX:
                raise ValueError(f"expected at most {TAGS_MAX} tags")
            end = found.end()
        elif found := _NO_TAG.match(text, at):
            why = f'expected a tag such as [White "Ann"], not {found[0][:40]!r}: left out'
            left_out.append((why, at))
            end = found.end()
        elif not (found := _GAP.match(text, at)):
            break
        at = found.end()
    return tags, end, left_out


def _check_variant(name: str) -> None:
    if name.strip().lower() not in _STANDARD | _CHESS960:
        raise ValueError(f"variant {name[:40]}: only standard chess and Chess960 are analysed")


def _start(fen: str) -> tuple[ChessBoard, list[str]]:
    """Return a FEN's position, and its words that do not fit; the last words may be missing."""
    words = fen.split()
    if words:
        words += _LACKING[len(words) - 1 :]
    if len(words) == 6 and words[5].strip("0") == "":
        words[5] = "1"
    try:
        return read_fen(" ".join(words)), []
    except ValueError:
        if len(words) != 6:
            raise
    warnings = []
    for place, name in ((3, "en passant"), (2, "castling")):
        fitting = _fitting(words, place)
        if fitting != words[place]:
            warnings.append(f"{name} {words[place]} does not fit the position: read as {fitting}")
            words[place] = fitting
    return read_fen(" ".join(words)), warnings


def _fitting(words: list[str], place: int) -> str:
    """Return the part of a FEN's castling or en passant word, by its index, that fits the men."""

    def fits(text: str) -> bool:
        tried = [words[0], words[1], "-", "-", "0", "1"]
        tried[place] = text
        try:
            read_fen(" ".join(tried))
        except ValueError:
            return False
        return True

    if fits(words[place]) or not fits("-"):
        return words[place]
    letters = words[place] if place == 2 and len(words[place]) <= 4 else ""
    return "".join(each for each in letters if fits(each)) or "-"


def _movetext(text: str, begin: int) -> _Movetext:
    """Return moves, notes and result of a text, from a place on."""
    found, depth, variation = _Movetext([], [[]]), 0, list[str]()
    opened, before = 0, ""
    for kind, word, place in _words(text, begin):
        opened = place if kind == "open" and not depth else opened
        depth += (kind == "open") - (kind == "close")
        is_behind = bool(found.result) and kind == "move" and not _LIKE_A_MOVE.search(word)
        is_late = bool(found.result) and kind in ("result", "move", "null") and not is_behind
        if depth < 0 or (not depth and (kind == "other" or is_late)):
            why = f"expected a move or the end of the game, not {word[:20]!r}"
            raise PgnError(why, _line(text, place))
        if depth or kind == "close":
            variation.append(_note(kind, word))
            if not depth:
                found.notes[-1].append(_joined(variation))
                variation.clear()
            found.is_whole = False
        elif kind == "result":
            found.result = result_named(word)
        elif is_behind:
            found.behind_at = found.behind_at or place
            found.behind.append(word)
        elif kind in ("move", "null"):
            found.numbered |= {len(found.words)} if before == "number" else set()
            found.places.append(place)
            _add_move(found, kind, word)
        elif kind in ("comment", "glyph", "mark"):
            found.notes[-1] += (
                _marked(word)[1] if kind == "mark" else filter(None, [_note(kind, word)])
            )
            found.is_whole = found.is_whole and kind == "mark"
        before = kind
    if depth:
        raise PgnError("a variation ends with ), one was expected", _line(text, opened))
    return found


def _end_with_a_move(found: _Movetext, result: str) -> None:
    """Remove from the moves the words behind the last one that say how the game ended.

    They do if they are like `White resigns`, or if the game has a result and no move's number
    announces a move there.  Any others are an unreadable move.

    Args:
        found: the movetext.
        result: of the tag; empty: there is none.
    """
    like = [at for at, word in enumerate(found.words) if _LIKE_A_MOVE.search(word)]
    count = like[-1] + 1 if like else 0
    words = found.words[count:]
    is_over = not {found.result, result} <= {"", UNKNOWN} or not like
    if not words or not (
        _ENDS.search(" ".join(words)) or (is_over and count not in found.numbered)
    ):
        return
    found.behind_at = found.places[count]
    found.behind[:0] = words
    kept, rest = found.notes[: count + 1], found.notes[count + 1 :]
    kept[-1] += [note for notes in rest for note in notes]
    found.words, found.notes = found.words[:count], kept


def _words(text: str, begin: int) -> Iterator[tuple[str, str, int]]:
    """Yield the words of a movetext, from a place on, with their kinds and places.

    Dashes outside comments become hyphens.
    """
    for found in _WORD.finditer(text, begin):
        kind = found.lastgroup or "other"
        word = found[0] if kind == "comment" else found[0].translate(_DASHES)
        yield kind, word, found.start()


def _note(kind: str, word: str) -> str:
    """Return the form in which a word is kept; empty: it is not kept."""
    if kind == "mark":
        return " ".join(_marked(word)[1])
    if kind != "comment":
        return word
    if word.startswith("%"):
        return ""
    bare = word[1:-1] if word.startswith("{") else word[1:].replace("}", ")")
    return f"{{{' '.join(bare.replace(chr(0), '').split())}}}"


def _joined(variation: list[str]) -> str:
    """Return a variation's words with blanks between them, except next to brackets."""
    text = ""
    for each in filter(None, variation):
        text += each if each == ")" or text.endswith("(") or not text else f" {each}"
    return text


def _add_move(found: _Movetext, kind: str, word: str) -> None:
    if len(found.words) >= PLIES_MAX:
        raise ValueError(f"expected at most {PLIES_MAX:,} half-moves")
    match = _MOVE.fullmatch(word[:WORD_CHARACTERS_MAX])
    assert match is not None, "it may be empty"
    checks, glyphs = _marked(match[2])
    move = _CAPTURE.sub("x", match[1])
    if bare := _NOVELTY.fullmatch(move):
        move = bare[1]
    found.words.append(NULL_MOVE if kind == "null" else move + checks)
    found.notes.append(glyphs)


def _marked(marks: str) -> tuple[str, list[str]]:
    """Return the sign of check or mate among the marks behind a move, and the others' glyphs."""
    each = _ONE_MARK.findall(marks)
    return "".join(takewhile("+#".__contains__, each)), [
        _GLYPHS[one] for one in each if one in _GLYPHS
    ]
