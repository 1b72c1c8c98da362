"""How the shipped pattern weights were made; see README.md."""
