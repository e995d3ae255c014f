"""The table of features in docs/observations.md, as the layout in the code says it.

python -m tests.features_page       writes it anew
"""

from pathlib import Path

from projectl.core.features import FEATURES, Feature

PAGE = Path(__file__).resolve().parent.parent / "docs" / "observations.md"
HEAD = "| feature | offset | shape | strides | highest | meaning |\n| --- | --- | --- | --- | --- | --- |\n"


def _numbers(numbers: tuple[int, ...]) -> str:
    return " x ".join(str(n) for n in numbers) or "1"


def _row(feature: Feature) -> str:
    shape, strides = _numbers(feature.shape), ", ".join(str(n) for n in feature.strides)
    return f"| `{feature.name}` | {feature.offset} | {shape} | {strides} | {feature.highest} | {feature.meaning} |\n"


def table() -> str:
    """The whole table, Markdown."""
    return HEAD + "".join(_row(feature) for feature in FEATURES)


def renewed(page: str) -> str:
    """The page with the table put in the place of the one that it has."""
    before, rest = page.split(HEAD)
    after = rest.partition("\n\n")[2]
    return f"{before}{table()}\n{after}"


if __name__ == "__main__":
    PAGE.write_text(renewed(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
