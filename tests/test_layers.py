"""Imports point one way: core knows nothing above it, records know only core."""

import ast
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

import projectl

ROOT = Path(__file__).resolve().parent.parent / "src" / "projectl"

# A part may import itself and what stands to its right.
MAY_IMPORT: dict[str, tuple[str, ...]] = {
    "core": (),
    "header": ("core",),
    "facts": ("core",),
    "game": ("core", "header", "facts"),
    "record": ("core", "header", "game"),
    "parallel": ("core",),
    "public": ("core",),
    "svg": (),
    "weigh": ("core", "svg"),
    "bots": ("core", "header", "game", "record", "public"),
    "accel": ("core", "bots"),
    "envs": ("core", "bots", "terminal"),
    "arena": ("core", "header", "game", "record", "public", "svg", "bots"),
    "daily": ("core", "header", "game", "record", "bots"),
    "lessons": ("core", "game", "record"),
    "server": ("core", "header", "facts", "game", "record", "public", "bots", "daily", "lessons", ""),
    "terminal": ("core", "header", "facts", "game", "record", "public", "bots", ""),
    "cli": (
        "core",
        "header",
        "facts",
        "game",
        "record",
        "public",
        "svg",
        "weigh",
        "bots",
        "daily",
        "arena",
        "server",
        "terminal",
        "",
    ),
    "__main__": ("cli",),
    "": ("core", "header", "game", "record", "public", "bots"),  # projectl/__init__.py
}
# Names for types; nothing of them runs in plain Python.
CORE_USES_FROM_OUTSIDE = {"librt", "mypy_extensions", "typing_extensions"}


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
        elif part in ("core", "header", "facts", "game", "record", "public", "svg", "weigh"):
            assert top in sys.stdlib_module_names or top in CORE_USES_FROM_OUTSIDE, f"{path} imports {module}"


def declared(*groups: str) -> set[str]:
    """The distributions that pyproject.toml names, as they are imported."""
    project = tomllib.loads((ROOT.parent.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    rows = [*project["dependencies"], *(row for group in groups for row in extras[group])]
    found = {re.split(r"[\[<>=;! ]", row)[0].replace("-", "_").lower() for row in rows}
    imported_as = {
        "open_spiel": "pyspiel",
        "opentelemetry_sdk": "opentelemetry",
        "pyyaml": "yaml",
        "zxing_cpp": "zxingcpp",
    }
    return found | {name for distribution, name in imported_as.items() if distribution in found}


@pytest.mark.parametrize(
    ("folder", "groups"),
    [
        ("src/projectl", ("accel", "openspiel", "postgres", "ray", "redis", "rl", "traces")),
        ("tests", ("accel", "docs", "openspiel", "postgres", "ray", "redis", "rl", "traces", "dev")),
        ("benchmarks", ("accel", "docs", "openspiel", "postgres", "ray", "redis", "rl", "traces", "dev", "bench")),
    ],
)
def test_everything_that_is_imported_is_declared(folder: str, groups: tuple[str, ...]) -> None:
    known = declared(*groups) | set(sys.stdlib_module_names) | {"benchmarks", "projectl", "tests"}
    for path in sorted((ROOT.parent.parent / folder).rglob("*.py")):
        assert {module.split(".")[0] for module in imported(path)} <= known, path


@pytest.mark.parametrize("name", ["logging", "time", "random", "secrets", "socket", "datetime", "os", "sys", "pathlib"])
def test_core_has_no_clock_no_chance_and_no_files(name: str) -> None:
    assert not [path.name for path in (ROOT / "core").glob("*.py") if name in imported(path)]


def test_every_public_name_exists() -> None:
    assert all(hasattr(projectl, name) for name in projectl.__all__)
    assert set(projectl.__all__) <= set(dir(projectl))
    assert (ROOT / "py.typed").exists()
    name = "nothing"
    with pytest.raises(AttributeError, match="module 'projectl' has no attribute 'nothing'"):
        getattr(projectl, name)


def test_names_that_are_loaded_later_are_the_ones_that_mypy_sees() -> None:
    tree = ast.parse((ROOT / "__init__.py").read_text(encoding="utf-8"))
    (typed,) = (node for node in tree.body if isinstance(node, ast.If))
    seen = {
        alias.asname or alias.name: f"{node.module.removeprefix('projectl.')}:{alias.name}"
        for node in typed.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    assert {**seen, "bots": "bots"} == projectl._LATER


def test_the_import_brings_the_rules_and_records_alone() -> None:
    """What else there is takes longer to load than they do: it comes when it is asked for."""
    code = "import projectl, sys; print(*(name for name in sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    ours = {name for name in loaded if name.startswith("projectl.")}
    assert {name.split(".")[1] for name in ours} == {"core", "facts", "game", "header", "public", "record"}
    assert not {"projectl.core.batch", "projectl.core.features", "projectl.core.observe"} & ours
    assert not {"importlib.metadata", "importlib.resources", "inspect", "msgspec", "numpy", "tomllib"} & set(loaded)


# Accel's are core's in arrays: who compares the two reads the same words in both.
TWINS = {"State": {"accel", "core"}, "Player": {"accel", "core"}}


def test_a_name_means_one_class() -> None:
    """Names that a module keeps to itself aside."""
    parts: dict[str, list[str]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                parts.setdefault(node.name, []).append(part_of(path))
    assert len(parts) > 300
    twice = {name: where for name, where in parts.items() if len(where) > 1}
    assert {name: set(where) for name, where in twice.items()} == TWINS
    assert all(len(where) == 2 for where in twice.values())


# Where numbers are packed and unpacked; the engine asks for every decision, and so has its ranges written out.
PACKS = {"core/actions.py", "core/state.py", "accel/decisions.py", "core/engine.py"}
BOUNDS = {"GHOST", "MASTER", "TAKE", "RECYCLE", "GAIN", "UPGRADE", "LEVELUP", "LEVELUP_NONE", "REWARD", "INSERT"}
BOUNDS |= {"ORDER_OF_FOUR", "ORDER_OF_THREE", "TAKE_LINE_CLEAR", "TAKE_GRID", "TAKE_TOP_WHITE", "CREDIT", "STOP"}
ORDERED = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
SIZES = {"PLACEMENTS", "PLACES", "SHAPES", "595", "2380"}


def unpacked(tree: ast.AST) -> list[str]:
    """Where a decision is compared with the ends of a range, or a number is divided into its parts."""
    found: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Compare) and any(isinstance(op, ORDERED) for op in node.ops):
            names = {ast.unparse(part).removeprefix("actions.") for part in (node.left, *node.comparators)}
            found += [ast.unparse(node)] if names & BOUNDS else []
        elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod | ast.FloorDiv):
            size = ast.unparse(node.right).removeprefix("pieces.")
            found += [ast.unparse(node)] if size in SIZES else []
    return found


def test_numbers_are_packed_and_unpacked_in_one_place() -> None:
    sources = {path.relative_to(ROOT).as_posix(): path for path in ROOT.rglob("*.py")}
    assert set(sources) >= PACKS
    for name, path in sources.items():
        if name not in PACKS:
            assert unpacked(ast.parse(path.read_text(encoding="utf-8"))) == [], name
    assert len(unpacked(ast.parse("entry % PLACEMENTS + (GHOST <= decision < actions.MASTER) + n % 3"))) == 2
