"""Who is let in: secrets, addresses, certificates."""
