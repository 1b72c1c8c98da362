"""Conversations with one side of a connection, written down as text.

    > line      the peer sends this line
    + line      our side sends this message
    < line      our side must have written this line next; * and ? are wildcards
    ! event     our side must have reported this event next (`name code-or-reason`); wildcards too
    @ seconds   the clock, driven by numbers; the side gets a tick

Every line written and every event (plain MessageReceived apart) must be accounted for.
"""

from fnmatch import fnmatchcase

from protocol.codec import decode
from protocol.sides import Connection, LinkEvent, MessageReceived


def _shown(event: LinkEvent) -> str:
    detail = getattr(event, "code", None) or getattr(event, "reason", "")
    message = getattr(event, "message", None)
    return f"{type(event).__name__} {message.verb if message else detail}"


class Conversation:
    """One side, the lines it wrote and the events it reported that no transcript named yet."""

    def __init__(self, side: Connection) -> None:
        self.side = side
        self.now = 0.0
        self.lines: list[str] = []
        self.events: list[str] = []
        self._record(side.tick(0.0))

    def _record(self, events: list[LinkEvent]) -> None:
        self.events += [_shown(event) for event in events if type(event) is not MessageReceived]
        self.lines += self.side.bytes_to_send().decode("ascii").split("\n")[:-1]

    def hear(self, data: bytes) -> None:
        self._record(self.side.receive(data, self.now))

    def _expect(self, found: list[str], pattern: str) -> None:
        assert found, f"nothing there where {pattern!r} is due"
        shown = found.pop(0)
        assert shown == pattern or fnmatchcase(shown, pattern), f"{shown!r} is not {pattern!r}"

    def play(self, text: str) -> "Conversation":
        for line in filter(None, map(str.strip, text.splitlines())):
            mark, _, rest = line.partition(" ")
            if mark in (">", "+", "@"):
                assert not self.lines, f"written but not expected: {self.lines}"
                assert not self.events, f"reported but not expected: {self.events}"
            if mark == ">":
                self.hear(rest.encode("latin-1") + b"\n")
            elif mark == "+":
                self.side.send(decode(rest))
                self._record([])
            elif mark == "@":
                self.now = float(rest)
                self._record(self.side.tick(self.now))
            elif mark == "<":
                self._expect(self.lines, rest)
            elif mark == "!":
                self._expect(self.events, rest)
            else:
                raise AssertionError(f"what is {line!r}?")
        assert not self.lines, f"written but not expected: {self.lines}"
        assert not self.events, f"reported but not expected: {self.events}"
        return self
