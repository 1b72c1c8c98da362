"""What the rooms of a master say to each other: values without behaviour."""
