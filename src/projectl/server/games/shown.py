"""A room as others see it: the table without the position, and the record."""

from projectl.core.score import result
from projectl.core.view import View
from projectl.header import writable
from projectl.server.catalogue import setup_of
from projectl.server.games.events import written
from projectl.server.games.room import FINISHED, Room
from projectl.server.http.messages import SeatInfo, Table
from projectl.server.secret import fair_hash


def table_of(room: Room, online: set[int], *, hints: bool) -> Table:
    """The table. The seed is shown only when the game is over."""
    over = room.status == FINISHED
    return Table(
        room.id,
        setup_of(room.header.rules),
        _seats(room, online),
        room.status,
        room.created,
        room.settings.clock,
        room.settings.public,
        room.settings.chat,
        room.settings.undo,
        fair_hash(room.promised, room.salt),
        (room.header.seed or "") if over else None,
        room.salt if over else None,
        room.promised if over and room.luck else None,
        {str(seat): luck for seat, luck in sorted(room.luck.items())},
        room.dealt,
        room.settings.open_deck,
        room.rematch,
        room.winners or _winners(room),
        hints,
        room.closed,
        room.expired,
        room.cancelled,
        room.settings.day,
    )


def undealt(seen: View) -> View:
    """A position before the cards are dealt: they all lie in their decks."""
    found = seen.copy()
    if "rows" in seen and "decks" in seen:
        found["rows"] = {name: [None] * len(row) for name, row in seen["rows"].items()}
        found["decks"] = {
            colour: left + sum(len(row) for name, row in seen["rows"].items() if name[0] == colour)
            for colour, left in seen["decks"].items()
        }
    if "solo" in seen:
        grid = seen["solo"]["grid"]
        found["solo"] = {**seen["solo"], "grid": [None] * len(grid), "deck": seen["solo"]["deck"] + len(grid)}
    if "finesse" in seen:
        found["finesse"] = {**seen["finesse"], "tiles": [None] * len(seen["finesse"]["tiles"])}
    return found


def _seats(room: Room, online: set[int]) -> list[SeatInfo]:
    return [
        SeatInfo(
            row.seat,
            "bot" if row.seat in room.bots else row.kind,
            row.name,
            row.colour,
            room.bots.get(row.seat, ""),
            row.seat in online,
            row.seat in room.resigned,
        )
        for row in room.seats
    ]


def _winners(room: Room) -> list[int]:
    """Where somebody resigned and the game went on: the best of those who did not."""
    found = result(room.state) if room.resigned else None
    if found is None:
        return []
    stayed = [seat for seat in range(len(room.seats)) if seat + 1 not in room.resigned]
    if not stayed:
        return []
    if any(seat in stayed for seat in found.winners):
        return [seat + 1 for seat in found.winners if seat in stayed]
    best = max(found.scores[seat] for seat in stayed)
    return [seat + 1 for seat in stayed if found.scores[seat] == best]


def record_of(room: Room) -> str:
    """The game as a record, with what proves the deck fair. It holds the seed."""
    names = tuple(writable(row.name) or f"Seat {row.seat}" for row in room.seats)
    header = room.header._replace(names=names).text()
    comments = [f"# fair: {fair_hash(room.promised, room.salt)}", f"# salt: {room.salt}"]
    if room.luck:
        comments += [f"# promised: {room.promised}"]
        comments += [f"# luck {seat}: {luck}" for seat, luck in sorted(room.luck.items())]
    comments += [f"# seat {seat} resigned" for seat in sorted(room.resigned)]
    moves = "".join(f"{move.line()}\n" for move in room.game.moves)
    return header + "\n".join(comments) + "\n\n" + moves + _rest(room)


def _rest(room: Room) -> str:
    """What is stored of a closed game behind its last good position, as comments."""
    rows = [f"closed: {room.closed}", *(written(event) for event in room.not_done)] if room.closed else []
    return "".join(f"# {row}\n" for row in rows)
