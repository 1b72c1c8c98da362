"""Lines: bytes to lines of text and back, and percent-encoding.

No bytes of a peer raise an exception here: a line that cannot be read is returned as its reply
code, and reading goes on after the next LF.
"""

from functools import lru_cache

from protocol.codes import ProtocolError, ReplyCode

LINE_BYTES_MAX = 32_768
"""A context of at most 8,192 characters of which each may become %XX makes 24,576 bytes; verb, four
numbers and keys need less than 100. An answer has as many characters, and 36 bytes around them. The
next power of two leaves room for services to come."""

_LF = b"\n"
_PRINTABLE = bytes(range(0x20, 0x7F))
_READABLE = _PRINTABLE + b"\r\n"
_PLAIN_BYTES = frozenset(range(0x21, 0x7F)) - {ord("%")}
_QUOTED = [chr(byte) if byte in _PLAIN_BYTES else f"%{byte:02X}" for byte in range(256)]
_HEX_DIGITS = "0123456789ABCDEFabcdef"
_UNQUOTED = {high + low: int(high + low, 16) for high in _HEX_DIGITS for low in _HEX_DIGITS}
# Contexts repeat with every part; 256 of at most 24,576 bytes keep each cache below 7 MiB.
_QUOTE_CACHE_MAX = 256


class LineBuffer:
    """Cuts a stream of bytes into lines, independent of the chunks in which it arrives."""

    def __init__(self, line_bytes_max: int = LINE_BYTES_MAX) -> None:
        self._line_bytes_max = line_bytes_max
        self._tail = bytearray()  # the start of a line, always shorter than line_bytes_max
        self._is_skipping = False  # inside a line already reported as too long

    def feed(self, data: bytes) -> list[str | ReplyCode]:
        """Take the next bytes; return the lines they complete, in order.

        Args:
            data: any bytes, of any length.

        Returns:
            For each line its text without its end, or the reply code if it cannot be read.
        """
        if self._is_skipping:
            _, end, data = data.partition(_LF)
            if not end:
                return []
            self._is_skipping = False
        if _LF not in data:
            return self._keep(data)
        block, _, rest = data.rpartition(_LF)
        if self._tail:
            block = bytes(self._tail) + block
            self._tail.clear()
        lines = self._split(block)
        lines += self._keep(rest)
        return lines

    def _keep(self, rest: bytes) -> list[str | ReplyCode]:
        self._tail += rest
        if len(self._tail) < self._line_bytes_max:
            return []
        self._tail.clear()
        self._is_skipping = True
        return [ReplyCode.LINE_TOO_LONG]

    def _split(self, block: bytes) -> list[str | ReplyCode]:
        is_plain = len(block) < self._line_bytes_max and not block.translate(None, _READABLE)
        if is_plain and b"\r" not in block:
            lines: list[str | ReplyCode] = list(block.decode("ascii").split("\n"))
            if "" not in lines:
                return lines
        return [self._line(line) for line in block.split(_LF)]

    def _line(self, line: bytes) -> str | ReplyCode:
        if len(line) >= self._line_bytes_max:
            return ReplyCode.LINE_TOO_LONG
        line = line.removesuffix(b"\r")
        if not line:
            return ReplyCode.EMPTY_LINE
        if line.translate(None, _PRINTABLE):
            return ReplyCode.BAD_CHARACTER
        return line.decode("ascii")


@lru_cache(maxsize=_QUOTE_CACHE_MAX)
def quote(text: str) -> str:
    """Percent-encode the UTF-8 bytes of a text: space, `%` and all outside printable ASCII."""
    if text.isascii() and text.isprintable() and " " not in text and "%" not in text:
        return text
    return "".join([_QUOTED[byte] for byte in text.encode("utf-8")])


@lru_cache(maxsize=_QUOTE_CACHE_MAX)
def unquote(token: str) -> str:
    """Undo `quote`; characters that need no encoding may be encoded all the same.

    Raises:
        ProtocolError: `bad-field`, a `%` without two hex digits, or bytes that are not UTF-8.
    """
    if "%" not in token:
        return token
    first, *pieces = token.split("%")
    raw = bytearray(first, "ascii")
    for piece in pieces:
        byte = _UNQUOTED.get(piece[:2])
        if byte is None:
            raise ProtocolError(ReplyCode.BAD_FIELD, "percent sign without two hex digits")
        raw.append(byte)
        raw += piece[2:].encode("ascii")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        raise ProtocolError(ReplyCode.BAD_FIELD, "percent-encoded text is not UTF-8") from None
