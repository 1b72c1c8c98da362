"""Measuring at the command line."""
