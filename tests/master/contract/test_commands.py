from typing import get_args

from master.contract.commands import Command, StoppedBy
from master.contract.events import Event


def test_every_command_is_a_value_of_its_own_type_and_no_event() -> None:
    types = get_args(Command)
    assert len(types) == len(set(types))
    assert not set(types) & set(get_args(Event))
    assert all("__slots__" in vars(kind) for kind in types)


def test_words_are_those_of_the_json_output() -> None:
    assert [str(why) for why in StoppedBy] == ["trials", "stop_se", "settled", "halted", "failed"]
