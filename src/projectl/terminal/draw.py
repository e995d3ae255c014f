"""A position for a person at a terminal: in colour where there is some, readable without."""

from collections.abc import Sequence

from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.rule import Rule
from rich.text import Text

from projectl.core.cards import REWARDS, Card
from projectl.core.finesse import FACE_DOWN
from projectl.core.pieces import CELL_NUMBER, NAMES
from projectl.core.rules import Rules
from projectl.core.view import Counts, Piece, PlayerView, View, view
from projectl.game import Game
from projectl.terminal.score import outcome_words
from projectl.terminal.sentences import turn_words

SIGNS = "□·│"  # what cards are drawn with
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


def draw(game: Game, viewer: int, *, errors: bool = False) -> None:
    """Print where a game stands, on the standard output or beside it."""
    Console(highlight=False, stderr=errors).print(position(game, viewer))


def position(game: Game, viewer: int) -> RenderableType:
    """Where a game stands, as one seat sees it."""
    seen = view(game.state, viewer)
    cards = {card.id: card for card in game.state.cards.cards}
    parts: list[RenderableType] = [_headline(game)]
    rows = {"grid": seen["solo"]["grid"]} if "solo" in seen else seen["rows"]
    for name, ids in rows.items():
        parts += [Text(f"{name}  {_deck(seen, name)}", style="bold"), _row(name, ids, cards)]
    parts.append(Text("reserve  ", style="bold") + pieces_text(seen["reserve"]))
    parts += _extras(seen, game.state.rules)
    names = game.header.names or tuple(f"Seat {n + 1}" for n in range(len(game.state.players)))
    for name, player in zip(names, seen["players"], strict=True):
        parts += [Rule(style="dim"), _player(name, player, cards)]
    return Group(*parts)


def _headline(game: Game) -> Text:
    names = game.header.names or tuple(f"Seat {n + 1}" for n in range(len(game.state.players)))
    ended = outcome_words(game.state, names)
    if ended:
        return Text(f"Over. {ended}", "bold")
    seated = [f"{name} (seat {n})" for n, name in enumerate(names, 1)] if game.header.names else names
    return Text(f"Edition {game.header.rules.edition}. {turn_words(game.state, seated)}", "bold")


def _deck(seen: View, row: str) -> str:
    if "solo" in seen:
        solo = seen["solo"]
        return f"deck {solo['deck']}, locks {solo['locks']}, the mastermind has {solo['supply']} locks"
    return f"deck {seen['decks'][row[0]]}"


def _row(name: str, ids: list[str | None], cards: dict[str, Card]) -> Columns:
    prefix = "G" if name == "grid" else name
    drawn = [
        card_text(cards[card_id], f"{prefix}{n}") if card_id else Text(f"{prefix}{n}\n(gap)")
        for n, card_id in enumerate(ids, 1)
    ]
    return Columns(drawn, padding=(0, 4))


def card_text(card: Card, label: str, pieces: Sequence[Piece] = ()) -> Text:
    """A card: its label, id, points and reward, and its recess with the pieces on it."""
    drawn = Text()
    drawn.append(f"{label} {card.id} ", "bold" if card.white else "bold reverse")
    drawn.append(f" {card.points}p {REWARDS[card.reward]}\n")
    marks: dict[int, str] = {}
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


def pieces_text(supply: Counts) -> Text:
    """Pieces with their marks and counts."""
    drawn = Text()
    for name in NAMES:
        if name in supply:
            mark, colour = MARKS[name]
            drawn.append(f" {mark} ", colour)
            drawn.append(f" {name}\u00d7{supply[name]}  ")
    return drawn if supply else Text("nothing")


def _extras(seen: View, rules: Rules) -> list[RenderableType]:
    """What modules and solo add to the table."""
    parts: list[RenderableType] = []
    if "finesse" in seen:
        tiles, now = seen["finesse"]["tiles"], seen["round"]
        row = " ".join(f"[{tile or '?'}]" if n == now else tile or "?" for n, tile in enumerate(tiles, 1))
        parts.append(Text(f"tiles  {row}   bank {seen['finesse']['bank']}"))
        counts = next((tile for tile in rules.tiles.tiles if tile.id == tiles[min(now, len(tiles)) - 1]), None)
        if counts and now > FACE_DOWN:
            shapes = " ".join(NAMES[shape] for shape in counts.shapes)
            what = f"{counts.what.replace('-', ' ')} {shapes}"
            parts.append(Text(f"this round: {what} ({counts.credits} credit, {counts.when})"))
    if "markers" in seen:
        markers = seen["markers"]
        parts.append(Text(f"white marker: seat {markers['white']}, black marker: seat {markers['black']}"))
    if "solo" in seen:
        solo = seen["solo"]
        parts.append(Text(f"mastermind  {solo['points']} points: {' '.join(solo['completed']) or 'no cards'}"))
    return parts


def _player(name: str, player: PlayerView, cards: dict[str, Card]) -> Group:
    pile = player["completed"]
    if pile is not None:
        scored = f"{player['points']} points: {' '.join(pile) or 'no cards'}"
    else:
        scored = f"{player['completed_count']} hidden cards"
    head = Text(f"{player['seat']} {name}  ", "bold") + Text(f"{scored}   ")
    if player["touches"]:
        head.append(f"touches {player['touches']}   ")
    if "credits" in player:
        credits = player["credits"]
        head.append(f"credits {credits['active']} active, {credits['inactive']} inactive   ")
    if player.get("ambassador"):
        head.append(f"ambassador {player['ambassador']} ({' '.join(player['ambassador_cards'])})   ")
    drawn = [card_text(cards[puzzle["card"]], f"{puzzle['place']}:", puzzle["pieces"]) for puzzle in player["puzzles"]]
    return Group(head, Text("supply  ") + pieces_text(player["supply"]), Columns(drawn, padding=(0, 4)))
