"""The page has words for everything it can be told, in every language, and they are whole. No browser needed."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

_ROOT: Final = Path(__file__).parents[1]
_SOURCE: Final = _ROOT / "src" / "projectl"
_WEB: Final = _ROOT / "web"
LANGUAGES: Final = ("en", "cs", "de", "es", "fr", "it")
# These parts of the program never answer a page.
NOT_OF_THE_SERVER: Final = {"cli", "terminal", "arena", "bots", "envs", "accel"}
WHILE_STARTING: Final = {"StoreError", "BusError"}  # are told to whoever starts a server
STARTING: Final = {Path("server/addresses.py")}  # works only then
# Only a command line reads card packs: `test_a_server_reads_no_packs`.
OF_PACKS: Final = {
    *("pack-form", "pack-key", "pack-toml", "pack-twice"),
    *("tile-form", "tile-id", "tile-set", "tile-what", "tile-piece"),
}
# Raised from a table of outcomes: server/games/invitations.py.
OF_INVITATIONS: Final = {"invite", "invite-expired", "invite-used", "invites-many", "seat-taken"}
OF_THE_PAGE: Final = {"link", "offline", "other", "page", "server-gone"}  # what it finds out by itself

pytestmark = pytest.mark.skipif(not _WEB.is_dir(), reason="the page's sources are not here")


class Raised(NamedTuple):
    """A place in the source that makes an error with a code."""

    code: str
    where: str
    about: bool  # it says what it is about


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


@cache
def _trees() -> dict[Path, ast.Module]:
    files = [path.relative_to(_SOURCE) for path in sorted(_SOURCE.rglob("*.py"))]
    return {path: ast.parse((_SOURCE / path).read_text(encoding="utf-8")) for path in files}


@cache
def _makers() -> frozenset[str]:
    """Everything that is called with a code: the errors, and what sends one off."""
    classes = [node for tree in _trees().values() for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    errors = {"ProjectLError"}
    while more := {one.name for one in classes if errors & {_name(base) for base in one.bases}} - errors:
        errors |= more
    return frozenset((errors | {"Refused", "refused"}) - WHILE_STARTING)


def _texts(node: ast.expr) -> list[str]:
    return [part.value for part in ast.walk(node) if isinstance(part, ast.Constant) and isinstance(part.value, str)]


def _codes_of(node: ast.expr, function: ast.AST) -> list[str] | None:
    """The codes that an argument can be; none where it is handed on; `None` where they cannot be told."""
    if isinstance(node, ast.Constant):
        return [str(node.value)]
    if isinstance(node, ast.Starred) or (isinstance(node, ast.Attribute) and node.attr == "code"):
        return []  # a reason, and those are listed by themselves; an error that was made elsewhere
    if not isinstance(node, ast.Name) or not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
        return None
    if node.id in {argument.arg for argument in function.args.args}:
        return []  # whoever calls the function is looked at
    values = [
        part.value
        for part in ast.walk(function)
        if isinstance(part, ast.Assign)
        and any(isinstance(name, ast.Name) and name.id == node.id for at in part.targets for name in ast.walk(at))
    ]
    if len(values) == 1 and isinstance(values[0], ast.Call) and _name(values[0].func) == "why_not":
        return []
    found = [text for value in values for text in _texts(value)]
    return found or None


def _functions(tree: ast.Module) -> Iterator[tuple[ast.AST, ast.AST]]:
    """Every node with the innermost function around it."""
    stack: list[tuple[ast.AST, ast.AST]] = [(tree, tree)]
    while stack:
        node, function = stack.pop()
        yield node, function
        inner = node if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else function
        stack += [(child, inner) for child in ast.iter_child_nodes(node)]


def _raised_in(path: Path, tree: ast.Module) -> Iterator[Raised]:
    for node, function in _functions(tree):
        where = f"{path}:{getattr(node, 'lineno', 0)}"
        if isinstance(node, ast.Call) and _name(node.func) in _makers() and node.args:
            codes = _codes_of(node.args[0], function)
            assert codes is not None, f"{where}: which codes are these?"
            about = any(keyword.arg == "about" for keyword in node.keywords)
            yield from (Raised(code, where, about) for code in codes)
        reason = isinstance(function, ast.FunctionDef) and function.returns and _name(function.returns) == "Reason"
        if reason and isinstance(node, ast.Return) and not isinstance(node.value, ast.Call):
            assert isinstance(node.value, ast.Tuple), where
            first = node.value.elts[0]
            assert isinstance(first, ast.Constant), f"{where}: which codes are these?"
            yield Raised(str(first.value), where, False)


@cache
def raised() -> tuple[Raised, ...]:
    """Every place that makes an error which a page can be told."""
    mine = {
        path: tree for path, tree in _trees().items() if path.parts[0] not in NOT_OF_THE_SERVER and path not in STARTING
    }
    found = [made for path, tree in mine.items() for made in _raised_in(path, tree)]
    return tuple(made for made in found if made.code not in OF_PACKS)


@cache
def messages(language: str) -> dict[str, Any]:
    """Every message of a language by its key."""
    found: dict[str, Any] = {}
    for part in ("shell", "board", "practice"):
        found |= json.loads((_WEB / "messages" / f"{part}.{language}.json").read_text(encoding="utf-8"))
    return found


def texts(value: Any) -> list[str]:
    """The forms of a message."""
    return [value] if isinstance(value, str) else [text for part in value for text in part["match"].values()]


def holes(value: Any) -> set[str]:
    """What is put into a message."""
    return {hole for text in texts(value) for hole in re.findall(r"\{(\w+)\}", text)}


def key_of(code: str, language: str) -> str:
    """The message for a code, or nothing."""
    key = code.replace("-", "_")
    return next((name for name in (f"refused_{key}", f"b_no_{key}") if name in messages(language)), "")


def test_the_codes_are_found() -> None:
    """The list is not empty by mistake: one of each way in which codes are made."""
    found = {made.code for made in raised()}
    assert {"card-unknown", "outside", "stale", "rate", "no-address", "unreadable", "bot-time", "tiling"} <= found
    assert not found & OF_PACKS
    assert len(found) > 110


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_code_has_words(language: str) -> None:
    assert not [made for made in raised() if not key_of(made.code, language)]
    assert not [code for code in OF_THE_PAGE | OF_INVITATIONS if not key_of(code, language)]


def test_a_code_without_words_is_found() -> None:
    tree = ast.parse("def f():\n    raise Refusal('brand-new', 'a sentence')\n")
    (made,) = _raised_in(Path("server/new.py"), tree)
    assert not key_of(made.code, "en")
    with pytest.raises(AssertionError, match="which codes"):
        list(_raised_in(Path("server/new.py"), ast.parse("def f():\n    raise Refusal(make(), 'a sentence')\n")))


def test_words_that_name_something_are_told_what() -> None:
    wanting = {made for made in raised() if "about" in holes(messages("en")[key_of(made.code, "en")])}
    assert len({made.code for made in wanting}) > 30
    assert not [made for made in wanting if not made.about]


def test_no_words_are_left_of_a_code_that_is_gone() -> None:
    codes = {made.code.replace("-", "_") for made in raised()} | {
        code.replace("-", "_") for code in OF_THE_PAGE | OF_INVITATIONS
    }
    for key in messages("en"):
        found = re.fullmatch(r"(?:refused|b_no)_(\w+)", key)
        assert not found or found[1] in codes or found[1].removesuffix("_record").removesuffix("_seed") in codes, key


@cache
def _page_source() -> str:
    files = [path for path in sorted((_WEB / "src").rglob("*")) if path.suffix in {".ts", ".svelte"}]
    return "\n".join(path.read_text(encoding="utf-8") for path in files if "paraglide" not in path.parts)


@cache
def _put_together() -> tuple[re.Pattern[str], ...]:
    """The keys that the page puts together while it runs, as `word(`mode_${mode}_about`)`."""
    found = re.findall(r"`([a-z]\w*_\$\{[^}`]+\}(?:\w|\$\{[^}`]+\})*)`", _page_source())
    return tuple(re.compile(re.sub(r"\$\{[^}]+\}", r"\\w+", text)) for text in found)


def _is_used(key: str) -> bool:
    named = re.search(rf"\bm\.{key}\b", _page_source())
    return named is not None or any(pattern.fullmatch(key) for pattern in _put_together())


def test_no_message_is_left_that_the_page_never_says() -> None:
    assert not [key for key in messages("en") if not key.startswith("$") and not _is_used(key)]
    assert not _is_used("b_nobody_says_this")
    assert len(_put_together()) > 20


def test_a_server_reads_no_packs() -> None:
    server = [path for path in _trees() if path.parts[0] == "server"]
    assert server
    for path in server:
        assert not re.search(r"\b(parse_pack|parse_tile|load_packs)\b", (_SOURCE / path).read_text()), path


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("part", ["shell", "board", "practice"])
def test_every_message_is_translated(part: str, language: str) -> None:
    def read(code: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads((_WEB / "messages" / f"{part}.{code}.json").read_text(encoding="utf-8"))
        return {key: value for key, value in found.items() if not key.startswith("$")}

    english, other = read("en"), read(language)
    assert list(english) == list(other)
    for key, value in english.items():
        assert all(text.strip() == text != "" for text in texts(other[key])), key
        assert all(holes(text) == holes(value) for text in texts(other[key])), key


# A message may be the same word in two languages; a sentence may not.
@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_no_sentence_is_left_in_english(language: str) -> None:
    for key, value in messages("en").items():
        sentences = [
            text for text in texts(value) if len(re.findall(r"[A-Za-z]{2,}", re.sub(r"\{\w+\}", "", text))) > 3
        ]
        assert not {*sentences} & {*texts(messages(language)[key])}, key


@pytest.mark.parametrize("language", LANGUAGES)
def test_numbers_have_their_forms(language: str) -> None:
    """One and more; in Czech one, two to four, five and more."""
    wanted = {"one", "few", "other"} if language == "cs" else {"one", "other"}
    for key, value in messages(language).items():
        if not isinstance(value, str):
            assert {form.split("=")[1].replace("*", "other") for form in value[0]["match"]} == wanted, key


_QUOTES: Final = {"en": "“”", "cs": "„“", "de": "„“", "es": "«»", "fr": "«»", "it": "«»"}


@pytest.mark.parametrize("language", LANGUAGES)
def test_quotes_are_those_of_the_language(language: str) -> None:
    for key, value in messages(language).items():
        for text in texts(value):
            assert not set(text) & (set("\"'\u2018“”„«»") - set(_QUOTES[language])), key
            assert text.count(_QUOTES[language][0]) == text.count(_QUOTES[language][1]), key


def test_french_signs_stand_apart() -> None:
    for key, value in messages("fr").items():
        for text in texts(value):
            assert not re.search(r" [:;?!»]|« |[^\s\u00a0\u202f.][;?!](?!\w)", text), key


def test_the_topics_of_the_help_have_words() -> None:
    help_ts = (_WEB / "src" / "lib" / "help.ts").read_text(encoding="utf-8")
    topics = re.findall(r'\bid: "(\w+)",\s+rulings: \[([\d, ]*)\](.*?)(?=\bid: "|\n\];)', help_ts, re.DOTALL)
    assert len(topics) > 20
    for topic, rulings, rest in topics:
        more = re.search(r"more: \{(.*?)\}", rest, re.DOTALL)
        parts = re.findall(r"(\w+): ", more[1]) if more else []
        for key in (f"help_{topic}", f"help_{topic}_title", *(f"help_{topic}_{part}" for part in parts)):
            assert key in messages("en")
        for number in re.findall(r"\d+", rulings):
            assert f"ruling_{number}" in messages("en")
