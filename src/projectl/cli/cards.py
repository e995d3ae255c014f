"""All cards, weighed: as a table and as a picture."""

from pathlib import Path
from typing import Annotated

import typer

from projectl import weigh
from projectl.cli.files import load_packs, write_picture
from projectl.core.cards import shipped_cards


def cards(
    svg: Annotated[Path | None, typer.Option(metavar="FILE", help="Draw the picture (SVG) there.")] = None,
    pack: Annotated[list[str], typer.Option(metavar="PATH", help="Weigh the cards of this pack too.")] = [],  # noqa: B006
) -> None:
    """Weigh every card: what it costs to fill against what it yields."""
    own = {card.id: card for found in load_packs(pack) for card in found.cards}
    replaced = [own.pop(card.id, card) for card in shipped_cards()]
    weights = weigh.weigh([*replaced, *own.values()])
    if svg:
        write_picture(svg, weigh.picture(weights))
    typer.echo(weigh.table(weights))
    if svg:
        typer.echo(f"The picture is in {svg}.")
