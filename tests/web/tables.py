"""Tables made for a person who then plays by hand."""

from __future__ import annotations

from typing import Any

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
