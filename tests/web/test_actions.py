"""What cannot be done says why; what was done can be taken back as far as the rules of undo go."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.web.conftest import Visits
from tests.web.people import Finger, Keys, Mouse, Person
from tests.web.pieces import Placement
from tests.web.tables import sit_down
from tests.web.words import said


@pytest.mark.parametrize("means", [Mouse, Keys])
def test_undo_goes_back_to_what_was_revealed(page: Page, means: type[Person]) -> None:
    person = means(page)
    sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="undo")
    bar = page.get_by_role("toolbar", name="Actions")
    undo, reset = bar.get_by_role("button", name="Undo"), bar.get_by_role("button", name="Reset turn")
    expect(undo).to_have_attribute("aria-disabled", "true")
    state = person.state()
    state = person.act(state, 1, "gain O1")
    state = person.act(state, 1, "upgrade O1 I2")
    assert state["view"]["players"][0]["supply"] == {"O1": 1, "I2": 2}
    person.choose("Undo")
    state = person.await_state(lambda now: now["view"]["players"][0]["supply"] == {"O1": 2, "I2": 1})
    person.act(state, 1, "upgrade I2 L3")
    expect(reset).to_have_attribute("aria-disabled", "false")
    person.choose("Reset turn")
    state = person.await_state(lambda now: now["view"]["players"][0]["supply"] == {"O1": 1, "I2": 1})
    # A card that was turned up cannot be unseen.
    state = person.act(state, 1, "take W1")
    expect(undo).to_have_attribute("aria-disabled", "true")
    person.choose("Undo")
    expect(page.get_by_role("alert")).to_have_text(said("b_why_no_undo"))
    assert person.state()["version"] == state["version"]
    # Nor does an undo reach back over it.
    state = person.act(state, 1, "gain O1")
    person.choose("Undo")
    state = person.await_state(lambda now: now["version"] > state["version"])
    assert [puzzle["place"] for puzzle in state["view"]["players"][0]["puzzles"]] == [1]
    expect(undo).to_have_attribute("aria-disabled", "true")


def test_the_other_players_turn_is_not_taken_back(visits: Visits) -> None:
    ana, bo = Mouse(visits().page), Finger(visits(phone=True).page)
    made = sit_down(ana, players=2, seats=[{"kind": "me"}, {"kind": "open"}], seed="undo")
    bo.page.goto(f"/join/{made['game']}#{made['invites']['2']}")
    bo.press(bo.page.get_by_role("button", name="Sit down"))
    ana.arrive()
    ana.await_state(lambda now: bool(now["legal"]))
    for _ in range(3):
        ana.act(ana.state(), 1, "gain O1")
    # The turn ended with nothing revealed: it can be taken back until Bo acts.
    undo = ana.page.get_by_role("toolbar", name="Actions").get_by_role("button", name="Undo")
    expect(undo).to_have_attribute("aria-disabled", "false")
    bo.arrive()
    bo.act(bo.await_state(lambda now: bool(now["legal"])), 2, "gain O1")
    expect(undo).to_have_attribute("aria-disabled", "true")


def test_what_is_not_possible_says_why(page: Page) -> None:
    person = Mouse(page)
    sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="why")
    alert = page.get_by_role("alert")
    person.choose("Master")
    expect(alert).to_have_text(said("b_why_no_puzzle"))
    person.press(person.piece("I2"))
    person.press(page.locator('[data-reserve="T4"]'))
    expect(alert).to_be_visible()
    page.keyboard.press("Escape")
    state = person.state()
    for _ in range(2):
        state = person.act(state, 1, "take B1")
    assert "master" in " ".join(state["legal"]["1"])
    # A piece dropped where it cannot lie says why, and stays in the supply.
    puzzle = state["view"]["players"][0]["puzzles"][0]
    card = next(cell for cell in ("a1", "e1", "a5", "e5") if cell not in puzzle["empty"])
    person.drag(person.piece("I2"), lambda: centre_of(page, f'[data-grid="1"] [data-cell="{card}"]'))
    expect(alert).to_have_text(said("b_why_beside"))
    assert person.state()["version"] == state["version"]


def test_a_click_between_two_cells_counts(page: Page) -> None:
    """Where sizes leave a hair's breadth between cells, a click meets their row."""
    person = Mouse(page)
    sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="undo")
    state = person.act(person.state(), 1, "take W1")
    texts = [text.removeprefix("place ") for text in state["legal"]["1"] if text.startswith("place ")]
    placement = next(found for found in map(Placement.read, texts) if found.piece == "O1")
    person.press(person.piece("O1"))
    x, y = person.spot(placement)
    page.mouse.move(x, y, steps=2)
    click = "([x, y]) => document.querySelector('[data-grid=\"1\"] .line').dispatchEvent(new PointerEvent('click', {"
    click += "bubbles: true, clientX: x, clientY: y, pointerType: 'mouse'}))"
    page.evaluate(click, [x, y])
    person.await_state(lambda now: now["view"]["players"][0]["puzzles"][0]["pieces"] != [])


def test_with_an_empty_supply_the_prompt_asks_for_no_piece(page: Page) -> None:
    person = Mouse(page)
    sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="why")
    state = person.act(person.state(), 1, "take B1")
    expect(page.locator(".prompt .guide")).to_have_text(said("b_guide_turn"))
    for length in (2, 1):  # the domino, then the dot
        place = next(text for text in state["legal"]["1"] if re.fullmatch(f"place 1:(..){{{length}}}", text))
        state = person.act(state, 1, place)
    for _ in range(3):
        state = person.act(state, 2, "gain O1")
    assert not state["view"]["players"][0]["supply"]
    expect(page.locator(".prompt .guide")).to_have_text(said("b_guide_empty"))


def centre_of(page: Page, selector: str) -> tuple[float, float]:
    """The middle of something on the screen."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def test_an_action_refused_by_the_server_is_told_in_words(visits: Visits) -> None:
    """The same seat on two devices, and the news of the other device comes late."""
    visit = visits()
    late: list[str] = []

    def slow(route: WebSocketRoute) -> None:
        there = route.connect_to_server()
        route.on_message(there.send)

        def pass_on(message: str | bytes) -> None:
            assert isinstance(message, str)
            if late and '"type":"state"' in message:
                late.append(message)
            else:
                route.send(message)

        there.on_message(pass_on)

    visit.page.route_web_socket(re.compile("/api/socket$"), slow)
    person = Mouse(visit.page)
    made = sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="twice")
    version = person.state()["version"]
    late.append("from now on")
    answer = person.page.request.post(
        f"/api/tables/{made['game']}/actions",
        data={"id": "elsewhere", "version": version, "action": "take W1", "seat": 1},
    )
    assert answer.ok, answer.text()
    person.choose("Gain")
    expect(person.page.get_by_role("alert")).to_have_text(re.compile("Somebody else acted first"))


def test_a_turn_is_confirmed_where_that_is_wanted(visits: Visits) -> None:
    visit = visits()
    visit.settings('{"confirmTurn": true}')
    person = Mouse(visit.page)
    sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="sure")
    page = visit.page
    state = person.state()
    for _ in range(2):
        state = person.act(state, 1, "gain O1")
    person.choose("Gain")
    expect(page.get_by_text("End your turn with this?")).to_be_visible()
    assert person.state()["version"] == state["version"]
    page.get_by_role("button", name="Confirm").click()
    person.await_state(lambda now: now["view"]["to_act"] == [2])


def test_a_hint_is_given_with_its_reason_and_can_be_played(page: Page) -> None:
    person = Mouse(page)
    sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "me"}], seed="hint")
    version = person.state()["version"]
    person.choose("Hint")
    play = page.get_by_role("button", name="Play it")
    expect(play).to_be_visible()
    page.get_by_role("button", name="Hide the hint").click()
    expect(play).to_have_count(0)
    person.choose("Hint")
    play.click()
    person.await_state(lambda now: now["version"] > version)


def test_pieces_are_planned_while_others_play(visits: Visits) -> None:
    person = Mouse(visits().page)
    made = sit_down(person, players=2, seats=[{"kind": "me"}, {"kind": "open"}], seed="plan")
    other = person.page.request
    token = other.post(
        f"/api/tables/{made['game']}/join",
        data={"invite": made["invites"]["2"], "name": "Bo", "colour": "coral", "token": True},
    ).json()["token"]
    person.arrive()
    state = person.await_state(lambda now: bool(now["legal"]))
    for _ in range(3):
        state = person.act(state, 1, "take W1")
    page = person.page
    person.press(person.piece("O1"))
    cell = state["view"]["players"][0]["puzzles"][0]["empty"][0]
    page.locator(f'[data-grid="1"] [data-cell="{cell}"]').hover()
    page.locator(f'[data-grid="1"] [data-cell="{cell}"]').click()
    expect(page.get_by_role("button", name="Clear plan")).to_be_visible()
    expect(page.locator(".piece.plan")).to_have_count(1)
    for _ in range(3):
        now = person.state()
        answer = other.post(
            f"/api/tables/{made['game']}/actions",
            headers={"authorization": f"Bearer {token}"},
            data={"id": f"bo{now['version']}", "version": now["version"], "action": "gain O1", "seat": 2},
        )
        assert answer.ok, answer.text()
    state = person.await_state(lambda now: now["view"]["to_act"] == [1])
    page.locator(f'[data-grid="1"] [data-cell="{cell}"]').click()
    after = person.await_state(lambda now: now["version"] > state["version"])
    assert after["events"][-1]["event"]["action"] == f"place 1:{cell}"
