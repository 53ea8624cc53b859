"""The frozen ladder: see ``players``."""
