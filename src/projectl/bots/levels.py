"""How strong the bots are against each other, and which of them a table offers as levels, from gentle to merciless."""

from typing import Final, NamedTuple


class Level(NamedTuple):
    """A bot on the ladder. 400 points more win ten games for one that is lost."""

    bot: str
    rating: int  # docs/strength.md, "The ladder": measured, `search:1s` and its like estimated; `greedy` is 1000
    margin: int  # 95 % lie within
    offered: bool = True  # on the page; the others are met in older games


LEVELS: Final[tuple[Level, ...]] = (
    Level("random", -391, 1072, offered=False),
    Level("beginner", 549, 207),
    Level("casual", 827, 155),
    Level("greedy", 1000, 0),
    Level("planner", 1265, 173),
    Level("neural", 1534, 183),
    Level("search:100ms", 1681, 62),
    Level("search:1s", 1744, 65),
    Level("search", 1744, 65, offered=False),
    Level("search:4s", 1744, 65, offered=False),
)
