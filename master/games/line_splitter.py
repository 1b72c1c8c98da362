"""Splits a stream of bytes into lines of bounded length, for the engine protocols."""

from __future__ import annotations


class LineSplitter:
    """Cuts a stream into lines; of a line that is too long, only a byte more than it may have."""

    def __init__(self, line_bytes_max: int) -> None:
        self._line_bytes_max = line_bytes_max
        self._kept = bytearray()

    def feed(self, chunk: bytes) -> list[str]:
        """Take bytes; return the lines that they end."""
        *ends, rest = chunk.split(b"\n")
        lines = []
        for end in ends:
            self._keep(end)
            lines.append(self._kept.decode("utf-8", "replace").rstrip("\r"))
            self._kept.clear()
        self._keep(rest)
        return lines

    def _keep(self, part: bytes) -> None:
        """Keep at most one byte more than the maximum: it shows that a line is too long."""
        self._kept += part[: self._line_bytes_max + 1 - len(self._kept)]
