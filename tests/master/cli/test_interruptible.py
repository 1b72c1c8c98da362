import threading

import pytest

from master.cli.interruptible import interruptible


def test_answer_comes_from_another_thread() -> None:
    assert interruptible(threading.current_thread) is not threading.main_thread()


def test_error_is_raised_where_it_was_asked() -> None:
    with pytest.raises(ZeroDivisionError):
        interruptible(lambda: 1 // 0)
