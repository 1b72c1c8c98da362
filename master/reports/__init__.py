"""Reports, for display and for files: tables, plots, JSON values."""
