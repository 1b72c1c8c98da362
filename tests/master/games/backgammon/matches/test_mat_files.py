"""The .mat format as a whole: round trips, styles of other programs, gnubg, broken files."""

import re
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from engine_ext.backgammon.move_text import format_move
from master.games.backgammon.matches.mat_lines import (
    Cell,
    cut,
    header_lines,
    line_name,
    read_header,
    shown,
)
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


def test_known_tags_get_our_names_and_others_keep_theirs() -> None:
    header = read_header(
        [
            ("event", "Cup"),
            ("Site", "Paris"),
            ("EventDate", "2024.3.9"),
            ("Transcriber", "DJM"),
            ("Match ID", "7"),
            ("Comment", "one"),
            ("Comment", "two"),
        ]
    )
    assert header.tags == {
        "event": "Cup",
        "place": "Paris",
        "date": "2024-03-09",
        "annotator": "DJM",
        "Match ID": "7",
        "comment": "one\ntwo",
    }


def test_rules_are_on_off_or_unsaid() -> None:
    header = read_header([("Crawford", "On"), ("Jacoby", "false")])
    assert (header.crawford, header.jacoby, header.beavers) == (True, False, None)
    with pytest.raises(RecordError, match="Beaver to say On or Off, found 'maybe'"):
        read_header([("Beaver", "maybe")])


def test_another_variation_is_not_backgammon() -> None:
    assert read_header([("Variation", "Backgammon")]).tags == {"Variation": "Backgammon"}
    with pytest.raises(RecordError, match="expected a record of backgammon, found the"):
        read_header([("Variation", "Nackgammon")])


def test_a_tag_gives_the_full_name_and_the_score_line_the_column() -> None:
    tags = [("Player 1", "A: the first"), ("Player 2", "B"), ("Player 1 Elo", "1600")]
    header = read_header(tags)
    assert header.names("A. the first", "B") == ("A: the first", "B")
    assert header.names("somebody", "B") == ("somebody", "B")
    assert header.tags_by_column("A. the first", "B") == {"rating0": "1600"}


def test_players_may_be_numbered_from_the_right() -> None:
    header = read_header([("Player 1", "B"), ("Player 2", "A"), ("Player 1 Elo", "1600")])
    assert header.names("A", "B") == ("A", "B")
    assert header.tags_by_column("A", "B") == {"rating1": "1600"}


def test_a_name_on_the_score_line_has_no_colon_and_is_never_empty() -> None:
    assert line_name("a : b\t c") == "a . b c"
    assert line_name("  ") == "-"


def test_the_header_says_the_rules_that_matter() -> None:
    match = Match(("A", "B"), 5, tags={"date": "2024-03-09", "comment": "one\ntwo", 'x"y]': ""})
    assert list(header_lines(match)) == [
        '; [Player 1 "A"]',
        '; [Player 2 "B"]',
        '; [EventDate "2024.03.09"]',
        '; [Comment "one"]',
        '; [Comment "two"]',
        '; [x y ""]',
        '; [Crawford "On"]',
    ]
    money = list(header_lines(Match(("A", "B"), 0)))
    assert money[2:] == ['; [Jacoby "On"]', '; [Beaver "Off"]']


HEAD = " 5 point match\n\n Game 1\n Ann : 0      Bob : 0\n"


def columns(rows: str) -> list[tuple[int, str]]:
    [game] = cut(HEAD + rows, "x").games
    return [(cell.column, cell.text) for cell in game.cells]


def test_a_rows_two_cells_are_left_and_right_however_close_they_stand() -> None:
    assert columns("  1) 31: 8/5 6/5 42: 8/4 6/4") == [(0, "31: 8/5 6/5"), (1, "42: 8/4 6/4")]
    assert columns("1)31: 8/5\t42:") == [(0, "31: 8/5"), (1, "42:")]


def test_a_single_cell_is_right_if_it_is_far_from_the_number() -> None:
    assert columns("  1)                   31: 8/5 6/5") == [(1, "31: 8/5 6/5")]
    assert columns("1)\t\t31: 8/5 6/5") == [(1, "31: 8/5 6/5")]
    assert columns(" 10)  Doubles => 2") == [(0, "Doubles => 2")]
    assert columns("      Wins 1 point") == [(0, "Wins 1 point")]
    assert columns("                    Wins 1 point") == [(1, "Wins 1 point")]


def test_only_a_cell_alone_in_a_numbered_row_is_sure_of_its_column() -> None:
    [game] = cut(f"{HEAD} 1) 31:   Wins 1 point\n 2)  Drops\n   Wins 1 point", "x").games
    assert [cell.is_sure for cell in game.cells] == [False, False, True, False]
    assert game.cells[2] == Cell(0, "Drops", 6)


def test_empty_rows_and_comments_are_no_cells() -> None:
    assert columns("  1)\n\n; nothing here\n  2)   \n") == []


def test_names_may_hold_blanks_digits_and_signs() -> None:
    text = "0 point match\nGame 1\n Player 2 : 12       XG Roller+: 3\n"
    [game] = cut(text, "x").games
    assert (game.names, game.score) == (("Player 2", "XG Roller+"), (12, 3))


def test_the_length_may_be_said_in_several_ways() -> None:
    for line, length in (
        (" 5 point match", 5),
        ("13 points match", 13),
        ("0 point match", 0),
        ("Money session", 0),
        ("Unlimited match", 0),
    ):
        assert cut(f"{line}\n", "x").length == length


def test_tags_comments_and_boxes_of_remarks_are_kept() -> None:
    text = '\ufeff; [Event "A "cup""]\r\n;free words\r\n+---+\r\n| Paris |\r\n'
    assert cut(text, "x").tags == [
        ("Event", 'A "cup"'),
        ("Comment", "free words"),
        ("Comment", ""),
        ("Comment", "Paris"),
    ]


def test_set_positions_are_kept_with_their_place() -> None:
    [game] = cut(f"{HEAD} 1) 31: 8/5 6/5\n; Set Pos=abc/0\n", "x").games
    assert game.positions == [(1, 6, "abc/0")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("Game 1\n", "x:1: expected the match length, as '5 point match', before"),
        (
            "hello\n",
            "x:1: expected the match length, as '5 point match', or 'Game 1', found 'hello'",
        ),
        ("5 point match\nGame 1\n", "x:2: expected the score line of the game, found the end"),
        ("5 point match\nGame 1\nAnn\n", "x:3: expected the score line, as 'Ann : 0"),
        (HEAD + "hello", "x:5: expected a move, an action or a game, found 'hello'"),
        (HEAD + " 1) hello", "x:5: expected a roll or an action, found 'hello'"),
        (HEAD + " 1) x 31: 8/5", "x:5: expected a roll or an action, found 'x 31: 8/5'"),
        (HEAD + " 1) 31: 31: 31: 31:", "x:5: expected two columns, found 4 entries"),
        ("; Set Pos=abc", "x:1: expected a game before its Set Pos"),
        ("x" * 3000, "x:1: a line has at most 2000 characters"),
    ],
)
def test_errors_name_the_line_and_what_was_expected(text: str, message: str) -> None:
    with pytest.raises(RecordError) as error:
        cut(text, "x")
    assert str(error.value).startswith(message)


def test_what_was_found_is_shown_in_short_on_one_line() -> None:
    assert shown("a\n  b") == "'a b'"
    assert len(shown("x" * 1000)) < 70
