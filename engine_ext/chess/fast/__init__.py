"""Chess searched for strength: anything goes that plays well, so values depend on what came before."""
