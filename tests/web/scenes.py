"""Every screen of the page, each by a function that brings a visit there."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeAlias

from playwright.sync_api import expect

from projectl.core.state import TOUCHES
from tests.web.browsing import Visit
from tests.web.people import Mouse, Person
from tests.web.positions import having, header, played, until
from tests.web.tables import go_on, sit_down

Scene: TypeAlias = Callable[[Visit], None]
EVERYTHING: Final = "ghost ambassador phoenix finesse finesse_ambassador endless_white"
NAMES: Final = ["Ana", "Bo", "Cleo", "Dai", "Eva", "Finn"]
COLOURS: Final = ["teal", "coral", "violet", "gold", "rose", "sky"]


def named(players: int, *, others: str = "me") -> list[dict[str, Any]]:
    """Seats with names and colours; the first is mine."""
    kinds = ["me", *[others] * (players - 1)]
    return [{"kind": kind, "name": NAMES[n], "colour": COLOURS[n]} for n, kind in enumerate(kinds)]


@cache
def record(name: str) -> str:
    """The records of the scenes."""
    made: dict[str, Callable[[], str]] = {
        "middle": lambda: played(header(2, seed="picture"), 36),
        "late": lambda: played(header(2, seed="picture"), 60),
        "four": lambda: played(header(4, seed="four-2"), 90),
        "solo": lambda: played(header(1, seed="solo"), 22),
        "line_clear": lambda: played(header(5, "line_clear", seed="lines"), 70),
        "line_clear_six": lambda: played(header(6, "line_clear phoenix", seed="lines"), 80),
        "modules": lambda: played(header(2, EVERYTHING, seed="all-58"), 40),
        "ghost": lambda: having("ghost", lambda seed: header(2, "ghost", seed), 5),
        "levelup": lambda: having("levelup", lambda seed: header(2, "ghost", seed), 1),
        "reward": lambda: having("reward", lambda seed: header(2, "", seed), 3, "gain"),
        "touches": lambda: until(header(2, seed="0"), lambda _, state: state.phase == TOUCHES),
    }
    return made[name]()


def at(path: str) -> Scene:
    """A screen with an address."""

    def scene(visit: Visit) -> None:
        visit.page.goto(path)
        expect(visit.page.locator("h1").first).to_be_visible()

    return scene


def table(name: str) -> Scene:
    """A table in the middle of a game."""

    def scene(visit: Visit) -> None:
        text = record(name)
        players = int(next(line for line in text.splitlines() if line.startswith("players")).split()[1])
        go_on(Mouse(visit.page), text, seats=named(players))

    return scene


def asking(name: str, button: str) -> Scene:
    """A table where something of the action bar is asked for."""

    def scene(visit: Visit) -> None:
        table(name)(visit)
        visit.page.locator(f".do-{button}").click()
        expect(visit.page.get_by_role("dialog")).to_be_visible()

    return scene


def choosing(name: str, button: str, shown: str) -> Scene:
    """A table where something of the action bar has begun, and the table shows how it can go on."""

    def scene(visit: Visit) -> None:
        table(name)(visit)
        visit.page.locator(f".do-{button}").click()
        expect(visit.page.locator(shown).first).to_be_visible()

    return scene


def setup(visit: Visit) -> None:
    """All options in sight."""
    at("/new?mode=local")(visit)
    for summary in visit.page.locator("summary").all():
        summary.click()
    visit.page.evaluate("scrollTo(0, 0)")


def start(visit: Visit) -> None:
    """The first screen with a mode opened."""
    at("/")(visit)
    visit.page.locator(".mode .face").first.click()


def table_start(visit: Visit) -> None:
    """A game that begins."""
    sit_down(Mouse(visit.page), players=2, seats=named(2), seed="picture")


def lobby(visit: Visit) -> None:
    """A table that waits for people."""
    page = visit.page
    page.goto("/")
    made = page.request.post(
        "/api/tables", data={"players": 3, "seats": named(3, others="open"), "public": True}
    ).json()
    page.goto(f"/table/{made['game']}")
    expect(page.locator(".seat").first).to_be_visible()


def join(visit: Visit) -> None:
    """A seat that is offered."""
    page = visit.page
    page.goto("/")
    made = page.request.post("/api/tables", data={"players": 2, "seats": named(2, others="open")}).json()
    page.goto(f"/join/{made['game']}#{made['invites']['2']}")
    expect(page.locator("form")).to_be_visible()


def tables(visit: Visit) -> None:
    """Open tables."""
    lobby(visit)
    visit.page.goto("/tables")
    expect(visit.page.locator("main li").first).to_be_visible()


def mine(visit: Visit) -> None:
    """My games."""
    table_start(visit)
    visit.page.goto("/mine")
    expect(visit.page.locator(".entry").first).to_be_visible()


def learn(visit: Visit) -> None:
    """The guided game, at the step where a card is taken."""
    visit.page.goto("/learn")
    visit.page.evaluate("sessionStorage.removeItem('projectl.learn')")
    visit.page.reload()
    visit.page.locator(".way button").click()
    expect(visit.page.locator(".slot.spot")).to_be_visible()


def master(visit: Visit) -> None:
    """Master with one piece laid and another in hand."""
    table("middle")(visit)
    person: Person = Mouse(visit.page)
    state = person.state()
    seat = state["view"]["to_act"][0]
    listed = [text for text in state["legal"][str(seat)] if text.startswith("master")]
    assert isinstance(person, Mouse)
    person.choose("Master")
    person.lay_text(state, seat, listed[0].split()[1])
    expect(visit.page.get_by_role("button", name="Confirm")).to_be_visible()


def holding(visit: Visit) -> None:
    """A piece in hand."""
    table("middle")(visit)
    visit.page.locator("[data-piece]:not(.idle)").last.click()
    expect(visit.page.locator(".prompt .turn").first).to_be_visible()


def player_sheet(visit: Visit) -> None:
    """Another player in full."""
    table("four")(visit)
    visit.page.locator(".players [aria-pressed=true]").click()
    expect(visit.page.get_by_role("dialog")).to_be_visible()


def keys(visit: Visit) -> None:
    """All keys."""
    table("middle")(visit)
    visit.page.keyboard.press("?")
    expect(visit.page.get_by_role("dialog")).to_be_visible()


def rules(visit: Visit) -> None:
    """The rules beside the table."""
    table("middle")(visit)
    visit.page.get_by_role("button", name="Rules").click()
    expect(visit.page.get_by_role("dialog")).to_be_visible()


def menu(visit: Visit) -> None:
    """The menu of the table."""
    table("middle")(visit)
    visit.page.get_by_role("button", name="Menu").click()
    expect(visit.page.locator("#table-menu")).to_be_visible()


def finished(visit: Visit) -> str:
    """A finished game of mine; its id."""
    made = go_on(Mouse(visit.page), record("touches"), seats=named(2))
    request = visit.page.request
    state = request.get(f"/api/tables/{made['game']}/state").json()
    while state["view"]["phase"] != "over":
        seat = state["view"]["to_act"][0]
        action = {"id": f"end{seat}", "version": state["version"], "action": "done", "seat": seat}
        assert request.post(f"/api/tables/{made['game']}/actions", data=action).ok
        state = request.get(f"/api/tables/{made['game']}/state").json()
    game: str = made["game"]
    return game


def score(visit: Visit) -> None:
    """The score screen."""
    finished(visit)
    expect(visit.page.get_by_role("dialog")).to_be_visible()


def replay(visit: Visit) -> None:
    """A replay in the middle."""
    game = finished(visit)
    visit.page.goto(f"/replay/{game}?step=30")
    expect(visit.page.locator("input[type=range]")).to_be_visible()


def analysis(visit: Visit) -> None:
    """A game looked at again."""
    replay(visit)
    visit.page.locator("header button.small").click()
    expect(visit.page.locator("figure svg").first).to_be_visible()
    visit.page.wait_for_function(
        "() => document.querySelectorAll('figure path.line')[0]?.getAttribute('d')?.includes('L')"
    )


def offline(visit: Visit) -> None:
    """The last known state, without a network."""
    table("middle")(visit)
    page = visit.page
    page.evaluate("navigator.serviceWorker.ready.then(() => undefined)")
    page.wait_for_function("() => caches.match(location.origin + '/api/cards').then(found => found !== undefined)")
    visit.may_lose = True
    visit.context.set_offline(True)
    page.reload()
    expect(page.locator(".lost strong")).to_be_visible()


def settle(visit: Visit) -> None:
    """Wait for whatever moves or changes its colour, and will stop."""
    visit.page.evaluate(
        """async () => {
          for (;;) {
            for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
            const ends = (each) => each.effect.getComputedTiming().endTime !== Infinity;
            const moving = document.getAnimations().filter(ends);
            if (moving.every((each) => each.playState !== "running")) return;
            await Promise.all(moving.map((each) => each.finished.catch(() => {})));
          }
        }"""
    )


SCENES: Final[dict[str, Scene]] = {
    "start": start,
    "setup": setup,
    "lobby": lobby,
    "join": join,
    "tables": tables,
    "mine": mine,
    "settings": at("/settings"),
    "help": at("/help"),
    "learn": learn,
    "lessons": at("/lessons"),
    "lesson": at("/lessons/recycle"),
    "pair": at("/pair"),
    "solo-day": at("/solo"),
    "daily": at("/daily"),
    "replay-open": at("/replay"),
    "missing": at("/nothing-here"),
    "table-start": table_start,
    "table": table("middle"),
    "table-four": table("four"),
    "table-solo": table("solo"),
    "table-line-clear": table("line_clear"),
    "table-modules": table("modules"),
    "holding": holding,
    "master": master,
    "upgrade": choosing("middle", "upgrade", "[data-piece].source"),
    "recycle": asking("middle", "recycle"),
    "deck": asking("middle", "deck"),
    "ghost": choosing("ghost", "ghost", ".cuts, [data-piece].source"),
    "levelup": table("levelup"),
    "reward": table("reward"),
    "touches": table("touches"),
    "player": player_sheet,
    "keys": keys,
    "rules": rules,
    "menu": menu,
    "score": score,
    "replay": replay,
    "analysis": analysis,
}
