import pytest

from master.games.backgammon.matches.mat_lines import header_lines, line_name, read_header
from master.games.backgammon.matches.record import Match
from master.games.errors import RecordError


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
