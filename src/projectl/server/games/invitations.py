"""Sitting down, and the invitations to it. The store decides; what a process believes is only asked first."""

from collections.abc import Sequence
from typing import Final, NoReturn

from projectl.server.errors import Overtaken, Refusal
from projectl.server.games.events import Event
from projectl.server.games.live import LiveGame
from projectl.server.games.memory import Games
from projectl.server.games.room import FINISHED, Room
from projectl.server.http.forms import InviteForm, JoinForm
from projectl.server.http.replies import Invitation, Invitations, Invited, Joined
from projectl.server.secret import hashed, new_key
from projectl.server.store.seating import FOR_DEVICE, FOR_SEAT, Invite, Outcome
from projectl.server.store.store import Row

LASTS: Final = {FOR_SEAT: 30 * 86400.0, FOR_DEVICE: 86400.0}  # seconds
_SHOWN: Final = 16  # signs of an invitation's hash, which name it and open nothing
_WHY: Final = {
    Outcome.TAKEN: ("seat-taken", "somebody else took this seat a moment ago", 409),
    Outcome.UNKNOWN: ("invite", "this invitation is not for this table, or was taken back", 403),
    Outcome.USED: ("invite-used", "this invitation has been used; ask for a new one", 403),
    Outcome.EXPIRED: ("invite-expired", "this invitation is too old; ask for a new one", 403),
    Outcome.MANY: ("invites-many", "this seat has as many invitations or devices as a seat may have", 429),
}


def _refuse(outcome: Outcome) -> NoReturn:
    raise Refusal(*_WHY[outcome])


def invitation(game: str, seat: int, token: str, purpose: str, now: float) -> Invite:
    """An invitation as the store keeps it."""
    return Invite(hashed(token), game, seat, purpose, now, now + LASTS[purpose])


# --- sitting down -----------------------------------------------------------------------------


async def join(games: Games, game: str, form: JoinForm, key: str) -> Joined:
    """Take a seat, by invitation or at a public table; or come back to one's own on another device."""
    live = await games.get(game)
    async with live.lock:
        while True:
            try:
                return Joined(game, await _sit_down(games, live, form, hashed(key)), key if form.token else "")
            except Overtaken:  # whatever it was, a seat may still be free
                continue


async def _sit_down(games: Games, live: LiveGame, form: JoinForm, key: str) -> int:
    if form.invite is None:
        return await _take(games, live, form, _free_seat(live.room, form.seat), key, None)
    found = await _invited(games, live.room.id, hashed(form.invite))
    if found.purpose == FOR_DEVICE:
        return await _add_device(games, live, found, key)
    return await _take(games, live, form, found.seat, key, found.invite)


async def _take(games: Games, live: LiveGame, form: JoinForm, seat: int, key: str, invite: str | None) -> int:
    sits = live.room.check_seat(seat, form.name, form.colour, form.luck)
    outcome = await take_seat(games, live, sits, [key], invite)
    if outcome is Outcome.TAKEN and invite is None and form.seat is None:
        raise Overtaken(*_WHY[outcome])  # any other will do
    if outcome is not Outcome.DONE:
        _refuse(outcome)
    return seat


async def take_seat(
    games: Games, live: LiveGame, sits: Sequence[Event], keys: Sequence[str], invite: str | None = None
) -> Outcome:
    """Somebody sits down, as the first of these events says, with one or several keys. The caller holds the lock."""
    outcome = Outcome.OVERTAKEN

    async def write(rows: Sequence[Row]) -> bool:
        nonlocal outcome
        outcome = await games.store.take_seat(live.room.id, rows, keys, invite)
        for key in keys if outcome is Outcome.DONE else ():
            live.hold(key, sits[0].seat)
        return outcome is Outcome.DONE

    try:
        await games.happen(live, sits, write=write)
    except Overtaken:
        if outcome is Outcome.OVERTAKEN:
            raise
    return outcome


async def _add_device(games: Games, live: LiveGame, found: Invite, key: str) -> int:
    outcome = await games.store.add_device(live.room.id, found.seat, key, found.invite, games.now())
    if outcome is not Outcome.DONE:
        _refuse(outcome)
    games.device_added(live, key, found.seat)
    return found.seat


async def _invited(games: Games, game: str, invite: str) -> Invite:
    found = await games.store.invited(invite)
    if found is None or found.game != game:
        _refuse(Outcome.UNKNOWN)
    if found.used is not None:
        _refuse(Outcome.USED)
    return found


def _free_seat(room: Room, wanted: int | None) -> int:
    if not room.settings.public:
        raise Refusal("invite-needed", "this table is joined by invitation", 403)
    free = [seat for seat in room.open_seats() if wanted in (None, seat)]
    if not free:
        raise Refusal("seat-taken", "no such seat is free" if wanted else "no seat is free any more")
    return free[0]


# --- inviting ---------------------------------------------------------------------------------


async def invite(games: Games, game: str, form: InviteForm, key: str | None) -> Invited:
    """A fresh invitation: for an open seat if one made the table, for one's own seat on another device always."""
    live = await games.get(game)
    mine = form.seat in live.holders.seats_of(key)
    purpose = form.purpose or (FOR_DEVICE if mine else FOR_SEAT)
    may = mine if purpose == FOR_DEVICE else live.room.maker == key and form.seat in live.room.open_seats()
    if not may or key is None or live.room.status == FINISHED:
        raise Refusal("not-maker", "only whoever made the table invites, and only to open seats", 403)
    token = new_key()
    made = invitation(game, form.seat, token, purpose, games.now())
    outcome = await games.store.invite(made, key)
    if outcome is not Outcome.DONE:
        _refuse(outcome)
    return Invited(game, form.seat, token, purpose, made.expires or 0.0)


async def invitations(games: Games, game: str, key: str | None) -> Invitations:
    """The invitations that a key could take back: to open seats of its table, and to its own seats."""
    found = await _own(games, game, key)
    return Invitations(
        game, [Invitation(one.invite[:_SHOWN], one.seat, one.purpose, one.made, one.expires) for one in found]
    )


async def _own(games: Games, game: str, key: str | None) -> list[Invite]:
    live = await games.get(game)
    mine = live.holders.seats_of(key)
    made = key is not None and live.room.maker == key
    found = await games.store.invites(game, games.now())
    return [one for one in found if (one.seat in mine if one.purpose == FOR_DEVICE else made)]


async def revoke(games: Games, game: str, name: str, key: str | None) -> Invitations:
    """Take an invitation back; the ones that are left."""
    found = next((one for one in await _own(games, game, key) if one.invite.startswith(name)), None)
    if found is None or len(name) < _SHOWN:
        raise Refusal("no-invite", "there is no such invitation of yours", 404)
    if not await games.store.revoke(found.invite):
        _refuse(Outcome.USED)
    return await invitations(games, game, key)
