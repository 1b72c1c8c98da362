"""NBoard: what lines mean, and what a search prints."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine_ext.othello.answer import BoardQuestion, answer_at_once
from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ggf import GgfGame, GgfMove, write_game
from engine_ext.othello.patterns import load_game_patterns
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.solving import solve
from master.games.othello.level import DEPTH_DEFAULT, DEPTH_MAX
from master.games.othello.nboard import (
    LINE_BYTES_MAX,
    STATUS_CHARACTERS_MAX,
    Reaction,
    Session,
    Watch,
    Wish,
    WishKind,
    is_stopping,
    line_text,
    new_session,
    receive,
    thinking,
)
from master.games.text_decoding import LineSplitter
from tests.engine_ext.othello.positions import running

# The example of the protocol's description.
GAME = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)
WORDS = ["nboard", "set", "set depth", "set game", "move", "hint", "go", "analyze", "ping",
         "learn", "quit", "f5", "PA"]  # fmt: skip


def after(*lines: str, session: Session | None = None) -> Reaction:
    """Return what the last of some lines leads to."""
    reaction = Reaction(session or new_session())
    for line in lines:
        reaction = receive(reaction.session, line)
    return reaction


def refusal(reaction: Reaction) -> str:
    """Return the one status line that a line got."""
    assert reaction.wish is None
    (line,) = reaction.replies
    assert line.startswith("status ")
    return line


def board_after(*moves: str) -> OthelloBoard:
    board = OthelloBoard.start()
    for move in moves:
        board = board.play(move)
    return board


def test_first_line_is_answered_with_the_name() -> None:
    assert after("nboard 2").replies == ("set myname manyply", "status ready")
    assert after("nboard 1").replies == after("nboard 2").replies
    assert "version" in refusal(after("nboard"))


def test_depth_is_kept_within_what_the_engine_can() -> None:
    assert new_session().depth == DEPTH_DEFAULT
    for asked, depth in (("1", 1), ("14", 14), ("0", 1), ("99", DEPTH_MAX)):
        reaction = after(f"set depth {asked}")
        assert reaction.session.depth == depth
        assert reaction.replies == (f"set myname manyply{depth}",)
    for broken in ("", "x", "-1", "1.5", "9" * 5000):
        reaction = after("set depth 7", f"set depth {broken}")
        assert "1 to 60" in refusal(reaction)
        assert reaction.session.depth == 7


def test_game_is_read_to_its_end() -> None:
    reaction = after(f"set game {GAME}")
    assert reaction.replies == ()
    boards = reaction.session.boards
    assert boards[0] == OthelloBoard.start()
    assert boards[-1] == board_after("f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4")
    assert len(boards) == 9


def test_game_that_cannot_be_read_leaves_none() -> None:
    for broken in ("", "x", "(;GM[Go];)", GAME.replace("F6", "A1"), GAME + GAME, GAME[:-2]):
        reaction = after(f"set game {GAME}", f"set game {broken}")
        assert refusal(reaction).startswith("status set game: ")
        for line in ("go", "hint 1", "analyze", "move f5"):
            assert "expected a game first" in refusal(receive(reaction.session, line))
        assert after("go", session=receive(reaction.session, f"set game {GAME}").session).wish


def test_move_is_played_whatever_its_evaluation_and_time() -> None:
    for line in ("move F5", "move f5/1.25/3.1", "move F5//", "F5", "move  f5"):
        reaction = after(line)
        assert reaction.replies == ()
        assert reaction.session.boards == (OthelloBoard.start(), board_after("f5"))


def test_move_that_is_not_legal_is_refused_and_the_position_stays() -> None:
    for line in ("move a1", "move", "move i9", "move PA", "pa", "move é4", "move " + "f" * 1000):
        reaction = after(line)
        assert refusal(reaction).startswith("status move: ")
        assert reaction.session == new_session()


def test_pass_is_a_move_where_it_is_forced() -> None:
    board = OthelloBoard.from_text("OX" + "-" * 62 + " X")
    assert board.must_pass
    game = write_game(GgfGame(board))
    for line in ("move PA", "PA", "move pass/0/0"):
        assert after(f"set game {game}", line).session.boards == (board, board.passed())
    played = write_game(GgfGame(board, (GgfMove("X", None),)))
    assert after(f"set game {played}").session.boards == (board, board.passed())


def test_thinking_is_wished_for_the_last_position() -> None:
    session = after("set depth 9", "move f5").session
    go = after("go", session=session)
    assert go.replies == ()
    assert go.wish is not None
    assert (go.wish.kind, go.wish.boards, go.wish.depth) == (WishKind.GO, session.boards, 9)
    assert go.session == session  # the board itself says what is played
    hint = after("hint 3", session=session).wish
    assert hint is not None
    assert (hint.kind, hint.move_count) == (WishKind.HINT, 3)
    analyze = after("analyze", session=session).wish
    assert analyze is not None
    assert analyze.kind is WishKind.ANALYZE
    assert "how many" in refusal(after("hint"))


def test_finished_game_has_nothing_to_play_but_can_be_analysed() -> None:
    over = write_game(GgfGame(OthelloBoard.from_text("X" * 64 + " X")))
    for line in ("go", "hint 1"):
        assert "the game is over" in refusal(after(f"set game {over}", line))
    assert after(f"set game {over}", "analyze").wish is not None


def test_ping_and_learn_are_answered() -> None:
    assert after("ping 17").replies == ("pong 17",)
    assert "expected a number" in refusal(after("ping"))
    assert after("learn").replies == ("learned",)


def test_quit_ends() -> None:
    assert after("quit").is_over
    assert not after("go").is_over


def test_unknown_commands_are_passed_over() -> None:
    for line in ("", " ", "hello", "set contempt 3", "set", "GO", "a9", "\x00", "pings 1"):
        assert after(line) == Reaction(new_session())


def test_only_pings_and_farewells_stop_what_is_thought_about() -> None:
    assert all(is_stopping(line) for line in ("ping 1", " ping 2", "quit", "ping"))
    others = ("", "go", "move f5", "pinging", f"set game {GAME}")
    assert not any(is_stopping(line) for line in others)


def test_line_that_is_too_long_is_refused() -> None:
    (line,) = LineSplitter(LINE_BYTES_MAX).feed(b"ping " + b"1" * 3 * LINE_BYTES_MAX + b"\n")
    assert len(line) == LINE_BYTES_MAX + 1
    assert "at most" in refusal(after(line))


LINES = st.one_of(
    st.text(max_size=60),
    st.builds(lambda word, rest: f"{word} {rest}", st.sampled_from(WORDS), st.text(max_size=30)),
    st.builds(
        lambda text, at, sign: f"set game {text[:at]}{sign}{text[at + 1 :]}",
        st.just(GAME), st.integers(0, len(GAME)), st.text(max_size=2),
    ),
    st.sampled_from([*WORDS, "ping 1", "hint 2", f"set game {GAME}", "move d6"]),
)  # fmt: skip


@given(st.lists(LINES, max_size=12))
def test_no_line_does_harm(lines: list[str]) -> None:
    session = new_session()
    for line in lines:
        reaction = receive(session, line)
        session = reaction.session
        assert 1 <= session.depth <= DEPTH_MAX
        for reply in reaction.replies:
            assert reply.isprintable()
            assert len(reply) <= STATUS_CHARACTERS_MAX + len("status ")
        if reaction.wish is not None:
            assert reaction.wish.boards == session.boards
            assert reaction.wish.move_count >= 1


HURRIED = Watch(lambda: 0.0, lambda: True)
PATIENT = Watch(lambda: 1.5, lambda: False)
MUST_PASS = OthelloBoard.from_text("OX" + "-" * 62 + " X")


def said(wish: Wish, watch: Watch = PATIENT) -> list[str]:
    lines = list(thinking(wish, watch))
    assert lines[0] == "status thinking"
    assert lines[-1] == "status ready"
    return lines[1:-1]


def value_of(board: OthelloBoard, depth: int) -> float:
    return answer_at_once(BoardQuestion(board, depth)).value


def fast_value_of(board: OthelloBoard, depth: int) -> float:
    search = DepthSearch(board, depth, evaluation=load_game_patterns(), mode="fast")
    search.run()
    assert search.value is not None
    return search.value / 100


def test_go_names_the_best_move_its_value_and_the_time() -> None:
    for board in running(30, 3):
        *_, last = said(Wish(WishKind.GO, (board,), 4))
        found = re.fullmatch(r"=== ([A-H][1-8])/(-?\d+\.\d\d)/1\.50", last)
        if len(board.moves()) > 1:
            assert found is not None, last
            assert found[1].lower() in board.moves()
            assert float(found[2]) == pytest.approx(fast_value_of(board, 4), abs=0.005)


def test_go_on_a_small_board_names_its_best_move() -> None:
    board = OthelloBoard.start(4)
    *_, last = said(Wish(WishKind.GO, (board,), 12))
    assert last.split("/")[1] == f"{solve(board).score:.2f}"


def test_forced_turns_need_no_search() -> None:
    assert said(Wish(WishKind.GO, (MUST_PASS,), 60)) == ["=== PA"]
    assert said(Wish(WishKind.GO, (MUST_PASS.passed(),), 60)) == ["=== C1"]


def test_go_that_is_stopped_still_plays_a_legal_move() -> None:
    board = OthelloBoard.start().play("f5").play("d6")
    *_, last = said(Wish(WishKind.GO, (board,), 40), HURRIED)
    assert last.removeprefix("=== ")[:2].lower() in board.moves()


def test_hint_and_analysis_that_are_stopped_end() -> None:
    board = OthelloBoard.start().play("f5").play("d6")
    for kind in (WishKind.HINT, WishKind.ANALYZE):
        assert said(Wish(kind, (board,), 40), HURRIED) == []


def test_hint_tells_of_the_best_moves_best_first() -> None:
    board = OthelloBoard.start().play("f5").play("d6")
    lines = [line.split() for line in said(Wish(WishKind.HINT, (board,), 5, 3)) if "search" in line]
    assert len(lines) == 3
    assert all(line[3:] == ["0", "5"] for line in lines)
    assert len({line[1][:2] for line in lines}) == 3
    values = [float(line[2]) for line in lines]
    assert values == sorted(values, reverse=True)
    assert values[0] == pytest.approx(value_of(board, 5), abs=0.005)
    assert all(len(line[1]) > 2 for line in lines)


def test_hint_near_the_end_is_exact_and_its_line_is_legal() -> None:
    board = running(8, 1)[0]
    *_, last = said(Wish(WishKind.HINT, (board,), 10))
    _, line, value, zero, depth = last.split()
    assert (float(value), zero, depth) == (solve(board).score, "0", "100%")
    for move in re.findall("..", line):
        board = board.passed() if move == "PA" else board.play(move.lower())


def test_hint_for_a_forced_pass_begins_with_it() -> None:
    *_, last = said(Wish(WishKind.HINT, (MUST_PASS,), 62, 2))
    assert last.split() == ["search", "PAC1", "-64.00", "0", "100%"]


def test_line_has_the_passes_that_it_implies() -> None:
    assert line_text(MUST_PASS, ["c1"]) == "PAC1"
    assert line_text(OthelloBoard.start(), ["f5", "d6"]) == "F5D6"


def test_analysis_goes_from_the_end_to_the_start_by_the_side_to_move() -> None:
    boards = (MUST_PASS, MUST_PASS.passed(), MUST_PASS.passed().play("c1"))
    lines = [line for line in said(Wish(WishKind.ANALYZE, boards, 62)) if "nodestats" not in line]
    assert lines[0] == "analysis 2 -64.00"
    assert lines[1:] == ["analysis 1 64.00", "analysis 0 -64.00"]
