"""Answers that the state directory keeps already, read without a master.

Nothing is started, dialled or loaded for it: no engine is needed if all answers are stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing

from master.cli.output import echo_error
from master.cli.place import Place
from master.config.paths import database_path, default_state_dir
from master.store.answer_store import AnswerStore
from master.store.errors import StoreError


def kept_answers(place: Place, questions: Sequence[str]) -> dict[str, str]:
    """Return the stored answers to these questions; none if they are for a master elsewhere.

    Nor any if the store cannot be read: the master that is asked next reports the reason.
    """
    state_dir = default_state_dir()
    if place.master is not None or not database_path(state_dir).exists():
        return {}
    try:
        with closing(AnswerStore(state_dir)) as store:
            known = store.known(questions)
            store.note_used(known.to_note)
    except StoreError:
        return {}
    if known.warning:
        echo_error(known.warning)
    return known.answers
