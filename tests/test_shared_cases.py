"""The cases that lie beside a development checkout, where they do; the repository needs none of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from projectl import ProjectLError, lines, replay, view
from projectl.core.playout import perft
from projectl.record import decode

CASES = Path(__file__).resolve().parent.parent.parent / "shared" / "cases"
RECORDS = sorted(CASES.glob("*.pln"))

Json = dict[str, object] | list[object] | str | int | bool | None

pytestmark = pytest.mark.skipif(not RECORDS, reason="no case folder beside this checkout")


def differences(expected: Json, found: Json, path: str = "") -> list[str]:
    """Where a part of a position is not as expected; `{}` stands for anything."""
    if isinstance(expected, dict):
        if expected and not isinstance(found, dict):
            return [f"{path}: {found}"]
        inner = found if isinstance(found, dict) else {}
        missing = [f"{path}/{key} is missing" for key in expected if key not in inner]
        parts = [differences(value, inner[key], f"{path}/{key}") for key, value in expected.items() if key in inner]  # type: ignore[arg-type]
        return missing + [row for rows in parts for row in rows]
    if isinstance(expected, list):
        if not isinstance(found, list) or len(found) != len(expected):
            return [f"{path}: {found} is not {expected}"]
        pairs = enumerate(zip(expected, found, strict=True))
        return [row for n, (one, other) in pairs for row in differences(one, other, f"{path}[{n}]")]  # type: ignore[arg-type]
    return [] if expected == found else [f"{path}: {found} is not {expected}"]


def check_moves(expected: dict[str, Any], key: str, found: list[str]) -> None:
    """What a case says about a listing."""
    assert found == sorted(found)
    if key in expected:
        assert found == sorted(expected[key])
    if f"{key}_count" in expected:
        assert len(found) == expected[f"{key}_count"]
    assert set(expected.get(f"{key}_include", [])) <= set(found)
    assert not set(expected.get(f"{key}_exclude", [])) & set(found)


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.stem)
def test_case(record: Path) -> None:
    expected = json.loads(record.with_suffix(".expect.json").read_text())
    if "error" in expected:
        with pytest.raises(ProjectLError) as caught:
            replay(decode(record.read_bytes()))
        rows = expected["line"] if isinstance(expected["line"], list) else [expected["line"]]
        assert caught.value.kind == expected["error"]
        assert caught.value.line in rows
        return
    game = replay(decode(record.read_bytes()))
    position = json.loads(json.dumps(view(game.state)))
    assert differences(expected.get("position", {}), position) == []
    for seat, supply in expected.get("supply", []):
        assert position["players"][seat - 1]["supply"] == supply
    check_moves(expected, "moves", [f"{seat + 1} {text}" for seat, text, _ in lines(game.state)])
    if any(key.startswith("moves_all") for key in expected):
        check_moves(expected, "moves_all", [f"{seat + 1} {text}" for seat, text, _ in lines(game.state, True)])
    for seat, part in expected.get("seen_by", {}).items():
        assert differences(part, json.loads(json.dumps(view(game.state, int(seat) - 1)))) == []


def test_perft_counts() -> None:
    rows = (CASES / "perft" / "COUNTS").read_text().split("\n")[1:]
    counted = 0
    for name, *counts in (row.split() for row in rows if row.strip()):
        game = replay((CASES / "perft" / f"{name}.pln").read_text())
        assert [perft(game.state, depth + 1) for depth in range(len(counts))] == [int(n) for n in counts]
        counted += 1
    assert counted > 0
