"""Routes of notebooks: of one's own alone, and for no program."""

from __future__ import annotations

from fastapi import APIRouter, Request, Response

from punct.server.auth.errors import NotInScopeError
from punct.server.auth.identity import identity_of, own_actor
from punct.server.auth.routing import ApiRoute, limited
from punct.server.games.parameters import GameId
from punct.server.games.records import RecordReader
from punct.server.http.disconnect import cancel_on_disconnect
from punct.server.http.errors import TooLargeError, error_responses
from punct.server.http.rate_limits import NOTEBOOKS
from punct.server.http.registry import services_of
from punct.server.http.responses import json_response
from punct.server.notebooks import presenter, schemas
from punct.server.notebooks.service import Notebooks

router = APIRouter(prefix="/api/v1", tags=["games"], route_class=ApiRoute)


@router.get(
    "/games/{game_id}/notebook", response_model=schemas.NotebookView, responses=error_responses(401, 403, 404, 409, 422)
)
async def get_notebook(game_id: GameId, request: Request) -> Response:
    """Return your notes and variations in a game. Nobody else can see them, and no token."""
    if identity_of(request).token is not None:
        raise NotInScopeError("No token can ask for this; log in with a browser.")
    notebook = await services_of(request).get(Notebooks).get(game_id, own_actor(request))
    return json_response(presenter.notebook(game_id, notebook))


@router.put(
    "/games/{game_id}/notebook",
    response_model=schemas.NotebookView,
    responses=error_responses(401, 403, 404, 409, 413, 422, 429, 503),
)
@limited(NOTEBOOKS)
async def put_notebook(game_id: GameId, body: schemas.NotebookRequest, request: Request) -> Response:
    """Store your notes or variations in a game, also when it is over."""
    services, actor = services_of(request), own_actor(request)
    await services.get(Notebooks).check_player(game_id, actor)  # records are only read for those who may store them
    tree = body.tree
    if tree:
        tree = await cancel_on_disconnect(request, services.get(RecordReader).read_tree(tree))
        if len(tree) > schemas.MAX_TREE_CHARACTERS:
            raise TooLargeError("These are more variations than can be kept.")
    notebook = await services.get(Notebooks).put(game_id, body.version, body.note, tree, actor)
    return json_response(presenter.notebook(game_id, notebook))


@router.delete("/games/{game_id}/notebook", status_code=204, responses=error_responses(401, 403, 404, 409, 422, 429))
@limited(NOTEBOOKS)
async def delete_notebook(game_id: GameId, request: Request) -> None:
    """Delete your notes and variations in a game."""
    await services_of(request).get(Notebooks).delete(game_id, own_actor(request))
