"""Who gets a seat: decided inside a transaction that reads the seat again, whatever a process believed before."""

from collections.abc import Mapping, Sequence
from enum import Enum, auto
from typing import Final, NamedTuple

from sqlalchemy import ColumnElement, Connection, and_, case, delete, func, insert, or_, select, update

from projectl.server.store.schema import INVITES, KEYS, SEATS

MOST_INVITES: Final = 20  # that are open for one seat
MOST_DEVICES: Final = 20  # keys of one seat
FOR_SEAT: Final = "seat"  # an open seat, for whoever has the invitation
FOR_DEVICE: Final = "device"  # a further device of whoever has the seat


SeatKind = tuple[int, str, str, str, str]  # seat, kind, name, colour, bot


class Outcome(Enum):
    """What came of it."""

    DONE = auto()
    OVERTAKEN = auto()  # another event was first
    TAKEN = auto()  # the seat is somebody's, or is not whose who asks
    UNKNOWN = auto()  # there is no such invitation for this
    USED = auto()
    EXPIRED = auto()
    MANY = auto()


class Invite(NamedTuple):
    """An invitation as it is stored."""

    invite: str  # the hash
    game: str
    seat: int
    purpose: str
    made: float
    expires: float | None  # None: it was made when they did not expire
    used: float | None = None


def _at(game: str, seat: int) -> ColumnElement[bool]:
    return and_(INVITES.c.game == game, INVITES.c.seat == seat)


def _open(now: float) -> ColumnElement[bool]:
    return and_(INVITES.c.used.is_(None), or_(INVITES.c.expires.is_(None), INVITES.c.expires > now))


def is_free(connection: Connection, game: str, seat: int) -> bool:
    """Whether nobody has a seat, from now until the transaction ends."""
    here = and_(SEATS.c.game == game, SEATS.c.seat == seat)
    kind = connection.execute(select(SEATS.c.kind).where(here).with_for_update()).scalar()
    return kind == "open" and not _devices(connection, game, seat)


def _devices(connection: Connection, game: str, seat: int) -> list[str]:
    wanted = select(KEYS.c.key).where(KEYS.c.game == game, KEYS.c.seat == seat)
    return list(connection.execute(wanted).scalars())


def find(connection: Connection, invite: str) -> Invite | None:
    """An invitation by its hash."""
    found = connection.execute(select(INVITES).where(INVITES.c.invite == invite).with_for_update()).one_or_none()
    return None if found is None else Invite(**found._mapping)


def opens(connection: Connection, invite: str, game: str, seat: int, purpose: str, now: float) -> Outcome:
    """Whether an invitation opens a seat for a purpose, now and until the transaction ends."""
    found = find(connection, invite)
    if found is None or (found.game, found.seat, found.purpose) != (game, seat, purpose):
        return Outcome.UNKNOWN
    if found.used is not None:
        return Outcome.USED
    return Outcome.EXPIRED if found.expires is not None and found.expires <= now else Outcome.DONE


def use_up(connection: Connection, game: str, seat: int, now: float) -> None:
    """A seat was taken: no invitation to it is good any more."""
    left = and_(_at(game, seat), INVITES.c.purpose == FOR_SEAT, INVITES.c.used.is_(None))
    connection.execute(update(INVITES).where(left).values(used=now))


def give_key(connection: Connection, key: str, game: str, seat: int) -> None:
    """A key has a seat from now on, if it had not before."""
    mine = {"key": key, "game": game, "seat": seat}
    connection.execute(delete(KEYS).where(KEYS.c.key == key, KEYS.c.game == game, KEYS.c.seat == seat))
    connection.execute(insert(KEYS), mine)


def add_device(connection: Connection, game: str, seat: int, key: str, invite: str, now: float) -> Outcome:
    """A further key for a seat, by an invitation of its holder."""
    outcome = opens(connection, invite, game, seat, FOR_DEVICE, now)
    if outcome is not Outcome.DONE:
        return outcome
    if is_free(connection, game, seat):
        return Outcome.UNKNOWN
    if len(_devices(connection, game, seat)) >= MOST_DEVICES:
        return Outcome.MANY
    connection.execute(update(INVITES).where(INVITES.c.invite == invite).values(used=now))
    give_key(connection, key, game, seat)
    return Outcome.DONE


def add_invite(connection: Connection, invite: Invite, key: str) -> Outcome:
    """An invitation of a key: for an open seat while it is open, for a device to a seat that the key has."""
    game, seat = invite.game, invite.seat
    free = is_free(connection, game, seat)
    good = free if invite.purpose == FOR_SEAT else key in _devices(connection, game, seat)
    if not good:
        return Outcome.TAKEN
    here = and_(_at(game, seat), INVITES.c.purpose == invite.purpose)
    connection.execute(delete(INVITES).where(here, INVITES.c.expires <= invite.made))
    count = select(func.count()).select_from(INVITES).where(here, _open(invite.made))
    if connection.execute(count).scalar_one() >= MOST_INVITES:
        return Outcome.MANY
    connection.execute(insert(INVITES), invite._asdict())
    return Outcome.DONE


def rearrange(
    connection: Connection, game: str, seats: Sequence[SeatKind], places: Mapping[int, int], now: float
) -> None:
    """Seats as they are now; keys and invitations go where their seat went."""
    for seat, kind, name, colour, bot in seats:
        here = and_(SEATS.c.game == game, SEATS.c.seat == seat)
        connection.execute(update(SEATS).where(here).values(kind=kind, name=name, colour=colour, bot=bot))
    _move(connection, game, places)
    for seat, kind, *_ in seats:
        if kind != "open":
            use_up(connection, game, seat, now)


def _move(connection: Connection, game: str, places: Mapping[int, int]) -> None:
    if not places:
        return
    held = connection.execute(select(KEYS.c.key, KEYS.c.seat).where(KEYS.c.game == game)).all()
    connection.execute(delete(KEYS).where(KEYS.c.game == game))
    moved = [{"key": key, "game": game, "seat": places.get(seat, seat)} for key, seat in held]
    if moved:
        connection.execute(insert(KEYS), moved)
    went = case(places, value=INVITES.c.seat, else_=INVITES.c.seat)
    connection.execute(update(INVITES).where(INVITES.c.game == game).values(seat=went))


def open_invites(connection: Connection, game: str, now: float) -> list[Invite]:
    """The invitations of a game that still open something."""
    wanted = select(INVITES).where(INVITES.c.game == game, _open(now)).order_by(INVITES.c.seat, INVITES.c.made)
    return [Invite(**row._mapping) for row in connection.execute(wanted)]


def revoke(connection: Connection, invite: str) -> bool:
    """An invitation that was not used opens nothing any more."""
    unused = and_(INVITES.c.invite == invite, INVITES.c.used.is_(None))
    return connection.execute(delete(INVITES).where(unused)).rowcount == 1
