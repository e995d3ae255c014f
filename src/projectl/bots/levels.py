"""How strong the bots are against each other, and which of them a table offers as levels, from gentle to merciless."""

from typing import Final, NamedTuple


class Level(NamedTuple):
    """A bot on the ladder. 400 points more win ten games for one that is lost."""

    bot: str
    rating: int  # measured (docs/strength.md, "The ladder"); `greedy` stands at 1000
    margin: int  # 95 % lie within
    offered: bool = True  # on the page; the others are met in older games


LEVELS: Final[tuple[Level, ...]] = (
    Level("random", 360, 0, offered=False),
    Level("beginner", 660, 0),
    Level("casual", 900, 0),
    Level("greedy", 1000, 0),
    Level("planner", 1400, 0),
    Level("neural", 1700, 0),
    Level("search:100ms", 1850, 0),
    Level("search:1s", 2000, 0),
)
