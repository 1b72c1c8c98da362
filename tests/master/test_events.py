from typing import get_args

from master.events import Command, Event, Outcome, StoppedBy, Tick


def test_every_event_and_command_is_a_value_of_its_own_type() -> None:
    types = [*get_args(Event), *get_args(Command)]
    assert len(types) == len(set(types))
    assert all("__slots__" in vars(kind) for kind in types)
    assert Tick() == Tick()


def test_words_are_those_of_the_wire_and_of_the_json_output() -> None:
    assert [str(outcome) for outcome in Outcome] == ["done", "stopped", "fail"]
    assert [str(why) for why in StoppedBy] == ["trials", "stop_se", "halted", "failed"]
