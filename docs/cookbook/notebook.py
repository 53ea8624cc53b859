"""Run the cells of a notebook. There the last value of a cell draws itself; here the same pictures become files."""

from pathlib import Path

from punct import Game, analysis, kernel, picture
from punct.engine import Limits

game = Game(tags={"White": "Anna", "Black": "Ben"})
for move in ("Ed5ne", "Tl10n", "d5-d9se", "Em8n"):
    game.push(move)
game.comment = "what now?"
Path("game.html").write_text(picture.html(game), encoding="utf-8")  # in a notebook: game

ideas = kernel.Position(game.position).score_moves(3)
drawn = picture.png(game.position, last_move=game.moves[-1], candidates=ideas, sets=True, theme="dark")
Path("ideas.png").write_bytes(drawn)

review = analysis.analyse_game(game, limits=Limits(nodes=200))
Path("curve.svg").write_text(review.svg(), encoding="utf-8")  # in a notebook: review
print(f"{len(review.curve)} positions judged; the last move: {review.remarks[-1].text}")
