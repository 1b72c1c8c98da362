"""Threes!: rules, seeded games, the value of boards, expectimax."""
