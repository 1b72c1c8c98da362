#!/usr/bin/env bash
# Glaurung 2.2, a UCI engine: does `ucinewgame` make a search repeatable?
#
# Expected: with one thread, no book, `ucinewgame` and Clear Hash before each search, the same
#   `go nodes 10000` in the same position visits the same nodes each time, as Stockfish does.
# Seen (Debian's glaurung 2.2-4): the first search of a process differs from all later ones, which
#   are alike. So a search is repeated exactly only by a new process.
set -euo pipefail
version=2.2-4
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
chmod 755 .
apt-get -qq download "glaurung=$version" >/dev/null
dpkg -x glaurung_*.deb .

python3 - "$folder/usr/games/glaurung" <<'PY'
import re
import subprocess
import sys

POSITION = "rnbqkbnr/ppp2ppp/3p4/4P3/4P1b1/5N2/PPP2PPP/RNBQKB1R b KQkq - 0 4"


def searches(count):
    engine = subprocess.Popen(
        [sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
    )
    engine.stdin.write("uci\nsetoption name Threads value 1\nsetoption name OwnBook value false\n")
    found = []
    for _ in range(count):
        engine.stdin.write("setoption name Clear Hash\nucinewgame\nisready\n")
        engine.stdin.write(f"position fen {POSITION}\ngo nodes 10000\n")
        seen = []
        for line in engine.stdout:
            seen += re.findall(r"^info depth (\d+).* nodes (\d+)", line)
            if line.startswith("bestmove"):
                break
        found.append(seen)
    engine.stdin.write("quit\n")
    engine.wait(10)
    return found


first, second, third = searches(3)
(again,) = searches(1)
print("nodes by depth, first search :", first)
print("nodes by depth, second search:", second)
assert first and second, "expected lines with depth and nodes"
assert first == again, "expected a new process to repeat its first search"
assert second == third, "expected later searches to be alike"
assert first != second, "it forgets now: the first search is repeated"
PY
