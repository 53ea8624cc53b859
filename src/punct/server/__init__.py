"""The game server: games, accounts and engines over HTTP and WebSocket. Clients send moves; the server alone judges."""
