"""How nets and weights are made; see README.md. No part of the wheel."""
