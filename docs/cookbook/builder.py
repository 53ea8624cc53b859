"""Build a position piece by piece, and print why a piece cannot lie somewhere."""

import sys

from punct import Colour, Position, PunctError

position = Position("basic").with_turn(Colour.BLACK)
for word in sys.argv[1:]:
    try:
        position = position.with_piece(word)
    except PunctError as error:
        print("left out:", error)
print(position)
for problem in position.status():
    print("no game leads here:", problem)
print("as it is written first:", position.canonical().position)
print("with the colours swapped:", position.swapped())
