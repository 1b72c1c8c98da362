"""Opening books in the Polyglot format: their keys, and the moves that they hold."""
