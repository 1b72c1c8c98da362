"""Matches at the web endpoint: uploads, their analysis by the fleet, and its reports."""
