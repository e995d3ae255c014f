"""A position for a person at a terminal: in colour where there is some, readable without."""

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from projectl.core.cards import REWARDS, Card
from projectl.core.pieces import CELL_NUMBER, NAMES
from projectl.core.rules import Rules
from projectl.core.view import view
from projectl.record import Game

# Every shape has a mark of its own besides its colour.
MARKS: dict[str, tuple[str, str]] = {
    "O1": ("1", "black on bright_yellow"),
    "I2": ("2", "black on green"),
    "I3": ("3", "white on blue"),
    "L3": ("r", "black on yellow"),
    "I4": ("I", "white on purple"),
    "L4": ("L", "black on cyan"),
    "S4": ("S", "black on orange1"),
    "T4": ("T", "black on hot_pink"),
    "O4": ("O", "white on red3"),
    "P5": ("P", "black on white"),
    "U5": ("U", "black on grey85"),
    "L5": ("J", "black on grey70"),
}

Json = dict[str, object]


def draw(game: Game, viewer: int, *, errors: bool = False) -> None:
    """Print where a game stands, on the standard output or beside it."""
    Console(highlight=False, stderr=errors).print(position(game, viewer))


def position(game: Game, viewer: int) -> RenderableType:
    """Where a game stands, as one seat sees it."""
    seen = view(game.state, viewer)
    cards = {card.id: card for card in game.state.cards.cards}
    parts: list[RenderableType] = [_headline(game, seen)]
    rows = seen.get("rows") or {"grid": _part(seen, "solo").get("grid")}
    assert isinstance(rows, dict)
    for name, ids in rows.items():
        parts += [Text(f"{name}  {_deck(seen, str(name))}", style="bold"), _row(str(name), ids, cards)]
    parts.append(Text("reserve  ", style="bold") + pieces_text(_part(seen, "reserve")))
    parts += _extras(seen, game.state.rules)
    names = game.header.names or tuple(f"Seat {n + 1}" for n in range(len(game.state.players)))
    players = seen["players"]
    assert isinstance(players, list)
    for name, player in zip(names, players, strict=True):
        parts += [Rule(style="dim"), _player(name, player, cards)]
    return Group(*parts)


def _part(seen: Json, key: str) -> Json:
    found = seen.get(key) or {}
    assert isinstance(found, dict)
    return found


def _headline(game: Game, seen: Json) -> Text:
    found = _part(seen, "result")
    if found:
        names = game.header.names
        seats = found["winners"]
        assert isinstance(seats, list)
        winners = [names[seat - 1] if seat <= len(names) else f"seat {seat}" for seat in seats]
        return Text(f"Over. Scores {found['scores']}, won by {' and '.join(winners)} ({found['reason']}).", "bold")
    seats = seen["to_act"]
    assert isinstance(seats, list)
    left = f", actions left {seen['actions_left']}" if seen["phase"] == "play" else ""
    end = ", the end is triggered" if seen["end_triggered"] else ""
    who = " or ".join(str(seat) for seat in seats)
    return Text(
        f"Edition {seen['edition']}, round {seen['round']}, {seen['phase']}: seat {who} to act{left}{end}.", "bold"
    )


def _deck(seen: Json, row: str) -> str:
    if row == "grid":
        solo = _part(seen, "solo")
        return f"deck {solo['deck']}, locks {solo['locks']}, the mastermind has {solo['supply']} locks"
    return f"deck {_part(seen, 'decks')[row[0]]}"


def _row(name: str, ids: object, cards: dict[str, Card]) -> Columns:
    assert isinstance(ids, list)
    prefix = "G" if name == "grid" else name
    drawn = [
        card_text(cards[card_id], f"{prefix}{n}") if card_id else Text(f"{prefix}{n}\n(gap)")
        for n, card_id in enumerate(ids, 1)
    ]
    return Columns(drawn, padding=(0, 4))


def card_text(card: Card, label: str, pieces: object = ()) -> Text:
    """A card: its label, id, points and reward, and its recess with the pieces on it."""
    drawn = Text()
    drawn.append(f"{label} {card.id} ", "bold" if card.white else "bold reverse")
    drawn.append(f" {card.points}p {REWARDS[card.reward]}\n")
    marks: dict[int, str] = {}
    assert isinstance(pieces, list | tuple)
    for laid in pieces:
        marks.update({CELL_NUMBER[cell]: laid["piece"] for cell in laid["cells"]})
    for cell in range(25):
        if cell in marks:
            mark, colour = MARKS[marks[cell]]
            drawn.append(f"{mark} ", colour)
        else:
            drawn.append(*(("□ ", "bold") if card.recess & 2**cell else ("· ", "dim")))
        if cell % 5 == 4 and cell < 24:
            drawn.append("\n")
    return drawn


def pieces_text(supply: Json) -> Text:
    """Pieces with their marks and counts."""
    drawn = Text()
    for name in NAMES:
        if name in supply:
            mark, colour = MARKS[name]
            drawn.append(f" {mark} ", colour)
            drawn.append(f" {name}\u00d7{supply[name]}  ")
    return drawn if supply else Text("nothing")


def _extras(seen: Json, rules: Rules) -> list[RenderableType]:
    """What modules and solo add to the table."""
    parts: list[RenderableType] = []
    if "finesse" in seen:
        finesse = _part(seen, "finesse")
        tiles = finesse["tiles"]
        assert isinstance(tiles, list)
        row = " ".join(
            f"[{tile or '?'}]" if n + 1 == seen["round"] else str(tile or "?") for n, tile in enumerate(tiles)
        )
        parts.append(Text(f"tiles  {row}   bank {finesse['bank']}"))
        now = next((tile for tile in rules.tiles.tiles if tile.id == tiles[min(int(str(seen["round"])), 10) - 1]), None)
        if now and int(str(seen["round"])) > 2:
            shapes = " ".join(NAMES[shape] for shape in now.shapes)
            parts.append(Text(f"this round: {now.what.replace('-', ' ')} {shapes} ({now.credits} credit, {now.when})"))
    if "markers" in seen:
        markers = _part(seen, "markers")
        parts.append(Text(f"white marker: seat {markers['white']}, black marker: seat {markers['black']}"))
    if "solo" in seen:
        solo = _part(seen, "solo")
        pile = solo["completed"]
        assert isinstance(pile, list)
        parts.append(Text(f"mastermind  {solo['points']} points: {' '.join(pile) or 'no cards'}"))
    return parts


def _player(name: str, player: Json, cards: dict[str, Card]) -> Group:
    pile = player["completed"]
    if isinstance(pile, list):
        scored = f"{player['points']} points: {' '.join(pile) or 'no cards'}"
    else:
        scored = f"{player['completed_count']} hidden cards"
    head = Text(f"{player['seat']} {name}  ", "bold") + Text(f"{scored}   ")
    if player["touches"]:
        head.append(f"touches {player['touches']}   ")
    if "credits" in player:
        credits = _part(player, "credits")
        head.append(f"credits {credits['active']} active, {credits['inactive']} inactive   ")
    if player.get("ambassador"):
        head.append(f"ambassador {player['ambassador']}   ")
    puzzles = player["puzzles"]
    assert isinstance(puzzles, list)
    drawn = [card_text(cards[puzzle["card"]], f"{puzzle['place']}:", puzzle["pieces"]) for puzzle in puzzles]
    return Group(head, Text("supply  ") + pieces_text(_part(player, "supply")), Columns(drawn, padding=(0, 4)))
