import json
import sys
import zlib
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from engine_ext.backgammon.analysis import ActionAnalysis
from master.games.backgammon.matches.foreign import (
    FOREIGN_BYTES_MAX,
    is_foreign,
    read_document,
    read_foreign,
)
from master.games.backgammon.matches.record import (
    GAMES_MAX,
    AnalysedMatch,
    Double,
    Drop,
    Game,
    Match,
    Play,
    Resign,
    Result,
    Take,
)
from master.games.backgammon.matches.replay import canonical
from master.games.errors import RecordError
from tests.master.games.backgammon.matches.foreign_files import (
    HEADER_BYTES,
    bgf_file,
    document,
    xg_file,
)
from tests.master.games.backgammon.matches.random_analyses import analysed
from tests.master.games.backgammon.matches.random_matches import Habits, random_match

gvformat = pytest.importorskip("gvformat", reason="gammonview is not installed (extra files)")

SEARCHED = (Phase.reuse, Phase.generate)  # to shrink a match takes minutes
PLAIN = Habits(beaver=0.0, unmoved=0.0)
RESIGNING = replace(PLAIN, double=0.2, resign=0.02)
plain_matches = st.builds(
    random_match,
    st.integers(0, 2**32),
    st.sampled_from((0, 1, 3, 5)),
    games_max=st.integers(1, 3),
    jacoby=st.booleans(),
    beavers=st.just(False),
    habits=st.sampled_from((PLAIN, RESIGNING)),
)


def known(analysed: AnalysedMatch) -> list[list[ActionAnalysis | None]]:
    return [
        [analysed.of(game, action) for action in range(len(record.actions))]
        for game, record in enumerate(analysed.match.games)
    ]


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], phases=SEARCHED)
@given(plain_matches)
def test_document_is_the_match_it_was_made_of(match: Match) -> None:
    found = read_document(document(AnalysedMatch(match)), gvformat, "a")
    assert found == AnalysedMatch(match)


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], phases=SEARCHED)
@given(plain_matches, st.integers(0, 2**32))
def test_analysis_of_a_document_is_the_one_it_was_made_of(match: Match, seed: int) -> None:
    """Levels are ours, equities the mover's and the doubler's; an answer shares the double's."""
    ours = analysed(match, seed, is_engine_like=True)
    found = read_document(document(ours), gvformat, "a")
    for game, record in enumerate(match.games):
        for index, action in enumerate(record.actions):
            if isinstance(action, Play):
                assert found.of(game, index) == ours.of(game, index)
            elif not isinstance(action, Resign):
                double = next(at for at in (index, index - 1) if at_double(match, game, at))
                assert found.of(game, index) == ours.of(game, double)


def at_double(match: Match, game: int, index: int) -> bool:
    return type(match.games[game].actions[index]).__name__ == "Double"


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], phases=SEARCHED)
@given(plain_matches)
@pytest.mark.when_changed
def test_ogxm_file_is_read(match: Match) -> None:
    content = gvformat.write_gvab(document(AnalysedMatch(match)))
    assert is_foreign(content)
    found = canonical(read_foreign(content, "a.ogxm").match)
    assert found.games == match.games
    assert (found.players, found.length) == (match.players, match.length)


@pytest.mark.slow
def test_ogxm_file_of_its_own_codec_is_read() -> None:
    ogxm = pytest.importorskip("ogxm", reason="ogxm is not installed (its wheels are for Linux)")
    for seed, length in ((1, 5), (2, 0), (3, 3)):
        match = random_match(seed, length, games_max=3, beavers=False, habits=RESIGNING)
        theirs = ogxm.binary_to_json(gvformat.write_gvab(document(AnalysedMatch(match))))
        content = ogxm.json_to_binary(theirs)
        assert canonical(read_foreign(content, "a.ogxm").match).games == match.games


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], phases=SEARCHED)
@given(plain_matches)
@pytest.mark.when_changed
def test_xg_file_is_read(match: Match) -> None:
    found = read_foreign(xg_file(match), "a.xg")
    assert canonical(found.match).games == match.games
    for game, record in enumerate(match.games):
        for index, action in enumerate(record.actions):
            if isinstance(action, Play) and action.steps:
                analysis = found.of(game, index)
                assert analysis is not None
                assert analysis.checker is not None
                (move,) = analysis.checker.moves
                assert (move.level, move.equity_cubeful) == ("2-ply", 0.25)
                assert move.probs == (0.5, 0.25, 0.0, 0.125, 0.0)


@pytest.mark.slow
@settings(max_examples=20, suppress_health_check=[HealthCheck.too_slow], phases=SEARCHED)
@given(plain_matches)
@pytest.mark.when_changed
def test_bgf_file_is_read(match: Match) -> None:
    found = read_foreign(bgf_file(match), "a.bgf")
    assert canonical(found.match).games == match.games


@pytest.mark.slow
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
@given(st.sampled_from((b"RGMH", b"OGXM", b'{"format":"BGF"}\n')), st.binary(max_size=200))
@pytest.mark.when_changed
def test_bad_bytes_are_refused_by_name(magic: bytes, rest: bytes) -> None:
    assert is_foreign(magic + rest)
    with pytest.raises(RecordError, match=r"^a\.xg: expected a whole file of "):
        read_foreign(magic + rest, "a.xg")


@pytest.mark.slow
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow], phases=SEARCHED)
@given(st.integers(0, 2**32), st.data())
@pytest.mark.when_changed
def test_damaged_file_is_read_or_refused_by_name(seed: int, data: st.DataObject) -> None:
    match = random_match(seed, 1, habits=PLAIN)
    content = bytearray(gvformat.write_gvab(document(AnalysedMatch(match))))
    for _ in range(data.draw(st.integers(1, 3))):
        content[data.draw(st.integers(4, len(content) - 1))] = data.draw(st.integers(0, 255))
    refusal = "a.ogxm: "
    try:
        read_foreign(bytes(content), "a.ogxm")
    except RecordError as error:
        refusal = str(error)
    assert refusal.startswith("a.ogxm: ")


def zeros(mebibytes: int) -> bytes:
    """Return so many MiB of zeros, compressed to a thousandth."""
    packer = zlib.compressobj()
    return b"".join(packer.compress(bytes(1 << 20)) for _ in range(mebibytes)) + packer.flush()


@pytest.mark.slow
@pytest.mark.parametrize("head", [b"RGMH" + bytes(HEADER_BYTES - 4), b'{"format": "BGF"}\n'])
@pytest.mark.when_changed
def test_file_that_inflates_beyond_all_matches_is_refused(head: bytes) -> None:
    with pytest.raises(RecordError, match=r"^a: .*: reading it takes more than 256 MiB of memory$"):
        read_foreign(head + zeros(400), "a")


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"action_id": 31}, "game 1: ply 1: expected a roll, a cube action or a resignation"),
        ({"action_id": 22}, "game 1: ply 1: nothing was doubled"),
        ({"moves": [{"from": 3, "pips": 1}]}, "game 1: ply 1: illegal play"),
        ({"d1": None}, "expected a document as gammonview describes it"),
    ],
)
def test_what_a_record_cannot_keep_is_refused(change: dict[str, object], error: str) -> None:
    match = random_match(4, 1, habits=PLAIN)
    damaged = document(AnalysedMatch(match))
    damaged["games"][0]["plies"][0] |= change
    with pytest.raises(RecordError, match=error):
        read_document(damaged, gvformat, "a")


def test_other_variants_are_refused() -> None:
    damaged = document(AnalysedMatch(random_match(4, 1, habits=PLAIN))) | {"variant": 1}
    with pytest.raises(RecordError, match="expected usual backgammon"):
        read_document(damaged, gvformat, "a")


def test_longer_files_than_the_limit_are_refused() -> None:
    with pytest.raises(RecordError, match=r"a\.xg: a file of eXtreme Gammon has at most"):
        read_foreign(b"RGMH" + bytes(FOREIGN_BYTES_MAX), "a.xg")


def test_missing_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "gvformat", None)
    with pytest.raises(RecordError) as raised:
        read_foreign(b"OGXM", "a.ogxm")
    assert str(raised.value) == (
        "a.ogxm: files of OGXM need an optional extra: pip install 'manyply[files]'"
    )


@pytest.mark.parametrize("content", [b"", b"(;GM[6])", b" 5 point match", b'{"a":1}\n'])
def test_other_files_are_left_to_others(content: bytes) -> None:
    assert not is_foreign(content)


def test_points_beyond_the_end_of_the_match_may_be_left_out() -> None:
    """XG and OGXM record what a last game was worth to its winner."""
    opened, answer = Play(0, (3, 1), ((8, 5), (6, 5))), Play(0, (6, 1), ((13, 7), (8, 7)))
    actions = (opened, Double(1), Take(0), Play(1, (6, 1), ((13, 7), (8, 7))), Resign(0, 2))
    match = Match(("Ann", "Bob"), 3, (Game((0, 0), actions, Result(1, 4)),))
    cut = document(AnalysedMatch(match))
    cut["games"][0]["points_won"] = 3
    assert read_document(cut, gvformat, "a").match == match
    dropped = (opened, Double(1), Take(0), Play(1, (6, 1), answer.steps), Double(0), Drop(1))
    won = Match(("Ann", "Bob"), 1, (Game((0, 0), dropped, Result(0, 2)),))
    short = document(AnalysedMatch(won))
    short["games"][0]["points_won"] = 1
    assert read_document(short, gvformat, "a").match == won


def test_a_drop_or_resignation_that_only_the_result_tells_of_is_read() -> None:
    opened = Play(0, (3, 1), ((8, 5), (6, 5)))
    for actions, points in (((opened, Resign(1, 2)), 2), ((opened, Double(1), Drop(0)), 1)):
        winner = 1 - actions[-1].player
        match = Match(("Ann", "Bob"), 5, (Game((0, 0), actions, Result(winner, points)),))
        untold = document(AnalysedMatch(match))
        untold["games"][0]["plies"] = untold["games"][0]["plies"][: len(actions) - 1]
        assert read_document(untold, gvformat, "a").match == match


def test_a_bad_game_is_skipped_by_name_and_the_others_are_read() -> None:
    match = random_match(5, 0, games_max=3, beavers=False, habits=RESIGNING)
    for number in (1, 2, 3):
        damaged = document(AnalysedMatch(match))
        damaged["games"][number - 1]["plies"][0]["action_id"] = 22
        found = read_document(damaged, gvformat, "a")
        (skipped,) = found.skipped
        assert (skipped.number, skipped.line) == (number, None)
        assert skipped.reason.startswith("ply 1: nothing was doubled")
        expected = [() if n == number else g.actions for n, g in enumerate(match.games, 1)]
        assert [game.actions for game in canonical(found.match).games] == expected


@pytest.mark.slow
@settings(max_examples=10, suppress_health_check=[HealthCheck.too_slow], phases=SEARCHED)
@given(plain_matches)
@pytest.mark.when_changed
def test_a_document_as_json_is_read_as_the_binary_of_it(match: Match) -> None:
    written = gvformat.write_gvab(document(AnalysedMatch(match)))
    text = json.dumps(gvformat.read_gvab(written)).encode()
    assert is_foreign(text)
    assert read_foreign(text, "a.gva") == read_foreign(written, "a.gvab")


@pytest.mark.parametrize(
    "text", ['{"player_white": 1', '{"player_white": 1}', '{"player_white"' + "[" * 9]
)
def test_json_that_is_no_match_is_refused_by_name(text: str) -> None:
    with pytest.raises(RecordError, match=r"^a\.gva: expected a "):
        read_foreign(text.encode(), "a.gva")


def test_a_cube_limit_of_one_is_a_match_without_a_cube() -> None:
    match = replace(random_match(4, 1, habits=PLAIN), uses_cube=False)
    assert read_document(document(AnalysedMatch(match)), gvformat, "a").match == match


def test_more_games_than_a_match_has_are_refused() -> None:
    endless = document(AnalysedMatch(random_match(4, 1, habits=PLAIN)))
    endless["games"] *= GAMES_MAX + 1
    with pytest.raises(RecordError, match=f"a match has at most {GAMES_MAX} games"):
        read_document(endless, gvformat, "a")
