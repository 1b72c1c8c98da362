"""Actions are values: what two searches want done can be compared, logged and replayed."""

import inspect
from dataclasses import fields
from typing import get_args

import pytest

from master.search.running import actions
from master.search.running.actions import Action, DropSession, ProveHere, Send, SessionRefused
from protocol.messages import Ack, Stop

EXAMPLES: list[Action] = [
    Send(1, Stop(part=2, attempt=3)),
    Send(1, Ack(count=2)),
    DropSession(1, "text"),
    SessionRefused(1, "text"),
    ProveHere(1, "text"),
]


def test_action_is_one_of_all_that_are_written_down() -> None:
    written = {
        each for _, each in inspect.getmembers(actions, inspect.isclass)
        if each.__module__ == actions.__name__
    }  # fmt: skip
    assert set(get_args(Action)) == written == {type(each) for each in EXAMPLES}


def test_actions_of_one_content_and_several_kinds_are_several() -> None:
    assert len(set(EXAMPLES)) == len(EXAMPLES)


@pytest.mark.parametrize("action", EXAMPLES, ids=repr)
def test_action_equals_what_has_its_content(action: Action) -> None:
    names = [field.name for field in fields(action)]
    again = type(action)(*(getattr(action, name) for name in names))
    assert (again, hash(again)) == (action, hash(action))
    assert all(f"{name}=" in repr(action) for name in names)
