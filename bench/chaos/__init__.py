"""Kill everything, again and again, while games are played: afterwards every acknowledged move is there, once.

``python -m bench.chaos`` starts PostgreSQL, Redis, a ``punct serve --online`` of two processes and a ``punct worker``,
and has guests play over HTTP: two at one screen, against the computer, and against each other with a clock, with
offers made, declined and accepted; and at every board a live connection listens. Meanwhile, at random instants, it
kills (as with ``kill -9``) a serving process, the whole server, the worker, Redis or PostgreSQL, has PostgreSQL drop
every connection, or either of them go silent. Players do what a page does: they send a request again until it is
answered. Sometimes two play the same ply at once. In the end every game is compared with the responses its players
got: its moves, its offer, its result and its clock; and with what its live connection received, for nothing may be
sent that is not stored; and it is replayed by the rules. Games that their players have abandoned must have been
decided by the clock.

Others play by days: they plan conditional moves, pause, take vacations and leave. What they are told, by a webhook or
in a browser, is checked, decrypted and compared with the moves: whoever had to know was told, once, and of nothing that
was over; and planned replies were played where they were planned, with the moves that they answer.
"""
