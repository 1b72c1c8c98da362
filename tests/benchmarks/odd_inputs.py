"""How much memory odd input takes: of each command, and of a master behind its page.

Run as `python -m tests.benchmarks.odd_inputs [--only WORD] [--seconds 20] [--no-page]`.  Inputs of
at most 4 MiB are made for every format that is read: what inflates, one huge field, deep nesting,
many tiny records, very long lines.  Each is given to the commands that read it; one that goes on
working is ended after some seconds.  Printed are the largest resident memory of the command and
its children, and the first line it says.  Then each is handed in at the page of one master, and its
largest resident memory and the longest `/healthz` are printed.  The most that should be seen is 300
MB.  PGN is read as a stream, and has its own programs.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from base64 import b64encode
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from http.client import HTTPConnection
from pathlib import Path

from master.api.positions import MATCH_BYTES_MAX
from master.api.rules import TOKEN_FILE
from tests.benchmarks.measure import print_table

SIZE = 4 << 20
RUN_S = 20.0
PEAK_MB = 300
HEALTH_S = 0.02
ENDING_S = 30.0

XG_HEAD = b"RGMH" + bytes(8228)
BGF_HEAD = b'{"format": "BGF", "version": "1.0"}\n'
GVA_HEAD = b'{"player_white": "a", "player_black": "b", "games": '
GZIP = zlib.MAX_WBITS | 16
SMILE = b":)\n\0"
MOVES = b"31: 8/5 6/5"
WTHOR_HEAD = bytes((20, 24, 1, 1)) + (61_000).to_bytes(4, "little") + bytes(8)
IDS = b"4HPwATDgc/ABMA:cAkAAAAAAAAA\n"


@dataclass(frozen=True)
class Odd:
    """An input.

    Args:
        name: what is odd about it; the first word is its format.
        make: returns its content, at most so many bytes.
        commands: that read it: the words before its name.
        game: whose matches the page takes it for; empty: it takes none.
    """

    name: str
    make: Callable[[int], bytes]
    commands: tuple[tuple[str, ...], ...]
    game: str = ""


def filled(piece: bytes, head: bytes = b"", end: bytes = b"") -> Callable[[int], bytes]:
    """Return what repeats a piece until the size is reached."""

    def make(size: int) -> bytes:
        return head + piece * ((size - len(head) - len(end)) // len(piece)) + end

    return make


def inflating(
    head: bytes, piece: bytes, inner: bytes = b"", wbits: int = zlib.MAX_WBITS
) -> Callable[[int], bytes]:
    """Return what compresses a repeated piece until the size is reached, or 1 GB came in."""

    def make(size: int) -> bytes:
        packer = zlib.compressobj(9, wbits=wbits)
        block = piece * (1 + (1 << 20) // len(piece))
        packed = [packer.compress(inner)]
        length, blocks = 0, 0
        while length < size - len(head) - (1 << 16) and blocks < 1_000:
            packed.append(packer.compress(block))
            length += len(packed[-1])
            blocks += 1
        return head + b"".join(packed) + packer.flush()

    return make


def xg_records() -> bytes:
    """Return records of a match of eXtreme Gammon and a game, and then plays."""
    match, game = bytearray(2560), bytearray(2560)
    match[8], match[92:96] = 0, (25).to_bytes(4, "little")
    game[8], game[48] = 1, 1
    return bytes(match) + bytes(game)


def xg_play() -> bytes:
    """Return a record of a play."""
    play = bytearray(2560)
    play[8], play[64], play[100], play[104], play[120] = 3, 1, 3, 1, 1
    play[68:76] = bytes((7, 4, 5, 4, 255, 255, 255, 255))
    return bytes(play)


ANALYSE = ("analyse", "backgammon")
STUDY = (ANALYSE, ("quiz",), ("profile", "a"))
OTHELLO = (("analyse", "othello"),)
BATCH = tuple((verb, "--batch") for verb in ("eval", "cube", "move"))
REPLAY = (("replay",),)
CONFIG = (("CONFIG",),)
FLEET = (("FLEET",),)
MET = (("eval", "4HPwATDgc/ABMA:cIkMAAAAAAAA", "--met"),)

SGF = b"(;GM[6]FF[4]CA[UTF-8]PB[a]PW[b]MI[length:7][game:0][bs:0][ws:0]"
GGF = b"(;GM[Othello]PB[a]PW[b]BO[8 " + b"-" * 27 + b"O*------*O" + b"-" * 27 + b" *]"
MAT = b" 7 point match\n\n Game 1\n a : 0                 b : 0\n"
LOG = b'{"format": "manyply-events 1"}\n'


def backgammon() -> Iterator[Odd]:
    """Yield matches of backgammon."""
    files = {
        "xg zeros": inflating(XG_HEAD, bytes(4096)),
        "xg plays": inflating(XG_HEAD, xg_play(), xg_records()),
        "xg games": inflating(XG_HEAD, xg_records() + xg_play() * 3),
        "xg noise": filled(bytes(range(256)), XG_HEAD),
        "bgf zeros": inflating(BGF_HEAD, bytes(4096)),
        "bgf lists": inflating(BGF_HEAD, b"\xf8\xf9", SMILE + b"\xf8"),
        "bgf depth": inflating(BGF_HEAD, b"\xf8", SMILE),
        "bgf texts": inflating(BGF_HEAD, b"\x40aa", SMILE + b"\xf8"),
        "bgf head": filled(b"a", b'{"format": "BGF", "a": "'),
        "ogxm zeros": filled(b"\0", b"OGXM"),
        "ogxm noise": filled(bytes(range(256)), b"OGXM\2\0\0\0"),
        "gva lists": filled(b"[],", GVA_HEAD + b"[", b"0]}"),
        "gva depth": filled(b"[", GVA_HEAD),
        "gva texts": filled(b'"aa",', GVA_HEAD + b"[", b"0]}"),
        "gzip zeros": inflating(b"", bytes(4096), wbits=GZIP),
        "gzip games": inflating(b"", b" Game 1\n a : 0   b : 0\n", b" 7 point match\n", GZIP),
        "sgf one value": filled(b"a", SGF + b"C[", b"])"),
        "sgf name": filled(b"a" * 999, b"(;GM[6]PB[", b"]PW[b])"),
        "sgf nodes": filled(b";", SGF, b")"),
        "sgf properties": filled(b";A[]", SGF, b")"),
        "sgf plays": filled(b";B[31hbfb];W[52]", SGF, b")"),
        "sgf values": filled(b"[a]", SGF + b";AB", b")"),
        "sgf comments": filled(b";C[aaaaaaaa]", SGF, b")"),
        "sgf variations": filled(b"(;)", SGF, b")"),
        "sgf games": filled(b"(;GM[6])"),
        "sgf depth": filled(b"(;"),
        "sgf lines": filled(b"\n", SGF, b")"),
        "sgf escapes": filled(b"\\]", SGF + b"C[", b"])"),
        "sgf analysis": filled(b"[E ver 3 0 0]", SGF + b";B[31hbfb]A[0]", b")"),
        "mat games": filled(b" Game 1\n a : 0   b : 0\n", b" 7 point match\n"),
        "mat rolls": filled(b"  1) 31: 8/5 6/5      52: 13/8 13/11\n", MAT),
        "mat line": filled(b"31: 8/5 6/5  ", MAT + b"  1) "),
        "mat moves": filled(b" 8/5", MAT + b"  1) 31:"),
        "mat name": filled(b"a", b" 7 point match\n\n Game 1\n ", b" : 0   b : 0\n"),
        "mat comments": filled(b'; [a "b"]\n', b"", MAT),
        "mat blanks": filled(b"\n", MAT),
        "mat digits": filled(b"9", b"", b" point match\n Game 1\n"),
        "utf-16 mat": lambda size: (MAT.decode() + "\n" * (size // 2 - 200)).encode("utf-16"),
        "list": filled(IDS),
        "list plays": filled(b"4HPwATDgc/ABMA 31 8/5 6/5\n"),
        "list line": filled(b" 8/5", b"4HPwATDgc/ABMA 31"),
        "list comments": filled(b"#\n", b"", IDS),
        "text": filled(b"a"),
        "binary": filled(bytes(range(256))),
    }
    for name, make in files.items():
        yield Odd(name, make, STUDY, "backgammon")


def othello() -> Iterator[Odd]:
    """Yield games of Othello."""
    files = {
        "ggf tag": filled(b"a", GGF + b"EV[", b"];)"),
        "ggf games": filled(GGF + b";)\n"),
        "ggf moves": filled(b"B[d3]", GGF, b";)"),
        "ggf tags": filled(b"A[]", GGF, b";)"),
        "ggf full": filled(GGF + b"A[]" * 900 + b";)"),
        "ggf begins": filled(b"(;"),
        "wthor games": filled(bytes(68), WTHOR_HEAD),
        "wthor noise": filled(bytes(range(256))),
        "transcripts": filled(b"d3c5\n"),
        "transcript": filled(b"d3c5"),
        "transcript marks": filled(b"#\n"),
    }
    for name, make in files.items():
        yield Odd(name, make, OTHELLO, "othello")


def others() -> Iterator[Odd]:
    """Yield what is no match."""
    yield Odd("batch IDs", filled(IDS), BATCH)
    yield Odd("batch line", filled(b"a"), BATCH)
    yield Odd("batch blanks", filled(b"\n"), BATCH)
    yield Odd("replay line", filled(b"a", LOG), REPLAY)
    yield Odd("replay lists", filled(b"[],", LOG + b"[", b"0]"), REPLAY)
    yield Odd("replay events", filled(b'{"at": 1, "event": "tick"}\n', LOG), REPLAY)
    yield Odd("replay blanks", filled(b"\n", LOG), REPLAY)
    yield Odd("config keys", filled(b"[a.a]\n"), CONFIG)
    yield Odd("config lists", filled(b"[],", b"a = [", b"0]"), CONFIG)
    yield Odd("fleet tables", filled(b"[[analyser]]\n"), FLEET)
    yield Odd("fleet lists", filled(b"[],", b"a = [", b"0]"), FLEET)
    yield Odd("fleet depth", filled(b"[", b"a = "), FLEET)
    yield Odd("fleet keys", filled(b"a.", b"", b"b = 1"), FLEET)
    yield Odd("met elements", filled(b"<a/>", b"<met>", b"</met>"), MET)
    yield Odd("met depth", filled(b"<a>"), MET)
    entities = b"".join(b'<!ENTITY a%d "%s">' % (i, b"&a%d;" % (i - 1) * 10) for i in range(1, 30))
    yield Odd("met entities", lambda _: b'<!DOCTYPE met [<!ENTITY a0 "aaaaaaaaaa">' + entities
              + b"]><met>&a29;</met>", MET)  # fmt: skip


def odd_inputs() -> list[Odd]:
    """Return all inputs."""
    return [*backgammon(), *othello(), *others()]


@dataclass(frozen=True)
class Run:
    """What a command did: its largest memory, and what it said first."""

    peak_mb: float
    code: int | None
    said: str


def command_of(words: Sequence[str], file: Path, folder: Path) -> tuple[list[str], dict[str, str]]:
    """Return a command's line and its environment."""
    environ = os.environ | {"XDG_STATE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder / "none")}
    if words == CONFIG[0]:
        place = folder / "config" / "manyply" / "config.toml"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(file.read_bytes())
        environ |= {"XDG_CONFIG_HOME": str(folder / "config")}
        return [sys.executable, "-m", "master.cli", "jobs"], environ
    if words == FLEET[0]:
        return [sys.executable, "-m", "master", "--fleet", str(file)], environ
    return [sys.executable, "-m", "master.cli", *words, str(file)], environ


STARTER = """
import os, pathlib, subprocess, sys, threading
process = subprocess.Popen(sys.argv[3:], start_new_session=True)
ending = threading.Timer(float(sys.argv[2]), os.killpg, (process.pid, 9))
ending.start()
_, status, usage = os.wait4(process.pid, 0)
code = process.returncode = os.waitstatus_to_exitcode(status)
ending.cancel()
pathlib.Path(sys.argv[1]).write_text(str(usage.ru_maxrss))
sys.exit(code if code >= 0 else 128 - code)
"""
"""A process counts as its own peak what its parent had when it was started (getrusage(2) does not
say so), and the parent may be a large test run: so the parent is a small one in between."""


def run(argv: Sequence[str], environ: dict[str, str], seconds: float, said: Path) -> Run:
    """Run a command to its end, or for some seconds."""
    peak = said.with_suffix(".peak")
    starter = [sys.executable, "-c", STARTER, str(peak), str(seconds), *argv]
    with said.open("wb") as output:
        ended = subprocess.run(
            starter, env=environ, stdin=subprocess.DEVNULL, stdout=output, stderr=output,
            check=False, timeout=seconds + ENDING_S,
        )  # fmt: skip
    with said.open("rb") as output:
        lines = output.read(20_000).decode(errors="replace").splitlines()
    text = next((line for line in lines if "Error" in line or line.startswith("manyply")), "")
    first = text or next(iter(lines), "")
    return Run(int(peak.read_text()) / 1024, ended.returncode, first)


def measure_commands(inputs: Sequence[Odd], seconds: float, size: int) -> list[tuple[str, ...]]:
    """Return a line of the table for each input and command that reads it."""
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for odd in inputs:
            file = folder / "input"
            file.write_bytes(odd.make(size))
            for words in odd.commands:
                argv, environ = command_of(words, file, folder)
                found = run(argv, environ, seconds, folder / "said")
                mark = "" if found.peak_mb <= PEAK_MB else " !"
                row = (odd.name, " ".join(words), f"{found.peak_mb:.0f}{mark}", str(found.code))
                rows.append((*row, found.said.replace(str(folder), "")[:70]))
                print(*rows[-1], sep="  ", file=sys.stderr)
    return rows


@contextmanager
def master_with_page(folder: Path) -> Iterator[tuple[int, int, str]]:
    """Run a master with a page and no analyser; yield its process, its port and its token."""
    argv = [sys.executable, "-m", "master", "--state-dir", str(folder), "--web", "127.0.0.1:0"]
    with subprocess.Popen(argv, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        port = 0
        while not port:
            line = process.stderr.readline()
            assert line, "the master ended"
            found = re.search(r"http://[^/]*:(\d+)/", line)
            port = int(found[1]) if found else 0
        threading.Thread(target=process.stderr.read, daemon=True).start()
        try:
            yield process.pid, port, (folder / TOKEN_FILE).read_text().strip()
        finally:
            process.terminate()
            try:
                process.wait(ENDING_S)
            except subprocess.TimeoutExpired:
                process.kill()


def request(port: int, method: str, path: str, body: bytes = b"", token: str = "") -> bytes:
    """Return the body of an answer."""
    connection = HTTPConnection("127.0.0.1", port, timeout=120)
    fields = {"Content-Type": "application/json", "Authorization": f"Bearer {token}"}
    connection.request(method, path, body or None, fields if token else {})
    answer = connection.getresponse().read()
    connection.close()
    return answer


class Health:
    """Asks `/healthz` again and again; keeps the longest answer."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._is_ended = threading.Event()
        self.longest_s = 0.0
        self._thread = threading.Thread(target=self._ask)
        self._thread.start()

    def _ask(self) -> None:
        while not self._is_ended.wait(HEALTH_S):
            began = time.perf_counter()
            request(self._port, "GET", "/healthz")
            self.longest_s = max(self.longest_s, time.perf_counter() - began)

    def close(self) -> None:
        """Ask no more."""
        self._is_ended.set()
        self._thread.join()


def peak_mb(process: int) -> float:
    """Return the largest resident memory of a process so far."""
    status = Path(f"/proc/{process}/status").read_text()
    return int(status.partition("VmHWM:")[2].split()[0]) / 1024


def measure_page(inputs: Sequence[Odd], size: int) -> list[tuple[str, ...]]:
    """Return a line of the table for each input that the page takes; one master takes them all."""
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory() as folder, master_with_page(Path(folder)) as running:
        process, port, token = running
        for odd in inputs:
            if not odd.game:
                continue
            content = b64encode(odd.make(size)).decode()
            body = json.dumps({"game": odd.game, "name": "a", "content": content}).encode()
            health = Health(port)
            answer = json.loads(request(port, "POST", "/api/matches", body, token))
            health.close()
            if "match" in answer:
                request(port, "POST", f"/api/matches/{answer['match']}/forget", b"{}", token)
            peak = peak_mb(process)
            said = answer.get("text") or f"taken: {answer.get('questions')} questions"
            mark = "" if peak <= PEAK_MB else " !"
            rows.append((odd.name, f"{peak:.0f}{mark}", f"{health.longest_s:.2f}", said[:70]))
            print(*rows[-1], sep="  ", file=sys.stderr)
    return rows


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__, prog="odd_inputs")
    parser.add_argument("--only", default="", help="Inputs in whose name this is.")
    parser.add_argument("--seconds", type=float, default=RUN_S, help="Of each command.")
    parser.add_argument("--first", action="store_true", help="One command for each input.")
    parser.add_argument("--no-page", action="store_true", help="Leave the page out.")
    parser.add_argument("--no-commands", action="store_true", help="Leave the commands out.")
    given = parser.parse_args(arguments)
    inputs = [odd for odd in odd_inputs() if given.only in odd.name]
    if given.first:
        inputs = [replace(odd, commands=odd.commands[:1]) for odd in inputs]
    if not given.no_commands:
        rows = measure_commands(inputs, given.seconds, SIZE)
        print_table(("input", "command", "MB", "exit", "says"), rows)
    if not given.no_page:
        rows = measure_page(inputs, MATCH_BYTES_MAX)
        print_table(("input", "master's MB", "healthz s", "says"), rows)


if __name__ == "__main__":
    main()
