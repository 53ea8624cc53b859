"""The game server: games, turns and the opponent over HTTP and WebSocket. It is the only judge of rules there."""
