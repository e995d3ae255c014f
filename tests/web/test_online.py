"""Two people on two devices; the connection breaks in the middle; the server dies; actions are refused."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import expect

from tests.server.processes import Server
from tests.web.choosing import choose
from tests.web.conftest import Visits
from tests.web.people import Finger, Mouse, Person
from tests.web.test_games import score_screen
from tests.web.words import said


def invite(host: Person, rounds: int) -> str:
    """Make an online table by hand; the link for the other seat."""
    page = host.page
    page.goto("/new?mode=online")
    page.get_by_text(said("setup_options")).click()
    page.get_by_label(said("option_max_rounds")).fill(str(rounds))
    page.get_by_role("button", name=said("setup_invite")).click()
    expect(page.get_by_role("heading", name="The table is set")).to_be_visible()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    link: str = page.evaluate("navigator.clipboard.readText()")
    return link


def test_an_online_game_with_a_lost_connection(visits: Visits) -> None:
    ana_visit = visits(permissions=["clipboard-read", "clipboard-write"])
    bo_visit = visits(phone=True)
    ana, bo = Mouse(ana_visit.page), Finger(bo_visit.page)
    bo.page.goto(invite(ana, 3))
    expect(bo.page.get_by_role("heading", name=said("join_title"))).to_be_visible()
    bo.page.get_by_label("Name", exact=True).fill("Bo")
    bo.press(bo.page.get_by_role("button", name="Sit down"))
    bo.arrive()
    ana.arrive()
    people: dict[int, Person] = {1: ana, 2: bo}
    broke = False
    while True:
        state = ana.state()
        if state["view"]["phase"] == "over":
            break
        seat = state["view"]["to_act"][0]
        person = people[seat]
        person.sees(state["version"])
        mine = person.state()
        if seat == 1 and state["version"] >= 8 and not broke:
            # Bo loses the network while Ana plays on, and comes back to what happened meanwhile.
            broke = True
            bo_visit.may_lose = True
            bo_visit.context.set_offline(True)
            bo.page.evaluate("window.dispatchEvent(new Event('offline'))")
            before = mine["version"]
            ana.act(mine, seat, choose(mine, seat, ana.done))
            bo_visit.context.set_offline(False)
            bo.sees(before + 1)
            continue
        person.act(mine, seat, choose(mine, seat, person.done))
    assert broke
    for person in (ana, bo):
        person.sees(state["version"])
        score_screen(person, 2)


def test_a_dead_server_is_told_in_words_and_the_game_goes_on(visits: Visits, tmp_path: Path) -> None:
    with Server(tmp_path).start() as mortal:
        visit = visits(mortal.url)
        person = Mouse(visit.page)
        page = visit.page
        page.goto("/")
        person.press(page.get_by_role("button", name="Play here together"))
        person.press(page.get_by_role("button", name="2 players"))
        person.arrive()
        state = person.await_state(lambda now: bool(now["legal"]))
        person.act(state, 1, "take W1")
        visit.may_lose = True
        mortal.kill()
        expect(page.get_by_text(said("link_gone"))).to_be_visible()
        # What is begun meanwhile waits, or cannot be begun.
        expect(page.get_by_role("toolbar").get_by_role("button", name="Gain")).to_have_attribute(
            "aria-disabled", "true"
        )
        expect(page.get_by_role("button", name="Try now")).to_be_visible()
        mortal.start()
        # One can wait, or press; on a slow machine the page may have come back by itself before one does.
        page.evaluate("[...document.querySelectorAll('.lost button')].forEach((button) => button.click())")
        expect(page.get_by_text(said("link_gone"))).to_be_hidden()
        state = person.await_state(lambda now: bool(now["legal"]))
        person.act(state, 1, "gain O1")
        # A new page without a server: said in words too.
        mortal.kill()
        page.goto("about:blank")
        page.goto("/")
        person.press(page.get_by_role("button", name="Play here together"))
        person.press(page.get_by_role("button", name="2 players"))
        expect(page.get_by_role("alert")).to_have_text(said("refused_server_gone"))


def test_the_last_state_shows_without_a_network(visits: Visits) -> None:
    visit = visits()
    person = Mouse(visit.page)
    page = visit.page
    page.goto("/")
    person.press(page.get_by_role("button", name="Play here together"))
    person.press(page.get_by_role("button", name="2 players"))
    person.arrive()
    person.act(person.await_state(lambda now: bool(now["legal"])), 1, "take W1")
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.wait_for_function("() => caches.match(location.origin + '/api/cards').then(found => found !== undefined)")
    visit.may_lose = True
    visit.context.set_offline(True)
    page.reload()
    lost = page.get_by_text(re.compile(f"{said('link_offline')}|{said('link_gone')}"))
    expect(lost).to_be_visible()
    expect(page.locator('[data-grid="1"]')).to_be_visible()
    visit.context.set_offline(False)
    expect(lost).to_be_hidden()
    person.act(person.await_state(lambda now: bool(now["legal"])), 1, "gain O1")
