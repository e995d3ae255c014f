"""One server and one browser for all of these tests; visits that fail their test when anything is wrong on the page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeAlias

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.server.processes import Server
from tests.web.browsing import ARGUMENTS, Visit, chromium, why_not

Visits: TypeAlias = Callable[..., Visit]


# Not for the whole session: a browser driven this way holds an event loop, and other tests want their own.
@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server whose bots do not pause."""
    if reason := why_not():
        pytest.skip(reason)
    with Server(tmp_path_factory.mktemp("web")).start() as running:
        yield running


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium."""
    if reason := why_not():
        pytest.skip(reason)
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        yield running
        running.close()


@pytest.fixture
def visits(browser: Browser, server: Server) -> Iterator[Visits]:
    """Makes visits; at the end none of them may have seen anything wrong."""
    made: list[Visit] = []

    def visit(url: str = "", **more: Any) -> Visit:
        made.append(Visit(browser, url or server.url, **more))
        return made[-1]

    yield visit
    for each in made:
        each.close()
    wrong = [f"visit {number}: {text}" for number, each in enumerate(made, 1) for text in each.wrong]
    assert not wrong, "\n".join(wrong)


@pytest.fixture
def page(visits: Visits) -> Page:
    """A page on a desktop."""
    return visits().page
