"""The board in a real browser, on a real server. A package, so that one browser serves all its tests and then ends."""
