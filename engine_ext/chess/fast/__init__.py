"""Chess searched for strength: whatever plays well, so values depend on what came before."""
