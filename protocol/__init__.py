"""The line protocol between master and analysers: SPEC.md is the contract."""
