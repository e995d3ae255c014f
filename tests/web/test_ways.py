"""Ways through the page: back to a game, the help that fits it, choices that stay, links that can be read."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.web.people import Mouse
from tests.web.tables import sit_down
from tests.web.words import said


def test_settings_and_rules_lead_back_to_the_game(page: Page) -> None:
    person = Mouse(page)
    back = page.get_by_role("link", name=said("nav_back"))
    page.goto("/settings")
    expect(page.get_by_role("heading", name=said("settings_title"))).to_be_visible()
    expect(back).to_have_count(0)
    game = sit_down(person, players=2, seats=[{"kind": "me"}] * 2)["game"]
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name=said("nav_settings")).click()
    expect(back).to_be_visible()
    # From one to the other, within one, and after a reload: the game is not forgotten.
    page.get_by_role("link", name=said("nav_help")).click()
    page.get_by_role("navigation", name=said("help_topics")).get_by_role("link", name=said("help_score_title")).click()
    page.wait_for_url(re.compile("#score$"))
    page.reload()
    back.click()
    page.wait_for_url(re.compile(f"/table/{game}$"))
    person.arrive()
    # Who went somewhere else did not mean to come back.
    page.locator("header").get_by_role("link", name=said("nav_home")).click()
    page.get_by_role("link", name=said("nav_settings")).click()
    expect(page.get_by_role("heading", name=said("settings_title"))).to_be_visible()
    expect(back).to_have_count(0)


def test_the_help_of_a_table_tells_of_its_own_game(page: Page) -> None:
    person = Mouse(page)
    dialog = page.locator("dialog[open]")
    topics = dialog.get_by_label(said("help_other"))

    def help_of(players: int, **wish: object) -> list[str]:
        sit_down(person, players=players, seats=[{"kind": "me"}] * players, **wish)
        page.locator("header").get_by_role("button", name=said("nav_help")).click()
        expect(dialog).to_be_visible()
        found: list[str] = topics.locator("option").all_inner_texts()
        return found

    solo = help_of(1)
    expect(dialog.get_by_role("heading")).to_have_text(said("help_solo_title"))
    expect(dialog).to_contain_text("mastermind")
    expect(dialog).not_to_contain_text(re.compile("Recycle|Line Clear"))
    assert said("help_recycle_title") not in solo
    assert said("help_line_clear_title") not in solo
    together = help_of(2)
    expect(dialog.get_by_role("heading")).to_have_text(said("help_turn_title"))
    expect(dialog).not_to_contain_text("Line Clear")
    assert said("help_recycle_title") in together
    assert said("help_solo_title") not in together
    assert said("help_recycle_title") not in help_of(2, edition="2020")


def test_what_was_chosen_last_stays_when_a_table_is_made_to_fit(page: Page) -> None:
    page.goto("/new?mode=bot")
    players = page.get_by_role("combobox", name=said("setup_players"), exact=True)
    line_clear = page.get_by_role("checkbox", name=said("module_line_clear"))
    fit = page.get_by_role("button", name=said("setup_fit"))
    line_clear.check()
    fit.click()
    expect(line_clear).to_be_checked()
    expect(players).to_have_value("5")
    players.select_option("2")
    fit.click()
    expect(players).to_have_value("2")
    expect(line_clear).not_to_be_checked()
    page.get_by_role("checkbox", name=said("module_finesse_ambassador")).check()
    fit.click()
    expect(page.locator("[aria-describedby=module-finesse]")).to_be_checked()
    page.get_by_role("combobox", name=said("setup_edition")).select_option("2020")
    fit.click()
    expect(page.get_by_role("combobox", name=said("setup_edition"))).to_have_value("2020")
    expect(page.locator("input[type=checkbox][aria-describedby^=module]:checked")).to_have_count(0)
    players.select_option("6")
    fit.click()
    expect(players).to_have_value("6")
    expect(page.get_by_role("button", name=said("setup_start"))).to_be_enabled()


def test_an_online_table_asks_for_my_name_and_shows_its_links(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name=re.compile(said("mode_online"))).click()
    page.get_by_label(said("start_name")).fill("Ana")
    page.get_by_role("button", name=said("game_players", n=3)).click()
    expect(page.locator(".seat").first).to_contain_text("Ana")
    for seat in (2, 3):
        expect(page.get_by_label(said("lobby_link", n=seat))).to_have_value(
            re.compile(r"^http://.*/join/[\w-]+#[\w-]+$")
        )
