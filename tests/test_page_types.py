"""What `npm run types` wrote for the page is what the program says today. Neither Node nor a browser is needed."""

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

from projectl.server.catalogue import option_rows
from projectl.server.http.replies import all_types

FILE = Path(__file__).parents[1] / "web" / "src" / "lib" / "messages.ts"
pytestmark = pytest.mark.skipif(not FILE.is_file(), reason="the page's sources are not here")


def definitions() -> dict[str, Any]:
    """The JSON Schema of every message and reply, by name."""
    found = all_types()["$defs"]
    assert isinstance(found, dict)
    return found


def interfaces() -> dict[str, set[str]]:
    """The interfaces of the page's file with their fields; a field that may be missing ends with `?`."""
    text = FILE.read_text(encoding="utf-8")
    blocks = re.findall(r"^export interface (\w+) \{\n(.*?)^\}", text, re.MULTILINE | re.DOTALL)
    return {name: set(re.findall(r"^  (\w+\??):", fields, re.MULTILINE)) for name, fields in blocks}


def test_every_type_is_there_with_its_fields_and_no_other() -> None:
    expected = {
        name: {field if field in schema.get("required", []) else f"{field}?" for field in schema["properties"]}
        for name, schema in definitions().items()
        if "properties" in schema
    }
    assert len(expected) > 50
    assert interfaces() == expected


def test_the_page_has_the_table_of_options() -> None:
    found = re.search(r"^export const OPTIONS: readonly OptionRow\[\] = (.*?);$", FILE.read_text(), re.M | re.S)
    assert found
    assert json.loads(found[1]) == msgspec.to_builtins(option_rows())
