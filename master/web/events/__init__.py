"""Following a master: what changed, told to whoever reads on."""
