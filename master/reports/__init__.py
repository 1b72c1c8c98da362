"""What is shown and saved: tables, plots, JSON values; for every way in alike."""
