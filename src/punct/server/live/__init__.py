"""Live connections: the hub, its subscribers, probes."""
