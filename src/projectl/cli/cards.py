"""All cards, weighed: as a table and as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from projectl import weigh
from projectl.cli.files import load_packs
from projectl.core.cards import shipped_cards
from projectl.core.errors import Unreadable


def cards(
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the picture (SVG) there.")] = None,
    pack: Annotated[list[str], typer.Option(metavar="PATH", help="Weigh the cards of this pack too.")] = [],  # noqa: B006
) -> None:
    """Weigh every card: what it costs to fill against what it yields."""
    own = {card.id: card for found in load_packs(pack) for card in found.cards}
    replaced = [own.pop(card.id, card) for card in shipped_cards()]
    weights = weigh.weigh([*replaced, *own.values()])
    typer.echo(weigh.table(weights))
    if svg:
        try:
            svg.write_text(weigh.picture(weights), encoding="utf-8")
        except OSError as error:
            raise Unreadable("file", f"{svg} cannot be written: {error.strerror}") from None
        typer.echo(f"The picture is in {svg}.")
