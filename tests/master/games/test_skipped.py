"""Games that are left out."""

from master.games.skipped import KEPT_MAX, SkippedGame, SkippedGames


def test_a_skipped_game_is_named_by_file_number_and_line() -> None:
    game = SkippedGame(3, "a king may play Ke2", 40)
    assert game.text("club.pgn") == "club.pgn, game 3, line 40: a king may play Ke2; skipped"
    assert game.report() == {"number": 3, "line": 40, "reason": "a king may play Ke2"}
    assert SkippedGame(3, "why").text("a.wtb") == "a.wtb, game 3: why; skipped"


def test_all_are_counted_and_the_first_are_kept() -> None:
    skipped = SkippedGames("club.pgn")
    named = [skipped.add(SkippedGame(number, "why")) for number in range(1, KEPT_MAX + 3)]
    assert named == [True] * KEPT_MAX + [False] * 2
    assert skipped.report()["skipped_count"] == skipped.count == KEPT_MAX + 2
    assert skipped.summary(7) == (
        "club.pgn: 1,002 games skipped, the first 1,000 of them named; 7 read"
    )
