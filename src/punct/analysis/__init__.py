"""Games and positions looked at: reviews turn by turn, their curve, short wins proven by looking at everything."""
