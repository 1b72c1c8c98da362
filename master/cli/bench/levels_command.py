"""`manyply bench levels`: how much each level of an opponent is weaker than the next one."""

from __future__ import annotations

from itertools import pairwise
from math import isfinite

import click

from master.cli.arguments import CountType, json_option
from master.cli.errors import CommandError
from master.cli.output import echo_json, echo_table
from master.cli.playing.play_terminal import show_count
from master.games.opponents import LEVELS, Duel, LevelGames, duel_of
from master.games.table import fronts
from master.reports.report import Report
from master.reports.texts import signed

GAMES_DEFAULT = 400
GAMES_MAX = 1_000_000
SEED_MAX = 2**31 - 1
"""The seed of each game is made of it and of the number of the game."""


def _games_of(game: str) -> LevelGames:
    """Return the games between levels; CommandError for a game that has none."""
    known = {name: front.level_games for name, front in fronts() if front.level_games is not None}
    if game not in known:
        raise CommandError(f"expected one of {', '.join(known)}, not {game!r}")
    return known[game]()


def _measured(measured: LevelGames, level: str, above: str, pair_count: int, seed: int) -> Duel:
    """Play pairs of games, and show how many; Ctrl-C ends them."""
    first, second = measured.opponents[level], measured.opponents[above]
    pairs: list[tuple[float, float]] = []
    for number in range(pair_count):
        show_count(f"{level}: game {2 * number + 1} of {2 * pair_count}")
        pairs.append(measured.pair(first, second, seed << 32, number))
    show_count("")
    return duel_of(pairs)


def _row(measured: LevelGames, level: str, duel: Duel) -> tuple[str, ...]:
    settings = measured.opponents[level].text
    if measured.has_points:
        return (level, settings, signed(duel.mean, 3), f"{duel.std_error:.3f}")
    elo, low, high = duel.elo
    return (
        level,
        settings,
        f"{100 * duel.mean:.1f}%",
        signed(elo, 0),
        f"{signed(low, 0)} to {signed(high, 0)}",
    )


def _object(measured: LevelGames, level: str, above: str, duel: Duel) -> Report:
    known: Report = {"level": level, "against": above, "games": duel.games}
    settings: Report = {"settings": measured.opponents[level].text}
    if measured.has_points:
        return known | settings | {"points_per_game": duel.mean, "std_error": duel.std_error}
    elo = zip(("elo", "elo_low", "elo_high"), duel.elo, strict=True)
    found: Report = {name: value if isfinite(value) else None for name, value in elo}
    return known | settings | {"score": duel.mean, "std_error": duel.std_error} | found


@click.command("levels", short_help="Strength of the opponents of manyply play.")
@click.argument("game")
@click.option(
    "--games", "game_count", type=CountType(2, GAMES_MAX), default=GAMES_DEFAULT, metavar="N",
    show_default=True, help="Games of each level against the next one.",
)  # fmt: skip
@click.option(
    "--level", type=click.Choice(LEVELS[:-1]), metavar="LEVEL", help="Measure this level alone."
)
@click.option(
    "--seed", type=CountType(0, SEED_MAX), default=1, metavar="S", show_default=True,
    help="Openings, dice and noise by this seed: the same seed gives the same table.",
)  # fmt: skip
@json_option
def bench_levels_command(
    game: str, game_count: int, level: str | None, seed: int, is_json: bool
) -> None:
    """Play each level of an opponent against the next stronger one.

    GAME is backgammon, chess or othello. Games come in pairs that begin alike, by the same dice
    in backgammon, with the sides exchanged; errors are those of the pairs. Backgammon is played
    for money, and the luck of the dice is taken off.

    \b
    Keys of --json: game, and levels; of each level
      level, against, games, settings
      points_per_game, std_error      (backgammon)
      score, std_error, elo, elo_low, elo_high
                                      (interval of 95 %; null: infinite)
    """
    measured, pair_count = _games_of(game), (game_count + 1) // 2
    duels = {
        below: (above, _measured(measured, below, above, pair_count, seed))
        for below, above in pairwise(LEVELS)
        if level in (None, below)
    }
    if is_json:
        levels = [_object(measured, below, *known) for below, known in duels.items()]
        echo_json({"game": game, "levels": levels})
        return
    result = ("Points a game", "Error") if measured.has_points else ("Score", "Elo", "95 %")
    title = f"{game}, each level against the next, {2 * pair_count} games"
    rows = [_row(measured, below, duel) for below, (_, duel) in duels.items()]
    echo_table(title, ("Level", "Settings", *result), rows, left=2)
