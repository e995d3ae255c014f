"""The page without its server."""

from __future__ import annotations

from pathlib import Path

from playwright.sync_api import expect

from tests.server.processes import Server
from tests.web.conftest import Visits
from tests.web.people import Mouse
from tests.web.tables import sit_down
from tests.web.words import said


def test_the_last_state_shows_when_the_page_is_loaded_while_the_server_is_gone(visits: Visits, tmp_path: Path) -> None:
    with Server(tmp_path).start() as mortal:
        visit = visits(mortal.url)
        person, page = Mouse(visit.page), visit.page
        sit_down(person, players=2, seats=[{"kind": "me", "name": "Ana"}, {"kind": "me", "name": "Bo"}], seed="gone")
        person.act(person.state(), 1, "take W1")
        page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
        page.wait_for_function("() => caches.match(location.origin + '/api/cards').then(found => found !== undefined)")
        visit.may_lose = True
        mortal.kill()
        page.reload()
        lost = page.get_by_text(said("link_gone"))
        expect(lost).to_be_visible()
        expect(page.locator('[data-grid="1"]')).to_be_visible()
        expect(page.get_by_role("region", name="Log")).to_contain_text("Ana takes a white puzzle")
        # It can be looked at, not played.
        for name in ("Gain", "Upgrade", "From deck"):
            button = page.get_by_role("toolbar").get_by_role("button", name=name)
            expect(button).to_have_attribute("aria-disabled", "true")
        mortal.start()
        expect(lost).to_be_hidden(timeout=20_000)
        person.act(person.await_state(lambda now: bool(now["legal"])), 1, "gain O1")
