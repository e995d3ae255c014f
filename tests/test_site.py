"""The site of the documentation: it builds, its links lead somewhere, it needs no network, and the server shows it."""

import asyncio
import inspect
import os
import re
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from urllib.parse import unquote, urlsplit

import httpx
import pytest
from sphinx.pycode import ModuleAnalyzer

import projectl
import projectl.arena
import projectl.bots
from projectl.server.http import page
from projectl.server.http.cookies import StrictHeaders
from projectl.server.http.page import PageServer, read
from tests.commands import environment
from tests.commands_page import PAGE as COMMANDS
from tests.commands_page import page as commands_page
from tests.site import ROOT, built, pages

MOST = 3_000_000  # bytes, as they lie in a wheel's folder
PUBLIC = (projectl, projectl.bots, projectl.arena)


def test_every_page_is_there() -> None:
    sources = {path.stem for path in (ROOT / "docs").glob("*.md")}
    assert {name.removesuffix(".html") for name in pages()} == sources | {"search"}
    listed = " ".join(pages()["index.html"].links)
    assert [name for name in sources - {"index"} if f"{name}.html" not in listed] == []


def test_no_link_is_dead() -> None:
    dead = []
    for name, html in pages().items():
        for link in html.links + html.loads:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = unquote(parts.path) or name
            if not (built() / target).is_file():
                dead.append(f"{name}: {link}")
            elif parts.fragment and target in pages() and unquote(parts.fragment) not in pages()[target].anchors:
                dead.append(f"{name}: {link} has no such place")
    assert sum(len(html.links) for html in pages().values()) > 1000
    assert dead == []


def test_nothing_is_loaded_from_elsewhere() -> None:
    """Not by a page, and not by its styles and scripts."""
    assert [load for html in pages().values() for load in html.loads if urlsplit(load).netloc] == []
    for path in built().rglob("*.css"):
        assert re.findall(r"(?:@import|url\()\s*['\"]?(?:https?:)?//", path.read_text(encoding="utf-8")) == [], path
    for path in built().rglob("*.js"):
        found = re.findall(r"(?:fetch|import)\(\s*['\"](?:https?:)?//", path.read_text(encoding="utf-8"))
        assert found == [], path


def test_no_script_stands_in_a_page() -> None:
    """The server's content policy would let none run."""
    assert {name: html.inline for name, html in pages().items() if html.inline} == {}


def test_it_is_small() -> None:
    files = [path for path in built().rglob("*") if path.is_file()]
    size = sum(path.stat().st_size for path in files)
    print(f"{len(files)} files, {size / 1e6:.2f} MB")
    assert size < MOST


def test_the_search_knows_the_words() -> None:
    index = (built() / "searchindex.js").read_text(encoding="utf-8")
    assert index.startswith("Search.setIndex(")
    assert [word for word in ("mastermind", "ambassador", "lock", "invit", "bot_of") if word not in index] == []


@pytest.mark.parametrize("package", PUBLIC, ids=lambda package: package.__name__)
def test_every_public_name_is_in_the_reference(package: object) -> None:
    html = pages()["reference.html"]
    for name in package.__all__:  # type: ignore[attr-defined]
        thing = getattr(package, name)
        kept = [f"{one.__name__}.{name}" for one in PUBLIC] + [getattr(thing, "__name__", "")]
        kept += [anchor for anchor in html.anchors if anchor.endswith(f".{name}")]
        same = [f"{one.__name__}.{other}" for one in PUBLIC for other in one.__all__ if getattr(one, other) is thing]
        assert any(anchor in html.anchors or f"module-{anchor}" in html.anchors for anchor in kept + same), name


@pytest.mark.parametrize("package", PUBLIC, ids=lambda package: package.__name__)
def test_every_public_name_has_a_docstring(package: ModuleType) -> None:
    """In the sources, as the reference is made: compiled classes have lost theirs."""
    asked = f"import {package.__name__} as it; from tests.test_site import undocumented; print(*undocumented(it))"
    paths = os.pathsep.join([str(ROOT / "src"), str(ROOT)])
    done = subprocess.run(
        [sys.executable, "-c", asked], env=environment(PYTHONPATH=paths), capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []


def undocumented(package: ModuleType) -> list[str]:
    """The public names that nothing is said of, or only what Python made."""
    found: list[str] = []
    for name in package.__all__:
        thing = getattr(package, name)
        if not (inspect.isclass(thing) or inspect.isroutine(thing) or inspect.ismodule(thing)):
            found += [] if constant_words(name) else [name]
            continue
        words = (thing.__doc__ or "").strip()
        found += [] if words and not words.startswith(f"{name}(") else [name]
        found += without_words(thing)
    return found


def without_words(thing: object) -> list[str]:
    """The public functions of a class or a module of ours without a docstring."""
    own = getattr(thing, "__module__", getattr(thing, "__name__", ""))
    found = []
    for name, value in vars(thing).items():
        inner = getattr(value, "__func__", getattr(value, "fget", value))
        if inspect.ismodule(thing) and getattr(inner, "__module__", "") != own:
            continue
        if not name.startswith("_") and inspect.isroutine(inner) and not (inner.__doc__ or "").strip():
            found.append(name)
    return found


def constant_words(name: str) -> str:
    """What stands above a public constant where it is made."""
    for module in ("projectl.core.view", "projectl.public", "projectl.bots.registry"):
        source = ROOT / "src" / Path(*module.split(".")).with_suffix(".py")
        words = ModuleAnalyzer.for_file(str(source), module).find_attr_docs().get(("", name))
        if words:
            return " ".join(words)
    return ""


def test_the_page_of_commands_is_what_the_program_says() -> None:
    assert COMMANDS.read_text(encoding="utf-8") == commands_page(), "`make docs` writes it anew"


def test_the_server_shows_it() -> None:
    asyncio.run(look_at_the_server())


async def look_at_the_server() -> None:
    server = StrictHeaders(PageServer(read(Path("none"), built())))
    async with httpx.AsyncClient(transport=httpx.ASGITransport(server), base_url="http://here") as http:
        assert (await http.get("/docs")).headers["location"] == "/docs/"
        first = await http.get("/docs/")
        assert (first.status_code, first.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert "how to play" in first.text
        assert "set-cookie" not in first.headers
        for link in pages()["index.html"].loads:
            assert (await http.get(f"/docs/{link}")).status_code == 200, link
        assert (await http.get("/docs/rules.html", headers={"if-none-match": ""})).status_code == 200
        assert (await http.get("/docs/nothing.html")).status_code == 404
        assert (await http.get("/docs/nothing")).status_code == 404


def test_a_server_without_it_says_so() -> None:
    async def asked() -> httpx.Response:
        without = httpx.ASGITransport(PageServer(read(Path("none"), Path("none"))))
        async with httpx.AsyncClient(transport=without, base_url="http://here") as http:
            return await http.get("/docs/")

    answer = asyncio.run(asked())
    assert (answer.status_code, "without its documentation" in answer.text) == (404, True)


def test_a_package_with_a_page_has_its_documentation() -> None:
    """A wheel's build puts both in."""
    if not page.FOLDER.is_dir():
        pytest.skip("the source as it is, or built without the page")
    assert (page.DOCS / "index.html").is_file()
    assert (page.DOCS / "searchindex.js").is_file()
