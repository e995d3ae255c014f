"""The examples for operators work as they are: proxies in front of a real server, the unit, the image and the compose
file. Names, ports and certificates are replaced, nothing else."""

import asyncio
import json
import re
import shutil
import ssl
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
import websockets
import yaml

from projectl.cli.settings import server_settings
from tests.image import instructions
from tests.server.processes import ME, OPEN, Program, Server, free_port, wait_for

ROOT: Final = Path(__file__).resolve().parents[2]
DEPLOY: Final = ROOT / "docs" / "deploy"
UNCHECKED: Final = ssl._create_unverified_context()  # the certificates are made here
NAME: Final = "games.example.org"


def program(name: str) -> str:
    """A program, by Debian's package of the same name."""
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        pytest.skip(f"{name} is not installed (Debian: {name})")
    return found


def example(name: str, replaced: Mapping[str, str]) -> str:
    """An example with some words replaced, each of which stands in it."""
    text = (DEPLOY / name).read_text(encoding="utf-8")
    for word, by in replaced.items():
        assert word in text, word
        text = text.replace(word, by)
    return text


# --- proxies ----------------------------------------------------------------------------------


class Proxy(Program):
    """A proxy in front of a server, reached by HTTPS."""

    port = 0

    def begin(self, command: list[str]) -> None:
        self._start(command)
        wait_for("the proxy", self._answers)

    def _answers(self) -> bool:
        assert self.process.poll() is None, self.said()
        try:
            return self.ask("/health")[0] == 200
        except OSError:
            return False

    def ask(self, path: str, form: object = None, key: str = "", **headers: str) -> tuple[int, Any, Mapping[str, str]]:
        """The status, the answer and its headers."""
        data = None if form is None else json.dumps(form).encode()
        request = urllib.request.Request(f"https://localhost:{self.port}{path}", data)
        request.add_header("content-type", "application/json")
        if key:
            request.add_header("authorization", f"Bearer {key}")
        for name, value in headers.items():
            request.add_header(name.replace("_", "-"), value)
        try:
            with urllib.request.urlopen(request, timeout=20, context=UNCHECKED) as answer:
                return answer.status, answer.read(), {name.lower(): value for name, value in answer.headers.items()}
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read(), {name.lower(): value for name, value in error.headers.items()}


def nginx(folder: Path, server: Server) -> Proxy:
    """As a package from Debian runs it, with the example among its sites."""
    proxy = Proxy(folder / "nginx.log")
    proxy.port = free_port()
    command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", f"/CN={NAME}"]
    keys = [str(folder / "key.pem"), str(folder / "chain.pem")]
    subprocess.run([*command, "-keyout", keys[0], "-out", keys[1]], check=True, capture_output=True)
    site = example(
        "nginx.conf",
        {
            "127.0.0.1:8765 max_fails": f"127.0.0.1:{server.port} max_fails",
            "listen 443 ssl": f"listen 127.0.0.1:{proxy.port} ssl",
            f"/etc/letsencrypt/live/{NAME}/fullchain.pem": keys[1],
            f"/etc/letsencrypt/live/{NAME}/privkey.pem": keys[0],
        },
    )
    (folder / "site.conf").write_text(site)
    (folder / "nginx.conf").write_text(
        f"daemon off; pid {folder}/pid; error_log {folder}/error.log; user root;"
        f"events {{}} http {{ access_log off; client_body_temp_path {folder}/b; proxy_temp_path {folder}/p;"
        f"fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s;"
        f"include {folder}/site.conf; }}"
    )
    proxy.begin([program("nginx"), "-c", str(folder / "nginx.conf"), "-e", str(folder / "error.log")])
    return proxy


def caddy(folder: Path, server: Server) -> Proxy:
    """With a certificate of its own making."""
    proxy = Proxy(folder / "caddy.log")
    proxy.port = free_port()
    site = example(
        "Caddyfile",
        {
            f"{NAME} {{": f"https://localhost:{proxy.port} {{\n\ttls internal",
            "127.0.0.1:8765": f"127.0.0.1:{server.port}",
        },
    )
    own = ["admin off", "skip_install_trust", "auto_https disable_redirects", f"storage file_system {folder}/caddy"]
    (folder / "Caddyfile").write_text("{\n" + "\n".join(own) + "\n}\n" + site)
    proxy.begin([program("caddy"), "run", "--adapter", "caddyfile", "--config", str(folder / "Caddyfile")])
    return proxy


@pytest.fixture(params=[nginx, caddy], ids=["nginx", "caddy"])
def behind(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[tuple[Server, Proxy]]:
    """A server behind a proxy."""
    start: Callable[[Path, Server], Proxy] = request.param
    program(start.__name__)
    with Server(tmp_path).start() as server, start(tmp_path, server) as proxy:
        yield server, proxy


def test_people_play_through_the_proxy(behind: tuple[Server, Proxy]) -> None:
    server, proxy = behind
    status, _, headers = proxy.ask("/api/tables", {"players": 2, "seats": [ME, OPEN]})
    assert status == 200
    assert "Secure" in headers["set-cookie"], "the proxy says https"
    assert proxy.ask("/metrics")[0] == 404
    proxy.ask("/api/tables", x_forwarded_for="203.0.113.7")
    asked = [json.loads(line) for line in server.said().splitlines()]
    assert {line["address"] for line in asked if line["message"] == "request"} == {"127.0.0.1"}, "not as they say"


def test_sockets_and_streams_go_through_the_proxy(behind: tuple[Server, Proxy]) -> None:
    server, proxy = behind
    origin = f"https://localhost:{proxy.port}"

    async def socket(origin: str) -> str:
        url = f"wss://localhost:{proxy.port}/api/socket"
        async with websockets.connect(url, ssl=UNCHECKED, additional_headers={"origin": origin}) as found:
            return str(json.loads(await found.recv())["type"])

    assert asyncio.run(socket(origin)) == "hello"
    with pytest.raises(websockets.ConnectionClosed):
        asyncio.run(socket("https://elsewhere.example"))
    key = server.new_key()
    game = json.loads(proxy.ask("/api/tables", {"players": 2, "seats": [ME, ME]}, key)[1])["game"]
    request = urllib.request.Request(f"{origin}/api/tables/{game}/stream")
    with urllib.request.urlopen(request, timeout=20, context=UNCHECKED) as lines:
        assert json.loads(lines.readline())["type"] == "state"
        form = {"id": "a", "version": 0, "action": "gain O1", "seat": 1}
        assert proxy.ask(f"/api/tables/{game}/actions", form, key)[0] == 200
        assert json.loads(lines.readline())["version"] == 1, "as it comes"


# --- the unit, the image, the compose file ----------------------------------------------------


def test_the_unit_is_one(tmp_path: Path) -> None:
    verify = program("systemd-analyze")
    text = example("projectl.service", {"/opt/projectl/bin/projectl": sys.executable})
    (tmp_path / "projectl.service").write_text(text)
    done = subprocess.run([verify, "verify", str(tmp_path / "projectl.service")], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "User=projectl" in text
    words = re.findall(r"^Exec\w+=\S+ serve(.*)$", text, re.MULTILINE)
    assert words == [" --check", ""], "everything else stands in the file of settings"


def test_the_image_is_checked_by_hadolint() -> None:
    found = Path(sys.executable).with_name("hadolint")
    if not found.exists():
        pytest.skip("hadolint is not installed here")
    done = subprocess.run([str(found), "--no-color", str(DEPLOY / "Dockerfile")], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "")


def test_the_image_has_two_stages_of_one_python_and_no_root() -> None:
    lines = instructions()
    bases = [rest.split()[0] for word, rest in lines if word == "FROM"]
    assert len(bases) == 2
    assert len(set(bases)) == 1
    assert next(rest for word, rest in lines if word == "USER") == "10001:10001"
    for word, rest in lines:
        if word == "COPY" and not rest.startswith("--from"):
            assert all((ROOT / name).exists() for name in rest.split()[:-1]), rest
    settings = {f"PROJECTL_{name.upper().replace('-', '_')}" for name in server_settings()}
    environment = next(rest for word, rest in lines if word == "ENV")
    assert set(re.findall(r"PROJECTL_\w+", environment)) <= settings


def test_the_health_check_of_the_image_tells_a_server_from_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    check = next(rest for word, rest in instructions() if word == "HEALTHCHECK")
    command = [sys.executable, *json.loads(check[check.index("[") :])[1:]]
    with Server(tmp_path).start() as server:
        monkeypatch.setenv("PROJECTL_PORT", str(server.port))
        assert subprocess.run(command, capture_output=True).returncode == 0
        server.stop()
        assert subprocess.run(command, capture_output=True).returncode != 0


def test_the_compose_file_agrees_with_the_image_and_the_settings() -> None:
    found = yaml.safe_load((DEPLOY / "compose.yaml").read_text())
    server = found["services"]["server"]
    assert (DEPLOY / server["build"]["context"]).resolve() == ROOT
    assert (ROOT / server["build"]["dockerfile"]) == DEPLOY / "Dockerfile"
    settings = {f"PROJECTL_{name.upper().replace('-', '_')}" for name in server_settings()}
    assert set(server["environment"]) <= settings
    port = next(rest for word, rest in instructions() if word == "EXPOSE")
    assert server["ports"] == [f"127.0.0.1:{port}:{port}"]
    for name in server["depends_on"]:
        assert "healthcheck" in found["services"][name]
    assert "@store/" in server["environment"]["PROJECTL_STORE"]
    assert server["environment"]["PROJECTL_BUS"].startswith("redis://bus:")
    installed = next(rest for word, rest in instructions() if word == "RUN" and "pip wheel" in rest)
    assert "[postgres,redis]" in installed
