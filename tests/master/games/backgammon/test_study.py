"""Studies of kept matches that this version reads differently."""

import pytest

from master.games.backgammon.matches.mat_write import write_mat
from master.games.backgammon.study import read
from master.games.errors import RecordError
from master.games.handlers import StudiedFile
from tests.master.games.backgammon.matches.random_matches import random_match


@pytest.mark.parametrize("level", ["quick", "of another version"])
def test_kept_match_with_another_level_or_count_of_answers_is_named(level: str) -> None:
    content = write_mat(random_match(1, 1)).encode()
    file = StudiedFile(content, "a.mat", level, ("an answer",))
    with pytest.raises(RecordError, match=r"^a\.mat: another version analysed it"):
        read(file, "x")
