"""Undo goes back to the last thing that revealed something hidden, or to another player's action, no further."""

import random

import pytest

from projectl import Game, Header
from projectl.core.state import OVER
from projectl.facts import barrier
from tests.configurations import random_rules
from tests.players import choose
from tests.server.harness import House, examples, run
from tests.server.test_protocol import LINE_CLEAR, SMALL, turn

PLAIN = "players: 2"


async def test_the_last_action_is_taken_back(house: House) -> None:
    ana, bo = await house.pair(record=PLAIN)
    before, start = ana.state["view"], ana.version
    await ana.play("gain O1")
    assert ana.state["undo"] == {"1": 1}
    assert "undo" not in bo.state
    answer = await ana.ask("undo", version=ana.version)
    assert (answer["type"], answer["version"]) == ("done", start + 2)
    assert ana.texts() == bo.texts() == ["1 gain O1", "1 undo 0"]
    assert ana.state["view"] == before
    assert "undo" not in ana.state
    await ana.play("gain O1")
    assert ana.version == start + 3


async def test_one_at_a_time(house: House) -> None:
    ana, _ = await house.pair(record=PLAIN)
    first = ana.version + 1
    await ana.play("upgrade I2 L3", "gain O1")
    after_first = next(s["view"] for s in ana.messages("state") if s["version"] == first)
    assert ana.state["undo"] == {"1": 2}
    await ana.ask("undo", version=ana.version)
    assert ana.texts()[-1] == f"1 undo {first}"
    assert ana.state["view"] == after_first
    assert ana.state["undo"] == {"1": 1}
    await ana.ask("undo", version=ana.version)
    assert ana.texts()[-1] == "1 undo 0"


async def test_the_whole_turn(house: House) -> None:
    ana, _ = await house.pair(record=PLAIN)
    start = ana.state["view"]
    await ana.play("upgrade I2 L3", "gain O1")
    await ana.ask("undo", version=ana.version, all=True)
    assert ana.texts()[-1] == "1 undo 0"
    assert ana.state["view"] == start


async def test_even_when_the_turn_is_over_but_nobody_has_acted(house: House) -> None:
    ana, bo = await house.pair(record=PLAIN)
    await ana.play(*turn(1))
    assert ana.state["view"]["to_act"] == [2]
    assert ana.state["undo"] == {"1": 3}
    await ana.ask("undo", version=ana.version)
    assert bo.state["view"]["to_act"] == [1]
    assert "legal" not in bo.state


async def test_not_after_another_player_has_acted(house: House) -> None:
    ana, bo = await house.pair(record=PLAIN)
    await ana.play(*turn(1))
    await bo.play("gain O1")
    assert "undo" not in ana.state
    refused, state = await ana.say("undo", game=ana.game, id="x", version=ana.version)
    assert refused["code"] == "undo"
    assert "another player" in refused["sentence"]
    assert state["version"] == bo.version


@pytest.mark.parametrize("reveals", ["take W1", "take B", "recycle W"])
async def test_not_past_what_was_revealed(house: House, reveals: str) -> None:
    ana, _ = await house.pair(record=PLAIN)
    await ana.play("gain O1", reveals)
    revealed = ana.version
    assert "undo" not in ana.state
    refused = await ana.ask("undo", version=ana.version)
    assert refused["code"] == "undo"
    assert "turned a card up" in refused["sentence"]
    await ana.play("upgrade I2 L3")
    assert ana.state["undo"] == {"1": 1}
    await ana.ask("undo", version=ana.version, all=True)
    assert ana.texts()[-1] == f"1 undo {revealed}"


async def test_an_empty_deck_reveals_nothing(house: House) -> None:
    """The gap stays, so a Take can be taken back."""
    takes = "".join(f"{seat} take B\n" * 3 for seat in (1, 2, 3)) + "1 take B\n1 gain O1\n1 gain O1\n"
    people = await house.people(3, record=f"players: 3\n\n{takes}")
    bo = people[1]
    before = bo.state["view"]
    assert before["decks"]["B"] == 0
    await bo.play("take B1")
    assert bo.state["view"]["rows"]["B"][0] is None
    assert bo.state["undo"] == {"2": 1}
    await bo.ask("undo", version=bo.version)
    assert bo.state["view"] == before


async def test_nothing_to_take_back(house: House) -> None:
    ana, _ = await house.pair(record=PLAIN)
    assert (await ana.ask("undo", version=ana.version))["code"] == "undo"


async def test_an_old_version(house: House) -> None:
    ana, _ = await house.pair(record=PLAIN)
    await ana.play("gain O1", "gain O1")
    refused, state = await ana.say("undo", game=ana.game, id="x", version=ana.version - 1)
    assert refused["code"] == "stale"
    assert state["version"] == ana.version


async def test_a_table_without_undo(house: House) -> None:
    ana, _ = await house.pair(record=PLAIN, undo=False)
    await ana.play("gain O1")
    assert "undo" not in ana.state
    assert (await ana.ask("undo", version=ana.version))["code"] == "undo-off"


async def test_not_when_the_game_is_over(house: House) -> None:
    visitor = house.visitor()
    made = await visitor.make(players=1, seats=[{"kind": "me"}], options={"max_rounds": "1"})
    screen = await visitor.at(made["game"])
    await screen.play(*turn(1), "done")
    assert (await screen.ask("undo", version=screen.version))["code"] == "over"


async def test_the_mastermind_has_acted(house: House) -> None:
    visitor = house.visitor()
    screen = await visitor.at((await visitor.make(players=1, seats=[{"kind": "me"}]))["game"])
    await screen.play(*turn(1)[:2])
    assert screen.state["undo"] == {"1": 2}
    await screen.play(turn(1)[2])
    assert "mastermind" in (await screen.ask("undo", version=screen.version))["sentence"]


async def test_taken_back_to_a_completed_puzzle(house: House) -> None:
    ana, _ = await house.pair(record=f"players: 2\n{SMALL}\nwhite: Z01\n\n1 take W1\n")
    before = ana.state["view"]
    await ana.play("place 1:a1")
    assert ana.state["view"]["players"][0]["completed"] == ["Z01"]
    await ana.ask("undo", version=ana.version)
    assert ana.state["view"] == before


async def test_line_clear_the_other_holder_is_another_player(house: House) -> None:
    people = await house.people(4, record=LINE_CLEAR)
    white, black = people[0], people[2]
    await white.play("gain O1")
    await black.play("gain O1")
    assert "undo" not in white.state
    assert black.state["undo"] == {"3": 1}
    await black.ask("undo", version=black.version)
    assert white.state["undo"] == {"1": 1}
    seen = white.version - 1
    assert (await white.act("gain O1", version=seen))["code"] == "stale"  # the game has gone back since


async def test_it_survives_a_restart(house: House) -> None:
    ana, _ = await house.pair(record=PLAIN)
    await ana.play("upgrade I2 L3", "gain O1")
    await ana.ask("undo", version=ana.version)
    game, key, before = ana.game, ana.key, ana.state
    await house.restart()
    again = house.client(key)
    state = await again.watch(game, before["version"])
    assert (state["view"], state["undo"], state["legal"]) == (before["view"], before["undo"], before["legal"])
    await again.ask("undo", version=again.version)
    assert again.texts()[-1] == "1 undo 0"


async def test_the_record_has_what_stands(house: House) -> None:
    ana, bo = await house.pair(record=PLAIN)
    await ana.play("gain O1", "upgrade I2 L3")
    await ana.ask("undo", version=ana.version)
    await bo.ask("resign", version=3)
    record = (await house.visitor().http.get(f"/api/tables/{ana.game}/record")).text
    assert record.endswith("\n\n1 gain O1\n")


@pytest.mark.parametrize("number", range(examples(6, 200)))
def test_undo_is_offered_exactly_as_far_as_nothing_was_revealed(number: int, house: House) -> None:
    """Random games around one screen: what can be taken back, what it leads to, and that play goes on from there."""
    dice = random.Random(number)
    rules = random_rules(dice)
    game = Game(Header(rules, str(number)))

    async def work() -> None:
        async with house:
            visitor = house.visitor()
            made = await visitor.make(record=game.text())
            screen = await visitor.at(made["game"])
            barriers: list[str] = []
            for _ in range(40):
                if dice.random() < 0.3 and screen.state.get("undo"):
                    seat, most = next((int(seat), count) for seat, count in screen.state["undo"].items())
                    everything = dice.random() < 0.5
                    answer = await screen.ask("undo", version=screen.version, seat=seat, all=everything)
                    assert answer["type"] == "done"
                    count = most if everything else 1
                    game.undo(len(game.moves) - count)
                    del barriers[-count:]
                else:
                    before = game.state.clone()
                    actor, text, _ = choose(game.state, dice)
                    await screen.play(text, seat=actor + 1)
                    game.play(game.check(actor, text))
                    barriers.append(barrier(before, game.state))
                if game.state.phase == OVER:
                    assert "undo" not in screen.state
                    return
                free = 0
                while free < len(barriers) and not barriers[-1 - free]:
                    if game.moves[-1 - free].seat != game.moves[-1].seat:
                        break
                    free += 1
                expected = {str(game.moves[-1].seat + 1): free} if free else {}
                assert screen.state.get("undo", {}) == expected
                room = (await house.live(made["game"])).room
                assert room.state.key() == game.state.key()

    run(work())
