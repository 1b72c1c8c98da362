"""Looks by an engine that people have already: a program that speaks UCI, in place of our own."""
