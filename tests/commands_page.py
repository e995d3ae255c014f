"""docs/commands.md: every command with its arguments and options, as the program says them.

python -m tests.commands_page       writes it anew
"""

import re
from collections.abc import Iterator
from pathlib import Path

import typer
from typer.core import TyperArgument, TyperGroup, TyperOption

from projectl.cli import app
from projectl.cli.help import in_words

PAGE = Path(__file__).resolve().parent.parent / "docs" / "commands.md"
HEAD = """# Every command

What `projectl COMMAND --help` says, for reading; the program writes this page (`make docs`). The options of `projectl
serve` are [settings](server.md#settings): they may stand in the environment or in a file as well.
"""


def commands() -> Iterator[tuple[str, typer.core.TyperCommand | TyperGroup]]:
    """All of them by the words that call them, groups before their own."""
    command = typer.main.get_command(app)
    in_words(command)
    yield from _below("projectl", command)


def _below(words: str, command: object) -> Iterator[tuple[str, typer.core.TyperCommand | TyperGroup]]:
    assert isinstance(command, typer.core.TyperCommand | TyperGroup)
    yield words, command
    if isinstance(command, TyperGroup):
        for name, inner in command.commands.items():
            yield from _below(f"{words} {name}", inner)


def _plain(text: str | None) -> str:
    """Help as one line of Markdown."""
    return re.sub(r"\s+", " ", text or "").strip().replace("|", "\\|").replace("*", "\\*").replace("<", "&lt;")


def _option(option: TyperOption) -> str:
    word = (option.metavar or "").replace("|", "\\|")
    names = ", ".join(
        f"`{name} {word}`" if name.startswith("--") and not option.is_flag else f"`{name}`"
        for name in [*option.opts, *option.secondary_opts]
    )
    default = f" Without it: `{option.default}`." if option.default and not option.is_flag else ""
    return f"| {names} | {_plain(option.help)}{default} |"


def _section(words: str, command: typer.core.TyperCommand | TyperGroup) -> str:
    arguments = [part for part in command.params if isinstance(part, TyperArgument)]
    options = [part for part in command.params if isinstance(part, TyperOption) and not part.hidden]
    lines = [f"## {words}", "", _plain((command.help or "").replace("\b", "")), ""]
    usage = " ".join([words, *(["COMMAND"] if isinstance(command, TyperGroup) else [])])
    usage += "".join(f" {_argument(part)}" for part in arguments)
    lines += [f"`{usage}`", ""]
    rows = [f"| `{_value(part)}` | {_plain(part.help)} |" for part in arguments]
    rows += [_option(part) for part in options]
    if rows:
        lines += ["| | |", "| --- | --- |", *rows, ""]
    return "\n".join(lines)


def _value(argument: TyperArgument) -> str:
    return (argument.metavar or (argument.name or "").upper()).strip("[]")


def _argument(argument: TyperArgument) -> str:
    name = _value(argument)
    name += " ..." if argument.nargs == -1 else ""
    return name if argument.required else f"[{name}]"


def page() -> str:
    """The whole page."""
    return HEAD + "\n" + "\n".join(_section(words, command) for words, command in commands()).rstrip() + "\n"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
