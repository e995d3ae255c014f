"""The HTTP part of the protocol: everything that is not live, and a line stream for bots."""

from collections.abc import AsyncIterator
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response, StreamingResponse

from projectl.core.errors import ProjectLError
from projectl.server import tables
from projectl.server.catalogue import about, catalogue
from projectl.server.connection import answer_hint, answer_try
from projectl.server.errors import Refusal
from projectl.server.forms import (
    ActionForm,
    AnalyseForm,
    HintForm,
    ImportForm,
    InviteForm,
    JoinForm,
    RecordForm,
    ResignForm,
    RulesForm,
    TableForm,
    TryForm,
    UndoForm,
)
from projectl.server.hall import Hall
from projectl.server.messages import Act, Hint, Resign, Try, Undo, encode, schema
from projectl.server.room import FINISHED
from projectl.server.secret import new_key
from projectl.server.steps import analyse_turn, steps
from projectl.server.stream import follow_lines
from projectl.server.tables import Made
from projectl.server.web import cookie, key_hash, key_of

router: Final = APIRouter()


def hall_of(request: Request) -> Hall:
    """The hall of the server that was asked."""
    hall = request.app.state.hall
    assert isinstance(hall, Hall)
    return hall


def own_key(request: Request) -> str | None:
    """The hash of the key that the request carries."""
    return key_hash(request.scope)


TheHall = Annotated[Hall, Depends(hall_of)]
Key = Annotated[str | None, Depends(own_key)]
Game = Annotated[str, Path(min_length=1, max_length=40, pattern="^[A-Za-z0-9_-]+$")]
Since = Annotated[int | None, Query(ge=0, le=2**31)]


def answers(*names: str, status: int = 200) -> dict[int | str, dict[str, Any]]:
    """The messages that an address answers with, for the OpenAPI description."""
    refs = [{"$ref": f"#/components/schemas/{name}"} for name in names]
    shape = refs[0] if len(refs) == 1 else {"oneOf": refs}
    return {status: {"description": "done", "content": {"application/json": {"schema": shape}}}}


def said(found: object, *, key: str | None = None, request: Request | None = None) -> Response:
    """JSON by the codec of the sockets; with a key, the cookie that keeps it."""
    response = Response(encode(found), media_type="application/json")
    if key is not None and request is not None:
        response.headers["set-cookie"] = cookie(key, secure=request.url.scheme == "https")
    return response


# --- the game itself --------------------------------------------------------------------------


@router.get("/api/about")
async def get_about() -> dict[str, Any]:
    """Versions, editions with their players and modules, the bots."""
    return about()


@router.get("/api/cards")
async def get_cards() -> Response:
    """Every card and Finesse tile, and the pieces."""
    response = said(catalogue())
    response.headers["cache-control"] = "max-age=3600"
    return response


@router.get("/api/messages.json")
async def get_messages() -> dict[str, Any]:
    """The types of all socket messages, as JSON Schema."""
    return schema()


@router.post("/api/check")
async def post_check(form: RulesForm) -> dict[str, Any]:
    """Whether such a game exists; if not, why."""
    error = tables.check_rules(form)
    if error is None:
        return {"ok": True}
    return {"ok": False, "code": error.code, "sentence": error.sentence, "field": error.field}


# --- tables -----------------------------------------------------------------------------------


def _made(made: Made, request: Request, key: str) -> Response:
    return said(made._asdict(), key=key, request=request)


@router.post("/api/tables", responses=answers("Made"))
async def post_table(form: TableForm, hall: TheHall, request: Request) -> Response:
    """Make a table."""
    key = key_of(request.scope) or new_key()
    return _made(await tables.make_table(hall, form, key), request, key)


@router.post("/api/import", responses=answers("Made"))
async def post_import(form: ImportForm, hall: TheHall, request: Request) -> Response:
    """A table that goes on where a record ends."""
    key = key_of(request.scope) or new_key()
    return _made(await tables.make_from_record(hall, form, key), request, key)


async def _listed(hall: Hall, games: list[str]) -> Response:
    return said({"tables": [(await hall.get(game)).table() for game in games]})


@router.get("/api/tables", responses=answers("Tables"))
async def get_tables(hall: TheHall) -> Response:
    """Public tables with an open seat, the newest first."""
    return await _listed(hall, await hall.store.open_tables())


@router.get("/api/mine", responses=answers("Tables"))
async def get_mine(hall: TheHall, key: Key) -> Response:
    """The games in which this key has a seat, the newest first."""
    return await _listed(hall, [] if key is None else await hall.store.games_of(key))


@router.get("/api/tables/{game}", responses=answers("Table"))
async def get_table(game: Game, hall: TheHall) -> Response:
    """The table, without the position."""
    return said((await hall.get(game)).table())


@router.post("/api/tables/{game}/join", responses=answers("Joined"))
async def post_join(game: Game, form: JoinForm, hall: TheHall, request: Request) -> Response:
    """Take a seat: by cookie, or with `token` by a token in the answer."""
    key = new_key() if form.token else key_of(request.scope) or new_key()
    joined = await tables.join(hall, game, form, key)
    if form.token:
        return said({"game": joined.game, "seat": joined.seat, "token": key})
    return said({"game": joined.game, "seat": joined.seat}, key=key, request=request)


@router.post("/api/tables/{game}/invite", responses=answers("Invited"))
async def post_invite(game: Game, form: InviteForm, hall: TheHall, key: Key) -> Response:
    """A fresh invitation for an open seat, or for one's own on another device."""
    return said({"game": game, "seat": form.seat, "invite": await tables.invite(hall, game, form.seat, key)})


@router.post("/api/tables/{game}/rematch", responses=answers("Made"))
async def post_rematch(game: Game, hall: TheHall, request: Request) -> Response:
    """The same table again."""
    key = key_of(request.scope)
    if key is None:
        raise Refusal("no-seat", "only players ask for a rematch", 403)
    return _made(await tables.rematch(hall, game, key), request, key)


# --- playing without a socket -----------------------------------------------------------------


class _Once:
    """A follower that is told once."""

    def __init__(self, key: str | None, since: int) -> None:
        self.key = key
        self.seats: tuple[int, ...] = ()
        self.legal = True
        self.version = since

    def push(self, data: bytes) -> None:
        pass


@router.get("/api/tables/{game}/state", responses=answers("State"))
async def get_state(game: Game, hall: TheHall, key: Key, since: Since = None) -> Response:
    """Where the game stands, for this key's seat or a spectator, and what happened since a version."""
    live = await hall.get(game)
    once = _Once(key, min(since or 0, live.room.version))
    once.seats = live.room.seats_of(key)
    return Response(live.state_for(once, hall.now(), with_table=True), media_type="application/json")


@router.get("/api/tables/{game}/stream", response_class=StreamingResponse)
async def get_stream(game: Game, hall: TheHall, key: Key, since: Since = None) -> StreamingResponse:
    """The messages of a socket, one a line, as they come."""
    await hall.get(game)
    lines = follow_lines(hall, game, key, since)
    return StreamingResponse(lines, media_type="application/x-ndjson", headers={"cache-control": "no-store"})


@router.post("/api/tables/{game}/actions", responses=answers("Done"))
async def post_action(game: Game, form: ActionForm, hall: TheHall, key: Key) -> Response:
    """Play a whole action."""
    return said(await hall.act(Act(game, form.id, form.version, form.action, form.seat), key))


@router.post("/api/tables/{game}/undo", responses=answers("Done"))
async def post_undo(game: Game, form: UndoForm, hall: TheHall, key: Key) -> Response:
    """Take the last action back, or all that can be."""
    return said(await hall.undo(Undo(game, form.id, form.version, form.seat, form.all), key))


@router.post("/api/tables/{game}/resign", responses=answers("Done"))
async def post_resign(game: Game, form: ResignForm, hall: TheHall, key: Key) -> Response:
    """Give a seat's game up."""
    return said(await hall.resign(Resign(game, form.id, form.version, form.seat), key))


@router.post("/api/tables/{game}/try", responses=answers("Tried"))
async def post_try(game: Game, form: TryForm, hall: TheHall, key: Key) -> Response:
    """Whether an action could be played now, why not, what may be added to it."""
    return said(await answer_try(hall, Try(game, "try", form.action, form.seat), key))


@router.post("/api/tables/{game}/hint", responses=answers("Hinted"))
async def post_hint(game: Game, form: HintForm, hall: TheHall, key: Key) -> Response:
    """The best rest of the turn, by the bots, and why."""
    return said(await answer_hint(hall, Hint(game, "hint", form.seat), key))


# --- records ----------------------------------------------------------------------------------


@router.get("/api/tables/{game}/record", response_class=PlainTextResponse)
async def get_record(game: Game, hall: TheHall) -> PlainTextResponse:
    """The record of a game that is over."""
    room = (await hall.get(game)).room
    if room.status != FINISHED:
        raise Refusal("not-over", "the record holds the seed, so it is given out when the game is over")
    name = f'attachment; filename="projectl-{game}.pln"'
    return PlainTextResponse(room.record(), headers={"content-disposition": name})


@router.post("/api/replay")
async def post_replay(form: RecordForm, hall: TheHall) -> Response:
    """A record step by step."""
    return Response(await hall.thinkers.run(encoded_steps, form.record), media_type="application/json")


def encoded_steps(record: str) -> bytes:
    """The steps of a record as JSON; in a worker process, so that a long record holds nobody up."""
    return encode(steps(record))


@router.post("/api/analyse", response_class=StreamingResponse)
async def post_analyse(form: AnalyseForm, hall: TheHall) -> StreamingResponse:
    """A record's turns, each as one line as it is found."""
    first = await _analysed(hall, form, 0)
    return StreamingResponse(_analysis(hall, form, first), media_type="application/x-ndjson")


async def _analysed(hall: Hall, form: AnalyseForm, number: int) -> dict[str, Any] | None:
    """One turn; one at a time on this server, so that bots are asked in between."""
    async with hall.analysing:
        return await hall.thinkers.run(analyse_turn, form.record, number, form.seconds)


async def _analysis(hall: Hall, form: AnalyseForm, first: dict[str, Any] | None) -> AsyncIterator[bytes]:
    found, number = first, 0
    while found is not None:
        yield encode(found) + b"\n"
        number += 1
        try:
            found = await _analysed(hall, form, number)
        except ProjectLError as error:
            yield encode({"code": error.code, "sentence": error.sentence}) + b"\n"
            return


# --- for those who run it ---------------------------------------------------------------------


@router.get("/health")
async def get_health(hall: TheHall) -> dict[str, Any]:
    """Whether the store answers."""
    return {"ok": True, "games": await hall.store.counts()}


@router.get("/metrics", response_class=PlainTextResponse)
async def get_metrics(hall: TheHall) -> Response:
    """Counters, in Prometheus' text form."""
    hall.metrics.games.set(len(hall.lives))
    hall.metrics.commits.set(hall.store.writer.commits)
    hall.metrics.written.set(hall.store.writer.written)
    return Response(hall.metrics.text(), media_type="text/plain; version=0.0.4")
