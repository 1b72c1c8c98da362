"""The program about puzzles runs in small, and takes no wrong move for a right one."""

from tests.benchmarks.chess_puzzles import SUITES, Limit, Puzzle, read_suite, solve, solve_all


def test_suites_are_whole() -> None:
    assert [len(read_suite(name)) for name in SUITES] == [150, 24]
    assert all(each.best or each.avoided for name in SUITES for each in read_suite(name))


def test_easy_puzzles_are_solved() -> None:
    (found,) = solve_all(read_suite("wac")[2:8], Limit(nodes=200_000), None, []).values()
    assert found.of == 6
    assert found.solved + len(found.failed) == 6
    assert found.solved >= 4


def test_wrong_and_avoided_moves_fail() -> None:
    fen = "4k3/8/8/8/8/8/8/4K3 w - - 0 1"
    puzzles = [
        Puzzle("best", fen, frozenset({"e1e2"}), frozenset()),
        Puzzle("avoid", fen, frozenset(), frozenset({"e1d1"})),
    ]
    assert solve(puzzles, lambda puzzle: "e1d1").failed == ["best", "avoid"]
    assert solve(puzzles, lambda puzzle: "e1e2").failed == []
