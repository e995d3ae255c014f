"""The documentation is true: its examples run, it names what there is, its links lead somewhere."""

import doctest
import importlib
import re
from pathlib import Path
from typing import get_args

import gymnasium
import pytest
import typer
from fastapi.routing import APIRoute
from typer.core import TyperOption

from projectl.cli import app
from projectl.core.rules import EDITIONS, MODULES
from projectl.server.games.events import Event
from projectl.server.http import messages
from projectl.server.http.app import ROUTERS
from tests.commands_page import commands

ROOT = Path(__file__).resolve().parent.parent
TEXTS = (".py", ".ts", ".svelte", ".js", ".md", ".json", ".toml", ".html", ".css")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if "\n>>> " in page.read_text(encoding="utf-8")], ids=lambda page: page.name
)
def test_examples_run(page: Path) -> None:
    found = doctest.testfile(str(page), module_relative=False, optionflags=doctest.ELLIPSIS)
    assert found.attempted > 0
    assert found.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if not (page.parent / link).exists()] == []


def anchors(page: Path) -> set[str]:
    """The headings of a page as links write them."""
    headings = re.findall(r"^#+ (.+)$", page.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_into_a_page_find_their_heading(page: Path) -> None:
    links = re.findall(r"\]\(([^)#]*\.md)?#([^)]*)\)", page.read_text(encoding="utf-8"))
    assert [link for link in links if link[1] not in anchors(page.parent / link[0] if link[0] else page)] == []


def documentation() -> str:
    """All of it that is written for readers."""
    return "\n".join(page.read_text(encoding="utf-8") for page in PAGES)


def test_the_documentation_names_every_command_and_option() -> None:
    page = (ROOT / "docs" / "commands.md").read_text(encoding="utf-8")
    found = list(commands())
    assert len(found) > 20
    for words, command in found:
        assert f"## {words}\n" in page
        part = page.split(f"## {words}\n")[1].split("\n## ")[0]
        options = [name for option in command.params if isinstance(option, TyperOption) for name in option.opts]
        assert [name for name in options if f"`{name}" not in part] == [], words


def test_the_documentation_names_every_environment() -> None:
    importlib.import_module("projectl.envs")
    text = documentation()
    ids = [name for name in gymnasium.registry if name.startswith("projectl/")]
    assert sorted(ids) == ["projectl/Solo-v0", "projectl/Table-v0"]
    others = ["projectl/ProjectL-v0", "projectl_v0.env", "raw_env", "parallel_env", "python_projectl"]
    assert [name for name in ids + others if f"{name}" not in text] == []


def test_the_protocols_page_names_every_message() -> None:
    """What a client says, what a server answers, and the events at a table."""
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    kinds = [get_args(union) for union in (messages.FromClient, messages.FromServer, Event)]
    tags = [str(one.__struct_config__.tag) for union in kinds for one in union]
    assert len(tags) > 25
    assert [tag for tag in tags if not re.search(rf"`{tag}[ `{{]", page)] == []


def test_the_protocols_page_names_every_request() -> None:
    page = (ROOT / "docs" / "protocol.md").read_text(encoding="utf-8")
    routes = [route for each in ROUTERS for route in each.routes if isinstance(route, APIRoute)]
    assert len(routes) > 20
    missing = []
    for route in routes:
        last = re.sub(r"\{\w+\}", "", route.path).rstrip("/").rsplit("/", 1)[-1]
        whole = re.sub(r"\{\w+\}", r"[\\w{}]+", route.path)
        if not re.search(rf"{whole}[ `?]|\.\.\./{last}`", page):
            missing.append(route.path)
    assert missing == []


def test_readme_names_every_command() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    command = typer.main.get_command(app)
    names = list(getattr(command, "commands", {}))
    assert len(names) >= 6
    assert [name for name in names if f"projectl {name}" not in readme] == []


def test_api_page_names_every_module_and_edition() -> None:
    page = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    assert [name for name in (*MODULES, *EDITIONS) if name not in page] == []


def test_contributing_names_every_module() -> None:
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    source = ROOT / "src" / "projectl"
    modules = [path.relative_to(source) for path in source.rglob("*.py") if "migrations" not in path.parts]
    named = [path for path in modules if path.stem != "__init__"]
    assert len(named) > 100
    for path in named:
        part = page if len(path.parts) == 1 else _part_of_the_map(page, path.parts[0])
        assert re.search(rf"(?<![\w/]){path.name}\b", part) or f"projectl/{path.name}" in part, (
            f"{path} is not on the map"
        )


def _part_of_the_map(page: str, package: str) -> str:
    """The lines of the map about one package."""
    start = page.index(f"src/projectl/{package}/")
    end = re.compile(r"^(?:src/projectl/|web/|```)", re.MULTILINE).search(page, start + 1)
    return page[start : end.start() if end else None]


def test_the_map_and_its_picture_name_nothing_that_is_gone() -> None:
    source = ROOT / "src" / "projectl"
    there = {path.name for path in source.rglob("*.py")}
    page = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    drawn = (ROOT / "docs" / "img" / "move.svg").read_text(encoding="utf-8")
    map_ = page[page.index("src/projectl/core/") : page.index("web/   ")]
    assert set(re.findall(r"\b\w+\.py\b", map_)) <= there | {"hatch_build.py"}
    places = re.findall(r"\b(?:\w+/)*\w+\.py\b", drawn)
    assert len(places) >= 6
    for place in places:
        assert any(path.as_posix().endswith(f"/{place}") for path in source.rglob("*.py")), f"the picture names {place}"


def test_every_document_that_is_cited_is_here() -> None:
    """The repository stands alone: what comments and pages cite as a document lies in it."""
    folders = [ROOT / name for name in ("src", "tests", "docs", "benchmarks", "web/src", "web/messages")]
    texts = [path for folder in folders for path in folder.rglob("*") if path.suffix in TEXTS]
    missing: list[str] = []
    for path in [*texts, *ROOT.glob("*.md"), *ROOT.glob("*.py"), *ROOT.glob("*.toml"), ROOT / "Makefile"]:
        for name in re.findall(r"[\w./-]+\.md\b|\bNOTATION\b", path.read_text(encoding="utf-8")):
            if not any((base / name).is_file() for base in (ROOT, ROOT / "docs", path.parent)):
                missing.append(f"{path.relative_to(ROOT)} cites {name}")
    assert len(texts) > 100
    assert missing == []
