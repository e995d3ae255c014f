"""Tables made for a person who then plays by hand."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.web.choosing import State, choose
from tests.web.people import Person


def sit_down(person: Person, **wish: Any) -> dict[str, Any]:
    """A table with a chosen deck, made with the person's own key, and opened."""
    if person.page.url == "about:blank":
        person.page.goto("/")
    answer = person.page.request.post("/api/tables", data=wish)
    assert answer.ok, answer.text()
    made: dict[str, Any] = answer.json()
    person.page.goto(f"/table/{made['game']}")
    if not made["invites"]:
        person.arrive()
        person.sees(0)
    return made


def go_on(person: Person, record: str, *, seats: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    """A table that begins where a record ends; unless told otherwise all seats are the person's own."""
    if person.page.url == "about:blank":
        person.page.goto("/")
    players = int(next(line for line in record.splitlines() if line.startswith("players")).split()[1])
    wish = {"record": record, "seats": seats or [{"kind": "me"}] * players}
    answer = person.page.request.post("/api/import", data=wish)
    assert answer.ok, answer.text()
    made: dict[str, Any] = answer.json()
    person.page.goto(f"/table/{made['game']}")
    person.arrive()
    person.sees(0)
    return made


def sit_down_together(host: Person, guest: Person, **wish: Any) -> str:
    """A table of two: Ana makes it, Bo comes by her invitation; the id. Both see the table."""
    seats = [{"kind": "me", "name": "Ana", "colour": "teal"}, {"kind": "open"}]
    made = sit_down(host, **{"players": 2, "seats": seats, **wish})
    guest.page.goto(f"/join/{made['game']}#{made['invites']['2']}")
    guest.page.get_by_label("Name", exact=True).fill("Bo")
    guest.press(guest.page.get_by_role("button", name="Sit down"))
    for person in (host, guest):
        person.arrive()
    game: str = made["game"]
    return game


def send(person: Person, beginning: str) -> None:
    """Somebody does the first action that begins so on another device of theirs: without this page."""
    state = person.state()
    seat = next(seat for seat in state["view"]["to_act"] if seat in state["seats"])
    _post(person, state, seat, next(text for text in state["legal"][str(seat)] if text.startswith(beginning)))


def send_resignation(person: Person) -> None:
    """Somebody gives up, on another device of theirs."""
    answer = person.page.request.post(f"/api/tables/{person.game}/resign", data={"id": "up"})
    assert answer.ok, answer.text()


def _post(person: Person, state: State, seat: int, action: str) -> None:
    answer = person.page.request.post(
        f"/api/tables/{person.game}/actions",
        data={"id": f"sent{state['version']}", "version": state["version"], "action": action, "seat": seat},
    )
    assert answer.ok, answer.text()


def play_on(person: Person, ready: Callable[[State], bool] = lambda view: view["phase"] == "over") -> State:
    """All of a person's seats are played without the page, to the end or until a view has this; it sees the last."""
    done: Counter[str] = Counter()
    while not ready((state := person.state())["view"]):
        seat = state["view"]["to_act"][0]
        action = choose(state, seat, done)
        done[action.split()[0]] += 1
        _post(person, state, seat, action)
    person.sees(state["version"])
    return state
