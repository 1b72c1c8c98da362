"""Frozen values that are cheap to make: the form of events and commands."""

from dataclasses import dataclass
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, eq_default=True)
def value(cls: type[T]) -> type[T]:
    """Make the class a dataclass that type checkers treat as frozen.

    Assigning to a field is an error for mypy, but not at run time. A dataclass frozen at run time
    costs 0.56 us to make, this one 0.11 us (seven fields, Python 3.11), and six are made for every
    part that goes through the master.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
