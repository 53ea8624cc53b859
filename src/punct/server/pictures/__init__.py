"""Pictures of positions and animations of games."""
