"""Values without behaviour that a master's folders exchange."""
