"""Operating a server: health, metrics, administration."""
