"""What a rollout is asked for where a user says nothing, and the levels that have names."""

TRIALS_DEFAULT = 1296
"""36 * 36: every pair of first rolls once, as gnubg's default."""

TRIALS_CAP = 46_656
"""36 ** 3: the maximum for a rollout with only a standard error as its goal."""

SETTLED_DEFAULT = 2.33
"""One in a hundred leads of so many standard errors is chance; also gnubg's default."""

CANDIDATES_DEFAULT = 5
"""Moves of a roll that are rolled out: the best play is seldom further down the list."""

CANDIDATES_MAX = 10_000
"""No roll of any position has as many plays."""

LOOKAHEADS = {"quick": (0, "normal"), "normal": (2, "normal"), "deep": (3, "large")}
"""Look-ahead, of moves and of the cube, and move filter of each level that rolls nothing out."""
