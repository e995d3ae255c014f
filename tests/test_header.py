"""What a record can hold: a header that is accepted reads back as the same header."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from projectl import Header, Named, Pack, Rules, Unreadable, parse_pack, replay
from projectl.cli.files import replacing
from projectl.core.cards import parse_card
from projectl.core.rules import EDITIONS, OPTIONS, Option, rules_with
from projectl.envs.settings import RulesArguments
from projectl.header import checksum_of, holds, writable
from tests.configurations import configurations

CELL = ".#### ##### ##### ##### #####"
TEXTS = st.text(st.sampled_from("ab1 #|:=\t\n\r\u00a0\u2028\x1f\ud800é\u200d.-"), max_size=8) | st.text(max_size=12)


def value_of(option: Option, number: int) -> str:
    """One of an option's values; the empty text leaves it to the edition."""
    values = ("", *(option.values or ("1", "12", "999999999")))
    return values[number % len(values)]


@st.composite
def headers(draw: st.DrawFn) -> Header:
    """Any game with any seed and names, many of which no record can hold."""
    players, edition, modules = draw(st.sampled_from(configurations()))
    options = {o.name: value_of(o, draw(st.integers(0, 3))) for o in OPTIONS if not o.solo or players == 1}
    own = (parse_card(f"Z1 W 1 O1 {CELL}", "mine"),) if draw(st.booleans()) else ()
    rules = rules_with(players, edition, modules, options, own)
    names = tuple(draw(st.lists(TEXTS, min_size=players, max_size=players))) if draw(st.booleans()) else ()
    white = draw(st.sampled_from([[], ["W09", "W22"]])) if players > 1 else []
    return Header(rules, draw(st.none() | TEXTS), names, Named(white))


@settings(max_examples=300, deadline=None)
@given(headers())
def test_a_header_that_is_accepted_reads_back_equal(header: Header) -> None:
    fine = holds(header.seed or "") and all(holds(name) and "|" not in name for name in header.names)
    if not fine:
        with pytest.raises(Unreadable, match="is one line"):
            header.checked()
        return
    checked = header.checked()
    again = replay(checked.text()).header
    assert again == checked
    assert (again.seed, again.names, again.rules) == (header.seed, header.names, header.rules)
    assert again.text() == checked.text()


@given(TEXTS)
def test_a_writable_name_can_be_written(name: str) -> None:
    found = writable(name)
    assert holds(found)
    assert "|" not in found
    assert writable(found) == found


@pytest.mark.parametrize("seed", ["a #b", "#a", " a", "a ", "a\nb", "a\rb", "\ud800", "a\u2028b"])
def test_a_seed_that_a_record_cannot_hold_is_refused(seed: str) -> None:
    with pytest.raises(Unreadable) as caught:
        Header(Rules(2), seed).checked()
    assert (caught.value.code, caught.value.field) == ("seed", "seed")


@pytest.mark.parametrize("seed", ["", "a#b", "a b", "a|b", "é", "a:b", "=", "👩\u200d🚀"])
def test_a_seed_that_a_record_can_hold(seed: str) -> None:
    assert replay(Header(Rules(2), seed).checked().text()).header.seed == seed


@pytest.mark.parametrize("name", ["A|B", "#A", "A ", "A\n"])
def test_names_that_a_record_cannot_hold(name: str) -> None:
    with pytest.raises(Unreadable) as caught:
        Header(Rules(2), names=(name, "C")).checked()
    assert (caught.value.code, caught.value.field, caught.value.about) == ("name", "names", name)


@pytest.mark.parametrize("names", [("A",), ("A", "B", "C")])
def test_there_are_as_many_names_as_players(names: tuple[str, ...]) -> None:
    with pytest.raises(Unreadable) as caught:
        Header(Rules(2), names=names).checked()
    assert (caught.value.code, caught.value.field, caught.value.about) == ("names", "names", "2")


@pytest.mark.parametrize("names", [("", ""), ("A", ""), ("", "B"), ("A#1", "B")])
def test_names_may_be_missing(names: tuple[str, ...]) -> None:
    assert replay(Header(Rules(2), names=names).checked().text()).header.names == names


def test_two_own_cards_cannot_have_one_id() -> None:
    card = parse_card(f"Z1 W 1 O1 {CELL}")
    for own in ((card, card), (card._replace(id="W01"),)):
        with pytest.raises(Unreadable) as caught:
            Rules(2, own=own)
        assert caught.value.code == "card-id-taken"


# Options


def test_every_option_has_a_default_in_every_edition() -> None:
    for option in OPTIONS:
        assert set(option.defaults) == set(EDITIONS)
        assert all(value in option.values or value == "" for value in option.defaults.values())
        assert option.words


def test_environments_take_every_option() -> None:
    assert {option.name for option in OPTIONS} <= set(RulesArguments.__annotations__)


@pytest.mark.parametrize("option", OPTIONS, ids=lambda option: option.name)
def test_an_option_is_written_where_it_differs_and_reads_back(option: Option) -> None:
    for edition in EDITIONS:
        for value in option.values or ("7",):
            rules = rules_with(1, edition, (), {option.name: value})
            differs = value != option.defaults[edition]
            assert rules.options() == ({option.name: value} if differs else {})
            assert rules == Rules(1, edition, **{option.name: option.typed(value)})  # type: ignore[arg-type]
            assert replay(Header(rules).text()).header.rules == rules


# Replaced cards


def packed(text: str) -> Header:
    replaced = replacing([parse_pack(text, "own.toml")])
    rules = rules_with(2, "2023", ("ambassador",), {}, (), replaced.cards, replaced.tiles)
    return Header(rules, "a", pack=replaced.name)


PACK = f'name = "My cards"\ncards = ["AW01 W 9 M {CELL}"]'


def test_a_record_with_replaced_cards_says_so_and_needs_the_pack() -> None:
    header = packed(PACK).checked()
    replaced = replacing([parse_pack(PACK, "own.toml")])
    assert header.text().splitlines()[1] == f"# pack: My cards {replaced.checksum()}"
    assert replay(header.text(), replaced).header == header
    for others, said in ((replacing([]), "give it with --pack"), (replacing([other_pack()]), "another one")):
        with pytest.raises(Unreadable, match=said) as caught:
            replay(header.text(), others)
        assert (caught.value.code, caught.value.line) == ("pack", 2)
        assert "'My cards'" in caught.value.sentence
        assert caught.value.about == "My cards"


def other_pack() -> Pack:
    return parse_pack(f'cards = ["AW01 W 8 M {CELL}"]', "other.toml")


def test_the_checksum_is_of_what_is_replaced() -> None:
    renamed = replacing([parse_pack(PACK.replace("My cards", "Yours"), "x.toml")])
    assert renamed.checksum() == replacing([parse_pack(PACK, "own.toml")]).checksum() != ""
    assert checksum_of((), ()) == replacing([]).checksum() == ""


def test_other_programs_read_the_pack_as_a_comment() -> None:
    """Records without the comment, as earlier versions wrote them, replay as they did."""
    text = "".join(f"{row}\n" for row in packed(PACK).text().splitlines() if not row.startswith("#"))
    assert replay(text).header.rules == Rules(2, modules=("ambassador",))
    assert replay(text, replacing([parse_pack(PACK, "own.toml")])).header.rules == packed(PACK).rules
