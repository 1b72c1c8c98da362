"""Games that everybody knows, analysed."""

from engine_ext.chess.probes.probe import probe
from engine_ext.chess.probes.probe_text import ProbeAnswer
from engine_ext.control import RunControl
from master.games.chess.analysis.judging import judged, questions
from master.games.chess.analysis.report import AnalysedGame
from master.games.chess.pgn.reading import read_pgn

SCHOLAR = """[Event "?"]
[White "Ann"]
[Black "Bob"]
[Result "1-0"]

1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 {careless} 4. Qxf7# 1-0
"""

LEGAL = """[Event "Paris"]
[White "Legal"]
[Black "Saint Brie"]
[Result "1-0"]

1. e4 e5 2. Nf3 d6 3. Bc4 Bg4 4. Nc3 g6 5. Nxe5 Bxd1 6. Bxf7+ Ke7 7. Nd5# 1-0
"""


def analysed(text: str, nodes: int = 20_000) -> AnalysedGame:
    """Analyse a game here."""
    record = read_pgn(text).record
    answers: list[ProbeAnswer] = []
    for question in questions(record.game, "", nodes):
        found = probe(question, RunControl())
        assert found is not None
        answers.append(found)
    return AnalysedGame(record, tuple(judged(record.game, answers)))
