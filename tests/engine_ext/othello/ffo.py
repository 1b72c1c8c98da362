"""The FFO endgame suite by how long it takes."""

from engine_ext.othello.ffo import SuitePosition as Row
from engine_ext.othello.ffo import ffo_suite

__all__ = ["LARGE", "ROWS", "SMALL", "Row"]

ROWS = ffo_suite()
"""All of them by name."""

SMALL = [ROWS[f"FFO{number:02}"] for number in [*range(1, 22), 27, 29]]
"""Those that are solved in no time."""

LARGE = [ROWS[f"FFO{number}"] for number in range(40, 48)]
"""Those that solvers are compared by."""
