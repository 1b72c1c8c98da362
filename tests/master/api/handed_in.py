"""What tests of the web endpoint ask about: the positions and matches of one game that has both."""

import base64
import json
from dataclasses import dataclass
from functools import cache

from master.games.backgammon.matches.mat_write import write_mat
from master.games.table import fronts
from tests.master.games.backgammon.matches.random_matches import random_match

GAME = next(name for name, front in fronts() if front.handlers and front.handlers().matches)


@cache
def match_text() -> bytes:
    """Return a file of a short match."""
    return write_mat(random_match(5, 1, games_max=1)).encode()


def match_body(**changes: object) -> bytes:
    """Return a body that hands a match in; what is None is left out."""
    content = base64.b64encode(match_text()).decode()
    fields = {"game": GAME, "name": "a.mat", "content": content, "level": "quick"} | changes
    said = {name: value for name, value in fields.items() if value is not None}
    return json.dumps(said).encode()


@dataclass(frozen=True)
class Asked:
    """A position in a text."""

    text: str

    def body(self, action: str, **settings: object) -> bytes:
        """Return a body that asks for an action with it."""
        fields = {"game": GAME, "position": self.text, "action": action, "settings": settings}
        return json.dumps(fields).encode()


POSITION = Asked("XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:3:0:10")
