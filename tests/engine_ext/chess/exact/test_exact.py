"""Exact searches have the definition's value, whatever the window, table, order, steps or side."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.leaf import leaf_worth
from engine_ext.chess.exact.listing import what_counts
from engine_ext.chess.exact.position import (
    BEFORE,
    FULL_WIDTH,
    KEYS_MAX,
    PASSED,
    ROOT,
    GameBefore,
    Position,
)
from engine_ext.chess.exact.search import LARGEST_VALUE, MATE_VALUE, SPLIT_DEPTH, ExactSearch
from engine_ext.chess.fen import START, read_fen
from engine_ext.control import RunControl
from engine_ext.search.table import KeyedTable
from tests.engine_ext.chess.exact.endings import endings
from tests.engine_ext.chess.exact.reference_exact import PROBE_PLIES, Reference, leaf
from tests.engine_ext.chess.positions import boards, playable


@settings(max_examples=30, deadline=None)
@given(playable, st.integers(1, 9), st.integers(1, 3000))
def test_steps_change_nothing(board: ChessBoard, depth: int, nodes: int) -> None:
    whole, stepped = (ExactSearch(Position(board, ROOT), depth) for _ in range(2))
    whole.run()
    while not stepped.step(nodes):
        pass
    assert (whole.value, whole.best_move, whole.nodes) == (
        stepped.value, stepped.best_move, stepped.nodes
    )  # fmt: skip
    assert whole.move_bounds == stepped.move_bounds


@settings(max_examples=30, deadline=None)
@given(playable, st.integers(SPLIT_DEPTH, 9), st.integers(1, 5000))
def test_what_an_unfinished_search_tells_is_true(board: ChessBoard, depth: int, nodes: int) -> None:
    search = ExactSearch(Position(board, ROOT), depth, first_depth=depth)
    search.step(nodes)
    children = Position(board, ROOT).children(depth, GameBefore())
    assert search.move_count == len(children)
    for place, (lower, upper, _) in list(search.move_bounds.items())[:6]:
        if (lower, upper) == (-LARGEST_VALUE, LARGEST_VALUE):
            continue
        child, below = children[int(place)]
        alone = ExactSearch(Position.from_bytes(child), below)
        alone.run()
        assert alone.value is not None
        assert lower <= -alone.value <= upper


@settings(max_examples=20, deadline=None)
@given(playable, st.integers(SPLIT_DEPTH, 8))
@pytest.mark.when_changed
def test_the_first_of_the_best_moves_is_named(board: ChessBoard, depth: int) -> None:
    search = ExactSearch(Position(board, ROOT), depth)
    search.run()
    children = Position(board, ROOT).children(depth, GameBefore())
    values = []
    for child, below in children:
        alone = ExactSearch(Position.from_bytes(child), below)
        alone.run()
        assert alone.value is not None
        values.append(-alone.value)
    assert search.value == max(values)
    assert search.best_move == str(values.index(max(values)))


def test_positions_of_two_depths_are_worth_the_greater() -> None:
    board = read_fen("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    alone = {}
    for depth in (6, 9):
        search = ExactSearch(Position(board), depth)
        search.run()
        alone[depth] = search.value
    both = ExactSearch(Position(board, 0, 6), 9)
    both.run()
    assert both.value == max(filter(None, alone.values()))


def test_a_stopped_search_stays_where_it_is() -> None:
    control = RunControl()
    search = ExactSearch(Position(read_fen(START), ROOT), 30, control=control)
    assert not search.step(2000)
    control.stop()
    before = search.nodes
    assert not search.run()
    assert search.nodes - before < 1024
    assert search.value is None


@pytest.mark.parametrize("arguments", [(-1,), (41,), (8, 5, 5), (8, -40_000, 0)])
def test_what_cannot_be_searched_is_refused(arguments: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"a depth is|a window is"):
        ExactSearch(Position(read_fen(START), ROOT), *arguments)


NO_GAME = GameBefore()


def value(
    board: ChessBoard, flags: int, depth: int, before: GameBefore = NO_GAME,
    table: KeyedTable | None = None, window: tuple[int, int] | None = None,
) -> int:  # fmt: skip
    """Search; return the fail-soft value."""
    search = ExactSearch(Position(board, flags), depth, *(window or ()), before=before, table=table)
    assert search.run()
    assert search.value is not None
    return search.value


@settings(max_examples=25, deadline=None)
@given(playable, st.sampled_from([0, ROOT, PASSED, FULL_WIDTH]), st.integers(0, 2))
@pytest.mark.when_changed
def test_is_what_the_definition_says(board: ChessBoard, flags: int, depth: int) -> None:
    flags = 0 if board.is_check else flags
    expected = Reference(NO_GAME).value(board, flags, depth)
    assert value(board, flags, depth) == expected


@settings(max_examples=15, deadline=None)
@given(endings, st.integers(3, 4), st.sampled_from([0, FULL_WIDTH]))
@pytest.mark.when_changed
def test_is_what_the_definition_says_of_endings(board: ChessBoard, depth: int, width: int) -> None:
    before = GameBefore.of_game([board])
    flags = ROOT | BEFORE | width
    assert value(board, flags, depth, before) == Reference(before).value(board, flags, depth)


@settings(max_examples=40, deadline=None)
@given(playable, st.integers(1, 8), st.integers(-300, 300), st.integers(1, 100))
def test_windows_and_tables_change_nothing(
    board: ChessBoard, depth: int, alpha: int, width: int
) -> None:
    used, small = KeyedTable(1 << 20), KeyedTable(1 << 12)
    expected = value(board, 0, depth)
    for other in board.moves(True)[:3]:  # what others left in the table
        value(board.play(other), 0, depth - 1, table=used)
    assert value(board, 0, depth, table=used) == expected
    assert value(board, 0, depth, table=small) == expected
    found = value(board, 0, depth, table=used, window=(alpha, alpha + width))
    if found <= alpha:
        assert expected <= found
    elif found >= alpha + width:
        assert expected >= found
    else:
        assert expected == found


@settings(max_examples=20, deadline=None)
@given(playable, st.integers(1, 9))
def test_colours_do_not_matter(board: ChessBoard, depth: int) -> None:
    assert value(board, ROOT, depth) == value(board.mirrored(), ROOT, depth)


def test_sooner_mates_are_worth_more() -> None:
    mate_in_2 = read_fen("7k/8/8/8/8/8/R7/1R5K w - - 0 1")
    mate_in_1 = mate_in_2.play("a2a7").play("h8g8")
    found = [value(mate_in_2, ROOT, depth) for depth in (8, 9, 12)]
    assert MATE_VALUE <= found[0] < found[1] < found[2], "more depth is left"
    assert value(mate_in_1, ROOT, 8) > found[0]


def test_coming_back_is_a_draw() -> None:
    board = read_fen("7k/8/8/8/8/q7/8/6QK w - - 10 40")
    game = [board]
    for move in ("g1d4", "h8h7", "d4e4", "h7h8", "e4d4", "h8h7"):
        board = board.play(move)
        game.append(board)
    before = GameBefore.of_game(game)
    back = board.play("d4e4")
    assert value(back, BEFORE, 6, before) == 0
    assert value(back, 0, 6, before) != 0, "where nobody can come back the game does not matter"
    assert value(back, BEFORE, 6) != 0
    assert value(back.play("h7h8"), BEFORE, 5, before) == 0


def test_the_clock_ends_the_game() -> None:
    fen = "8/8/8/4k3/8/8/3R4/4K3 w - - {} 80"
    assert value(read_fen(fen.format(99)), ROOT, 6) == 0
    assert value(read_fen(fen.format(0)), ROOT, 6) > 300
    mate_at_last = read_fen("7k/R7/6K1/8/8/8/8/8 w - - 99 80")
    assert value(mate_at_last, ROOT, 6) > 29_000


@given(boards)
@pytest.mark.when_changed
def test_leaf_is_what_the_definition_says(board: ChessBoard) -> None:
    assert leaf_worth(board) == leaf(board)


@given(boards, st.integers(-600, 600), st.integers(1, 300))
def test_windows_prove_bounds(board: ChessBoard, alpha: int, width: int) -> None:
    value, found = leaf_worth(board), leaf_worth(board, alpha, alpha + width)
    if found <= alpha:
        assert value <= found
    elif found >= alpha + width:
        assert value >= found
    else:
        assert value == found


@given(boards)
def test_colours_do_not_matter_to_a_leaf(board: ChessBoard) -> None:
    assert leaf_worth(board) == leaf_worth(board.mirrored())


def test_mate_is_seen() -> None:
    assert leaf_worth(read_fen("R5k1/5ppp/8/8/8/8/8/K7 b - - 0 1")) == -29_000


depths = st.integers(1, 20)


@given(boards, depths)
def test_moves_are_legal_and_less_deep(board: ChessBoard, depth: int) -> None:
    option, counted = what_counts(board, 0, depth)
    names = [name for name, *_ in counted if name]
    assert len(set(names)) == len(names)
    assert set(names) <= set(board.moves(True))
    for name, below, reduced, cap in counted:
        assert 0 <= below < depth
        assert below == depth - 1 or name == ""
        assert reduced is None or 0 <= reduced < below
        assert cap is None or depth < SPLIT_DEPTH
    if board.move_count:
        assert names, "something counts wherever there is a move"
    if depth >= SPLIT_DEPTH:
        assert option is None
        assert set(names) == set(board.moves(True)), "every move counts far from the leaves"


@given(boards, depths, st.sampled_from([0, ROOT]))
def test_in_full_width_all_moves_count_alike(board: ChessBoard, depth: int, flags: int) -> None:
    option, counted = what_counts(board, flags | FULL_WIDTH, depth)
    assert option is None
    assert sorted(counted) == [(move, depth - 1, None, None) for move in sorted(board.moves(True))]


@given(boards, depths)
@pytest.mark.when_changed
def test_colours_do_not_matter_to_the_listing(board: ChessBoard, depth: int) -> None:
    def turned(name: str) -> str:
        return "".join(str(9 - int(each)) if each.isdigit() else each for each in name)

    option, counted = what_counts(board, 0, depth)
    mirrored = what_counts(board.mirrored(), 0, depth)
    assert mirrored == (option, [(turned(name), *rest) for name, *rest in counted])


@given(boards, depths)
def test_checks_always_count(board: ChessBoard, depth: int) -> None:
    names = {name for name, *_ in what_counts(board, 0, depth)[1]}
    signs = board.signs
    for name in board.moves(True):
        start, to = (ord(name[i]) - 97 + 8 * int(name[i + 1]) - 8 for i in (0, 2))
        after = board.play(name)
        is_direct = after.is_check and to in after.attackers(
            after.signs.find("k" if after.is_black else "K")
        )
        if is_direct and signs[start].lower() != "k":
            assert name in names


def test_who_must_move_does_not_pass() -> None:
    board = read_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")
    for flags, is_allowed in ((0, True), (ROOT, False), (PASSED, False)):
        names = [name for name, *_ in what_counts(board, flags, 8)[1]]
        assert ("" in names) == is_allowed


def test_with_pawns_alone_nobody_passes() -> None:
    board = read_fen("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1")
    assert "" not in [name for name, *_ in what_counts(board, 0, 8)[1]]


keys = st.lists(st.integers(0, 2**128 - 1), max_size=KEYS_MAX, unique=True)


@given(keys)
def test_a_game_is_read_as_it_is_written(each: list[int]) -> None:
    before = GameBefore(each)
    assert GameBefore.from_text(before.to_text()) == before
    assert before.keys == tuple(sorted(each))


@given(keys, st.randoms(use_true_random=False))
def test_order_does_not_matter(each: list[int], choose) -> None:  # type: ignore[no-untyped-def]
    shuffled = list(each)
    choose.shuffle(shuffled)
    board = read_fen(START)
    position = Position(board, BEFORE)
    assert position.key(9, GameBefore(each)) == position.key(9, GameBefore(shuffled))


@pytest.mark.parametrize("text", ["x", "0" * 31, "G" * 32, "1" * 32 + "," + "0" * 32, ","])
def test_what_is_no_game_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"expected|literal"):
        GameBefore.from_text(text)


def test_only_what_can_be_come_back_to_counts() -> None:
    board, game = read_fen(START), []
    for move in ("g1f3", "g8f6", "e2e4", "f6g8", "f3g1"):
        board = board.play(move)
        game.append(board)
    assert len(GameBefore.of_game(game).keys) == 3  # from e2e4 on


@given(boards, st.integers(0, 15), st.integers(-1, 30), st.integers(0, 40))
@pytest.mark.when_changed
def test_bytes_name_it_wholly(board: ChessBoard, flags: int, reduced: int, depth: int) -> None:
    position = Position(board, flags, reduced)
    read = Position.from_bytes(position.to_bytes(depth))
    assert read.flags == flags
    assert read.reduced == reduced
    assert read.board.key == board.key
    assert read.board.clock == (board.clock if board.clock + depth >= 100 else 0)
    before = GameBefore()
    assert read.key(depth, before) == position.key(depth, before)


@given(boards, st.integers(0, 40))
@pytest.mark.when_changed
def test_names_differ_where_values_may(board: ChessBoard, depth: int) -> None:
    before = GameBefore([1])
    each = (0, ROOT, PASSED, BEFORE, FULL_WIDTH)
    names = {Position(board, flags).key(depth, before) for flags in each}
    names |= {Position(board, 0, reduced).key(depth, before) for reduced in range(depth)}
    assert len(names) == len(each) + depth


@settings(max_examples=20, deadline=None)
@given(
    playable,
    st.sampled_from([0, ROOT, FULL_WIDTH]),
    st.integers(SPLIT_DEPTH, SPLIT_DEPTH + 2),
)
@pytest.mark.when_changed
def test_a_value_is_the_best_of_its_children(board: ChessBoard, flags: int, depth: int) -> None:
    position = Position(board, flags)
    children = position.children(depth, GameBefore())
    values = [-_value(Position.from_bytes(child), below) for child, below in children]
    assert not values or _value(position, depth) == max(values)


def _value(position: Position, depth: int) -> int:
    search = ExactSearch(position, depth)
    search.run()
    assert search.value is not None
    return search.value


@settings(deadline=None)
@given(st.lists(playable, max_size=3))
@pytest.mark.when_changed
def test_estimates_are_what_a_few_captures_make_of_them(several: list[ChessBoard]) -> None:
    packed = [Position(board, ROOT).to_bytes(9) for board in several]
    assert Position.estimates(packed) == [leaf(board, PROBE_PLIES) for board in several]


@pytest.mark.parametrize(("flags", "reduced"), [(16, -1), (0, -2), (0, 256)])
def test_what_is_no_position_is_refused(flags: int, reduced: int) -> None:
    with pytest.raises(ValueError, match="flags are"):
        Position(read_fen(START), flags, reduced)
