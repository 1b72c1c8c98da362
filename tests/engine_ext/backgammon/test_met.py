import re
from pathlib import Path

import pytest
from hypothesis import given
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
    "Kazaross-XG2", "Rockwell-Kazaross", "g11", "jacobs", "mec26", "ortega", "snowie", "woolsey",
)  # fmt: skip
REFUSED = ("jac050", "jac100", "mec", "zadeh")

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
        ('type="explicit">', 'type="zadeh">', "zadeh"),
        ('type="explicit" player', 'type="mec" player', "mec"),
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
    assert met.length in (15, 25)
    assert met.mwc(3, 5) > 0.5


@pytest.mark.reference
@pytest.mark.parametrize("name", ["woolsey", "jacobs", "snowie"])
def test_numbers_are_those_that_gnubg_shows(name: str) -> None:
    gnubg = gnubg_program.find_gnubg()
    path = GNUBG_METS / f"{name}.xml"
    if gnubg is None or not path.exists():
        pytest.skip("gnubg is not installed")
    commands = [f"set matchequitytable {path}", "show matchequitytable 9"]
    shown = gnubg_program.run_commands(gnubg, commands)
    rows = [
        [float(number) / 100 for number in row[1].split()]
        for row in re.finditer(r"^ +\d+-away +((?:\d+\.\d+ *)+)\s*$", shown, re.MULTILINE)
    ]
    met = met_from_xml(path.read_text(encoding="utf-8"))
    assert len(rows) == 11  # nine before the Crawford game, then one a player
    for away, row in enumerate(rows[:9], start=1):
        assert row == pytest.approx([met.mwc(away, other) for other in range(1, 10)], abs=1e-6)
    for row in rows[9:]:
        trailer = [met.mwc(away, 1, post_crawford=True) for away in range(1, 10)]
        assert row == pytest.approx(trailer, abs=1e-6)


@pytest.mark.reference
@pytest.mark.skipif(not GNUBG_METS.exists(), reason="gnubg's match equity tables not installed")
@pytest.mark.parametrize("name", REFUSED)
def test_files_beyond_us_say_why(name: str) -> None:
    with pytest.raises(MetError, match=r"formula|differ|add up"):
        met_from_xml((GNUBG_METS / f"{name}.xml").read_text(encoding="utf-8"))


def test_a_table_in_which_a_point_is_worth_nothing_is_refused() -> None:
    with pytest.raises(MetError, match="at 2-away 2-away a point won is worth no more"):
        Met("flat", 2, ((0.5, 0.5), (0.5, 0.5)), (0.5, 0.5))
