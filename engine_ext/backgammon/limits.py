"""Bounds of what may be asked for, of which options are made before an engine is loaded."""

from typing import Final

SEED_MAX: Final = 2**63 - 1
"""Seeds fit a signed 64-bit integer, as databases store them."""

SEED_DEFAULT: Final = 1
"""A fixed seed: two users with the same question get the same bits."""

PLY_MAX: Final = 3
"""Deepest look-ahead: a 4-ply trial would take hours."""

TRUNCATION_PLY_MAX: Final = 1000
"""Above this a truncation could never happen: see rollout_settings.pxd, TURNS_MAX."""
