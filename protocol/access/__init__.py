"""Access control: secrets, addresses, certificates."""
