"""A month of correspondence in minutes: real servers with a simulated clock, killed again and again.

``python -m bench.month`` has 50 players in several time zones play 200 games for 30 simulated days. They look twice a
day, plan conditional moves, take vacations; some vanish without a word, and some never come at all. Every message that
they are sent arrives at a webhook of the bench. In the end every move, plan, message and lost game is accounted for.
"""
