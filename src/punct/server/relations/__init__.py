"""Relations between players: whom somebody follows, and whom they have blocked."""
