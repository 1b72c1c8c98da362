"""The session between a board and the UCI engine: its state, and its reactions to commands.

Searching is in thinking.py.  After a `position` that is malformed or has an illegal move, there is
no position: a line reports it, and `go` is answered by `bestmove (none)`, never by a move of the
former position.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from importlib.metadata import version

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.fen import START, read_fen
from master.games.chess.book.polyglot import BookError, PolyglotBook
from master.games.chess.probe_rounds import usual_words
from master.games.chess.typed import read_loose_fen
from master.games.chess.uci.commands import (
    Broken,
    Command,
    Go,
    IsReady,
    NewGame,
    Position,
    Quit,
    SetOption,
    Uci,
)
from master.games.chess.uci.options import (
    Bounds,
    Options,
    is_clear_hash,
    option_lines,
    set_option,
)
from master.games.chess.uci.wording import best_move_line, message

NAME = f"manyply {version('manyply')}"
AUTHOR = "the manyply authors"


@dataclass(frozen=True, slots=True)
class Wish:
    """A search that a board asks for.

    Args:
        boards: of the game in order; the last one is searched.
        go: the limits; its moves are legal.
        options: at this time.
    """

    boards: tuple[ChessBoard, ...]
    go: Go
    options: Options


@dataclass(frozen=True, slots=True)
class Session:
    """The state of the session.

    Args:
        boards: of the game in order; none after a position that could not be read.
        options: at this time.
        bounds: of the options.
    """

    boards: tuple[ChessBoard, ...]
    options: Options
    bounds: Bounds


@dataclass(frozen=True, slots=True)
class Reaction:
    """The reaction to a command.

    Args:
        session: after it.
        replies: lines to send at once.
        wish: the search to start then, if any.
        is_table_forgotten: whether the table's entries are useless from now on.
        is_over: whether the board ended the session.
    """

    session: Session
    replies: tuple[str, ...] = ()
    wish: Wish | None = None
    is_table_forgotten: bool = False
    is_over: bool = False


def new_session(bounds: Bounds) -> Session:
    """Return a session before its first line: the usual start, all options at their defaults."""
    return Session((read_fen(START),), Options(mode=bounds.mode), bounds)


def receive(session: Session, command: Command) -> Reaction:
    """Return the reaction to a command while no search runs; never raises."""
    try:
        return _carry_out(session, command)
    except ValueError as error:
        return Reaction(session, (message(str(error)),))


def _carry_out(session: Session, command: Command) -> Reaction:
    reaction = Reaction(session)  # `stop` and `ponderhit` are about a search, and there is none
    match command:
        case Uci():
            engine = session.bounds.engine
            name = f"{NAME}, {engine}" if engine else NAME
            names = (f"id name {name}", f"id author {AUTHOR}")
            reaction = Reaction(session, (*names, *option_lines(session.bounds), "uciok"))
        case IsReady():
            reaction = Reaction(session, ("readyok",))
        case NewGame():
            reaction = Reaction(session, is_table_forgotten=True)
        case SetOption(name, value):
            reaction = _set(session, name, value)
        case Position():
            reaction = _place(session, command)
        case Go():
            reaction = _go(session, command)
        case Broken(text, is_position):
            lost = replace(session, boards=()) if is_position else session
            reaction = Reaction(lost, (message(text),))
        case Quit():
            reaction = Reaction(session, is_over=True)
    return reaction


def _set(session: Session, name: str, value: str) -> Reaction:
    if is_clear_hash(name):
        return Reaction(session, is_table_forgotten=True)
    options = set_option(session.options, session.bounds, name, value)
    return Reaction(replace(session, options=options))


def _place(session: Session, position: Position) -> Reaction:
    try:
        boards, left_out = boards_of(position)
    except ValueError as error:
        return Reaction(replace(session, boards=()), (message(str(error)),))
    replies = tuple(message(f"left out of the position: {each}") for each in left_out)
    return Reaction(replace(session, boards=boards), replies)


def boards_of(position: Position) -> tuple[tuple[ChessBoard, ...], tuple[str, ...]]:
    """Return the boards from a position's start to its last move, and the parts left out of it.

    Raises:
        ValueError: it is no position, or a move is illegal; the text names the expected form.
    """
    try:
        start, left_out = read_loose_fen(START if position.fen is None else position.fen)
    except ValueError as error:
        raise ValueError(f"expected a position: {error}; there is none now") from None
    boards = [start]
    for move in position.moves:
        try:
            boards.append(boards[-1].play(move))
        except ValueError:
            text = f"expected legal moves, not {move[:20]!r}: there is no position now"
            raise ValueError(text) from None
    return tuple(boards), left_out


def book_lines(wish: Wish, book: PolyglotBook | None) -> tuple[str, ...]:
    """Return the answer of a book to a search; none: the engine has to search."""
    if book is None or not _is_book_asked(wish):
        return ()
    board = wish.boards[-1]
    try:
        moves = book.moves(board)
    except BookError:
        return ()  # it was deleted: the engine searches
    if not moves:
        return ()
    is_by_rook = wish.options.is_chess960
    move = moves[0].move if is_by_rook else usual_words(board, [moves[0].move])[0]
    weights = sum(each.weight for each in moves)
    share = f"{moves[0].weight} of {weights}"
    return (message(f"book {book.path.name}: {move}, {share}"), best_move_line((move,)))


def _is_book_asked(wish: Wish) -> bool:
    """Whether a search may be answered from a book: the move of a game, by the clock."""
    go, options = wish.go, wish.options
    clock_ms = go.clocks_ms[int(wish.boards[-1].is_black)]
    is_analysis = go.is_infinite or go.is_ponder or bool(go.moves) or options.line_count > 1
    return options.is_book_used and clock_ms is not None and not is_analysis


def _go(session: Session, go: Go) -> Reaction:
    """Start a search of the legal moves in `searchmoves`, or of all moves if there are none."""
    if not session.boards:
        text = "expected a position before go: the last one could not be read"
        return Reaction(session, (message(text), best_move_line(())))
    board = session.boards[-1]
    moves = tuple(move for move in go.moves if is_legal(board, move))
    is_partial = len(moves) < len(go.moves)
    replies = (message("expected legal searchmoves: others are left out"),) if is_partial else ()
    wish = Wish(session.boards, replace(go, moves=moves), session.options)
    return Reaction(session, replies, wish)


def is_legal(board: ChessBoard, move: str) -> bool:
    """Whether a text is a move that may be made."""
    try:
        board.play(move)
    except ValueError:
        return False
    return True
