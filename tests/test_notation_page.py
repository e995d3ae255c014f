"""docs/notation.md is true and whole: examples replay, shuffles come out, every key and word is there."""

import hmac
import itertools
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

from projectl import SPECTATOR, Rules, Unreadable, decision_text, new_game, replay, view
from projectl.bots import program
from projectl.cli import app
from projectl.core import actions
from projectl.core.cards import all_tiles, shipped_cards
from projectl.core.dice import Dice
from projectl.core.pieces import NAMES
from projectl.core.playout import random_play
from projectl.core.rules import MODULES, OPTIONS
from projectl.core.state import OVER, PHASES, State
from tests.configurations import own_cards
from tests.examples import Block, blocks, check, check_refused, code_words, examples, refusal, section, tables
from tests.table import player, table

ROOT = Path(__file__).resolve().parent.parent
PAGE = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("example", examples(PAGE), ids=repr)
def test_example(example: list[Block]) -> None:
    assert len(example) > 1, "nothing is said about this record"
    check(example)


@pytest.mark.parametrize("block", [block for block in blocks(PAGE) if block.kind == "refused"], ids=repr)
def test_refused_record(block: Block) -> None:
    check_refused(block)


def first_words(heading: str, nth: int = 0) -> list[str]:
    """What stands between backquotes in the first column of a table."""
    return [word for row in tables(section(PAGE, heading))[nth][1:] for word in code_words(row[0])]


# --- the shuffle, by the words of the page ----------------------------------------------------


def numbers(seed: str, label: str) -> Iterator[int]:
    for block in itertools.count():
        digest = hmac.digest(seed.encode(), f"projectl/1/{label}/{block}".encode(), "sha256")
        yield from (int.from_bytes(digest[n : n + 8], "big") for n in (0, 8, 16, 24))


def below(stream: Iterator[int], n: int) -> int:
    return next(number for number in stream if number < 2**64 - 2**64 % n) % n


def shuffled(cards: list[str], seed: str, label: str) -> list[str]:
    stream, found = numbers(seed, label), list(cards)
    for i in range(len(found) - 1, 0, -1):
        j = below(stream, i + 1)
        found[i], found[j] = found[j], found[i]
    return found


def ids(prefix: str, count: int) -> list[str]:
    return [f"{prefix}{n:02}" for n in range(1, count + 1)]


def by_the_page(seed: str) -> dict[str, str]:
    solo = shuffled(ids("W", 32), seed, "solo-white")[:15] + shuffled(ids("B", 20), seed, "solo-black")[:10]
    drawn = [tile for key, n in (("A", 2), ("B", 2), ("C", 6)) for tile in tiles(seed, key)[:n]]
    return {
        "seed": seed,
        "numbers": " ".join(f"{number:016x}" for number in itertools.islice(numbers(seed, "white"), 4)),
        "white": " ".join(shuffled(ids("W", 32), seed, "white")),
        "black": " ".join(shuffled(ids("B", 20), seed, "black")[:12]),
        "solo": " ".join(solo),
        "finesse": " ".join(shuffled(drawn, seed, "finesse-row")),
        "endless": " ".join(shuffled(["W09", "W10", "W22", "W23"], seed, "endless-1")),
    }


def tiles(seed: str, key: str) -> list[str]:
    return shuffled(ids(f"F{key}", 10), seed, f"finesse-{key}")


def by_the_program(seed: str) -> dict[str, str]:
    state = new_game(Rules(players=2, modules=("finesse",)), seed)
    row = replay(f"players: 2\nmodules: finesse\nseed: {seed}\n").state.tiles
    return {
        "white": deck_ids(state),
        "black": deck_ids(state, white=False),
        "solo": deck_ids(new_game(Rules(players=1), seed)),
        "finesse": " ".join(all_tiles()[tile].id for tile in row),
    }


def deck_ids(state: State, *, white: bool = True) -> str:
    """A deck as it was dealt, the face-up cards first; in solo the only one is the white one."""
    return " ".join(state.cards.cards[card].id for card in (state.white if white else state.black))


@pytest.mark.parametrize("block", [block for block in blocks(PAGE) if block.kind == "shuffle"], ids=repr)
def test_shuffle(block: Block) -> None:
    said = {key: value.strip() for key, _, value in (row.partition(":") for row in block.rows)}
    assert said == by_the_page(said["seed"])
    found = by_the_program(said["seed"])
    assert {key: said[key] for key in found} == found


def test_shuffle_of_a_new_white_deck() -> None:
    """Four small white cards are completed, all others taken out of the deck: the labels of Endless White."""
    small = ["Q1", "Q2", "Q3", "Q4"]
    cards = "\n".join(f"card: {name} W 0 O1 .#### ##### ##### ##### #####" for name in small)
    game = replay(f"players: 2\nmodules: endless_white\n{cards}\nseed: tuesday\nwhite: {' '.join(small)}\n")
    for seat in (1, 2):
        game.play_line(f"{seat} take W{2 * seat - 1}")
        game.play_line(f"{seat} take W{2 * seat}")
        game.play_line(f"{seat} master 1:a1")
    game.play_line("1 place 2:a1")
    numbers_of = game.state.cards.number
    game.state.set_decks([numbers_of["W32"]], [numbers_of["B20"]])
    game.play_line("1 take W1")
    finished = ["Q1", "Q2", "Q3"]
    assert deck_ids(game.state) == " ".join(shuffled(finished, "tuesday", "endless-1"))


def test_shuffle_by_hand() -> None:
    text = " ".join(section(PAGE, "### The shuffle").split())
    first = list(itertools.islice(numbers("tuesday", "endless-1"), 3))
    assert " ".join(f"{number:016x}" for number in first) in text
    assert [number % n for number, n in zip(first, (4, 3, 2), strict=True)] == [2, 1, 0]
    assert f"{by_the_page('tuesday')['endless']}." in text


# --- words ------------------------------------------------------------------------------------


def refused_sentence(record: str) -> str:
    with pytest.raises(Unreadable) as caught:
        replay(record)
    return caught.value.sentence


def expected_words(sentence: str) -> list[str]:
    """The words of `expected one of a, b, c` and `is one of a, b with`."""
    return re.split(r" with |$", sentence.split("one of ")[1])[0].split(", ")


def test_header_keys() -> None:
    assert first_words("### Header") == expected_words(refused_sentence("players: 2\nnonsense: 1\n"))


def test_modules_in_the_header() -> None:
    rows = tables(section(PAGE, "### Header"))[0]
    value = next(row[1] for row in rows if "`modules`" in row[0])
    assert code_words(value)[0].split() == list(MODULES)


def test_options() -> None:
    known = expected_words(refused_sentence("players: 1\noptions: nonsense=1\n"))
    rows = {code_words(row[0])[0]: row[1] for row in tables(section(PAGE, "### Header"))[1][1:]}
    assert list(rows) == known
    value = next(row[1] for row in tables(section(PAGE, "### Header"))[0] if "`options`" in row[0])
    assert code_words(value)[1:] == known
    for option, values in rows.items():
        words = ["1", "60"] if option == "max_rounds" else code_words(values.split(";")[0])
        for word in words:
            assert replay(f"players: 1\noptions: {option}={word}\n").header.rules
        sentence = refused_sentence(f"players: 1\noptions: {option}=nonsense\n")
        assert option == "max_rounds" or all(word in sentence for word in words), sentence


def test_action_texts() -> None:
    """The table names every action that is read, each text can be read, and no other action is there."""
    game = table("players: 2")
    with pytest.raises(Unreadable) as caught:
        game.play_line("1 nonsense")
    rows = tables(section(PAGE, "### Texts"))[0][1:]
    texts = [word for row in rows for word in code_words(row[1]) if word.islower() or " " in word]
    verbs = {text.split()[0] for text in texts}
    assert verbs == set(expected_words(caught.value.sentence))
    for text in texts:
        if not re.search(r"[A-Z]{3}", text) and text not in ("insert", "gain O1"):
            assert refusal(table("players: 2"), f"1 {text}") in ("", "illegal"), text
    assert refusal(table("players: 2"), "1 insert") == "unreadable"


def test_slots() -> None:
    text = tables(section(PAGE, "### Texts"))[0][1][1].replace("`-`", "-")
    slots = [slot for word in code_words(text)[1:] for slot in spread(word)]
    assert sorted(slots) == sorted(actions.TAKE_NAMES)


def spread(word: str) -> list[str]:
    """`W1-W4` is four."""
    first, _, last = word.partition("-")
    if not last:
        return [first]
    prefix = first.rstrip("0123456789")
    digits = len(first) - len(prefix)
    return [f"{prefix}{n:0{digits}}" for n in range(int(first[len(prefix) :]), int(last[len(prefix) :]) + 1)]


def test_ids_and_their_order() -> None:
    """Card ids are written as `W01`-`W32`."""
    found = [spread(row[0].replace("`", "")) for row in tables(section(PAGE, "### Ids"))[0][1:]]
    assert list(itertools.chain(*found)) == [card.id for card in shipped_cards()] + [tile.id for tile in all_tiles()]
    assert " ".join(NAMES) in code_words(section(PAGE, "### Ids"))


def test_own_cards_have_the_limits_that_are_told() -> None:
    for card in ("A" * 16 + " W 99 O1", "a1 B 0 O4"):
        assert replay(f"players: 2\ncard: {card} .#### ##### ##### ##### #####\n").header.rules.own
    for card in ("A" * 17 + " W 9 O1", "W01 W 1 O1", "A_1 W 1 O1", "A1 G 1 O1", "A1 W 100 O1", "A1 W 1 O2"):
        refused_sentence(f"players: 2\ncard: {card} .#### ##### ##### ##### #####\n")
    refused_sentence("players: 2\ncard: A1 W 1 O1 ##### ##### ##### ##### #####\n")


def test_commands_and_their_flags() -> None:
    commands = getattr(typer.main.get_command(app), "commands", {})
    rows = tables(section(PAGE, "## Commands"))[0][1:]
    assert [row[0].split()[1].strip("`") for row in rows] == ["new", "replay", "moves", "perft"]
    for name, does in rows:
        command = commands[name.split()[1].strip("`")]
        flags = {flag for parameter in command.params for flag in parameter.opts if flag.startswith("--")} - {"--help"}
        assert set(re.findall(r"--[a-z]+", does)) == flags, name
        arguments = [parameter.metavar or parameter.name for parameter in command.params if parameter.opts[0][0] != "-"]
        assert name.strip("`").split()[2:] == [str(word).upper() for word in arguments]


# --- JSON -------------------------------------------------------------------------------------

GAMES = [
    Rules(players=2, modules=("ghost", "ambassador", "finesse"), own=own_cards(("ghost", "ambassador")), max_rounds=8),
    Rules(players=5, modules=("line_clear", "finesse"), max_rounds=3),
    Rules(players=1, edition="2019", modules=("ghost",), own=own_cards(("ghost",))),
    Rules(players=3, edition="2020", max_rounds=9),
]
R45 = "players[].ambassador_cards[]"
RARE = {R45, "can[].ambassador"}  # too rare for random games


def key_paths(value: object, path: str = "") -> Iterator[str]:
    """Every key of a position, as the page writes it."""
    if isinstance(value, dict):
        for key, inner in value.items():
            name = "PIECE" if key in NAMES else "SEAT" if key.isdigit() else key
            name = "ROW" if path == "rows" else name
            yield from key_paths(inner, f"{path}.{name}" if path else name)
    elif isinstance(value, list) and value:
        for inner in value:
            yield from key_paths(inner, f"{path}[]")
    elif not isinstance(value, list):
        yield path


def all_key_paths() -> set[str]:
    """Of every view, again and again from the beginning to the end of games of every kind."""
    found: set[str] = set()
    for rules in GAMES:
        state, dice = new_game(rules, "every key"), Dice(1)
        while True:
            for viewer in (None, 0, SPECTATOR):
                found |= set(key_paths(view(state) if viewer is None else view(state, viewer)))
            if state.phase == OVER:
                break
            random_play(state, dice, 1)
    return found


def test_every_key_of_a_position_is_told_and_no_other() -> None:
    said = [word for row in tables(section(PAGE, "## The JSON of a position"))[0][1:] for word in code_words(row[0])]
    assert len(said) == len(set(said))
    nullable = {"players[].completed", "players[].puzzles", "to_act"}
    assert all_key_paths() - nullable - RARE == set(said) - RARE


def test_unused_ambassador_cards_lie_open() -> None:
    """R45: everybody sees which they are, and an Ambassador action turns the oldest over."""
    cards = "\n".join(f"card: {name} W 1 M .#### ##### ##### ##### #####" for name in ("M1", "M2"))
    game = table(f"players: 2\nmodules: ambassador\n{cards}\nwhite: M1 M2 W16")
    for action in ("1 take W1", "1 place 1:a1", "1 take W2", "2 gain O1", "2 gain O1", "2 gain O1", "1 gain O1"):
        game.play_line(action)
    game.play_line("1 place 1:a1")
    assert R45 in set(key_paths(view(game.state)))
    for viewer in (None, 1, 2):
        assert player(game, 1, viewer)["ambassador_cards"] == ["M1", "M2"]
    for action in ("1 take W3", "2 gain O1", "2 gain O1", "2 gain O1"):
        game.play_line(action)
    assert set(key_paths(view(game.state))) >= RARE
    game.play_line("1 ambassador 1:b3")
    assert player(game, 1, 2)["ambassador_cards"] == ["M2"]


def test_phases_and_reasons() -> None:
    rows = {row[0]: row[1] for row in tables(section(PAGE, "## The JSON of a position"))[0]}
    assert set(re.findall(r'`"(\w+)"`', rows["`phase`"])) == set(PHASES)
    source = (ROOT / "src/projectl/core/score.py").read_text(encoding="utf-8")
    reasons = set(re.findall(r'"(\w+)"', source[source.index("def result") :]))
    assert set(re.findall(r'`"(\w+)"`', rows["`result.reason`"])) == reasons


# --- the protocol of programs -----------------------------------------------------------------

PROTOCOL = section(PAGE, "## The protocol of programs")


def test_decision_texts() -> None:
    told = {word.split()[0] for row in tables(PROTOCOL)[0][1:] for word in code_words(row[1])}
    assert told == {decision_text(decision).split()[0] for decision in range(actions.COUNT)}
    texts = {decision_text(decision) for decision in range(actions.COUNT)}
    assert {word for row in tables(PROTOCOL)[0][1:] for word in code_words(row[1])} <= texts


def message_keys() -> dict[str, dict[str, str]]:
    """By message its keys, and what is said about each."""
    found: dict[str, dict[str, str]] = {}
    message = ""
    for name, key, words in tables(PROTOCOL)[1][1:]:
        message = name.strip("`") or message
        found.setdefault(message, {})[key.strip("`")] = words
    return found


def test_messages_and_their_keys() -> None:
    told = message_keys()
    kinds = {"hello": program.ProgramHello, "decide": program.Request, "goodbye": program.Goodbye}
    assert {message: list(keys) for message, keys in told.items()} == {
        message: list(kind.__annotations__) for message, kind in kinds.items()
    }
    rules = [word for word in code_words(told["hello"]["rules"]) if word.isidentifier()]
    options = [option.name for option in OPTIONS]
    assert [word for word in rules if word not in options] == list(program.RulesData.__annotations__)
    assert [word for word in rules if word in options] == options
    assert code_words(told["decide"]["known"]) == list(program.KnownData.__annotations__)
    assert code_words(told["hello"]["cards"])[0] in [card.text() for card in shipped_cards()]
    tile = code_words(told["hello"]["tiles"])[0]
    assert tile.split()[0] in [one.id for one in all_tiles()]


def test_limits_of_the_protocol() -> None:
    assert f"protocol {program.PROTOCOL};" in PROTOCOL
    for seconds, sentence in (
        (program.HELLO_SECONDS, "{} seconds for the answer to `hello`"),
        (program.GRACE, "its `seconds` and {} more"),
        (program.GOODBYE_SECONDS, "After `goodbye` {} seconds"),
        (program.MOST_SECONDS, "{} where there is no limit"),
        (program.MOST_UNREAD, "a line of more than {} bytes"),
    ):
        assert sentence.format(f"{seconds:g}") in " ".join(PROTOCOL.split())


def test_codes_of_programs() -> None:
    told = [code_words(row[0])[0] for row in tables(PROTOCOL)[3][1:]]
    source = (ROOT / "src/projectl/bots/program.py").read_text(encoding="utf-8")
    assert sorted(told) == sorted(set(re.findall(r'"(program-\w+)"', source)))
