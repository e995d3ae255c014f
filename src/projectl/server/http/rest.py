"""The HTTP part of the protocol: everything that is not live, and a line stream for bots."""

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from functools import cache
from typing import Annotated, Any, Final

from fastapi import APIRouter, Depends, Path, Query, Request
from fastapi.responses import PlainTextResponse, Response, StreamingResponse
from msgspec import structs

from projectl.bots.program import known_data
from projectl.core.errors import ProjectLError
from projectl.core.knowledge import known
from projectl.core.view import EVERYTHING
from projectl.record import seed_of
from projectl.server.addresses import qr_rows
from projectl.server.catalogue import about, catalogue
from projectl.server.errors import Busy, Refusal, told
from projectl.server.games import invitations, lobby, pairing, tables
from projectl.server.games.memory import Games
from projectl.server.games.replay import analyse_turn, steps
from projectl.server.games.room import FINISHED, WAITING
from projectl.server.games.shown import record_of
from projectl.server.http.connection import answer_hint, answer_try
from projectl.server.http.cookies import address_of, cookie, header, key_hash, key_of
from projectl.server.http.forms import (
    ActionForm,
    AnalyseForm,
    ArrangeForm,
    HintForm,
    ImportForm,
    InviteForm,
    JoinForm,
    MixForm,
    PairForm,
    QrForm,
    RecordForm,
    RematchForm,
    ResignForm,
    RulesForm,
    TableForm,
    TryForm,
    UndoForm,
)
from projectl.server.http.limits import All
from projectl.server.http.messages import Act, AskHint, Mix, Resign, Table, Try, Undo, decode_table, encode, schema
from projectl.server.http.ndjson import follow_lines
from projectl.server.http.replies import AnalysedTurn, Checked, Health, History, Issued, Knows, Made, Qr, TableList
from projectl.server.secret import Keys, hashed
from projectl.server.store.lists import Listed, Listing
from projectl.server.workers import Asker

router: Final = APIRouter()
MOST_BROKEN: Final = 100  # that are named


def games_of(request: Request) -> Games:
    """The games of the server that was asked."""
    games = request.app.state.games
    assert isinstance(games, Games)
    return games


def own_key(request: Request) -> str | None:
    """The hash of the key that the request carries."""
    return key_hash(request.scope)


def keys_of(request: Request) -> Keys:
    """Whoever issues keys."""
    keys = request.app.state.keys
    assert isinstance(keys, Keys)
    return keys


async def taking_key(request: Request) -> str:
    """The key that takes seats: this server's own. Who brings no key gets one; who invented one gets no further."""
    key, keys = key_of(request.scope), keys_of(request)
    if key is None:
        return keys.new()
    if keys.issued(key) or await games_of(request).store.has_seats(hashed(key)):  # one from before keys were signed
        return key
    if header(request.scope, b"authorization"):
        raise Refusal("key-unknown", "this key is not one of this server's; POST /api/keys gives one", 403)
    return keys.new()


def asker_of(request: Request) -> Asker:
    """For whom work is done: a key, or for those without one their address."""
    address, key = address_of(request.scope), key_of(request.scope)
    return Asker(hashed(key) if key is not None and keys_of(request).issued(key) else address, address)


TheGames = Annotated[Games, Depends(games_of)]
Key = Annotated[str | None, Depends(own_key)]
Game = Annotated[str, Path(min_length=1, max_length=40, pattern="^[A-Za-z0-9_-]+$")]
TakingKey = Annotated[str, Depends(taking_key)]
WhoAsks = Annotated[Asker, Depends(asker_of)]
After = Annotated[str | None, Query(min_length=1, max_length=40, pattern="^[A-Za-z0-9_-]+$")]
InviteName = Annotated[str, Path(min_length=16, max_length=64, pattern="^[0-9a-f]+$")]
Since = Annotated[int | None, Query(ge=0, le=2**31)]


def check_made(request: Request, *, public: bool = False) -> None:
    """Nobody fills the disk with tables, or the list of public ones."""
    limits, address = request.app.state.limits, address_of(request.scope)
    asked = All(limits.made.of(address), *([limits.public.of(address)] if public else []))
    if wait := math.ceil(asked.wait()):
        kind = "public tables" if public else "tables"
        raise Refusal("rate", f"too many {kind} are made; try again in {wait} s", 429, about=str(wait))
    asked.take()


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


@router.get("/api/about", responses=answers("About"))
async def get_about(request: Request) -> Response:
    """Versions, editions with their players and modules, the bots, where other machines reach this server."""
    return Response(_about(*request.app.state.reached), media_type="application/json")


@cache
def _about(public_url: str, addresses: tuple[str, ...]) -> bytes:
    """The same for everybody: it takes milliseconds to find out."""
    return encode(about(public_url, addresses))


@router.get("/api/cards", responses=answers("Catalogue"))
async def get_cards() -> Response:
    """Every card and Finesse tile, and the pieces."""
    response = said(catalogue())
    response.headers["cache-control"] = "max-age=3600"
    return response


@router.get("/api/messages.json")
async def get_messages() -> dict[str, Any]:
    """The types of all socket messages, as JSON Schema."""
    return schema()


@router.post("/api/check", responses=answers("Checked"))
async def post_check(form: RulesForm) -> Response:
    """Whether such a game exists; if not, why."""
    error = tables.check_rules(form)
    return said(Checked(True) if error is None else Checked(False, error.code, error.sentence, error.field))


# --- tables -----------------------------------------------------------------------------------


@router.post("/api/keys", responses=answers("Issued"))
async def post_key(request: Request) -> Response:
    """A key for a program that makes tables: it goes with each request, as `Authorization: Bearer KEY`."""
    return said(Issued(keys_of(request).new()))


def _made(made: Made, request: Request, key: str) -> Response:
    return said(made, key=key, request=request)


@router.post("/api/tables", responses=answers("Made"))
async def post_table(form: TableForm, games: TheGames, request: Request, key: TakingKey) -> Response:
    """Make a table."""
    check_made(request, public=form.public)
    return _made(await tables.make_table(games, form, key), request, key)


@router.post("/api/import", responses=answers("Made"))
async def post_import(form: ImportForm, games: TheGames, request: Request, key: TakingKey, asker: WhoAsks) -> Response:
    """A table that goes on where a record ends."""
    check_made(request, public=form.public)
    return _made(await tables.make_from_record(games, form, key, asker), request, key)


async def _listed(games: Games, listing: Listing, status: str = "") -> Response:
    """From what the store noted of each game; only what an older version wrote is loaded for it, once."""
    found = [await _shown(games, listed) for listed in listing.games]
    more = listing.games[-1].game if listing.more else ""
    return said(TableList([table for table in found if table is not None and status in ("", table.status)], more))


async def _shown(games: Games, listed: Listed) -> Table | None:
    live = games.live.get(listed.game)
    if live is not None:
        return live.table()
    if listed.summary:
        return decode_table(listed.summary)
    try:
        return (await games.get(listed.game)).table()
    except ProjectLError:  # it cannot be loaded, and the log says why
        return None


@router.get("/api/tables", responses=answers("TableList"))
async def get_tables(games: TheGames, after: After = None) -> Response:
    """Public tables with an open seat, the newest first."""
    return await _listed(games, await games.store.open_tables(after), WAITING)


@router.get("/api/mine", responses=answers("TableList"))
async def get_mine(games: TheGames, key: Key, after: After = None) -> Response:
    """The games in which this key has a seat, the newest first."""
    return await _listed(games, Listing([], False) if key is None else await games.store.games_of(key, after))


@router.get("/api/tables/{game}", responses=answers("Table"))
async def get_table(game: Game, games: TheGames) -> Response:
    """The table, without the position."""
    return said((await games.get(game)).table())


@router.post("/api/tables/{game}/join", responses=answers("Joined"))
async def post_join(game: Game, form: JoinForm, games: TheGames, request: Request) -> Response:
    """Take a seat: by cookie, or with `token` by a token in the answer."""
    key = keys_of(request).new() if form.token else await taking_key(request)
    joined = await invitations.join(games, game, form, key)
    return said(joined) if form.token else said(joined, key=key, request=request)


@router.post("/api/tables/{game}/invite", responses=answers("Invited"))
async def post_invite(game: Game, form: InviteForm, games: TheGames, key: Key) -> Response:
    """A fresh invitation for an open seat, or for one's own on another device."""
    return said(await invitations.invite(games, game, form, key))


@router.get("/api/tables/{game}/invites", responses=answers("Invitations"))
async def get_invites(game: Game, games: TheGames, key: Key) -> Response:
    """The invitations that this key may take back."""
    return said(await invitations.invitations(games, game, key))


@router.delete("/api/tables/{game}/invites/{invite}", responses=answers("Invitations"))
async def delete_invite(game: Game, invite: InviteName, games: TheGames, key: Key) -> Response:
    """Take an invitation back."""
    return said(await invitations.revoke(games, game, invite, key))


@router.post("/api/tables/{game}/arrange", responses=answers("Table"))
async def post_arrange(game: Game, form: ArrangeForm, games: TheGames, key: Key) -> Response:
    """Change a seat before the game begins."""
    return said(await lobby.arrange(games, game, form, key))


@router.post("/api/tables/{game}/cancel", responses=answers("Table"))
async def post_cancel(game: Game, games: TheGames, key: Key) -> Response:
    """Take a table back before the game begins."""
    return said(await lobby.cancel(games, game, key))


@router.post("/api/pair", responses=answers("Paired"))
async def post_pair(form: PairForm, games: TheGames, request: Request, key: TakingKey) -> Response:
    """Play anybody: a seat where somebody waits for the same game, else a table that waits."""
    check_made(request)
    return said(await pairing.pair(games, form, key), key=key, request=request)


@router.post("/api/qr", responses=answers("Qr"))
async def post_qr(form: QrForm) -> Response:
    """A link as a QR code. It travels in the body, so an invitation in it reaches no log."""
    return said(Qr(await asyncio.to_thread(qr_rows, form.text)))


@router.post("/api/tables/{game}/rematch", responses=answers("Made"))
async def post_rematch(game: Game, form: RematchForm, games: TheGames, request: Request) -> Response:
    """The same table again."""
    key = key_of(request.scope)
    if key is None:
        raise Refusal("no-seat", "only players ask for a rematch", 403)
    return _made(await tables.rematch(games, game, key, form.luck), request, key)


# --- playing without a socket -----------------------------------------------------------------


class _Once:
    """A follower that is told once."""

    def __init__(self, key: str | None, since: int | None) -> None:
        self.key = key
        self.address = ""
        self.seats: tuple[int, ...] = ()
        self.legal = True
        self.version = since
        self.away = False

    def push(self, data: bytes) -> None:
        pass


@router.get("/api/tables/{game}/state", responses=answers("State"))
async def get_state(game: Game, games: TheGames, key: Key, since: Since = None) -> Response:
    """Where the game stands, for this key's seat or a spectator, and what happened since a version."""
    live = await games.get(game)
    once = _Once(key, None if since is None else min(since, live.room.version))
    once.seats = live.holders.seats_of(key)
    return Response(live.state_for(once, games.now(), with_table=True), media_type="application/json")


@router.get("/api/tables/{game}/events", responses=answers("History"))
async def get_events(game: Game, games: TheGames, before: Annotated[int, Query(ge=1, le=2**31)] = 2**31) -> Response:
    """What happened before a version and still stands, the last of it."""
    room = (await games.get(game)).room
    return said(History(game, *room.before(min(before, room.version + 1))))


@router.get("/api/tables/{game}/steps", responses=answers("ReplayGame"))
async def get_steps(game: Game, games: TheGames, key: Key, asker: WhoAsks) -> Response:
    """The game so far, step by step, each position as this key's seat or a spectator sees it."""
    live = await games.get(game)
    live.room.check_dealt()
    seat = EVERYTHING if live.room.status == FINISHED else live.room.viewer_of(live.holders.seats_of(key)) - 1
    found = await games.thinkers.read(asker, encoded_steps, record_of(live.room), seat)
    return Response(found, media_type="application/json")


@router.get("/api/tables/{game}/known", responses=answers("Knows"))
async def get_known(
    game: Game, games: TheGames, key: Key, seat: Annotated[int | None, Query(ge=1, le=6)] = None
) -> Response:
    """All that a seat of this key knows now, as the numbers that bots think with."""
    live = await games.get(game)
    live.room.check_dealt()
    own = live.room.seat_for(live.holders.seats_of(key), seat)
    return said(Knows(game, live.room.version, own, known_data(known(live.room.state, own - 1))))


@router.get("/api/tables/{game}/stream", response_class=StreamingResponse)
async def get_stream(game: Game, games: TheGames, key: Key, request: Request, since: Since = None) -> StreamingResponse:
    """The messages of a socket, one a line, as they come."""
    address, followed = address_of(request.scope), request.app.state.limits.followed
    followed.check(address)
    lines = follow_lines(games, await games.get(game), key, since, address, followed)
    return StreamingResponse(lines, media_type="application/x-ndjson", headers={"cache-control": "no-store"})


@router.post("/api/tables/{game}/actions", responses=answers("Done"))
async def post_action(game: Game, form: ActionForm, games: TheGames, key: Key) -> Response:
    """Play a whole action."""
    return said(await games.act(Act(game, form.id, form.version, form.action, form.seat), key))


@router.post("/api/tables/{game}/undo", responses=answers("Done"))
async def post_undo(game: Game, form: UndoForm, games: TheGames, key: Key) -> Response:
    """Take the last action back, or all that can be."""
    return said(await games.undo(Undo(game, form.id, form.version, form.seat, form.all), key))


@router.post("/api/tables/{game}/resign", responses=answers("Done"))
async def post_resign(game: Game, form: ResignForm, games: TheGames, key: Key) -> Response:
    """Give a seat's game up."""
    return said(await games.resign(Resign(game, form.id, form.version, form.seat), key))


@router.post("/api/tables/{game}/mix", responses=answers("Done"))
async def post_mix(game: Game, form: MixForm, games: TheGames, key: Key) -> Response:
    """Put something of one's own into the shuffle, before the cards are dealt."""
    return said(await games.mix(Mix(game, form.id, form.luck, form.seat), key))


@router.post("/api/tables/{game}/try", responses=answers("Tried"))
async def post_try(game: Game, form: TryForm, games: TheGames, key: Key) -> Response:
    """Whether an action could be played now, why not, what may be added to it."""
    return said(await answer_try(games, Try(game, "try", form.action, form.seat), key))


@router.post("/api/tables/{game}/hint", responses=answers("Hinted"))
async def post_hint(game: Game, form: HintForm, games: TheGames, key: Key, asker: WhoAsks) -> Response:
    """The best rest of the turn, by the bots, and why."""
    return said(await answer_hint(games, AskHint(game, "hint", form.seat), key, asker))


# --- records ----------------------------------------------------------------------------------


@router.get("/api/tables/{game}/record", response_class=PlainTextResponse)
async def get_record(game: Game, games: TheGames) -> PlainTextResponse:
    """The record of a game that is over."""
    room = (await games.get(game)).room
    if room.status != FINISHED:
        raise Refusal("record-later", "the record holds the seed, so it is given out when the game is over")
    name = f'attachment; filename="projectl-{game}.pln"'
    return PlainTextResponse(record_of(room), headers={"content-disposition": name})


@router.post("/api/replay", responses=answers("ReplayGame"))
async def post_replay(form: RecordForm, games: TheGames, asker: WhoAsks) -> Response:
    """A record step by step."""
    return Response(await games.thinkers.read(asker, encoded_steps, form.record), media_type="application/json")


def encoded_steps(record: str, seat: int = EVERYTHING) -> bytes:
    """The steps of a record as JSON; in a worker process, so that a long record holds nobody up."""
    return encode(steps(record, seat))


@router.post("/api/analyse", response_class=StreamingResponse)
async def post_analyse(form: AnalyseForm, games: TheGames, asker: WhoAsks) -> StreamingResponse:
    """A record's turns, each as one line as it is found; not of a deck by which people play just now."""
    games.check_deck(seed_of(form.record))
    first = await _analysed(games, asker, form, 0)
    return StreamingResponse(_analysis(games, asker, form, first), media_type="application/x-ndjson")


async def _analysed(games: Games, asker: Asker, form: AnalyseForm, number: int) -> AnalysedTurn | None:
    """One turn; others are served in between."""
    return await games.thinkers.read(asker, analyse_turn, form.record, number, form.seconds)


async def _analysis(games: Games, asker: Asker, form: AnalyseForm, first: AnalysedTurn | None) -> AsyncIterator[bytes]:
    found, number = first, 0
    while found is not None:
        yield encode(found) + b"\n"
        number += 1
        try:
            found = await _once_there_is_time(lambda: _analysed(games, asker, form, number))  # noqa: B023
        except ProjectLError as error:
            yield encode(told(error)) + b"\n"
            return


async def _once_there_is_time(ask: Callable[[], Awaitable[AnalysedTurn | None]]) -> AnalysedTurn | None:
    """What was begun goes on: it waits where a beginner would be refused."""
    while True:
        try:
            return await ask()
        except Busy as busy:
            await asyncio.sleep(busy.seconds)


# --- for those who run it ---------------------------------------------------------------------


@router.get("/health", responses=answers("Health"))
async def get_health(games: TheGames) -> Response:
    """Whether it can serve: the store is written to, and what is ill is named."""
    found = structs.replace(await games.health.look(), broken=sorted(games.broken)[:MOST_BROKEN])
    return Response(encode(found), 200 if found.ok else 503, media_type="application/json")


@router.get("/health/live", responses=answers("Health"))
async def get_live() -> Response:
    """Whether the process answers at all, whatever it can do."""
    return said(Health(True, {}))


@router.get("/metrics", response_class=PlainTextResponse)
async def get_metrics(games: TheGames) -> Response:
    """Counters, in Prometheus' text form."""
    games.count()
    found = await games.health.look()  # whoever asks often is told what was found within the last second
    return Response(games.metrics.text(found.games), media_type="text/plain; version=0.0.4")
