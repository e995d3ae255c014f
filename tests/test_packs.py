"""Card packs: data files with a table's own cards, checked on loading."""

import json
from pathlib import Path

import pytest

from projectl import Unreadable, parse_pack, replay
from tests.table import idle, part, table
from tests.test_cli import Run, assert_refused, run

__all__ = ["run"]  # a fixture

CELL = ".#### ##### ##### ##### #####"
GOOD = f"""# Two small cards.
name = "Small"
source = "mine"
cards = [
  "Z01 W 3 S4 {CELL}",
  "Z02 B 4 O1 ..### ##### ##### ##### #####",
]
"""


def written(folder: Path, name: str, text: str) -> str:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return str(path)


# Good ones


def test_a_pack_is_read() -> None:
    pack = parse_pack(GOOD, "small.toml")
    assert (pack.name, pack.tiles) == ("Small", ())
    assert [(card.text(), card.source) for card in pack.cards] == [
        (f"Z01 W 3 S4 {CELL}", "mine"),
        ("Z02 B 4 O1 ..### ##### ##### ##### #####", "mine"),
    ]


def test_a_pack_needs_neither_name_nor_source_nor_cards() -> None:
    pack = parse_pack("", "empty.toml")
    assert pack == ("empty.toml", (), ())


def test_a_packs_tiles_replace_designed_ones() -> None:
    """Same id, same set, same kind; other pieces."""
    tiles = parse_pack('tiles = ["XA1 A now place O1 I2 T4"]', "t.toml").tiles
    assert [(tile.id, tile.set, tile.what, tile.shapes) for tile in tiles] == [("XA1", "A", "place", (0, 1, 7))]


@pytest.mark.parametrize(
    "tile", ["T1 A now place O1", "FA01 A now place O1", "XA1 B end each-owned O1", "XC1 C now take"]
)
def test_no_other_tile_is_taken(tile: str) -> None:
    with pytest.raises(Unreadable) as caught:
        parse_pack(f'name = "x"\ntiles = ["{tile}"]', "t.toml")
    assert (caught.value.code, caught.value.line) == ("tile-id", 2)


TILES = "finesse: FA01 FB01 XA1 FB02 FC01 FC02 FC03 FC04 FC06 FC08"


def test_a_replaced_tile_pays_for_its_own_pieces(run: Run, tmp_path: Path) -> None:
    """XA1 as a tile for O1: placed in round 3, one credit; without the pack none."""
    pack = written(tmp_path, "tiles.toml", 'tiles = ["XA1 A now place O1"]')
    record = "players: 2\nmodules: finesse finesse_ambassador\nwhite: W15\n" + TILES + "\n"
    turns = [*idle(1, 2).replace("|", "\n").split("\n")] * 2
    game = written(tmp_path, "game.pln", "\n".join([record, *turns, "1 take W1", "1 place 1:a3"]) + "\n")
    banks = [json.loads(run("replay", game, "--json", *more).out)["finesse"]["bank"] for more in ([], ["--pack", pack])]
    assert banks == [35, 34]


def test_new_writes_the_packs_cards_into_the_header(run: Run, tmp_path: Path) -> None:
    """Such a record needs the pack no more."""
    pack = written(tmp_path, "small.toml", GOOD)
    ran = run("new", "--seed", "a", "--pack", pack)
    assert (ran.status, ran.err) == (0, "")
    assert ran.out == (
        f"format: 1\nedition: 2023\nplayers: 2\ncard: Z01 W 3 S4 {CELL}\n"
        "card: Z02 B 4 O1 ..### ##### ##### ##### #####\nseed: a\n"
    )
    assert part(replay(ran.out), "decks") == {"W": 29, "B": 8}


def test_several_packs(run: Run, tmp_path: Path) -> None:
    first = written(tmp_path, "small.toml", GOOD)
    second = written(tmp_path, "more.toml", f'cards = ["Z03 W 0 O1 {CELL}"]')
    ran = run("new", "--seed", "a", "--pack", first, "--pack", second)
    assert [line.split()[1] for line in ran.out.splitlines() if line.startswith("card")] == ["Z01", "Z02", "Z03"]


REPLACED = "players: 2\nmodules: ambassador\nwhite: AW01\n\n1 take W1\n1 place 1:a1\n"


def test_a_pack_replaces_a_designed_card(run: Run, tmp_path: Path) -> None:
    """The same id, another recess and other points."""
    pack = written(tmp_path, "own.toml", f'cards = ["AW01 W 9 M {CELL}"]')
    record = written(tmp_path, "game.pln", REPLACED)
    position = json.loads(run("replay", record, "--json", "--pack", pack).out)
    assert (position["players"][0]["completed"], position["players"][0]["points"]) == (["AW01"], 9)
    assert position["players"][0]["ambassador"] == 1
    assert run("perft", record, "1", "--pack", pack).out == "63\n"
    assert len(run("moves", record, "--pack", pack).out.splitlines()) == 63
    assert "card:" not in run("new", "--seed", "a", "--pack", pack).out


def test_a_printed_card_cannot_be_replaced(run: Run, tmp_path: Path) -> None:
    pack = written(tmp_path, "own.toml", f'name = "x"\ncards = ["W09 W 9 O1 {CELL}"]')
    game = written(tmp_path, "game.pln", "players: 2\n")
    for command in (("new",), ("replay", game), ("moves", game)):
        ran = run(*command, "--pack", pack)
        assert ran.status == 2
        assert ran.err == f"{pack}:2: unreadable: W09 is a printed card and cannot be replaced\n"


@pytest.mark.parametrize(
    ("card", "code"),
    [
        (f"AW01 B 1 M {CELL}", "card-colour"),
        (f"AW01 W 1 P5 {CELL}", "card-reward"),
        (f"AW01 W 1 LEVELUP1 {CELL}", "card-reward"),
        (f"PB01 B 6 M {CELL}", "card-reward"),
        (f"GB01 B 3 M {CELL}", "card-reward"),
    ],
)
def test_a_replacement_fits_its_box(card: str, code: str) -> None:
    with pytest.raises(Unreadable) as caught:
        parse_pack(f'cards = [\n  "{card}",\n]', "own.toml")
    assert (caught.value.code, caught.value.line) == (code, 2)


def test_two_packs_with_one_id_are_refused(run: Run, tmp_path: Path) -> None:
    packs = [written(tmp_path, f"{n}.toml", f'cards = ["Z01 W {n} O1 {CELL}"]') for n in (1, 2)]
    ran = run("new", "--pack", packs[0], "--pack", packs[1])
    assert (ran.status, ran.err) == (2, "unreadable: two packs have a card Z01\n")


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ('name = "x"\ncards = 3', 2),
        (f"cards = [\n  'Z01 W 1 O9 {CELL}',\n]", 2),
        (f'cards = [\n  "Z01 W 1 O1 {CELL}",\n  "Z01 W 1 O1 {CELL}",\n]', 3),
        ("cards = " + "[" * 100_000, 1),
    ],
)
def test_the_line_of_an_error(text: str, line: int) -> None:
    with pytest.raises(Unreadable) as caught:
        parse_pack(text, "own.toml")
    assert (caught.value.file, caught.value.line) == ("own.toml", line)


def test_cards_weighs_the_cards_of_a_pack(run: Run, tmp_path: Path) -> None:
    words = run("cards", "--pack", written(tmp_path, "small.toml", GOOD)).out.split()
    assert "Z01" in words
    assert "Z02" in words


# Refused ones

ABOVE = 'name = "Small"\ncards = [\n  "Z01 W 0 O1 .#### ##### ##### ##### #####",\n'
REFUSED: dict[str, tuple[str, int, str]] = {
    "pack-toml": ('name = "Small"\ncards = oops\n', 2, "not TOML"),
    "pack-key": ('name = "Small"\n\nbooks = []\n', 3, "unknown key 'books'"),
    "pack-form": ("cards = 7\n", 1, "must be a list of texts"),
    "pack-twice": (f'{ABOVE}  "Z01 B 1 O1 {CELL}",\n]\n', 4, "Z01 is there twice"),
    "card-form": (f'{ABOVE}  "Z02 W 0 O1",\n]\n', 4, "found 4 words"),
    "card-id": (f'{ABOVE}  "Z_2 W 0 O1 {CELL}",\n]\n', 4, "letters and digits"),
    "card-colour": (f'{ABOVE}  "Z02 R 0 O1 {CELL}",\n]\n', 4, "W or B"),
    "card-points": (f'{ABOVE}  "Z02 W x O1 {CELL}",\n]\n', 4, "points are a number"),
    "card-reward": (f'{ABOVE}  "Z02 W 0 Q7 {CELL}",\n]\n', 4, "found 'Q7'"),
    "card-rows": (f'{ABOVE}  "Z02 W 0 O1 {CELL[:-1]}",\n]\n', 4, "a row is five"),
    "card-recess": (f'{ABOVE}  "Z02 W 0 O1 ##### ##### ##### ##### #####",\n]\n', 4, "at least one cell"),
    "tile-form": ('\ntiles = [\n  "T1 A now",\n]\n', 3, "found 3 words"),
    "tile-id": ('\ntiles = [\n  "T-1 A now place O1",\n]\n', 3, "letters and digits"),
    "tile-set": ('\ntiles = [\n  "T1 D now place O1",\n]\n', 3, "A, B or C"),
    "tile-what": ('\ntiles = [\n  "T1 A end place O1",\n]\n', 3, "no tile says 'end' 'place'"),
    "tile-piece": ('\ntiles = [\n  "T1 A now place O7",\n]\n', 3, "found 'O7'"),
}


@pytest.mark.parametrize("code", REFUSED)
def test_a_bad_pack_is_refused_with_code_file_and_line(code: str) -> None:
    text, line, reason = REFUSED[code]
    with pytest.raises(Unreadable, match=reason) as caught:
        parse_pack(text, "bad.toml")
    assert (caught.value.code, caught.value.file, caught.value.line) == (code, "bad.toml", line)


@pytest.mark.parametrize("code", REFUSED)
def test_a_bad_pack_is_refused_by_every_command(run: Run, tmp_path: Path, code: str) -> None:
    text, line, reason = REFUSED[code]
    pack = written(tmp_path, "bad.toml", text)
    record = written(tmp_path, "game.pln", "players: 2\n")
    for command in (["new"], ["cards"], ["replay", record], ["moves", record], ["perft", record, "1"]):
        ran = run(*command, "--pack", pack)
        assert_refused(ran, f"{pack}:{line}: unreadable: ")
        assert reason in ran.err


def test_a_pack_that_cannot_be_read_is_refused(run: Run, tmp_path: Path) -> None:
    for path in (str(tmp_path / "none.toml"), str(tmp_path)):
        assert_refused(run("new", "--pack", path), f"{path}: unreadable: the file cannot be read")
    junk = tmp_path / "junk.toml"
    junk.write_bytes(b'name = "a"\nsource = "\xff"\n')
    assert_refused(run("new", "--pack", str(junk)), f"{junk}:2: unreadable: ")


def test_a_pack_card_needs_its_module(run: Run, tmp_path: Path) -> None:
    """As an own card: a ghost as a reward needs the module ghost."""
    pack = written(tmp_path, "ghost.toml", f'cards = ["Z01 W 0 U5 {CELL}"]')
    assert run("new", "--pack", pack).status == 2
    ran = run("new", "--pack", pack, "--modules", "ghost", "--seed", "a")
    assert ran.status == 0
    assert part(table(ran.out), "decks")["W"] == 41  # 32 + 12 + 1, less the row
