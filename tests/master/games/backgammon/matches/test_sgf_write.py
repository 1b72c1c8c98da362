import pytest

from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.record import (
    Action,
    AnalysedMatch,
    Beaver,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.sgf_tree import Node, parse_sgf
from master.games.backgammon.matches.sgf_write import write_sgf
from master.games.errors import RecordError

PROBS = Probs(0.5, 0.1, 0.0, 0.1, 0.0)
OPENING = Play(0, (3, 1), ((8, 5), (6, 5)))


def written(
    actions: tuple[Action, ...], *analyses: ActionAnalysis | None, beavers: bool = False
) -> list[Node]:
    match = Match(("Ann", "Bob"), 0, (Game((0, 0), actions),), beavers=beavers)
    (tree,) = parse_sgf(write_sgf(AnalysedMatch(match, (analyses,))), "a.sgf")
    return list(tree.nodes)


def moved(error: float) -> ActionAnalysis:
    moves = (
        MoveAnalysis("24/23 13/10", "2-ply", 0.25, 0.0, PROBS),
        MoveAnalysis("8/5 6/5", "2-ply", 0.25 - error, 0.0, PROBS),
    )
    return ActionAnalysis(CheckerAnalysis((moves[0], moves[1]), 1, False))


def asked(no_double: float, double_take: float) -> ActionAnalysis:
    cube = CubeAnalysis("2-ply", no_double, double_take, 1.0, "double, take", 0.0, PROBS)
    return ActionAnalysis(cube=cube)


def marks(node: Node) -> dict[str, str | None]:
    names = ("BM", "DO", "BC", "DC", "GB", "GW")
    return {name: node.value(name) for name in names if node.values(name)}


def test_match_is_written_as_gnubg_saves_it() -> None:
    match = Match(
        ("Ann", "B]b"), 5, (Game((0, 0), (OPENING, Resign(1, 2)), Result(0, 2)),),
        tags={"event": "Cup", "site": "a:b"},
    )  # fmt: skip
    assert write_sgf(AnalysedMatch(match)) == (
        "(;FF[4]GM[6]CA[UTF-8]AP[manyply]MI[length:5][game:0][ws:0][bs:0]PW[Ann]PB[B\\]b]"
        "EV[Cup]XT[site:a\\:b]RU[Crawford]RE[W+2R]\n;W[31hefe]\n;XR[B2])\n"
    )


@pytest.mark.parametrize(
    ("error", "mark"),
    [(0.0, {}), (0.029, {}), (0.03, {"DO": ""}), (0.0625, {"BM": "1"}), (0.125, {"BM": "2"})],
)
def test_errors_of_moves_are_marked(error: float, mark: dict[str, str]) -> None:
    assert marks(written((OPENING,), moved(error))[1]) == mark


@pytest.mark.parametrize(
    ("luck", "mark"),
    [(0.29, {}), (0.3, {"GW": "1"}), (0.7, {"GW": "2"}), (-0.3, {"GB": "1"}), (-0.6, {"GB": "2"})],
)
def test_luck_is_marked_for_whom_it_is_good(luck: float, mark: dict[str, str]) -> None:
    assert marks(written((OPENING,), ActionAnalysis(luck=luck))[1]) == mark


@pytest.mark.parametrize(
    ("actions", "analysis", "mark"),
    [
        ((Double(1), Take(0)), asked(0.5, 0.75), {}),
        ((Double(1), Take(0)), asked(0.75, 0.5), {"BM": "2"}),
        ((Double(1), Drop(0)), asked(0.5, 1.5), {}),
    ],
)
def test_errors_of_doubles_are_marked(
    actions: tuple[Action, ...], analysis: ActionAnalysis, mark: dict[str, str]
) -> None:
    result = Result(1, 1) if isinstance(actions[1], Drop) else None
    game = Game((0, 0), (OPENING, *actions), result)
    match = Match(("Ann", "Bob"), 0, (game,))
    text = write_sgf(AnalysedMatch(match, ((None, analysis, analysis),)))
    assert marks(parse_sgf(text, "a.sgf")[0].nodes[2]) == mark


def test_errors_of_answers_and_of_missed_doubles_are_marked() -> None:
    wrong_take = written((OPENING, Double(1), Take(0)), None, None, asked(0.5, 1.5))
    assert marks(wrong_take[3]) == {"BM": "2"}
    missed = written((OPENING,), asked(0.45, 0.5))
    assert marks(missed[1]) == {"DC": ""}


def test_a_beaver_is_two_doubles_and_a_take() -> None:
    nodes = written((OPENING, Double(1), Beaver(0)), beavers=True)
    assert [node.properties for node in nodes[2:]] == [
        (("B", ("double",)),),
        (("W", ("double",)),),
        (("B", ("take",)),),
    ]


def test_beavers_are_a_rule_of_ours() -> None:
    root = written((), beavers=True)[0]
    assert root.value("RU") == "Jacoby:Beavers"


def test_what_cannot_have_been_played_is_not_written() -> None:
    with pytest.raises(RecordError, match="expected a match with a game"):
        write_sgf(AnalysedMatch(Match(("Ann", "Bob"), 5)))
    with pytest.raises(RecordError, match="game 1, action 1: "):
        written((Take(0),))
