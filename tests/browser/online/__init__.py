"""People meet: several browsers on one server that is online."""
