"""Answers broken in the ways that any text can be, for the tests of what games take for answers."""

import re

NUMBER = re.compile(r"(?<![A-Za-z0-9])-?[0-9]+(?:\.[0-9]+)?(?:e-?[0-9]+)?(?![A-Za-z0-9/*(-])")


def broken(answer: str, *, first_number: int = 0) -> dict[str, str]:
    """Return texts that are no answer, each by how it is broken.

    Args:
        answer: a good one.
        first_number: which of its numbers is the first that says something.
    """
    numbers = list(NUMBER.finditer(answer))[first_number:]

    def with_number(text: str) -> str:
        if not numbers:
            return text
        return answer[: numbers[0].start()] + text + answer[numbers[0].end() :]

    return {
        "garbage": "qwerty {}[]",
        "empty": "",
        "cut off": answer[: len(answer) // 2],
        "cut off early": answer[: len(answer) // 5],
        "not a number": with_number("nan"),
        "infinite": with_number("inf"),
        "overflowing": with_number("1e999"),
        "out of range": with_number("123456789012345678901234567890"),
        "of too many digits": with_number("9" * 5_000),
        "said twice": f"{answer} {answer}",
        "not of ASCII": answer.replace("=", "\u2248", 1) + "\u00bd",
        "too long": answer * (30_000 // len(answer)),
        "of two lines": answer + "\n",
    }
