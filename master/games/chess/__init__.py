"""Chess, as masters and commands see it."""
