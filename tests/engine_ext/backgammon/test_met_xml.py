import re
from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.met import (
    AWAY_MAX,
    MET_CHARS_MAX,
    MET_DECIMALS,
    MetError,
    kazaross_xg2,
)
from engine_ext.backgammon.met_xml import met_from_xml
from tests.benchmarks import gnubg_program
from tests.engine_ext.backgammon.tables import FAVOURITE, SMALL

close = partial(pytest.approx, abs=0.5 * 10**-MET_DECIMALS)

GNUBG_METS = Path("/usr/share/gnubg/met")
ALIKE = (
    "Kazaross-XG2", "Rockwell-Kazaross", "g11", "jacobs", "mec", "mec26", "ortega", "snowie",
    "woolsey", "zadeh",
)  # fmt: skip
DIFFERENT = ("jac050", "jac100")

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


def test_xml_file_reads_as_the_table_it_writes_down() -> None:
    assert met_from_xml(XML) == SMALL


def test_xml_file_may_leave_out_the_last_post_crawford_value() -> None:
    met = met_from_xml(XML.replace("<me>0.32</me>", ""))
    assert met.post == (0.5, 0.49)
    assert met.mwc(3, 1, post_crawford=True) == 0.5 * (0.75 * 0.5 + 0.25 * 1.0)


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
    assert met.mwc(3, 1) == close(0.5 * (0.75 * 0.49 + 0.25 * 0.5))


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
    with pytest.raises(MetError, match=r"win-rate is not 0\.5; manyply's formulas are of equals"):
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
@pytest.mark.when_changed
def test_no_parameters_do_anything_but_make_a_table_or_fail(values: list[float]) -> None:
    parameters = {key: repr(value) for key, value in zip(PARAMETERS, values, strict=True)}
    try:
        met = met_from_xml(xml_with_formula(parameters))
    except MetError:
        return
    assert met.mwc(5, 5) == 0.5


@pytest.mark.reference
@pytest.mark.skipif(not GNUBG_METS.exists(), reason="gnubg's match equity tables not installed")
def test_shipped_numbers_are_those_of_gnubgs_file() -> None:
    theirs = met_from_xml((GNUBG_METS / "Kazaross-XG2.xml").read_text(encoding="utf-8"))
    assert theirs.pre == kazaross_xg2().pre
    assert theirs.post == kazaross_xg2().post


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
@pytest.mark.parametrize("name", ["woolsey", "jacobs", "snowie", "mec", "zadeh", *DIFFERENT])
def test_numbers_are_those_that_gnubg_shows(name: str, tmp_path: Path) -> None:
    text = (GNUBG_METS / f"{name}.xml").read_text(encoding="utf-8")
    path = tmp_path / "table.xml"
    path.write_text(for_gnubg(text) if "<parameters>" in text else text, encoding="utf-8")
    rows = shown_by_gnubg(path)
    met = met_from_xml(text)
    assert len(rows) == 11  # nine before the Crawford game, then one a player
    for away, row in enumerate(rows[:9], start=1):
        assert row == pytest.approx([met.mwc(away, other) for other in range(1, 10)], abs=2e-6)
    for player, row in enumerate(rows[9:]):
        trailer = [met.mwc(away, 1, post_crawford=True, player=player) for away in range(1, 10)]
        assert row == pytest.approx(trailer, abs=2e-6)


def test_numbers_of_a_formula_are_rounded_and_still_add_up_to_one() -> None:
    met = met_from_xml(xml_with_formula(PARAMETERS))
    one = 10**MET_DECIMALS
    for i, row in enumerate(met.pre):
        for j, value in enumerate(row):
            assert round(value * one) / one == value
            assert round(value * one) + round(met.pre[j][i] * one) == one


SECOND = '<post-crawford-table player="1"><row><me>0.45</me><me>0.43</me><me>0.27</me></row>'


def xml_of_favourite() -> str:
    """FAVOURITE as a file, player 1's table first."""
    rows = "".join(
        "<row>" + "".join(f"<me>{value}</me>" for value in row) + "</row>" for row in FAVOURITE.pre
    )
    first = "<row><me>0.55</me><me>0.53</me><me>0.34</me></row>"
    return (
        f"<met><info><name>favourite</name></info><pre-crawford-table>{rows}</pre-crawford-table>"
        f'{SECOND}</post-crawford-table><post-crawford-table player="0">{first}'
        "</post-crawford-table></met>"
    )


def test_different_players_have_a_post_crawford_table_each() -> None:
    assert met_from_xml(xml_of_favourite()) == FAVOURITE


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('player="0"', 'player="both"', "one for player 0 and one for player 1"),
        ('player="0"', 'player="1"', "one for player 0 and one for player 1"),
        ("</met>", f"{SECOND}</post-crawford-table></met>", "one for player 0 and one for player"),
        ("<me>0.34</me>", "<me>0.34</me><me>0.3</me>", "post-Crawford value for each row"),
        ("<me>0.43</me>", "<me>two</me>", "not numbers"),
    ],
)
def test_tables_of_two_players_that_are_wrong_get_a_sentence(old: str, new: str, says: str) -> None:
    with pytest.raises(MetError, match=says):
        met_from_xml(xml_of_favourite().replace(old, new))


def test_different_players_have_no_formula_before_the_crawford_game() -> None:
    text = xml_with_formula(PARAMETERS)
    text = text.replace('player="both"', 'player="0"')
    with pytest.raises(MetError, match="'zadeh' is for players who are alike"):
        met_from_xml(text.replace("</met>", f"{SECOND}</post-crawford-table></met>"))


def test_equal_tables_of_two_players_are_of_players_who_are_alike() -> None:
    start, end = XML.index("<post-crawford-table"), XML.index("</met>")
    posts = [XML[start:end].replace("both", player) for player in ("1", "0")]
    assert met_from_xml(XML[:start] + "".join(posts) + XML[end:]) == SMALL


def test_overlong_text_is_refused_unread() -> None:
    with pytest.raises(MetError, match="at most"):
        met_from_xml(" " * (MET_CHARS_MAX + 1))


@given(st.text(max_size=200))
def test_no_text_does_anything_but_read_or_fail(text: str) -> None:
    with pytest.raises(MetError):
        met_from_xml(text)


@pytest.mark.reference
@pytest.mark.skipif(not GNUBG_METS.exists(), reason="gnubg's match equity tables not installed")
def test_every_file_that_gnubg_ships_loads() -> None:
    names = {path.stem for path in GNUBG_METS.glob("*.xml")} - {"catalog"}
    assert set(ALIKE) | set(DIFFERENT) >= names
    for name in names:
        met = met_from_xml((GNUBG_METS / f"{name}.xml").read_text(encoding="utf-8"))
        assert met.length in (15, 25, AWAY_MAX)
        assert met.is_alike == (name in ALIKE)
        assert met.mwc(3, 5) > 0.5
