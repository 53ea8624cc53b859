"""SGF as Boardspace has it: what each player did, action by action."""
