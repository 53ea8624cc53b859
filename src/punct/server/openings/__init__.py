"""The opening explorer: how often each move was played, and how those games ended."""
