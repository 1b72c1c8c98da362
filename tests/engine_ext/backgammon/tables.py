"""Small match equity tables for tests: of players who are alike, and who are not."""

from engine_ext.backgammon.met import Met

SMALL = Met("small", 3, ((0.5, 0.7, 0.75), (0.3, 0.5, 0.6), (0.25, 0.4, 0.5)), (0.5, 0.49, 0.32))

FAVOURITE = Met(
    "favourite",
    3,
    ((0.55, 0.75, 0.8), (0.35, 0.55, 0.65), (0.3, 0.45, 0.55)),
    (0.55, 0.53, 0.34),
    (0.45, 0.43, 0.27),
)
