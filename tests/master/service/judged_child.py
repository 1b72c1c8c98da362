"""An analyser on a pipe that does as its argument says once it is asked for a trial."""

import os
import signal
import sys
import time

from protocol.codec import encode
from protocol.messages import (
    AnalyserHello,
    Done,
    Engine,
    Fail,
    Message,
    Ready,
    Stopped,
    Trial,
    context_digest,
)

CONTEXT = "noop/1 judged=here"
ENGINE = "feedfacefeedface"
SEQ = 5
VALUES = (0.5, -0.25)


def say(message: Message) -> None:
    os.write(1, encode(message))


def hear(*verbs: str) -> None:
    for line in sys.stdin:
        if line.startswith(verbs):
            return
    raise SystemExit(0)


def answer(deed: str) -> None:
    digest = context_digest(CONTEXT)
    if deed == "compute":
        say(Trial(part=1, attempt=1, seq=SEQ, values=VALUES))
        say(Done(part=1, attempt=1, count=1, context_digest=digest))
    elif deed == "stop":
        say(Stopped(part=1, attempt=1, count=0, context_digest=digest))
    elif deed == "malformed":
        os.write(1, b"done 1 1 what\n" * 20)
    else:
        say(Fail(part=1, attempt=1, code=deed, text="boom"))


def argv(deed: str, engine: str = ENGINE) -> tuple[str, ...]:
    return (sys.executable, "-P", __file__, deed, engine)


def main(deed: str, engine: str) -> None:
    if deed == "leave":
        raise SystemExit(3)
    say(AnalyserHello(name="judge", cores=1, games=("noop",)))
    hear("master")
    say(Engine(game="noop", digest=engine, power=1.0, services=("trials", "analyse")))
    say(Ready(workers=1))
    hear("trials", "question")
    if deed.startswith("SIG"):
        os.kill(os.getpid(), getattr(signal, deed))
    elif deed == "exit":
        raise SystemExit(4)
    elif deed == "hang":
        time.sleep(600)
    answer(deed)
    hear("bye")


if __name__ == "__main__":
    main(*sys.argv[1:])
