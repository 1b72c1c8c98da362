import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.met import (
    AWAY_MAX,
    MET_CHARS_MAX,
    Met,
    MetError,
    kazaross_xg2,
    met_from_text,
    met_from_xml,
)
from tests.benchmarks import gnubg_program

GNUBG_METS = Path("/usr/share/gnubg/met")
LOADED = (
    "Kazaross-XG2", "Rockwell-Kazaross", "g11", "jacobs", "mec", "mec26", "ortega", "snowie",
    "woolsey", "zadeh",
)  # fmt: skip
REFUSED = ("jac050", "jac100")

SMALL = Met("small", 3, ((0.5, 0.7, 0.75), (0.3, 0.5, 0.6), (0.25, 0.4, 0.5)), (0.5, 0.49, 0.32))

XML = """<?xml version="1.0"?>
<!DOCTYPE met PUBLIC "-//Somebody//DTD met//EN" "met.dtd">
<met>
 <info><name> small </name><description>three points</description><length>3</length></info>
 <pre-crawford-table type="explicit">
  <row><me>0.5</me><me>0.7</me><me>0.75</me></row>
  <row><me>0.3</me><me>0.5</me><me>0.6</me></row>
  <row><me>0.25</me><me>0.4</me><me>0.5</me></row>
 </pre-crawford-table>
 <post-crawford-table type="explicit" player="both">
  <row><me>0.5</me><me>0.49</me><me>0.32</me></row>
 </post-crawford-table>
</met>
"""

PARAMETERS = {
    "gammon-rate-leader": "0.25",
    "gammon-rate-trailer": "0.15",
    "delta": "0.08",
    "delta-bar": "0.06",
}


def xml_with_formula(parameters: dict[str, str], kind: str = "zadeh") -> str:
    """XML with its table before the Crawford game given by a formula."""
    given = "".join(
        f'<parameter name="{key}">{text}</parameter>' for key, text in parameters.items()
    )
    table = f'<pre-crawford-table type="{kind}"><parameters>{given}</parameters>'
    start, end = XML.index("<pre-crawford-table"), XML.index("</pre-crawford-table>")
    return XML[:start] + table + XML[end:]


def test_shipped_table_says_what_is_published() -> None:
    met = kazaross_xg2()
    assert met.length == 25
    assert met.mwc(1, 2) == 0.67736
    assert met.mwc(2, 3) == 0.59947
    assert met.mwc(25, 1) == 0.00095
    assert met.mwc(2, 1, post_crawford=True) == 0.48803
    assert met.mwc(1, 3, post_crawford=True) == 1.0 - 0.32264
    assert met.mwc(7, 7) == 0.5


def test_shipped_table_keeps_its_digest() -> None:
    # A rollout's context names it: a change here is a change of every match rollout.
    assert kazaross_xg2().digest == (
        "a042be6e04308f3e7cc406bb4c59609870bfe153cb22f7618e282ffa348aeb1b"
    )


@pytest.mark.parametrize("met", [SMALL, kazaross_xg2()], ids=lambda met: met.name)
def test_text_form_round_trips(met: Met) -> None:
    again = met_from_text(met.to_text())
    assert again == met
    assert again.digest == met.digest


def test_xml_file_reads_as_the_table_it_writes_down() -> None:
    assert met_from_xml(XML) == SMALL


def test_xml_file_may_leave_out_the_last_post_crawford_value() -> None:
    met = met_from_xml(XML.replace("<me>0.32</me>", ""))
    assert met.post == (0.5, 0.49)
    assert met.mwc(3, 1, post_crawford=True) == 0.5 * (0.75 * 0.5 + 0.25 * 1.0)


@pytest.mark.parametrize("met", [SMALL, kazaross_xg2()], ids=lambda met: met.name)
def test_equities_of_the_two_sides_add_up_to_one_at_every_score(met: Met) -> None:
    for mine in range(1, AWAY_MAX + 1):
        for other in range(1, AWAY_MAX + 1):
            assert met.mwc(mine, other) + met.mwc(other, mine) == pytest.approx(1.0, abs=1e-15)


def test_equity_falls_with_every_point_to_go_even_beyond_the_table() -> None:
    met = kazaross_xg2()
    for other in range(2, AWAY_MAX + 1):
        row = [met.mwc(mine, other) for mine in range(AWAY_MAX + 1)]
        assert row == sorted(row, reverse=True)
        assert len(set(row)) == len(row)


def test_extension_goes_on_smoothly() -> None:
    met = kazaross_xg2()
    # At an equal lead the mwc moves little from the last row given to the first extended one.
    for lead in range(1, 20):
        inside = met.mwc(25 - lead, 25) - met.mwc(24 - lead, 24)
        across = met.mwc(26 - lead, 26) - met.mwc(25 - lead, 25)
        assert across == pytest.approx(inside, abs=2e-3)


def test_finished_match_is_won_or_lost() -> None:
    assert SMALL.mwc(0, 3) == 1.0
    assert SMALL.mwc(3, -1) == 0.0


def test_away_score_beyond_the_limit_names_the_limit() -> None:
    with pytest.raises(ValueError, match=str(AWAY_MAX)):
        SMALL.mwc(AWAY_MAX + 1, 2)


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('type="explicit">', 'type="guess">', "'guess' is not explicit, mec or zadeh"),
        (
            'type="explicit">',
            'type="zadeh">',
            "formula 'zadeh' takes the parameters delta, delta-bar, gammon",
        ),
        (
            'type="explicit" player',
            'type="mec" player',
            "formula 'mec' takes the parameters free-drop-2",
        ),
        ("<me>0.7</me>", "<me>0.8</me>", "1-away 2-away"),
        ("<me>0.7</me>", "<me>one</me>", "not numbers"),
        ("<me>0.7</me>", "<me></me>", "not numbers"),
        ("<me>0.7</me>", "<me>nan</me>", "between 0 and 1"),
        ("<me>0.7</me>", "", "square"),
        ("<me>0.49</me>", "", "post-Crawford"),
        ("</met>", "", "not a match equity table in XML"),
        ("<met>", "<!DOCTYPE x><met>", "not a match equity table in XML"),
        ("pre-crawford-table", "table", "pre- and a post-Crawford"),
    ],
)
def test_xml_file_that_is_wrong_gets_a_sentence(old: str, new: str, says: str) -> None:
    text = XML.replace(old, new)
    if old == "<me>0.49</me>":
        text = text.replace("<me>0.32</me>", "")
    with pytest.raises(MetError, match=says):
        met_from_xml(text)


def test_formula_goes_on_from_post_crawford_values_that_are_given() -> None:
    met = met_from_xml(xml_with_formula(PARAMETERS))
    assert met.length == AWAY_MAX
    assert met.mwc(3, 1, post_crawford=True) == 0.32
    assert met.mwc(3, 1) == 0.5 * (0.75 * 0.49 + 0.25 * 0.5)


def test_formula_after_the_crawford_game_is_as_long_as_the_table_before_it() -> None:
    given = {"gammon-rate-trailer": 0.25, "free-drop-2-away": 0.015, "free-drop-4-away": 0.004}
    rows = "".join(f'<parameter name="{key}">{value}</parameter>' for key, value in given.items())
    start, end = XML.index("<post-crawford-table"), XML.index("</post-crawford-table>")
    table = f'<post-crawford-table type="zadeh"><parameters>{rows}</parameters>'
    met = met_from_xml(XML[:start] + table + XML[end:])
    assert met.pre == SMALL.pre
    assert met.post == (0.5, 0.485, 0.3125)


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"delta": "-0.1"}, "delta is not a number from 0 to 1"),
        ({"delta": "nan"}, "delta is not a number from 0 to 1"),
        ({"delta": "0.1 0.1"}, "delta is not a number from 0 to 1"),
        ({"delta": ""}, "not numbers"),
        ({"gammon-rate-leader": "1"}, "gammon-rate-leader is not a number from 0 to 1"),
        ({"gammons": "0.25"}, "takes the parameters"),
    ],
)
def test_parameters_that_are_wrong_get_a_sentence(change: dict[str, str], says: str) -> None:
    with pytest.raises(MetError, match=says):
        met_from_xml(xml_with_formula(PARAMETERS | change))


def test_calculator_with_a_favourite_is_refused() -> None:
    parameters = {"gammon-rate": "0.26", "win-rate": "0.55"}
    with pytest.raises(MetError, match=r"win-rate is not 0\.5; manyply keeps one"):
        met_from_xml(xml_with_formula(parameters, "mec"))


@pytest.mark.parametrize("count", [0, AWAY_MAX + 1])
def test_formula_needs_as_many_post_crawford_values_as_a_table_has(count: int) -> None:
    text = xml_with_formula(PARAMETERS)
    start = text.index("<post-crawford-table")
    post = f"<post-crawford-table><row>{'<me>0.5</me>' * count}</row></post-crawford-table></met>"
    with pytest.raises(MetError, match="1 to 64 post-Crawford values"):
        met_from_xml(text[:start] + post)


def test_formula_without_a_table_gets_a_sentence() -> None:
    text = xml_with_formula({"gammon-rate": "0", "win-rate": "0.5"}, "mec")
    for given_value in ("0.5", "0.49", "0.32"):
        start = text.index("<post-crawford-table")
        text = text[:start] + text[start:].replace(f"<me>{given_value}</me>", "<me>2</me>")
    with pytest.raises(MetError, match="'mec' gives no table for these parameters"):
        met_from_xml(text)


@given(st.lists(st.floats(0.0, 0.999), min_size=4, max_size=4))
@settings(max_examples=10, deadline=None)
def test_no_parameters_do_anything_but_make_a_table_or_fail(values: list[float]) -> None:
    parameters = {key: repr(value) for key, value in zip(PARAMETERS, values, strict=True)}
    try:
        met = met_from_xml(xml_with_formula(parameters))
    except MetError:
        return
    assert met.mwc(5, 5) == 0.5


def test_xml_file_with_different_players_is_refused() -> None:
    second = '<post-crawford-table player="1"><row><me>0.5</me><me>0.4</me></row>'
    text = XML.replace("</met>", f"{second}</post-crawford-table></met>")
    with pytest.raises(MetError, match="differ"):
        met_from_xml(text)


def test_overlong_text_is_refused_unread() -> None:
    with pytest.raises(MetError):
        met_from_xml(" " * (MET_CHARS_MAX + 1))
    with pytest.raises(MetError):
        met_from_text("manyply-met/1\n" + " " * MET_CHARS_MAX)


@given(st.text(max_size=200))
def test_no_text_does_anything_but_read_or_fail(text: str) -> None:
    for read in (met_from_text, met_from_xml):
        for given_text in (text, "manyply-met/1\n" + text):
            with pytest.raises(MetError):
                read(given_text)


@given(st.integers(0, 30), st.sampled_from(["", "name x", "length 3", "length 9", "pre 1 2", "?"]))
def test_text_form_with_one_line_changed_is_read_or_refused(index: int, line: str) -> None:
    lines = SMALL.to_text().splitlines()
    lines[index % len(lines)] = line
    try:
        met = met_from_text("\n".join(lines))
    except MetError:
        return
    assert met.pre == SMALL.pre


@pytest.mark.reference
@pytest.mark.skipif(not GNUBG_METS.exists(), reason="gnubg's match equity tables not installed")
def test_shipped_numbers_are_those_of_gnubgs_file() -> None:
    theirs = met_from_xml((GNUBG_METS / "Kazaross-XG2.xml").read_text(encoding="utf-8"))
    assert theirs.pre == kazaross_xg2().pre
    assert theirs.post == kazaross_xg2().post


@pytest.mark.reference
@pytest.mark.skipif(not GNUBG_METS.exists(), reason="gnubg's match equity tables not installed")
def test_every_file_that_gnubg_ships_loads_or_says_why() -> None:
    names = {path.stem for path in GNUBG_METS.glob("*.xml")} - {"catalog"}
    assert set(LOADED) | set(REFUSED) >= names


@pytest.mark.reference
@pytest.mark.skipif(not GNUBG_METS.exists(), reason="gnubg's match equity tables not installed")
@pytest.mark.parametrize("name", LOADED)
def test_usual_files_load(name: str) -> None:
    met = met_from_xml((GNUBG_METS / f"{name}.xml").read_text(encoding="utf-8"))
    assert met.length in (15, 25, AWAY_MAX)
    assert met.mwc(3, 5) > 0.5


def for_gnubg(text: str) -> str:
    """A file given by a formula, so that gnubg 1.07 computes all of that formula.

    Unless the length is its longest it goes over the table with its extension, it reads a
    formula for `both` as one for player 0, and its `mec` gives the trailer the worth of the
    free drop at 4-away that is the leader's.
    """
    start, end = text.index("<post-crawford-table"), text.index("</met>")
    post = text[start:end]
    if 'type="mec"' in post:
        post = post.replace('"free-drop-4-away">', '"free-drop-4-away">-')
    posts = "".join(post.replace('"both"', f'"{player}"') for player in (0, 1))
    return text[:start].replace("<length>-1<", f"<length>{AWAY_MAX}<") + posts + text[end:]


def shown_by_gnubg(path: Path) -> list[list[float]]:
    gnubg = gnubg_program.find_gnubg()
    if gnubg is None:
        pytest.skip("gnubg is not installed")
    commands = [f"set matchequitytable {path}", "show matchequitytable 9"]
    shown = gnubg_program.run_commands(gnubg, commands)
    return [
        [float(number) / 100 for number in row[1].split()]
        for row in re.finditer(r"^ +\d+-away +((?:\d+\.\d+ *)+)\s*$", shown, re.MULTILINE)
    ]


@pytest.mark.reference
@pytest.mark.skipif(not GNUBG_METS.exists(), reason="gnubg's match equity tables not installed")
@pytest.mark.parametrize("name", ["woolsey", "jacobs", "snowie", "mec", "zadeh"])
def test_numbers_are_those_that_gnubg_shows(name: str, tmp_path: Path) -> None:
    text = (GNUBG_METS / f"{name}.xml").read_text(encoding="utf-8")
    path = tmp_path / "table.xml"
    path.write_text(for_gnubg(text) if "<parameters>" in text else text, encoding="utf-8")
    rows = shown_by_gnubg(path)
    met = met_from_xml(text)
    assert len(rows) == 11  # nine before the Crawford game, then one a player
    for away, row in enumerate(rows[:9], start=1):
        assert row == pytest.approx([met.mwc(away, other) for other in range(1, 10)], abs=2e-6)
    for row in rows[9:]:
        trailer = [met.mwc(away, 1, post_crawford=True) for away in range(1, 10)]
        assert row == pytest.approx(trailer, abs=2e-6)


@pytest.mark.reference
@pytest.mark.skipif(not GNUBG_METS.exists(), reason="gnubg's match equity tables not installed")
@pytest.mark.parametrize("name", REFUSED)
def test_files_beyond_us_say_why(name: str) -> None:
    with pytest.raises(MetError, match=r"differ|add up"):
        met_from_xml((GNUBG_METS / f"{name}.xml").read_text(encoding="utf-8"))


def test_a_table_in_which_a_point_is_worth_nothing_is_refused() -> None:
    with pytest.raises(MetError, match="at 2-away 2-away a point won is worth no more"):
        Met("flat", 2, ((0.5, 0.5), (0.5, 0.5)), (0.5, 0.5))
