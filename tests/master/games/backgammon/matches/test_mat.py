"""The .mat format as a whole: round trips, styles of other programs, gnubg, broken files."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine_ext.backgammon.move_text import format_move
from master.games.backgammon.matches.mat_read import read_mat
from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.matches.record import Beaver, Double, Drop, Match, Play, Resign
from master.games.backgammon.matches.replay import Moment, check_match, walk
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.gnubg_program import (
    needs_gnubg,
    run_gnubg,
    self_play_commands,
)
from tests.master.games.backgammon.matches.random_matches import Habits, matches, random_match

names = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zl", "Zp")), max_size=20)
keys = st.sampled_from(
    ("event", "round", "place", "date", "annotator", "comment", "rating0", "Match ID", "EventTime")
)
LIVELY = Habits(double=0.2, resign=0.02)


@pytest.mark.slow
@given(matches)
@pytest.mark.when_changed
def test_what_is_written_reads_back(match: Match) -> None:
    assert read_mat(write_mat(match)) == match


@pytest.mark.slow
@example((";", ""), {})
@example(("; a", ";;b"), {})
@given(st.tuples(names, names), st.dictionaries(keys, names))
@pytest.mark.when_changed
def test_names_and_tags_read_back_whatever_they_contain(
    players: tuple[str, str], tags: dict[str, str]
) -> None:
    match = replace(random_match(5, 1), players=players, tags=tags)
    again = read_mat(write_mat(match))
    assert again == match


def entry(moment: Moment, style: Random) -> str:
    """One action in the words of some program."""
    action = moment.action
    cube = moment.state.game.match.cube_value
    if not isinstance(action, Play):
        words = {
            "Double": (f" Doubles => {2 * cube}", f"Doubles ==> {2 * cube}", "doubles"),
            "Take": (" Takes", "Accepts"),
            "Beaver": (f" Beavers => {4 * cube}", f" Doubles => {4 * cube}"),
            "Drop": (" Drops", "Passes"),
        }
        return style.choice(words[type(action).__name__])
    dice = "".join(str(die) for die in style.sample(action.dice, 2))
    if moment.move is None:
        return f"{dice}: {style.choice(('', '????'))}"
    if not action.steps:
        return f"{dice}: {style.choice(('', 'Cannot Move'))}"
    text = format_move(moment.state.game.position, action.steps)
    change = style.choice((str, str.upper, str.title))
    if style.random() < 0.5:
        text = re.sub(r"bar", "25", re.sub(r"off", "0", text))
    return f"{dice}: {change(text)}"


def styled(match: Match, seed: int) -> str:
    """Write a match in another program's manner: layout, words, step chains."""
    style = Random(seed)
    width, gap = style.choice(((27, " "), (34, ""), (38, "  "), (24, "\t")))
    lines = [f'; [Jacoby "{"On" if match.jacoby else "Off"}"]'] if not match.length else []
    lines += [f'; [Beaver "{"On" if match.beavers else "Off"}"]'] if not match.length else []
    lines += [f'; [Crawford "{"On" if match.uses_crawford else "Off"}"]', ""]
    lines.append(style.choice((" {} point match", "{} point match", "{} points match")))
    lines[-1] = lines[-1].format(match.length)
    for index, game in enumerate(match.games):
        lines += ["", f"{style.choice(('', ' '))}Game {index + 1}"]
        ann, bob = (f"{name}{style.choice((' ', ''))}: {points}" for name, points in
                    zip(match.players, game.score, strict=True))  # fmt: skip
        lines.append(f" {ann:<{width + 4}}{gap}{bob}")
        row = ["", ""]
        number = 1
        moments = [m for m in walk(match, index) if not isinstance(m.action, Resign)]
        entries = [(moment.action.player, entry(moment, style)) for moment in moments]
        if game.result is not None:
            plural = style.choice(("", "s"))
            entries.append((game.result.winner, f" Wins {game.result.points} point{plural}"))
        for player, text in entries:
            if row[1] or row[player]:
                lines.append(f"{number:3}) {row[0]:<{width}}{gap} {row[1]}")
                row, number = ["", ""], number + 1
            row[player] = text
        lines.append(f"{number:3}) {row[0]:<{width}}{gap} {row[1]}")
    return style.choice(("", "\ufeff")) + style.choice(("\n", "\r\n")).join(lines)


@pytest.mark.slow
@given(matches, st.integers(0, 2**32))
@pytest.mark.when_changed
def test_every_programs_manner_of_writing_reads_as_the_same_match(match: Match, seed: int) -> None:
    assert read_mat(styled(match, seed)) == match


def complaint(text: str) -> str | None:
    """Read a text that may be broken: None, or its error; what is read must replay."""
    try:
        match = read_mat(text, "broken.mat")
    except RecordError as error:
        return str(error)
    check_match(match)
    return None


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(60))
def test_a_broken_file_is_a_match_or_a_record_error(seed: int) -> None:
    random = Random(seed)
    match = random_match(seed, (0, 3)[seed % 2], games_max=2, habits=LIVELY)
    text = styled(match, seed) if seed % 3 else write_mat(match)
    for _ in range(12):
        found = complaint(mutated(text, random)) or "broken.mat:"
        assert found.startswith("broken.mat:")
        assert "\n" not in found


def mutated(text: str, random: Random) -> str:
    """Damage a text here and there: characters, lines, cells, its end."""
    for _ in range(random.randrange(1, 4)):
        at, to = sorted(random.randrange(len(text) + 1) for _ in range(2))
        lines = text.splitlines(keepends=True) or [""]
        line = random.randrange(len(lines))
        piece = random.choice(
            ("*", "0", "9", "/", ":", "\t", "\n", ")", "Drops", "66:", "\0", "25/")
        )
        text = random.choice(
            (
                text[:at] + piece + text[at:],
                text[:at] + piece + text[at + 1 :],
                text[:at] + text[min(to, at + 30) :],
                "".join(lines[:line] + lines[line + 1 :]),
                "".join(lines[:line] + lines[line : line + 1] * 2 + lines[line + 1 :]),
                "".join(random.sample(lines, len(lines))) if random.random() < 0.1 else text[:at],
            )
        )
        text = text or "x"
    return text


@given(st.text())
def test_any_text_is_a_match_or_a_record_error(text: str) -> None:
    for whole in (text, f" 5 point match\n\n Game 1\n A : 0  B : 0\n{text}"):
        assert (complaint(whole) or "broken.mat:").startswith("broken.mat:")


def test_hostile_texts_end_soon() -> None:
    head = " 0 point match\n\n Game 1\n A : 0  B : 0\n"
    game = head.partition("\n\n")[2]
    assert complaint(head + "  1)\n" * 200_000) is None
    expected = {
        "\n" * 200_000: "found no game",
        " " * (1 << 23): "at most 4194304 characters",
        "; [" * 100_000: "at most 2000 characters",
        "; [x\n" * 100_000: "at most 200 header",
        f"{head}  1) {'Doubles ' * 200}": "expected two columns",
        f"{head}  1) 11: {'8/7 ' * 400}": "at most 100 characters",
        head + game * 2100: "at most 2000 games",
        head + "  1) 63: ????\n" * 5000: "at most 4000 entries",
    }
    for text, words in expected.items():
        assert words in (complaint(text) or "")


@needs_gnubg
@pytest.mark.slow
@pytest.mark.reference
def test_gnubg_imports_what_we_write_and_exports_the_same(tmp_path: Path) -> None:
    """Everything but the money rules, for which gnubg's export has no place."""
    written = {}
    commands = ["set beavers 1"]
    for seed in range(24):
        match = random_match(
            seed,
            (0, 5, 7, 1)[seed % 4],
            games_max=4,
            is_finished=seed % 3 > 0,
            jacoby=seed % 8 < 4,
            habits=(Habits(), LIVELY)[seed % 2],
        )
        written[seed] = match
        (tmp_path / f"{seed}.mat").write_text(write_mat(match))
        commands.append(f"set jacoby {'on' if match.jacoby else 'off'}")
        commands += [f"import mat {seed}.mat", f"export match mat {seed}.out.mat"]
    run_gnubg(tmp_path, commands)
    for seed, match in written.items():
        exported = read_mat((tmp_path / f"{seed}.out.mat").read_text(), f"{seed}.out.mat")
        assert (exported.players, exported.length) == (match.players, match.length)
        assert exported.games == match.games


GNUBG_GAME = """ {heading}

 Game 1
 left : 0                           right : 0
  1) 31: 8/5 6/5                    42: 8/4 6/4
  2)  Doubles => 2                   {answer}
  3) 65: 24/18 18/13                {end}
"""


@needs_gnubg
@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize(
    ("heading", "is_read"),
    [
        ("5 point match", True), ("0 point match", True), ("5 points match", False),
        ("Money session", False), ("Money Session", False),
    ],
)  # fmt: skip
def test_gnubg_refuses_headings_that_we_never_write(
    tmp_path: Path, heading: str, is_read: bool
) -> None:
    text = GNUBG_GAME.format(heading=heading, answer="Takes", end="63: 24/18 13/10")
    (tmp_path / "a.mat").write_text(text)
    run_gnubg(tmp_path, ["import mat a.mat", "export match mat b.mat"])
    assert (tmp_path / "b.mat").exists() == is_read
    for length in (0, 5):
        assert f" {length} point match\n" in write_mat(random_match(3, length))


@needs_gnubg
@pytest.mark.slow
@pytest.mark.reference
def test_gnubg_writes_a_beaver_as_we_do_and_of_a_resignation_its_points_alone(
    tmp_path: Path,
) -> None:
    beaver = GNUBG_GAME.format(heading="0 point match", answer="Beavers => 4", end="63: 24/18")
    resigned = GNUBG_GAME.format(
        heading="5 point match", answer="Takes", end="Resigns\n      Wins 2 points"
    )
    (tmp_path / "beaver.mat").write_text(beaver.replace("63: 24/18", "63: 24/18 13/10"))
    (tmp_path / "resigned.mat").write_text(resigned)
    commands = ["set beavers 1"]
    for name in ("beaver", "resigned"):
        commands += [f"import mat {name}.mat", f"export match mat {name}.out.mat"]
    run_gnubg(tmp_path, commands)
    written = {name: (tmp_path / f"{name}.out.mat").read_text() for name in ("beaver", "resigned")}
    assert "Doubles => 2                Beavers => 4\n" in written["beaver"]
    (game,) = read_mat(written["beaver"]).games
    assert any(isinstance(action, Beaver) for action in game.actions)
    assert "Wins 2 points" in written["resigned"]
    assert "esign" not in written["resigned"]
    (game,) = read_mat(written["resigned"]).games
    assert isinstance(game.actions[-1], Resign)
    assert game.result is not None
    assert game.result.points == 2


@needs_gnubg
@pytest.mark.slow
@pytest.mark.reference
@pytest.mark.parametrize("seed", [7, 11])
def test_a_match_that_gnubg_played_has_its_scores_cubes_and_results(
    tmp_path: Path, seed: int
) -> None:
    run_gnubg(
        tmp_path,
        [*self_play_commands(5, seed), "export match mat a.mat", "save match a.sgf"],
    )
    match = read_mat((tmp_path / "a.mat").read_text())
    check_match(match)
    trees = (tmp_path / "a.sgf").read_text().split("(;FF[4]")[1:]
    assert len(match.games) == len(trees)
    for game, tree in zip(match.games, trees, strict=True):
        score = tuple(int(re.search(rf"\[{who}s:(\d+)\]", tree)[1]) for who in "wb")  # type: ignore[index]
        assert game.score == score
        assert game.is_crawford == ("CrawfordGame" in tree)
        winner, points = re.search(r"RE\[([WB])\+(\d+)", tree).groups()  # type: ignore[union-attr]
        assert game.result is not None
        assert (game.result.winner, game.result.points) == ("WB".index(winner), int(points))
        doubles = sum(isinstance(action, Double) for action in game.actions)
        drops = sum(isinstance(action, Drop) for action in game.actions)
        assert (doubles, drops) == (tree.count("[double]"), tree.count("[drop]"))
        rolls = [f"{a}{b}" for a, b in re.findall(r";[WB]\[(\d)(\d)", tree)]
        played = [action.dice for action in game.actions if isinstance(action, Play)]
        assert played == [(max(roll), min(roll)) for roll in
                          (tuple(map(int, roll)) for roll in rolls)]  # fmt: skip
