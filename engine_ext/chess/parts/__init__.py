"""Parts of a chess search: how they travel, and how they are searched."""
