"""Reading a file by a package of others, in a child process with bounded memory and time.

A compressed file of a megabyte may grow a thousandfold, and a codec may loop or crash: so it reads
in a process of its own, and only a document of bounded length comes back, as JSON.  Run as a
program (`python -m master.games.child_reading PACKAGE FUNCTION`), this module is that child: the
file on standard input, the answer on standard output.
"""

from __future__ import annotations

import contextlib
import importlib
import io
import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from master.games.errors import RecordError

_MIB = 1 << 20

ADDRESS_BYTES_MAX = 256 * _MIB
"""Of the child's address space (RLIMIT_AS): Python and gammonview take 17 MiB before they read,
and about 130 MiB more for the longest document that is taken."""

DOCUMENT_BYTES_MAX = 24 * _MIB
"""Of JSON: some 60,000 moves with their evaluations, a match of 1,900 plays with 32 moves each.
Its objects take six times as much memory here."""

DEADLINE_S = 30.0
"""A match to 25 points takes some two seconds; the page answers within a minute."""

ERROR_CHARACTERS_MAX = 200
"""Of a package's own words, which may quote the file."""


@dataclass(frozen=True, slots=True)
class ReadingLimits:
    """Bounds of one reading.

    Args:
        address_bytes: of the child's address space.
        document_bytes: of the document, as JSON.
        deadline_s: from the start to the end of the child.
    """

    address_bytes: int = ADDRESS_BYTES_MAX
    document_bytes: int = DOCUMENT_BYTES_MAX
    deadline_s: float = DEADLINE_S


def read_in_child(
    package: str, function: str, content: bytes, limits: ReadingLimits | None = None
) -> Any:
    """Return the document that a package's function reads from a file, as JSON values.

    Blocks for as long as the child runs, and never longer than the deadline.

    Args:
        package: that is imported in the child.
        function: of the package; takes bytes, returns a document.
        content: of the file.
        limits: None: those of this module.

    Raises:
        RecordError: the function raised, or exceeded a limit; one line names the reason.
    """
    limits = limits or ReadingLimits()
    command = (
        sys.executable, "-P", "-m", __name__, package, function, str(limits.address_bytes),
        str(limits.document_bytes), str(int(limits.deadline_s) + 1),
    )  # fmt: skip
    try:
        ended = subprocess.run(
            command, input=content, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            timeout=limits.deadline_s, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        raise RecordError(f"reading it takes longer than {limits.deadline_s:g} s") from None
    except OSError as error:
        raise RecordError(f"no process can be started to read it: {error.strerror}") from None
    try:
        answer = json.loads(ended.stdout)
        if "error" not in answer:
            return answer["document"]
    except (LookupError, TypeError, ValueError):
        raise RecordError(_end_of(ended.returncode)) from None
    raise RecordError(str(answer["error"]))


def _end_of(code: int) -> str:
    """Return the reason why a child ended without an answer."""
    ended = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
    return f"the process that read it {ended}"


def _answer(function: Any, content: bytes, document_bytes: int, address_bytes: int) -> str:
    """Return the answer: a document, or an error in one line."""
    try:
        text = json.dumps({"document": function(content)}, separators=(",", ":"))
        if len(text) <= document_bytes:
            return text
        error = f"its content takes more than {document_bytes / _MIB:g} MiB"
    except MemoryError:
        error = f"reading it takes more than {address_bytes / _MIB:g} MiB of memory"
    except Exception as found:  # bad bytes make it raise anything, from struct, zlib, json, ...
        error = " ".join(str(found).split())[:ERROR_CHARACTERS_MAX] or type(found).__name__
    return json.dumps({"error": error})


def _limit(kind: int, wanted: int) -> None:
    """Lower a limit of this process; a lower one of the system's stays."""
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        wanted = min(wanted, hard)
    resource.setrlimit(kind, (wanted, hard))


def main(arguments: Sequence[str]) -> None:
    """Read standard input, within limits, and print the answer; the package's output is dropped."""
    package, name, *numbers = arguments
    address_bytes, document_bytes, cpu_s = map(int, numbers)
    _limit(resource.RLIMIT_AS, address_bytes)
    _limit(resource.RLIMIT_CPU, cpu_s)  # in case the parent has ended
    with contextlib.redirect_stdout(io.StringIO()):
        function = getattr(importlib.import_module(package), name)
        answer = _answer(function, sys.stdin.buffer.read(), document_bytes, address_bytes)
    sys.stdout.write(answer)


if __name__ == "__main__":
    main(sys.argv[1:])
