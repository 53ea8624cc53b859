"""UGI, the Universal Game Interface: the engine for match runners and boards."""
