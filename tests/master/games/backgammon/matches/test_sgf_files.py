import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.analysis import (
    ActionAnalysis,
    CheckerAnalysis,
    CubeAnalysis,
    MoveAnalysis,
)
from engine_ext.backgammon.ids import parse_id
from engine_ext.backgammon.movegen import legal_moves
from engine_ext.backgammon.ranking import Probs
from master.games.backgammon.matches.mat_read import read_mat
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
from master.games.backgammon.matches.replay import walk
from master.games.backgammon.matches.sgf_read import read_sgf
from master.games.backgammon.matches.sgf_tree import (
    Node,
    Tree,
    decode_sgf,
    parse_sgf,
    write_sgf_trees,
)
from master.games.backgammon.matches.sgf_write import write_sgf
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.gnubg_program import (
    needs_gnubg,
    run_gnubg,
    self_play_commands,
)
from tests.master.games.backgammon.matches.random_analyses import (
    analysed,
    annotated_matches,
    engine_matches,
    set_up_matches,
)
from tests.master.games.backgammon.matches.random_matches import random_match

SEARCHED = (Phase.reuse, Phase.generate)  # to shrink a long text takes minutes
NOISE = [f"set player 1 {kind} evaluation noise 0.2" for kind in ("chequer", "cubedecision")]
BLOCK = re.compile(r"^Move number (\d+):", re.MULTILINE)
ROLLED = re.compile(r"^Rolled \d\d \(([+-][\d.]+)\):", re.MULTILINE)
MOVE = re.compile(
    r"^([* ]) +\d+\. Cubeful (\d-ply) +(\S.*?) +Eq\.: ([+-][\d.]+).*\n"
    r" +([\d.]+) ([\d.]+) ([\d.]+) - [\d.]+ ([\d.]+) ([\d.]+)$",
    re.MULTILINE,
)
CUBE = re.compile(
    r"cubeless equity ([+-][\d.]+).*\n"
    r" +([\d.]+) ([\d.]+) ([\d.]+) - [\d.]+ ([\d.]+) ([\d.]+)\nCubeful equities:\n((?:\d\. .*\n)+)"
)
EQUITY = re.compile(r"^\d\. (No (?:re)?double|.*, pass|.*, take) +([+-][\d.]+)", re.MULTILINE)
ROUNDING = 0.000501  # gnubg's texts have three digits


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], phases=SEARCHED)
@given(annotated_matches | set_up_matches | engine_matches)
@pytest.mark.when_changed
def test_match_read_back_is_the_one_written(ours: AnalysedMatch) -> None:
    assert read_sgf(write_sgf(ours), "a.sgf") == ours


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], phases=SEARCHED)
@given(engine_matches)
@pytest.mark.when_changed
def test_gnubgs_own_properties_say_what_ours_do(analysed: AnalysedMatch) -> None:
    """An engine's analysis is kept without XA and XD, but for the last bits of cube equities."""
    trees = parse_sgf(write_sgf(analysed), "a.sgf")
    bare = tuple(Tree(tuple(map(without_ours, tree.nodes))) for tree in trees)
    for game, actions in enumerate(analysed.analyses):
        kept = read_sgf(write_sgf_trees(bare), "a.sgf").analyses[game]
        for ours, theirs in zip(actions, kept, strict=True):
            if ours is not None and theirs is not None and ours.cube is not None:
                assert theirs.cube is not None
                assert theirs.cube.no_double == pytest.approx(ours.cube.no_double, abs=1e-12)
                assert theirs.cube.double_take == pytest.approx(ours.cube.double_take, abs=1e-12)
                assert theirs.cube.probs == ours.cube.probs
            assert (ours and (ours.checker, ours.luck)) == (
                theirs and (theirs.checker, theirs.luck)
            )


def without_ours(node: Node) -> Node:
    return Node(tuple(named for named in node.properties if named[0] not in ("XA", "XD")))


@st.composite
def damaged(draw: st.DrawFn) -> str:
    """Draw a text of a match with a few pieces cut out, doubled or replaced."""
    text = write_sgf(draw(annotated_matches | set_up_matches))
    for _ in range(draw(st.integers(1, 3))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.integers(0, 8)))
        piece = draw(st.sampled_from(("", text[start:end] * 2, "[]", ";", "(", "W[31]", "z", "9")))
        text = text[:start] + piece + text[end:]
    return text


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], phases=SEARCHED)
@given(damaged())
@pytest.mark.when_changed
def test_damaged_file_is_read_or_refused_by_name(text: str) -> None:
    refusal = "a.sgf"
    try:
        write_sgf(read_sgf(text, "a.sgf"))
    except RecordError as error:
        refusal = str(error)
    assert refusal.startswith("a.sgf")


# What gnubg says.
DEEP_ACTIONS = 6  # gnubg takes seconds for the 2-ply analysis of more


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Saves of gnubg: a match and two sessions at 0-ply, and the beginning of one at 2-ply."""
    folder = tmp_path_factory.mktemp("gnubg")
    play("match", folder, 3, 11)
    play("session", folder, 0, 5, ["new game"])
    play("beavers", folder, 0, 5, ["new game"], beavers=1)
    (game, *_) = saved(folder, "session").match.games
    begun = replace(game, actions=game.actions[:DEEP_ACTIONS], result=None)
    match = replace(saved(folder, "session").match, games=(begun,))
    (folder / "begun.sgf").write_text(write_sgf(AnalysedMatch(match)))
    run_gnubg(folder, ["load match begun.sgf", *analyse_and_save("deep", plies=2)])
    return folder


def play(
    name: str, folder: Path, length: int, seed: int, more: Sequence[str] = (), *, beavers: int = 0
) -> None:
    *settings, start = self_play_commands(length, seed)
    rules = [*NOISE, f"set beavers {beavers}", "set confirm new off"]
    run_gnubg(folder, [*settings, *rules, start, *more, *analyse_and_save(name, plies=0)])


def analyse_and_save(name: str, *, plies: int) -> list[str]:
    kinds = ("chequerplay", "cubedecision")
    return [
        *(f"set analysis {kind} evaluation plies {plies}" for kind in kinds),
        "analyse match",
        f"save match {name}.sgf",
        f"export match text {name}.txt",
        f"export match mat {name}.mat",
    ]


def saved(folder: Path, name: str) -> AnalysedMatch:
    return read_sgf(decode_sgf((folder / f"{name}.sgf").read_bytes(), name), name)


def exported(folder: Path, name: str) -> list[str]:
    """The texts of the games; gnubg numbers all but the first."""
    return [path.read_text() for path in sorted(folder.glob(f"{name}*.txt"), key=game_number)]


def game_number(path: Path) -> int:
    number = path.stem.partition("_")[2]
    return int(number) if number else 1


def essence(match: Match) -> Iterator[tuple[int, object, object]]:
    """What was done, however the steps of a move are written."""
    for index, game in enumerate(match.games):
        for moment in walk(match, index):
            move = moment.move
            yield index, moment.action if move is None else move.after, moment.state
        yield index, game.score, (game.result, game.is_crawford)


@needs_gnubg
@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize("name", ["match", "session", "deep"])
def test_games_scores_cubes_and_results_are_those_of_gnubgs_mat(folder: Path, name: str) -> None:
    text = (folder / f"{name}.mat").read_text()
    assert list(essence(saved(folder, name).match)) == list(essence(read_mat(text, name)))


@needs_gnubg
@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize("name", ["match", "session", "deep"])
def test_numbers_are_those_that_gnubg_shows(folder: Path, name: str) -> None:
    """Equities, probabilities, luck, who sees them, the moves' texts, and which was played."""
    analysed = saved(folder, name)
    counts = {"rolls": 0, "cubes": 0, "answers": 0}
    for game, text in enumerate(exported(folder, name)):
        pieces = BLOCK.split(text)
        for number, block in zip(pieces[1::2], pieces[2::2], strict=True):
            compare_block(analysed, game, int(number) - 1, block, counts)
    assert counts["rolls"] > 3
    assert counts["cubes"] > 3 or name == "deep"
    assert counts["answers"] > 0 or name == "deep"


def compare_block(
    analysed: AnalysedMatch, game: int, index: int, block: str, counts: dict[str, int]
) -> None:
    action, ours = analysed.match.games[game].actions[index], analysed.of(game, index)
    if (rolled := ROLLED.search(block)) is not None:
        assert ours is not None
        assert ours.luck == pytest.approx(float(rolled[1]), abs=ROUNDING)
        counts["rolls"] += 1
    for mark, level, move_text, equity, *probs in MOVE.findall(block):
        assert ours is not None
        assert ours.checker is not None
        move = next(move for move in ours.checker.moves if same_move(move.text, move_text))
        assert (mark == "*") == (move == ours.checker.moves[ours.checker.played])
        assert move.level == level
        assert move.equity_cubeful == pytest.approx(float(equity), abs=ROUNDING)
        assert list(move.probs) == pytest.approx([float(prob) for prob in probs], abs=ROUNDING)
    if (cube := CUBE.search(block)) is not None:
        assert ours is not None
        compare_cube(ours.cube, cube, is_answer=isinstance(action, Take | Drop))
        counts["cubes"] += 1
        counts["answers"] += isinstance(action, Take | Drop)


def same_move(ours: str, theirs: str) -> bool:
    return sorted(ours.split()) == sorted(theirs.split())


def compare_cube(ours: object, shown: re.Match[str], *, is_answer: bool) -> None:
    """gnubg shows the answering player's view of an answer, and saves the doubler's."""
    assert isinstance(ours, CubeAnalysis)
    sign = -1.0 if is_answer else 1.0
    assert sign * ours.equity_cubeless == pytest.approx(float(shown[1]), abs=ROUNDING)
    win, *rest = [float(shown[group]) for group in range(2, 7)]
    probs = Probs(1.0 - win, rest[2], rest[3], rest[0], rest[1]) if is_answer else (win, *rest)
    assert list(ours.probs) == pytest.approx(list(probs), abs=2 * ROUNDING)
    equities = {name.split(", ")[-1]: float(value) for name, value in EQUITY.findall(shown[7])}
    named = {"pass": ours.double_pass, "take": ours.double_take}
    for name, equity in equities.items():
        assert sign * named.get(name, ours.no_double) == pytest.approx(equity, abs=ROUNDING)


@needs_gnubg
@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize("name", ["match", "session", "beavers"])
@pytest.mark.when_changed
def test_gnubg_shows_the_same_of_our_file_as_of_its_own(folder: Path, name: str) -> None:
    ours = f"ours-{name}"
    (folder / f"{ours}.sgf").write_text(write_sgf(saved(folder, name)))
    shown = [shown_by_gnubg(folder, each) for each in (name, ours)]
    assert shown[1] == shown[0]
    assert "Error total" in shown[0][0]
    actions = [action for game in saved(folder, name).match.games for action in game.actions]
    assert any(isinstance(action, Beaver) for action in actions) == (name == "beavers")
    resaved = saved(folder, f"{ours}-again")
    assert list(essence(resaved.match)) == list(essence(saved(folder, name).match))


def shown_by_gnubg(folder: Path, name: str) -> list[str]:
    """Statistics, and the texts of all games with their analysis, of a file that it loads."""
    output = run_gnubg(
        folder,
        [
            f"load match {name}.sgf", "show statistics match",
            f"export match text {name}-shown.txt", f"save match {name}-again.sgf",
        ],
    )  # fmt: skip
    texts = exported(folder, f"{name}-shown")
    statistics = output[output.index("Chequerplay statistics") :]
    return [
        re.sub(r"(?m)^Output generated.*$|\(root\).*$|\(gnubg\).*$", "", text)
        for text in (statistics, *texts)
    ]


@needs_gnubg
@pytest.mark.slow
@pytest.mark.reference
def test_gnubg_keeps_what_it_reads_of_our_rollouts_and_comments(tmp_path: Path) -> None:
    played = random_match(3, 5)
    game = replace(played.games[0], comments=((1, "a]b\\c: é"),))
    ours = analysed(replace(played, games=(game, *played.games[1:])), 3)
    (tmp_path / "a.sgf").write_text(write_sgf(ours))
    run_gnubg(tmp_path, ["load match a.sgf", "export match mat a.mat", "save match b.sgf"])
    theirs = saved(tmp_path, "b")
    assert list(essence(read_mat((tmp_path / "a.mat").read_text(), "a"))) == list(essence(played))
    assert list(essence(theirs.match)) == list(essence(played))
    assert theirs.match.games[0].comments == game.comments
    for index, actions in enumerate(ours.analyses):
        for one, other in zip(actions, theirs.analyses[index], strict=True):
            compare_kept(one, other)


def compare_kept(ours: ActionAnalysis | None, theirs: ActionAnalysis | None) -> None:
    if ours is None or ours.checker is None:
        return
    assert theirs is not None
    assert theirs.checker is not None
    assert theirs.checker.played == ours.checker.played
    for one, other in zip(ours.checker.moves, theirs.checker.moves, strict=True):
        assert other.equity_cubeful == pytest.approx(one.equity_cubeful, abs=1e-6)
        assert list(other.probs) == pytest.approx(list(one.probs), abs=1e-6)
        if one.std_error is not None:
            assert other.std_error == pytest.approx(one.std_error, abs=1e-5)


@needs_gnubg
@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize(
    "xgid",
    [
        "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10",
        "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:3:0:0:7:10",
        "XGID=-B-BBBBB--A----------cbcbB:1:-1:1:52:2:4:0:9:10",
    ],
)
def test_gnubg_opens_set_up_games_of_ours(tmp_path: Path, xgid: str) -> None:
    """It saves the roll of a position; without one, not even who is on roll."""
    start = parse_id(xgid)
    dice = start.match.dice or (3, 1)
    player = start.match.player_on_roll
    own = start.match.score if player == 0 else start.match.score[::-1]
    play = Play(player, dice, legal_moves(start.position, dice)[0].steps)
    game = Game((own[0], own[1]), (play,), start=start)
    match = Match(("Ann", "Bob"), start.match.match_length, (game,))
    (tmp_path / "a.sgf").write_text(write_sgf(AnalysedMatch(match)))
    run_gnubg(tmp_path, ["load match a.sgf", "save match b.sgf"])
    (kept,) = saved(tmp_path, "b").match.games
    assert kept.start is not None
    assert kept.start.position == start.position
    assert replace(kept.start.match, dice=None) == replace(start.match, dice=None)
    assert len(kept.actions) == 1


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
