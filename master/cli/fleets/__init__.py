"""Commands about fleets that stay."""
