"""A monkey at the page: seeded random play with every answer held up, and after each burst a look at the truth."""
