from engine_ext.othello.board import OthelloBoard
from engine_ext.search.table import KeyedTable

ENTRY_BYTES: int

class HashTable(KeyedTable):
    def probe(self, board: OthelloBoard, depth: int) -> tuple[int, int] | None: ...
    def store(
        self, board: OthelloBoard, depth: int, lower: int, upper: int, work: int = 1
    ) -> None: ...

def unpack_entries(
    packed: bytes, size: int, depth_max: int, value_max: int
) -> list[tuple[bytes, int, bytes]]: ...
