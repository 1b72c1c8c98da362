"""Words that say nothing to a new reader stay out of identifiers; their number may only fall."""

import re
from collections import Counter
from pathlib import Path

from tests.tidy.source_files import PACKAGES, ROOT, source_files

DENIED = (
    "arrival", "course", "crew", "desk", "door", "doorkeeper", "facing", "handing", "look",
    "looked", "outlook", "reception", "seat", "seated", "sitting", "standing", "told", "tongue",
    "workshop",
)  # fmt: skip
"""Each also with an `s`. House style names the word to write instead of each."""

ALLOWED = {
    # A job's priority, not its status: the value is an option's, is stored and is printed as JSON.
    "STANDING": 30,
    # The handler has the name of its route, which is the operation's in the OpenAPI document.
    "course": 1,
    # A machine of that name in tests of certificates.
    "DESK": 24,
    "desk": 15,
}
"""Identifiers left, and how often each occurs at most."""

SENTENCES_MAX = 216
"""Such words in names of tests, which are sentences, where `told` and `look` are plain verbs."""

_NOT_CODE = re.compile(
    r'"""[^"\\]*(?:(?:\\.|"(?!""))[^"\\]*)*"""|"[^"\\\n]*(?:\\.[^"\\\n]*)*"'
    r"|'[^'\\\n]*(?:\\.[^'\\\n]*)*'|#[^\n]*",
    re.DOTALL,
)
_PIECE = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_WORDS = {*DENIED, *(f"{word}s" for word in DENIED)}


def code(path: Path) -> str:
    """Return a file without its strings and comments."""
    return _NOT_CODE.sub(" ", path.read_text())


def test_denied_words_in_identifiers_only_get_fewer() -> None:
    found: Counter[str] = Counter()
    for path in source_files(".py", ".pyi", ".pyx", ".pxd", packages=(*PACKAGES, "tests")):
        if path != ROOT / "tests" / "tidy" / "test_words.py":
            found.update(re.findall(r"[A-Za-z_]\w*", code(path)))
    found = Counter({
        name: count for name, count in found.items()
        if _WORDS & {piece.lower() for piece in _PIECE.findall(name)}
    })  # fmt: skip
    sentences = sum(count for name, count in found.items() if name.startswith("test_"))
    others = {name: count for name, count in found.items() if not name.startswith("test_")}
    assert {n: c for n, c in others.items() if c > ALLOWED.get(n, 0)} == {}
    assert sentences <= SENTENCES_MAX
