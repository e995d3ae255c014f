"""The documentation is true: its examples run, it names what there is, its links lead somewhere."""

import doctest
import re
from pathlib import Path

import pytest
import typer

from projectl.cli import app
from projectl.core.rules import EDITIONS, MODULES

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize("page", [ROOT / "README.md", ROOT / "docs" / "api.md"], ids=lambda page: page.name)
def test_examples_run(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def test_readme_names_every_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = typer.main.get_command(app)
    names = list(getattr(command, "commands", {}))
    assert len(names) >= 6
    assert [name for name in names if f"projectl {name}" not in readme] == []


def test_api_page_names_every_module_and_edition() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert [name for name in (*MODULES, *EDITIONS) if name not in page] == []


def test_contributing_names_every_core_module() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    modules = [path.name for path in (ROOT / "src" / "projectl" / "core").glob("*.py") if path.stem != "__init__"]
    assert [name for name in modules if name not in page] == []


def test_every_ruling_is_listed_and_cited() -> None:
    rulings = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
    cited = "".join(path.read_text(encoding="utf-8") for path in sorted((ROOT / "tests").glob("*.py")))
    for number in range(1, 45):
        assert re.search(rf"\bR{number}\b", rulings), f"R{number} is not in docs/rulings.md"
        assert re.search(rf"\b[Rr]{number}\b", cited), f"R{number} is cited by no test"


def test_every_place_named_in_the_rulings_exists() -> None:
    rulings = (ROOT / "docs" / "rulings.md").read_text(encoding="utf-8")
    places = re.findall(r"`(\w+)\.py`: `(\w+)`", rulings)
    assert len(places) > 30
    for module, name in places:
        source = (ROOT / "src" / "projectl" / "core" / f"{module}.py").read_text(encoding="utf-8")
        assert re.search(rf"\b{name}\b", source), f"{module}.py has no {name}"
