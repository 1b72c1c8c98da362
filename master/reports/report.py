"""The type of reports as values, for JSON and for tables."""

Report = dict[str, object]
"""One JSON object, of text, numbers, lists and further objects."""
