"""The levels of an analysis by name, with their look-ahead, filter and rollouts."""

from engine_ext.backgammon.questions import AnalysisSettings, RolloutSettings
from master.games.backgammon.rollout_defaults import LOOKAHEADS

LUCK_PLY = 0
"""Level of luck, as gnubg's: all 21 rolls are judged, which costs 21 evaluations of a decision."""

TRIALS_DEFAULT = 324
"""Games of each move and cube action: nine times all first rolls, and an equity to about a
hundredth of a point.  A number sets more."""

LEVELS = {
    **{
        name: AnalysisSettings(ply, ply, kept, LUCK_PLY) for name, (ply, kept) in LOOKAHEADS.items()
    },
    "rollout": AnalysisSettings(2, 2, "normal", LUCK_PLY, RolloutSettings(TRIALS_DEFAULT)),
}
"""A match of 200 decisions takes two cores a third of a second, 3 and 33 seconds, and a quarter of
an hour."""

LEVEL_DEFAULT = "normal"
"""gnubg's default; deep enough that the errors found are seldom the analysis's own."""


def level_words(name: str) -> str:
    """Return the settings of a level as text: `3-ply, cube 3-ply, filter large`."""
    settings = LEVELS[name]
    words = f"{settings.ply}-ply, cube {settings.cube_ply}-ply, filter {settings.move_filter}"
    if settings.rollout is None:
        return words
    return f"{words}, then {settings.rollout.trials} games of each of the best"
