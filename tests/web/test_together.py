"""People at one table: giving a game up, playing another one, knowing what is fair."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.web.conftest import Visits
from tests.web.people import Finger, Mouse, Person
from tests.web.tables import send_resignation, sit_down, sit_down_together
from tests.web.words import said


def test_a_solo_game_that_is_given_up_goes_to_the_mastermind(visits: Visits) -> None:
    ana = Mouse(visits().page)
    sit_down(ana, players=1, seats=[{"kind": "me", "name": "Ana"}])
    ana.press(ana.page.get_by_role("button", name="Menu"))
    ana.press(ana.page.get_by_role("button", name=said("resign")))
    ana.press(ana.page.get_by_role("button", name=said("resign_yes")))
    expect(ana.in_dialog().get_by_role("heading")).to_have_text(said("end_lost_resign"))
    ana.press(ana.in_dialog().get_by_role("button", name=said("end_look")))
    expect(ana.page.locator(".banner h2")).to_have_text(said("b_mastermind_wins"))


def test_giving_up_is_asked_twice_and_both_go_on_to_the_next_game(visits: Visits) -> None:
    ana, bo = Mouse(visits().page), Finger(visits(phone=True).page)
    game = sit_down_together(ana, bo)
    menu = bo.page.locator("#table-menu")
    bo.press(bo.page.get_by_role("button", name="Menu"))
    bo.press(menu.get_by_role("button", name=said("resign")))
    expect(menu).to_contain_text(said("resign_sure"))
    # Nothing has happened yet, and one can think better of it.
    bo.press(menu.get_by_role("button", name=said("resign_no")))
    assert bo.state()["view"]["to_act"] == [1]
    bo.press(menu.get_by_role("button", name=said("resign")))
    bo.press(menu.get_by_role("button", name=said("resign_yes")))
    people: tuple[Person, ...] = (ana, bo)
    for person in people:
        expect(person.in_dialog().get_by_role("heading")).to_have_text(said("end_won_resign", n=1, names="Ana"))
        expect(person.in_dialog().get_by_text("Winner")).to_have_count(1)
    # The table stands as it stood, without anything to do.
    bo.press(bo.in_dialog().get_by_role("button", name=said("end_look")))
    expect(bo.page.locator(".banner h2")).to_have_text(said("b_wins", name="Ana"))
    expect(bo.page.get_by_role("toolbar")).to_have_count(0)
    bo.press(bo.page.get_by_role("button", name=said("end_show")))
    expect(bo.in_dialog()).not_to_contain_text(said("end_next"))
    for person in people:
        person.press(person.in_dialog().get_by_role("button", name=said("end_rematch")))
        expect(person.in_dialog()).to_have_count(0)
        if person is ana:  # the other one is told, and asked for nothing less than to press the same button
            expect(ana.page.get_by_role("heading", name=said("lobby_title"))).to_be_visible()
            expect(bo.in_dialog()).to_contain_text(said("end_next"))
    for person in people:
        person.arrive()
    # The same new table for both; the seats have moved on by one.
    assert ana.game == bo.game != game
    assert (ana.state()["seats"], bo.state()["seats"]) == ([2], [1])
    expect(ana.page.locator(".banner h2")).to_have_text(said("b_turn_of", name="Bo"))
    expect(bo.page.locator(".banner h2")).to_have_text(said("b_turn_mine"))
    bo.act(bo.state(), 1, "gain O1")


def test_both_put_something_into_the_shuffle_and_see_that_the_promise_was_kept(visits: Visits) -> None:
    ana, bo = Mouse(visits().page), Finger(visits(phone=True).page)
    seats = [{"kind": "me", "name": "Ana", "colour": "teal"}, {"kind": "open"}]
    made = sit_down(ana, players=2, seats=seats)
    promise = made["table"]["fair"]
    ana.press(ana.page.get_by_text(said("shuffle_title"), exact=True))
    expect(ana.page.get_by_text(promise)).to_be_visible()
    ana.page.get_by_label(said("shuffle_luck")).fill("dice: 6 6 1")
    ana.press(ana.page.get_by_role("button", name=said("shuffle_put")))
    expect(ana.page.get_by_text(said("shuffle_from", name="Ana", luck="dice: 6 6 1"))).to_be_visible()
    expect(ana.page.get_by_role("button", name=said("shuffle_put"))).to_have_count(0)
    bo.page.goto(f"/join/{made['game']}#{made['invites']['2']}")
    bo.page.get_by_label("Name", exact=True).fill("Bo")
    bo.press(bo.page.get_by_text(said("shuffle_title"), exact=True))
    expect(bo.page.get_by_text(promise)).to_be_visible()
    bo.page.get_by_label(said("shuffle_luck")).fill("Pražský déšť")
    bo.press(bo.page.get_by_role("button", name=said("join_sit")))
    for person in (ana, bo):
        person.arrive()
    send_resignation(bo)
    for person in (ana, bo):
        dialog = person.in_dialog()
        person.press(dialog.get_by_text(said("end_fair"), exact=True))
        expect(dialog.get_by_text(said("end_fair_kept"))).to_be_visible()
        expect(dialog).to_contain_text(promise)
        expect(dialog).to_contain_text(said("shuffle_from", name="Bo", luck="Pražský déšť"))


def test_the_page_of_somebody_alone_with_a_bot_puts_something_into_the_shuffle(visits: Visits) -> None:
    """After the promise and before the cards, and without a word about it before the end; in the next game as well."""
    ana = Mouse(visits().page)
    ana.page.goto("/new")
    ana.press(ana.page.get_by_role("button", name=said("setup_start")))
    ana.arrive()
    expect(ana.page.locator(".log li")).to_have_text(said("b_log_empty"))
    decks = []
    for _ in range(2):
        ana.arrive()
        table = ana.page.request.get(f"/api/tables/{ana.game}").json()
        assert set(table["luck"]) == {str(seat) for seat in ana.state()["seats"]}
        decks.append(table["fair"])
        send_resignation(ana)
        dialog = ana.in_dialog()
        ana.press(dialog.get_by_text(said("end_fair"), exact=True))
        expect(dialog.get_by_text(said("end_fair_kept"))).to_be_visible()
        game = ana.game
        ana.press(dialog.get_by_role("button", name=said("end_rematch")))
        ana.page.wait_for_function("game => !location.pathname.endsWith(game)", arg=game)
    assert len(set(decks)) == 2


def test_the_page_sees_that_a_promise_was_not_kept(visits: Visits) -> None:
    ana, bo = Mouse(visits().page), Mouse(visits().page)
    sit_down_together(ana, bo)
    bo.page.evaluate(
        "localStorage.setItem('projectl.promises', JSON.stringify({[location.pathname.split('/')[2]]: 'another'}))"
    )
    send_resignation(bo)
    for person, words in ((ana, "end_fair_kept"), (bo, "end_fair_broken")):
        person.press(person.in_dialog().get_by_text(said("end_fair"), exact=True))
        expect(person.in_dialog().get_by_text(said(words))).to_be_visible()


def test_whoever_is_invited_hears_that_the_deck_may_be_known(visits: Visits) -> None:
    host, guest = Mouse(visits().page), visits().page
    seats = [{"kind": "me", "name": "Ana"}, {"kind": "open"}]
    for wish, told in (({"seed": "mine"}, 1), ({}, 0)):
        made = sit_down(host, players=2, seats=seats, **wish)
        expect(host.page.get_by_text(said("table_known_deck"))).to_have_count(told)
        guest.goto(f"/join/{made['game']}#{made['invites']['2']}")
        expect(guest.get_by_role("button", name=said("join_sit"))).to_be_visible()
        expect(guest.get_by_text(said("table_known_deck"))).to_have_count(told)
