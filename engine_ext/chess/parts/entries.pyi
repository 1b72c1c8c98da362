from engine_ext.search.part_text import Entry

ENTRY_BYTES: int

def unpack_entries(packed: bytes) -> list[Entry]: ...
