"""The image of docs/deploy/Dockerfile without a container engine: its steps, and its server, in a bare Debian root.

    make image

Stood in for is the base image: Debian's own Python takes the place of the one that the image is made from.
Uncommitted changes are not in it.
"""

import json
import re
import shlex
import time
from pathlib import Path
from typing import Final, NamedTuple

from tests.bare import Failed, Machine, on_a_bare_machine, say

DOCKERFILE: Final = Path(__file__).resolve().parent.parent / "docs" / "deploy" / "Dockerfile"
BASE: Final = "apt-get update && apt-get install --yes --no-install-recommends python3-dev"
PATIENCE: Final = 120.0  # seconds until its server is healthy


class Instruction(NamedTuple):
    """A line of the file: `RUN`, what is run."""

    word: str
    rest: str


def instructions() -> list[Instruction]:
    """All of them, in their order."""
    text = DOCKERFILE.read_text(encoding="utf-8").replace("\\\n", " ")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [Instruction(line.split(None, 1)[0], " ".join(line.split()[1:])) for line in lines]


def build(machine: Machine) -> None:
    """Carry the steps of both stages out, one after the other, as root."""
    machine.run("git clone --quiet /srv/projectl.git projectl")
    machine.become(0, "/root", "/")
    machine.run(f"{BASE} && ln --symbolic python3 /usr/bin/python && mkdir /context")
    machine.run("git -C /root/projectl archive HEAD | tar --extract --directory /context")
    for word, rest in instructions():
        if word == "WORKDIR":
            machine.run(f"mkdir --parents {rest}")
            machine.become(0, "/root", rest)
        elif word == "COPY" and not rest.startswith("--from"):
            *files, target = rest.split()
            sources = " ".join(f"/context/{name}{'/.' if _is_folder(name) else ''}" for name in files)
            machine.run(f"mkdir --parents {target} && cp --recursive {sources} {target}")
        elif word == "RUN":
            machine.run(rest)


def _is_folder(name: str) -> bool:
    return (DOCKERFILE.parents[2] / name).is_dir()


def serve(machine: Machine) -> float:
    """Run its command as its user until its own check calls it healthy; the seconds it took."""
    told = {word: rest for word, rest in instructions() if word in ("USER", "WORKDIR", "ENV", "CMD", "HEALTHCHECK")}
    user = int(told["USER"].split(":")[0])
    machine.become(user, told["WORKDIR"], told["WORKDIR"])
    settings = "".join(f"export {one}; " for one in re.findall(r'\w+=(?:"[^"]*"|\S+)', told["ENV"]))
    check = json.loads(told["HEALTHCHECK"].split("CMD", 1)[1])
    began = time.monotonic()
    with machine.running(settings + shlex.join(json.loads(told["CMD"]))) as server:
        while not machine.does(settings + shlex.join(check)):
            if server.poll() is not None:
                raise Failed(f"the image's server ended with status {server.returncode}")
            if time.monotonic() - began > PATIENCE:
                raise Failed("the image's server is not healthy")
            time.sleep(0.2)
        took = time.monotonic() - began
        if not machine.does(f"{settings} projectl --version | grep --quiet compiled"):
            raise Failed("the image's engine is not compiled")
    if machine.does(settings + shlex.join(check)):
        raise Failed("the image's check calls a server healthy that has stopped")
    return took


def main(machine: Machine) -> None:
    """All of it."""
    began = time.monotonic()
    build(machine)
    say(f"the image's steps were carried out in {time.monotonic() - began:.0f} s")
    say(f"its server, the engine compiled, was healthy after {serve(machine):.1f} s")


if __name__ == "__main__":
    on_a_bare_machine(main)
