"""SPEC.md's tables and sentences have the program's limits, codes, exit codes and states."""

import re
from functools import reduce
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType

import pytest

import analyser.command
import master.cli.relay.command
import master.command
import protocol
from master.cli.errors import EXIT_CODES_HELP
from protocol.access.lock import Lock, SharedSecret
from protocol.codec import decode
from protocol.codes import CODES, ProtocolError, ReplyCode
from protocol.exit_codes import ExitCode
from protocol.messages import (
    ANALYSER_MESSAGES,
    VERSION,
    AnalyserHello,
    Bye,
    Challenge,
    Error,
    MasterHello,
    Response,
)
from protocol.states import LEGAL, LinkState, Role
from tests.tidy.source_files import ROOT

SPEC = Path(protocol.__file__).with_name("SPEC.md").read_text()
SECTIONS, _, LIMITS = SPEC.partition("\n## Appendix")[0].partition("## 11. Limits, by name")
PROSE = re.sub(r"(?ms)^```.*?^```", "", SECTIONS)

NUMBER = r"[0-9][0-9,]*(?:\.[0-9]+)?(?:\^[0-9]+(?: - 1)?)?(?: MiB)?"
ROW = re.compile(rf"^\| (.+) \| ({NUMBER})(?: s)? \| `([\w.]+)` \|$", re.MULTILINE)
WORDS = {"Eight": 8, "ninth": 9}


# Sentences with a limit, `#` standing for its number, and the constant that has it. White space is
# any; what a sentence says twice is looked at twice.
SENTENCES = [
    ("A line is at most **# bytes**", "protocol.line.LINE_BYTES_MAX"),
    ("know a **secret**, # to 1,024 bytes that nobody guesses",
     "protocol.access.lock.KEY_BYTES_MIN"),
    ("know a **secret**, 16 to # bytes that nobody guesses", "protocol.access.lock.KEY_BYTES_MAX"),
    ("# is the next power of two.", "protocol.line.LINE_BYTES_MAX"),
    ("default #): the longest line it takes", "protocol.line.LINE_BYTES_MAX"),
    ("`line_bytes_max` (# or more", "protocol.messages.HELLO_LINE_BYTES_MIN"),
    ("a context or a question, has at most # characters",
     "protocol.messages.CONTEXT_CHARACTERS_MAX"),
    ("| context, question | printable ASCII, 1 to # characters |",
     "protocol.messages.CONTEXT_CHARACTERS_MAX"),
    ("An answer stands as it is, # characters at most", "protocol.messages.ANSWER_CHARACTERS_MAX"),
    ("| TEXT of `answer` | printable ASCII, 1 to # characters |",
     "protocol.messages.ANSWER_CHARACTERS_MAX"),
    ("| TEXT of `entries` | printable ASCII, 1 to # characters |",
     "protocol.messages.ENTRIES_CHARACTERS_MAX"),
    ("| PART, SEQ, COUNT of `ack`, received | 0 .. # ", "protocol.messages.NUMBER_MAX"),
    ("| ATTEMPT | 0 .. # |", "protocol.messages.ATTEMPT_MAX"),
    ("| COUNT of `trials` | 1 .. # |", "protocol.messages.COUNT_MAX"),
    ("| COUNT of `done`, `stopped` | 0 .. # |", "protocol.messages.COUNT_MAX"),
    ("`unacked_max` (1 to #, default", "protocol.messages.COUNT_MAX"),
    ("| STEPS | 0 .. # |", "protocol.messages.STEPS_MAX"),
    ("| WORKERS, cores | 1 .. # |", "protocol.messages.CORE_COUNT_MAX"),
    ("| power | real, 0 .. # |", "protocol.messages.POWER_MAX"),
    ("| VALUES | 1 to # reals", "protocol.messages.VALUE_COUNT_MAX"),
    ("| name, by | text, 1 to # characters |", "protocol.messages.NAME_CHARACTERS_MAX"),
    ("| text, reason | text, at most # characters", "protocol.messages.TEXT_CHARACTERS_MAX"),
    ("| news | -1 .. # |", "protocol.messages.NEWS_DEPTH_MAX"),
    ("the deepest # at a time", "engine_ext.search.shared_table.NEWS_MAX"),
    ("and none while # waits to be sent", "protocol.plain.OUT_BYTES_HIGH"),
    ("**#** such lines are forgiven", "protocol.plain.BAD_LINES_MAX"),
    ("Both hellos together may take # s", "protocol.plain.DEFAULT_TIMING.handshake_s"),
    ("`engine` lines and `ready` a further # s", "protocol.plain.DEFAULT_TIMING.loading_s"),
    ("1,000,000, default #): results it keeps", "protocol.messages.UNACKED_MAX"),
    ("so # of them take about 32 MB", "protocol.messages.UNACKED_MAX"),
    ("when # of lines are kept", "protocol.session.UNACKED_BYTES_MAX"),
    ("up to **#** outstanding ones", "protocol.session.OUTSTANDING_MAX"),
    ("the grace period of the analyser (# s)", "analyser.agent.GRACE_S"),
    ("is the first # hex digits of the SHA-256 of `manyply session",
     "protocol.session_secret.PUBLIC_ID_DIGITS"),
    ("2^-32 of magnitude below #, or that lies outside", "engine_ext.contexts.VALUE_MAX"),
    ("after **# s** of silence of the peer", "protocol.plain.DEFAULT_TIMING.ping_after_s"),
    ("after **# s** of silence,", "protocol.plain.DEFAULT_TIMING.dead_after_s"),
    ("a dead master, # s after the last sign", "protocol.plain.DEFAULT_TIMING.dead_after_s"),
    ("has taken no bytes for **# s**", "protocol.plain.DEFAULT_TIMING.write_stall_s"),
    ("as a slow reader after the # s above", "protocol.plain.DEFAULT_TIMING.write_stall_s"),
    ("handles at most # lines of a connection", "protocol.intake.TURN_LINES"),
    ("cut from at most # bytes, before", "protocol.intake.TURN_BYTES"),
    ("While more than # bytes of **answers** wait", "protocol.plain.ANSWER_BYTES_HIGH"),
    ("A listener has at most # connections", "protocol.aio.listener.LINK_COUNT_MAX"),
    ("connections, and # of them that are not", "protocol.aio.listener.UNSETTLED_MAX"),
    ("more than **#** wait for it", "protocol.plain.OUT_BYTES_MAX"),
]  # fmt: skip


# What else stands in the sentences: arithmetic, examples, code points, other people's standards.
NOT_LIMITS = """
section #
version #.#
%2C
`%XX`
0x20 to 0x7E
| NONCE, PROOF | # and # lower-case hex digits |
HMAC-SHA-256
`manyply ROLE N1 N2 `
# bytes as they are
0x21 to 0x7E
UTF-8
SHA-256
ISO 8601
2^-32
below 2**20
2**-32
VERSION name=
{0,31}
{0,32}
{1,32}
`%XX`: 24,576 bytes
port 4321
, 24,576 characters
shorter than 100 bytes
`answer PART ATTEMPT ` of at most 35 bytes: 24,612 with the LF
at most 24 bytes each, 1,600 bytes in all
at most 17 significant
16 lower-case hex digits
the first 16 hex digits of the SHA-256 of the context
by 16 hex digits after
32 hex digits of a source
some 200 bytes
below 500
about 32 MB
a credit window of 64 for each of 64 workers; the 4,097th
mode 0600
"""


def value_of(text: str) -> float:
    """Return a number as it is written in the specification."""
    if text in WORDS:
        return WORDS[text]
    text = text.replace(",", "")
    if text.endswith(" MiB"):
        return int(text.removesuffix(" MiB")) << 20
    power, _, less = text.partition(" - ")
    base, _, exponent = power.partition("^")
    number = float(base) if "." in base else int(base)
    return (number ** int(exponent) if exponent else number) - int(less or 0)


def constant(path: str) -> object:
    """Return the constant of a dotted path: a module's, or a field of one."""
    parts = path.split(".")
    end = next(i for i, part in enumerate(parts) if part.isupper())
    module: ModuleType = import_module(".".join(parts[:end]))
    return reduce(getattr, parts[end:], module)


def pattern_of(sentence: str) -> str:
    """Return the pattern of a sentence in which `#` stands for a number."""
    words = [re.escape(word) for word in sentence.split()]
    number = rf"({NUMBER}|{'|'.join(WORDS)})"
    return r"\s+".join(words).replace(r"\#", number)


def test_table_of_limits_has_the_programs_numbers() -> None:
    rows = ROW.findall(LIMITS)
    assert len(rows) == LIMITS.count("\n| ") - 1, "a row cannot be read"
    wrong = {
        name: (text, constant(path))
        for name, text, path in rows
        if (text if path.endswith("VERSION") else value_of(text)) != constant(path)
    }
    assert wrong == {}
    assert len({path for _, _, path in rows}) == len(rows)


@pytest.mark.parametrize(("sentence", "path"), SENTENCES)
def test_sentence_has_the_programs_number(sentence: str, path: str) -> None:
    found = re.findall(pattern_of(sentence), PROSE)
    assert found, "the sentence is not in the specification"
    assert {value_of(text) for text in found} == {constant(path)}
    assert f"`{path}`" in LIMITS


def test_no_number_stands_in_a_sentence_that_nothing_compares() -> None:
    covered = bytearray(len(PROSE))
    for sentence in [*(sentence for sentence, _ in SENTENCES), *NOT_LIMITS.strip().splitlines()]:
        for found in re.finditer(pattern_of(sentence), PROSE):
            covered[found.start() : found.end()] = b"x" * (found.end() - found.start())
    marks = zip(PROSE, covered, strict=True)
    left = "".join(" " if is_covered and mark != "\n" else mark for mark, is_covered in marks)
    left = re.sub(r"\b[12]\.\d\b|(?m:^## \d+|[sS]ection \d+)", "", left)  # versions, references
    assert [
        line for line in left.splitlines() if re.search(r"[0-9](?:[0-9^]|[,.][0-9])", line)
    ] == []


def test_every_limit_of_the_protocols_modules_is_in_the_table() -> None:
    listed = set(re.findall(r"`([\w.]+)` \|$", LIMITS, re.MULTILINE))
    values = {}
    for found in iter_modules(protocol.__path__, "protocol."):
        module = import_module(found.name)
        source = Path(str(module.__file__)).read_text() if not found.ispkg else ""
        for name in re.findall(r"(?m)^([A-Z][A-Z_]+(?:_MAX|_MIN|_HIGH|_S))\b.* = ", source):
            values[f"{found.name}.{name}"] = getattr(module, name)
    assert len(values) > 20
    assert sorted(set(values) - listed) == []


def test_versions_are_the_newest_that_the_specification_tells_of() -> None:
    assert SPEC.startswith(f"# The manyply protocol, version {VERSION}\n")
    reported = re.findall(r"(?m)^\* (2\.\d+):", SECTIONS)
    assert reported == [f"2.{minor}" for minor in range(len(reported))]
    assert reported[-1] == VERSION


def check_proofs(greeting: str) -> None:
    """Check the dialogue of a secret."""
    (key,) = re.findall(r"secret here is `(.+)`", SECTIONS)
    (challenge,) = re.findall(r"(?m)^< (challenge .*)$", SECTIONS)
    (response,) = re.findall(r"(?m)^> (response .*)$", SECTIONS)
    asked, answered, proved = map(decode, (challenge, response, greeting))
    assert isinstance(asked, Challenge)
    assert isinstance(answered, Response)
    assert isinstance(proved, AnalyserHello)
    lock = Lock(SharedSecret(key.encode()), asked.nonce)
    assert lock.is_masters(answered.proof, answered.nonce)
    assert proved.proof == lock.analyser_proof(answered.nonce)


def test_dialogues_greet_as_the_program_does() -> None:
    greeting, proved = re.findall(r"(?m)^< (analyser .*)$", SECTIONS)
    shown = decode(greeting)
    assert isinstance(shown, AnalyserHello)
    assert shown == AnalyserHello(name=shown.name, cores=shown.cores, games=shown.games)
    hellos = re.findall(r"(?m)^> (master .*)$", SECTIONS)
    assert [*map(decode, hellos)] == [MasterHello(name="byhand")] * 2
    check_proofs(proved)
    assert set(re.findall(r"`master (2\.\d+) name=", SECTIONS)) == {VERSION}


def test_spec_prints_the_table_of_codes() -> None:
    rows = re.findall(r"^\| `([a-z-]+)` \| (.+) \| (yes|no) \|$", SPEC, re.MULTILINE)
    assert rows == [
        (code, row.meaning, "yes" if row.is_closing else "no") for code, row in CODES.items()
    ]


def test_every_code_has_a_row_and_fits_the_wire() -> None:
    assert set(CODES) == set(ReplyCode)
    assert all(re.fullmatch(r"[a-z0-9][a-z0-9._-]{0,31}", code) for code in CODES)


def test_error_says_code_and_text() -> None:
    error = ProtocolError(ReplyCode.BAD_ACK, "only 3")
    assert (error.code, error.text, str(error)) == ("bad-ack", "only 3", "bad-ack: only 3")


ANYWHERE = {"ping", "pong", "error", "bye"}


def test_spec_prints_the_table_of_states() -> None:
    rows = re.findall(r"^\| ([A-Z]{5,}) \|(.*)\|(.*)\|$", SPEC, re.MULTILINE)
    assert len(rows) == len(LinkState) - 1
    for name, of_analyser, of_master in rows:
        for role, cell in ((Role.ANALYSER, of_analyser), (Role.MASTER, of_master)):
            moves = {message_type.verb for message_type in LEGAL[role][LinkState[name]]}
            assert moves - ANYWHERE == set(re.findall(r"`([a-z]+)`", cell)), name


def test_every_message_is_legal_somewhere() -> None:
    legal = {kind for table in LEGAL.values() for moves in table.values() for kind in moves}
    assert legal == set(ANALYSER_MESSAGES)


def test_nothing_precedes_the_greeting_nothing_follows_the_end_and_bye_leads_there() -> None:
    assert {*LEGAL[Role.ANALYSER][LinkState.GREETING]} == {AnalyserHello, Challenge, Error}
    assert {*LEGAL[Role.MASTER][LinkState.GREETING]} == {Error}
    for table in LEGAL.values():
        assert table[LinkState.CLOSED] == {}
        for state in set(LinkState) - {LinkState.GREETING, LinkState.CLOSED}:
            assert table[state][Bye] is LinkState.CLOSED


README = ROOT / "master" / "cli" / "README.md"
DAEMONS = (analyser.command.main, master.command.main, master.cli.relay.command.main)


def codes_in(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"^\s+(\d+)  ", text, re.MULTILINE)}


def test_help_and_document_list_the_same_codes() -> None:
    documented = {int(code) for code in re.findall(r"^\| (\d+) \|", README.read_text(), re.M)}
    assert documented == {*ExitCode} == codes_in(EXIT_CODES_HELP)


@pytest.mark.parametrize("daemon", DAEMONS, ids=lambda daemon: str(daemon.callback.__module__))
def test_daemons_use_codes_of_the_table_alone(daemon: object) -> None:
    listed = codes_in(str(daemon.help))  # type: ignore[attr-defined]
    assert {ExitCode.OK, ExitCode.JOB_FAILED, ExitCode.BAD_INPUT} <= listed <= {*ExitCode}
