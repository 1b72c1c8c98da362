"""The games a master knows, one folder each, and what all of them share."""
