"""Long engine calls that Ctrl-C can end.

The engine computes without the interpreter's lock and handles no signal; Python runs a signal's
handler only between two bytecodes of the main thread.  So the call goes to another thread.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def interruptible(work: Callable[[], T]) -> T:
    """Return the result of `work`; after KeyboardInterrupt it runs on until the process ends."""
    # It imports logging too, which takes time that other commands should not lose.
    from concurrent.futures import Future  # noqa: PLC0415

    answer: Future[T] = Future()

    def compute() -> None:
        try:
            answer.set_result(work())
        except BaseException as error:  # it is raised again in the main thread
            answer.set_exception(error)

    threading.Thread(target=compute, name="engine", daemon=True).start()
    return answer.result()
