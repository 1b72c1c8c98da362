"""Parts of a chess search: their text form and their search."""
