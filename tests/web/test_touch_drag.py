"""Dragging with a finger, which the browser must not take for scrolling."""

from __future__ import annotations

from playwright.sync_api import CDPSession, Locator

from tests.web.conftest import Visits
from tests.web.people import Finger, Mouse, middle
from tests.web.pieces import Placement, turns
from tests.web.tables import sit_down

_ABOVE = 64  # a carried piece is drawn so far above the finger


def drag(session: CDPSession, start: tuple[float, float], end: tuple[float, float]) -> None:
    """Down, along, up."""

    def send(kind: str, *points: tuple[float, float]) -> None:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})

    send("touchStart", start)
    for step in range(1, 11):
        send("touchMove", tuple(a + (b - a) * step / 10 for a, b in zip(start, end, strict=True)))  # type: ignore[arg-type]
    send("touchEnd")


def test_cards_and_pieces_are_dragged_with_a_finger(visits: Visits) -> None:
    visit = visits(phone=True)
    person = Finger(visit.page)
    sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="finger")
    session = visit.context.new_cdp_session(visit.page)
    state = person.state()
    card: Locator = visit.page.locator('[data-slot="W1"]')
    drag(session, middle(card), mine(person))
    state = person.await_state(lambda now: now["version"] > state["version"])
    assert state["events"][-1]["event"]["action"] == "take W1"
    place = next(text for text in state["legal"]["1"] if text.startswith("place") and len(text) > len("place 1:a1"))
    placement = Placement.read(place.split()[1])
    piece = person.piece(placement.piece)
    for _ in range(5):  # right after a drag the browser may take a tap for the end of a fling
        person.press(piece)
        if piece.get_attribute("aria-pressed") == "true":
            break
    for letter in turns(person.held(), placement.cells):
        person.press(visit.page.locator(".prompt").get_by_role("button", name={"R": "Rotate", "F": "Flip"}[letter]))
    visit.page.locator(f'[data-grid="{placement.place}"]').scroll_into_view_if_needed()
    x, y = Mouse(visit.page).spot(placement)
    drag(session, middle(piece), (x, y + _ABOVE))
    state = person.await_state(lambda now: now["version"] > state["version"])
    assert state["events"][-1]["event"]["action"] == place


def mine(person: Finger) -> tuple[float, float]:
    """A spot on one's own board that is on the screen."""
    box = person.page.locator("[data-mine]").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, min(box["y"] + box["height"] / 2, 640)
