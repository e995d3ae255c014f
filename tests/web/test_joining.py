"""Getting people to a table: a code for a phone's camera, bots on empty seats, names, places, links to what is over."""

from __future__ import annotations

import base64
import re
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest
import zxingcpp
from playwright.sync_api import BrowserContext, Locator, Page, expect

from tests.server.processes import Server
from tests.web.conftest import Visits
from tests.web.people import Mouse
from tests.web.tables import play_on, sit_down
from tests.web.words import said

_PIXELS: Final = """async (picture) => {
  const image = new Image();
  image.src = `data:image/png;base64,${picture}`;
  await image.decode();
  const canvas = new OffscreenCanvas(image.width, image.height), pen = canvas.getContext("2d");
  pen.drawImage(image, 0, 0);
  const { data } = pen.getImageData(0, 0, image.width, image.height);
  return [image.width, Array.from({ length: data.length / 4 }, (_, n) => data[4 * n])];
}"""


def code_in(context: BrowserContext, seen: Locator) -> str:
    """What a camera reads from a picture of this."""
    blank = context.new_page()
    width, pixels = blank.evaluate(_PIXELS, base64.b64encode(seen.screenshot()).decode())
    blank.close()
    (found,) = zxingcpp.read_barcodes(np.array(pixels, dtype=np.uint8).reshape(-1, width))
    return str(found.text)


def online(page: Page, players: int = 3, **wish: Any) -> str:
    """A table of mine with open seats; its id."""
    seats = [{"kind": "me", "name": "Ana", "colour": "teal"}]
    return str(sit_down(Mouse(page), players=players, seats=seats, **wish)["game"])


def press(page: Page, key: str, **values: object) -> None:
    """A button by its words."""
    page.get_by_role("button", name=said(key, **values), exact=True).first.click()


@pytest.mark.parametrize("theme", ["dark", "light"])
def test_a_camera_reads_the_invitation(visits: Visits, theme: str) -> None:
    visit = visits(theme=theme)
    game = online(visit.page)
    press(visit.page, "lobby_qr")
    code = visit.page.get_by_role("img", name=said("lobby_qr_about"))
    expect(code).to_be_visible()
    link = code_in(visit.context, code)
    assert f"/join/{game}#" in link
    assert link == visit.page.get_by_label(said("lobby_link", n=2)).input_value()
    phone = visits(phone=True).page
    phone.goto(link)
    phone.get_by_label(said("seat_name"), exact=True).fill("Bo")
    press(phone, "join_sit")
    expect(visit.page.get_by_text("Bo", exact=True)).to_be_visible()


def test_a_warning_where_only_this_computer_gets_in(page: Page) -> None:
    online(page)
    expect(page.locator(".notice.bad code")).to_have_text("projectl serve --host 0.0.0.0")


def test_no_warning_where_others_get_in(visits: Visits, tmp_path: Path) -> None:
    class Public(Server):
        def options(self) -> list[str]:
            return [*super().options(), "--public-url", "https://games.example"]

    with Public(tmp_path).start() as server:
        visit = visits(server.url)
        online(visit.page)
        press(visit.page, "lobby_qr")
        code = visit.page.get_by_role("img", name=said("lobby_qr_about"))
        expect(code).to_be_visible()
        assert code_in(visit.context, code).startswith("https://games.example/join/")
        expect(visit.page.locator(".notice.bad")).to_have_count(0)
        visit.page.goto("/")


def test_bots_fill_seats_until_the_game_begins(page: Page) -> None:
    person = Mouse(page)
    online(page)
    press(page, "lobby_bot")
    expect(page.get_by_role("button", name=said("lobby_bot_leave"))).to_be_visible()
    press(page, "lobby_bot_leave")
    expect(page.get_by_role("button", name=said("lobby_bot"), exact=True)).to_have_count(2)
    press(page, "lobby_bot")
    expect(page.get_by_role("button", name=said("lobby_bot"), exact=True)).to_have_count(1)
    press(page, "lobby_bot")
    person.arrive()
    assert len(person.state()["view"]["players"]) == 3


def test_another_name_another_place_and_cancelled(visits: Visits) -> None:
    ana, bo = visits().page, visits(phone=True).page
    game = online(ana)
    press(ana, "lobby_copy")
    link = ana.get_by_label(said("lobby_link", n=2)).input_value()
    bo.goto(f"/join/{game}#{link.split('#')[1]}")
    press(bo, "join_sit")
    press(bo, "lobby_rename")
    bo.get_by_label(said("seat_name"), exact=True).fill("Bobby")
    press(bo, "lobby_save")
    expect(ana.get_by_text("Bobby", exact=True)).to_be_visible()
    expect(bo.get_by_role("button", name=said("lobby_cancel"))).to_have_count(0)
    press(ana, "seat_move_up", n=2)
    expect(ana.locator(".seat .name strong").first).to_have_text("Bobby")
    press(ana, "lobby_cancel")
    press(ana, "lobby_cancel_yes")
    for page in (ana, bo):
        expect(page.get_by_text(said("table_cancelled"))).to_be_visible()
    bo.goto(f"/join/{game}#{'x' * 32}")
    expect(bo.get_by_role("alert")).to_have_text(said("table_cancelled"))


def test_links_to_games_that_are_full_over_or_unknown(visits: Visits) -> None:
    ana, late = Mouse(visits().page), visits()
    made = sit_down(ana, players=2, seats=[{"kind": "me"}, {"kind": "bot", "bot": "random"}])
    late.page.goto(f"/join/{made['game']}?seat=2")
    expect(late.page.get_by_role("alert")).to_have_text(said("join_full"))
    late.page.goto(f"/join/{made['game']}#{'x' * 32}")
    expect(late.page.get_by_text(said("join_taken", game="2 players"))).to_be_visible()
    press(late.page, "join_sit")
    expect(late.page.get_by_role("alert")).to_have_text(said("refused_invite"))
    ana.page.request.post(f"/api/tables/{made['game']}/resign", data={"id": "r", "version": 0})
    late.page.goto("/")
    late.page.goto(f"/join/{made['game']}#{'y' * 32}")
    expect(late.page.get_by_role("alert")).to_have_text(said("join_over"))
    late.page.goto("/join/nothing#token")
    expect(late.page.get_by_role("alert")).to_have_text(said("refused_no_game"))
    expect(late.page.get_by_role("main").get_by_role("link", name=said("nav_home"))).to_be_visible()
    late.wrong[:] = [text for text in late.wrong if not re.search(r"40[34]", text)]  # the browser notes each refusal


def test_two_who_look_for_anybody_meet(visits: Visits) -> None:
    ana, bo = visits().page, visits(phone=True).page
    ana.goto("/pair")
    ana.get_by_role("button", name="3 players").click()
    expect(ana.locator("main [role=status]")).to_have_text(said("pair_none"))
    ana.get_by_role("button", name="2 players").click()
    press(ana, "pair_go")
    expect(ana.get_by_text(said("lobby_pair"))).to_be_visible()
    bo.goto("/pair")
    expect(bo.locator("main [role=status]")).to_have_text(said("pair_some"))
    press(bo, "pair_go")
    for page in (ana, bo):
        expect(page.locator(".board")).to_be_visible()


def test_the_solo_game_of_the_day(page: Page) -> None:
    person = Mouse(page)
    page.goto("/solo")
    expect(page.get_by_role("heading", name=said("solo_best"))).to_be_visible()
    page.get_by_label(said("seat_name"), exact=True).fill("Ana")
    press(page, "solo_play")
    person.arrive()
    game = person.game
    expect(page.get_by_role("button", name="Hint")).to_have_count(0)
    page.goto("/solo")
    press(page, "solo_go_on")
    person.arrive()
    assert person.game == game
    person.sees(0)
    play_on(person)
    page.get_by_role("link", name=said("solo_best")).click()
    expect(page.get_by_text(said("solo_done"))).to_be_visible()
    expect(page.locator("tr.mine")).to_contain_text("Ana")
    page.get_by_role("link", name=said("solo_look")).first.click()
    page.wait_for_url(re.compile(f"/replay/{game}"))


def test_a_shared_screen_is_handed_over(visits: Visits) -> None:
    visit = visits()
    visit.settings('{"handing": true}')
    person = Mouse(visit.page)
    seats = [{"kind": "me", "name": "Mia", "colour": "teal"}, {"kind": "me", "name": "Max", "colour": "coral"}]
    sit_down(person, players=2, seats=seats, seed="shared")
    dialog = visit.page.get_by_role("dialog")
    expect(dialog).to_have_count(0)
    state = person.state()
    for _ in range(3):
        state = person.act(state, 1, "gain O1")
    expect(dialog).to_contain_text(said("hand_title", name="Max"))
    dialog.get_by_text(said("hand_begin")).click()
    expect(dialog).to_have_count(0)
    person.act(person.state(), 2, "gain O1")
