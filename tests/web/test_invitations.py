"""Where invitations lead: to the address that others reach, as the server knows it."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.server.processes import Server
from tests.web.conftest import Visits


class Public(Server):
    """A server that was told where people reach it."""

    def options(self) -> list[str]:
        return [*super().options(), "--public-url", "https://games.example"]


class InTheHouse(Server):
    """A server for everybody in the house."""

    def options(self) -> list[str]:
        return [*super().options(), "--host", "0.0.0.0"]


@pytest.mark.parametrize("kind", [Public, InTheHouse])
def test_an_invitation_never_leads_to_this_machine_alone(kind: type[Server], tmp_path: Path, visits: Visits) -> None:
    with kind(tmp_path).start() as server:
        told = server.ask("/api/about")
        reached = told["public_url"] or next(iter(told["addresses"]), "")
        if not reached:
            pytest.skip("this machine is in no network")
        visit = visits(server.url, permissions=["clipboard-read", "clipboard-write"])
        page = visit.page
        page.goto("/new?mode=online")
        page.get_by_role("button", name="Create table and invite").click()
        expect(page.get_by_role("heading", name="The table is set")).to_be_visible()
        page.get_by_role("button", name="Copy the link").click()
        expect(page.get_by_role("button", name="Copied")).to_be_visible()
        assert page.evaluate("navigator.clipboard.readText()").startswith(f"{reached}join/")
        expect(page.locator("input.address").first).to_have_value(page.evaluate("navigator.clipboard.readText()"))
        page.goto("/")  # nothing of this server is asked for once it is gone
