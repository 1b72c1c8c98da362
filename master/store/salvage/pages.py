"""Rows of an SQLite file, read page by page: no damage to one page hides the rows of another.

The file format is SQLite's own document (https://sqlite.org/fileformat2.html; sections named
below). SQLite needs the header, the schema and every page above a row to find it; here any page
that has the form of a table's leaf gives its rows. Nothing here trusts a length or a page number:
each is checked against the file before it is followed.

Pure: bytes in, rows out.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from master.store.checksums import Column, from_stored_bytes

MAGIC = b"SQLite format 3\x00"
HEADER_BYTES = 100
PAGE_BYTES = 4096
"""SQLite's default size; manyply never asks for another."""

PAGE_SIZES = tuple(1 << bits for bits in range(9, 17))
SAMPLE_BYTES = 1 << 21
"""So much of a file shows of which size its pages are."""

TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR = 0x0D, 0x05, 0x0A, 0x02
PAGE_KINDS = (TABLE_LEAF, TABLE_INTERIOR, INDEX_LEAF, INDEX_INTERIOR)
CHILDREN = {TABLE_INTERIOR: 12, INDEX_INTERIOR: 12}
"""Pages with children, and the bytes of their headers."""

LEAF_HEADER_BYTES = 8

WAL_MAGICS = (0x377F0682, 0x377F0683)
WAL_HEADER_BYTES = 32
WAL_FRAME_BYTES = 24

INT_BYTES = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}
"""By serial type (section 2.1)."""


class Row(NamedTuple):
    """A row of a table as its page holds it; an INTEGER PRIMARY KEY is NULL there: see `rowid`."""

    rowid: int
    columns: tuple[Column, ...]


class _Malformed(Exception):
    """Malformed bytes."""


@dataclass(frozen=True)
class PageFile:
    """A database file, with the pages that were committed to the log beside it.

    Args:
        content: the file.
        overlay: the last committed image of each page of the log, by its number.
        page_bytes: of how many bytes a page is.
    """

    content: bytes
    overlay: Mapping[int, bytes] = field(default_factory=dict)
    page_bytes: int = PAGE_BYTES

    @cached_property
    def page_count(self) -> int:
        """How many pages there are; pages count from 1."""
        return max(-(-len(self.content) // self.page_bytes), *self.overlay, 0)

    def page(self, number: int) -> bytes:
        """Return a page; a cut one is filled with zeros."""
        if number in self.overlay:
            return self.overlay[number]
        begin = (number - 1) * self.page_bytes
        return bytes(self.content[begin : begin + self.page_bytes]).ljust(self.page_bytes, b"\0")

    def has(self, number: int) -> bool:
        """Whether there is a page of this number."""
        return 1 <= number <= self.page_count

    @property
    def has_magic(self) -> bool:
        """Whether the file begins as every database of SQLite does."""
        return self.page(1).startswith(MAGIC)


def read_pages(content: bytes, log: bytes = b"") -> PageFile:
    """Return the pages of a file and of its write-ahead log, which may be damaged both."""
    page_bytes = _page_bytes(content, log)
    return PageFile(content, committed_pages(log, page_bytes), page_bytes)


def _page_bytes(content: bytes, log: bytes) -> int:
    """Return the page size with which most pages make sense; the header may lie about it."""
    sample = bytes(content[:SAMPLE_BYTES])
    declared = int.from_bytes(sample[16:18]) or PAGE_BYTES
    declared = 65536 if declared == 1 else declared
    in_log = int.from_bytes(log[8:12]) if int.from_bytes(log[:4]) in WAL_MAGICS else 0
    counts = {size: _well_formed_count(sample, size) for size in PAGE_SIZES}

    def rank(size: int) -> tuple[int, bool, bool, bool]:
        return counts[size], size == in_log, size == declared, size == PAGE_BYTES

    return max(PAGE_SIZES, key=rank)


def _well_formed_count(sample: bytes, size: int) -> int:
    pages = PageFile(sample, {}, size)
    return sum(_is_leaf(pages, number) for number in range(2, pages.page_count + 1))


def _is_leaf(pages: PageFile, number: int) -> bool:
    """Whether a page is a leaf of this size: its cells lie behind their list, in the page."""
    page = pages.page(number)
    starts = _cells(page, 0)
    count, content = struct.unpack(">HH", page[3:7])
    if page[0] not in (TABLE_LEAF, INDEX_LEAF) or not starts or len(set(starts)) != count:
        return False
    list_end, last = LEAF_HEADER_BYTES + 2 * count, max(starts)
    return bool(list_end <= content <= min(starts) and last < len(page))


# The write-ahead log (section 4).


def committed_pages(log: bytes, page_bytes: int) -> dict[int, bytes]:
    """Return the last image of each page up to the last commit before the log ends or is damaged.

    Pages behind damage are not used: SQLite would not use them either. They are of later
    transactions, whose rows may depend on the missing ones.
    """
    if len(log) < WAL_HEADER_BYTES:
        return {}
    magic, _, size = struct.unpack(">III", log[:12])
    salts, order = log[16:24], ">" if magic & 1 else "<"
    total = _log_sum(log[:24], (0, 0), order)
    if magic not in WAL_MAGICS or size != page_bytes or log[24:32] != struct.pack(">II", *total):
        return {}
    committed: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    frame_bytes = WAL_FRAME_BYTES + page_bytes
    for begin in range(WAL_HEADER_BYTES, len(log) - frame_bytes + 1, frame_bytes):
        head, page = log[begin : begin + WAL_FRAME_BYTES], log[begin + WAL_FRAME_BYTES :]
        page = page[:page_bytes]
        total = _log_sum(page, _log_sum(head[:8], total, order), order)
        if head[8:16] != salts or head[16:24] != struct.pack(">II", *total):
            break
        number, database_pages = struct.unpack(">II", head[:8])
        pending[number] = bytes(page)
        if database_pages:
            committed |= pending
            committed = {key: kept for key, kept in committed.items() if key <= database_pages}
            pending = {}
    return committed


def _log_sum(content: bytes, total: tuple[int, int], order: str) -> tuple[int, int]:
    """Return the log's running checksum after some more bytes (section 4.2)."""
    first, second = total
    words = struct.unpack(f"{order}{len(content) // 4}I", content)
    for even, odd in zip(words[::2], words[1::2], strict=True):
        first = (first + even + second) & 0xFFFFFFFF
        second = (second + odd + first) & 0xFFFFFFFF
    return first, second


# Trees (section 1.6) and the list of free pages (section 1.5).


def reachable(pages: PageFile, roots: Sequence[int]) -> set[int]:
    """Return the pages of the trees with these roots, as far as they can be followed."""
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        number = waiting.pop()
        if number in found or not pages.has(number):
            continue
        found.add(number)
        waiting += _children(pages, number)
    return found


def _children(pages: PageFile, number: int) -> list[int]:
    page, begin = pages.page(number), HEADER_BYTES if number == 1 else 0
    if page[begin] not in CHILDREN:
        return []
    cells = _cells(page, begin)
    numbers = [int.from_bytes(page[start : start + 4]) for start in cells]
    return [*numbers, int.from_bytes(page[begin + 8 : begin + 12])]


def is_of_tree(pages: PageFile, number: int) -> bool:
    """Whether a page has the form of one of a tree."""
    return pages.page(number)[HEADER_BYTES if number == 1 else 0] in PAGE_KINDS


def roots_of(pages: PageFile) -> dict[str, int]:
    """Return the first page of each table and index that the schema names, as far as it can."""
    leaves = reachable(pages, [1])
    rows = [row for number in sorted(leaves) for row in rows_of(pages, number)]
    return {
        str(row.columns[1]): root
        for row in rows
        if len(row.columns) == 5 and row.columns[0] in ("table", "index")
        and isinstance(root := row.columns[3], int) and pages.has(root)
    }  # fmt: skip


def free_pages(pages: PageFile) -> set[int]:
    """Return the pages that hold nothing any more, though they may look as if they did.

    A page that lists free ones is known by its form alone, so that a damaged header or list brings
    back no row that was deleted: a page of any other form cannot be taken for one (its first four
    bytes would be the number of a page, the next four a count, and all others numbers of pages).
    """
    found: set[int] = set()
    for number in range(2, pages.page_count + 1):
        listed = _listed_as_free(pages, number)
        if listed:
            found |= {number, *listed}
    return found


def _listed_as_free(pages: PageFile, number: int) -> set[int]:
    page = pages.page(number)
    following, count = struct.unpack(">II", page[:8])
    if following > pages.page_count or not 0 < count <= len(page) // 4 - 2:
        return set()
    listed = set(struct.unpack(f">{count}I", page[8 : 8 + 4 * count]))
    return listed if len(listed) == count and all(map(pages.has, listed)) else set()


# Rows.


def rows_of(pages: PageFile, number: int) -> Iterator[Row]:
    """Yield the rows of a page that is a table's leaf; none of any other page."""
    page, begin = pages.page(number), HEADER_BYTES if number == 1 else 0
    if page[begin] != TABLE_LEAF:
        return
    for start in _cells(page, begin):
        try:
            yield _row(pages, page, start)
        except _Malformed:
            continue  # the others of the page may be whole


def _cells(page: bytes, begin: int) -> list[int]:
    """Return where a page's cells start; of a damaged list those that can be."""
    count = int.from_bytes(page[begin + 3 : begin + 5])
    first = begin + CHILDREN.get(page[begin], LEAF_HEADER_BYTES)
    count = min(count, (len(page) - first) // 2)
    starts = struct.unpack(f">{count}H", page[first : first + 2 * count])
    return [start for start in starts if first <= start < len(page) - 3]


def _row(pages: PageFile, page: bytes, start: int) -> Row:
    size, start = _varint(page, start)
    rowid, start = _varint(page, start)
    rowid -= (rowid >> 63) << 64
    return Row(rowid, _columns(_payload(pages, page, start, size)))


def _payload(pages: PageFile, page: bytes, start: int, size: int) -> bytes:
    """Return a cell's payload, which may go on in other pages (section 1.6, overflow)."""
    usable = len(page)
    if size > usable * pages.page_count:
        raise _Malformed
    most, least = usable - 35, (usable - 12) * 32 // 255 - 23
    here = size
    if size > most:
        here = least + (size - least) % (usable - 4)
        here = here if here <= most else least
    parts = [page[start : start + here]]
    if here < size:
        parts.append(_overflow(pages, page[start + here : start + here + 4], size - here))
    payload = b"".join(parts)
    if len(payload) != size:
        raise _Malformed
    return payload


def _overflow(pages: PageFile, pointer: bytes, size: int) -> bytes:
    parts: list[bytes] = []
    seen: set[int] = set()
    while size > 0:
        number = int.from_bytes(pointer)
        if number in seen or not pages.has(number):
            raise _Malformed
        seen.add(number)
        page = pages.page(number)
        pointer, part = page[:4], page[4 : 4 + size]
        parts.append(part)
        size -= len(part)
    return b"".join(parts)


def _varint(content: bytes, start: int) -> tuple[int, int]:
    """Return a variable-length integer, unsigned, and where it ends."""
    value = 0
    for index, byte in enumerate(content[start : start + 9]):
        if index == 8:
            return value << 8 | byte, start + 9
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, start + index + 1
    raise _Malformed


def _columns(payload: bytes) -> tuple[Column, ...]:
    """Return a record's columns (section 2.1)."""
    head_bytes, at = _varint(payload, 0)
    if head_bytes > len(payload):
        raise _Malformed
    columns: list[Column] = []
    begin = head_bytes
    while at < head_bytes:
        serial, at = _varint(payload, at)
        size = _column_bytes(serial)
        content = payload[begin : begin + size]
        if len(content) != size:
            raise _Malformed
        columns.append(_column(serial, content))
        begin += size
    return tuple(columns)


def _column_bytes(serial: int) -> int:
    if serial >= 12:
        return (serial - 12) // 2
    return INT_BYTES.get(serial, 8 if serial == 7 else 0)


def _column(serial: int, content: bytes) -> Column:
    if serial == 0:
        return None
    if serial in INT_BYTES:
        return int.from_bytes(content, signed=True)
    if serial == 7:
        (number,) = struct.unpack(">d", content)
        return float(number)
    if serial in (8, 9):
        return serial - 8
    if serial < 12:
        raise _Malformed
    return from_stored_bytes(content) if serial % 2 else content
