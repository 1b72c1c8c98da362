"""A game's actions and levels for the page, as JSON."""

from __future__ import annotations

from typing import Any

from master.games.handlers import Action, Handlers, MatchHandlers, PositionHandlers
from master.games.settings import Field
from master.reports.report import Report

MATCH_BYTES_MAX = 1 << 20
"""Of a match's file: one that gnubg has analysed in full has half of that."""


def game_resource(game: str, handlers: Handlers) -> Report:
    """Return a game with its actions and levels."""
    positions, matches = handlers.positions, handlers.matches
    return {
        "game": game,
        "positions": None if positions is None else _positions(positions),
        "matches": None if matches is None else _levels(matches),
    }


def _positions(handlers: PositionHandlers) -> Report:
    return {
        "start": handlers.start,
        "expected": handlers.expected,
        "actions": [_action(each) for each in handlers.actions],
    }


def _action(action: Action) -> Report:
    return {
        "name": action.name,
        "label": action.label,
        "is_job": action.job is not None,
        "fields": [_field(each) for each in action.fields],
    }


def _field(field: Field) -> Report:
    return {
        "name": field.name,
        "label": field.label,
        "sort": field.sort.value,
        "default": field.default,
        "least": field.least,
        "most": field.most,
        "options": list(field.options),
        "hint": field.hint,
    }


def _levels(handlers: MatchHandlers) -> Report:
    return {
        "suffixes": list(handlers.suffixes),
        "levels": [{"name": name, "words": words} for name, words in handlers.levels.items()],
        "level": handlers.level,
        "bytes_max": MATCH_BYTES_MAX,
    }


def position_resource(game: str, handlers: PositionHandlers, position: Any) -> Report:
    """Return a position: its drawing, and the reason for each action that is impossible."""
    refusals = {each.name: each.refusal(position) for each in handlers.actions}
    return {
        "game": game,
        "position": handlers.text(position),
        **handlers.show(position),
        "refusals": {name: why for name, why in refusals.items() if why},
    }
