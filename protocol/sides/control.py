"""One end of a control connection: both ends are alike.

The second word of a line is the number of its request, so that an error can name it.
"""

from protocol.control import CONTROL_CODEC, Rejected
from protocol.messages import NUMBER_MAX
from protocol.plain import Connection, Timing

CONTROL_TIMING = Timing(ping_after_s=3600.0, dead_after_s=7200.0)
"""A client is a process of this machine, so its end is noticed at once. Silence proves nothing:
people type slowly."""

_DIGITS_MAX = len(str(NUMBER_MAX))


class ControlSide(Connection):
    """A connection whose errors name the request; its lines are handled first."""

    goes_first = True

    def __init__(self, timing: Timing = CONTROL_TIMING) -> None:
        super().__init__(CONTROL_CODEC, timing)

    def _refusal(self, code: str, text: str, line: str = "") -> Rejected:
        return Rejected(code=code, text=text, request=_request_of(line))


def _request_of(line: str) -> int | None:
    """Return the number of a line's request, or None if it cannot be read."""
    number = line.split(" ", 2)[1:2]
    if not number or len(number[0]) > _DIGITS_MAX or not number[0].isdecimal():
        return None
    return int(number[0]) if int(number[0]) <= NUMBER_MAX else None
