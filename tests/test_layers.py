"""Imports point one way: core knows nothing above it, records know only core."""

import ast
import sys
from pathlib import Path

import pytest

import projectl

ROOT = Path(__file__).resolve().parent.parent / "src" / "projectl"

# A part may import itself and what stands to its right.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "core": (),
    "record": ("core",),
    "public": ("core",),
    "facts": ("core", "record"),
    "weigh": ("core",),
    "bots": ("core", "record", "public"),
    "arena": ("core", "record", "public", "bots"),
    "server": ("core", "record", "public", "facts", "bots", ""),
    "cli": ("core", "record", "public", "facts", "weigh", "bots", "arena", "server", ""),
    "": ("core", "record", "public"),  # projectl/__init__.py
}
CORE_USES_FROM_OUTSIDE = {"librt", "mypy_extensions"}  # names for types; nothing of them runs in plain Python


def part_of(path: Path) -> str:
    """The part of the program that a file belongs to."""
    inner = path.relative_to(ROOT)
    return inner.parts[0] if len(inner.parts) > 1 else inner.stem.replace("__init__", "")


def imported(path: Path) -> set[str]:
    """Every module that a file imports."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: imports are absolute"
            module = node.module or ""
            found.add(module)
            found |= {f"{module}.{alias.name}" for alias in node.names if module == "projectl"}
    return found


@pytest.mark.parametrize("path", sorted(ROOT.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_one_way(path: Path) -> None:
    part = part_of(path)
    for module in imported(path):
        top, _, rest = module.partition(".")
        if top == "projectl":
            target = rest.split(".")[0]
            known = target if target in MAY_IMPORT else ""
            assert known == part or known in MAY_IMPORT[part], f"{part or 'projectl'} imports {module}"
        elif part in ("core", "record", "public", "weigh"):
            assert top in sys.stdlib_module_names or top in CORE_USES_FROM_OUTSIDE, f"{path} imports {module}"


@pytest.mark.parametrize("name", ["logging", "time", "random", "secrets", "socket", "datetime", "os", "sys", "pathlib"])
def test_core_has_no_clock_no_chance_and_no_files(name: str) -> None:
    assert not [path.name for path in (ROOT / "core").glob("*.py") if name in imported(path)]


def test_every_public_name_exists() -> None:
    assert all(hasattr(projectl, name) for name in projectl.__all__)
    assert (ROOT / "py.typed").exists()
