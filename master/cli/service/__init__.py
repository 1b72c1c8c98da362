"""`manyply service`: units of systemd, from the templates in this folder."""
