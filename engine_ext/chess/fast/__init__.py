"""Chess searched for strength: it is not reproducible, values depend on earlier searches."""
