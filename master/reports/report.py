"""Reports as values: what becomes JSON, or a table."""

Report = dict[str, object]
"""One JSON object, of text, numbers, lists and further objects."""
