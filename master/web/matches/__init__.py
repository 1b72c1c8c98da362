"""Matches at the web door: uploads, their analysis by the fleet, and its reports."""
