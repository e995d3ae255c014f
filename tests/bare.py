"""The README's two commands on a bare machine: a fresh Debian with nothing but Python, git and make.

    make bare
    make bare SUITE=forky
    make bare SUITE=noble     (Ubuntu, for Python 3.12; Debian's package ubuntu-keyring has its keys)

It is made from packages each time, as root, and tried twice, each time from a new clone: as root, and as
a user whose home cannot be written to. The first start is measured. Uncommitted changes are not in it.
"""

import os
import platform
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

CHECKOUT: Final = Path(__file__).resolve().parent.parent
PACKAGES: Final = "python3,python3-venv,git,make"
UBUNTU: Final = ("noble",)  # suites of Ubuntu, where python3-venv stands in the second half of the packages
ABSENT: Final = ("node", "npm", "cc", "gcc", "clang")
FIRST_START: Final = 120.0  # seconds
BUSY: Final = 0.75  # of each processor is taken by others, other tests say: no time measured then says anything
# How this machine reaches packages: a new one would be told the same.
CARRIED: Final = re.compile(r"(?i)_proxy$|^(pip|npm_config|ssl)_|_cert|ca_bundle|cainfo")
MACHINE_FILES: Final = ("/etc/resolv.conf", "/etc/hosts", "/etc/pip.conf", "/etc/npmrc", "/usr/etc/npmrc")
HOME_FILES: Final = (".npmrc", ".pip/pip.conf", ".config/pip/pip.conf")


def missing() -> str:
    """Why no bare machine can be made here; empty where one can."""
    if os.geteuid() != 0:
        return "a Debian root is made by root"
    for program in ("mmdebstrap", "unshare", "git"):
        if not shutil.which(program):
            return f"{program} is not installed"
    if subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
        return "this machine lets nobody mount anything"
    return ""


def say(words: str) -> None:
    """Tell how far it is."""
    print(f"bare: {words}", flush=True)


def environment() -> dict[str, str]:
    """What a shell has on a new machine, and how to reach packages."""
    found = {name: value for name, value in os.environ.items() if CARRIED.search(name)}
    return found | {"PATH": "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin", "LANG": "C.UTF-8", "TERM": "dumb"}


class Failed(Exception):
    """The bare machine did not do what is written."""


class Machine:
    """The Debian root, and its only user."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.user, self.home, self.work = 0, "/root", "/root"

    def make(self, suite: str = "") -> None:
        """Set it up from packages, and from nothing else: this machine's Debian, or another one by its name."""
        options = self.root.with_name("apt.conf")
        options.write_text(subprocess.check_output(["apt-config", "dump", "Acquire"], text=True))
        sources = [Path("/etc/apt/sources.list.d/debian.sources"), Path("/etc/apt/sources.list")]
        mirror = [] if suite else [str(path) for path in sources if path.exists()][:1]
        suite = suite or platform.freedesktop_os_release()["VERSION_CODENAME"]
        command = ["mmdebstrap", "--quiet", "--variant=minbase", f"--include={PACKAGES},apt", f"--aptopt={options}"]
        components = ["--components=main,universe"] if suite in UBUNTU else []
        subprocess.run([*command, *components, suite, str(self.root), *mirror], check=True)
        clone = ["git", "clone", "--quiet", "--bare", "--no-local", str(CHECKOUT), str(self.root / "srv/projectl.git")]
        subprocess.run(clone, check=True)
        for name in (*MACHINE_FILES, *(value for value in environment().values() if value.startswith("/"))):
            self._carry(Path(name), self.root / name.lstrip("/"))
        self._carry_home()
        for program in ABSENT:
            if self.does(f"command -v {program}"):
                raise Failed(f"{program} is on the bare machine, which proves nothing then")

    def become(self, user: int, home: str, work: str) -> None:
        """From now on this user, in this folder."""
        self.user, self.home, self.work = user, home, work

    def next_user(self) -> None:
        """From now on somebody who is not root, and whose home cannot be written to."""
        self.become(1000, "/home/newcomer", "/srv/newcomer")
        for folder in (self.home, self.work):
            (self.root / folder.lstrip("/")).mkdir(parents=True)
        self._carry_home()
        os.chmod(self.root / "home/newcomer", 0o555)
        for path in (
            self.root / "srv/newcomer",
            *(self.root / "srv/projectl.git").rglob("*"),
            self.root / "srv/projectl.git",
        ):
            os.chown(path, self.user, self.user)
        if self.does("touch $HOME/x"):
            raise Failed("the home can be written to")

    def _carry_home(self) -> None:
        for name in HOME_FILES:
            self._carry(Path.home() / name, self.root / self.home.lstrip("/") / name)

    @staticmethod
    def _carry(source: Path, target: Path) -> None:
        if source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            target.unlink(missing_ok=True)
            shutil.copyfile(source, target)

    def _command(self, words: str) -> list[str]:
        """Runs in the root, with processes and mounts of its own that end with it."""
        mounts = f"mount -t proc proc {self.root}/proc && mount --rbind /dev {self.root}/dev"
        enter = f"exec chroot --userspec={self.user}:{self.user} {self.root} sh -c"
        inner = f'{mounts} && {enter} "$0"'
        place = f"export HOME={self.home}; cd {self.work} && {words}"
        return ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inner, place]

    def does(self, words: str) -> bool:
        """Whether a command succeeds; what it prints is nobody's business."""
        done = subprocess.run(self._command(words), env=environment(), capture_output=True, check=False)
        return done.returncode == 0

    def run(self, words: str) -> float:
        """Run a command to its end; the seconds it took."""
        began = time.monotonic()
        done = subprocess.run(self._command(words), env=environment(), check=False)
        if done.returncode:
            raise Failed(f"`{words}` ended with status {done.returncode}")
        return time.monotonic() - began

    @contextmanager
    def running(self, words: str) -> Iterator[subprocess.Popen[bytes]]:
        """Run a command until the block ends, then press Ctrl-C."""
        process = subprocess.Popen(self._command(words), env=environment(), start_new_session=True)
        try:
            yield process
            os.killpg(process.pid, signal.SIGINT)
            process.wait(30)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _page(port: int) -> str:
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5) as answer:
            return str(answer.read().decode())
    except OSError:
        return ""


def start(machine: Machine) -> float:
    """`make play` until the page is there; the seconds it took."""
    port, began = _free_port(), time.monotonic()
    with machine.running(f"cd projectl && make play PORT={port}") as process:
        while not (page := _page(port)):
            if process.poll() is not None:
                raise Failed(f"`make play` ended with status {process.returncode}")
            if time.monotonic() - began > 5 * FIRST_START:
                raise Failed("`make play` shows no page")
            time.sleep(0.1)
        took = time.monotonic() - began
    if 'type="module"' not in page:
        raise Failed(f"this is not the page: {page[:200]!r}")
    return took


def newcomer(machine: Machine, who: str) -> None:
    """What somebody does who has read the README."""
    machine.run("git clone --quiet /srv/projectl.git projectl")
    load = os.getloadavg()[0]
    first, second = start(machine), start(machine)
    say(f"{who}: the page is there {first:.0f} s after the first `make play`, {second:.1f} s after the second")
    if first > FIRST_START and load <= BUSY * (os.cpu_count() or 1):
        raise Failed(f"the first start takes {first:.0f} s, more than {FIRST_START:.0f}")
    if first > FIRST_START:
        say(f"that is more than {FIRST_START:.0f} s, but says nothing: this machine is busy with other things")
    say(f"{who}: `make test` in its short form took {machine.run('cd projectl && make test SHORT=1'):.0f} s")


def newcomers(machine: Machine) -> None:
    """Somebody who is root, then somebody who is not."""
    newcomer(machine, "root")
    machine.next_user()
    newcomer(machine, "a user with a read-only home")


def on_a_bare_machine(work: Callable[[Machine], None]) -> None:
    """Make one, do something there, and throw it away; what fails is a sentence, and the status says so."""
    if why := missing():
        sys.exit(f"bare: no bare machine can be made here: {why}")
    signal.signal(signal.SIGINT, signal.default_int_handler)  # in the background, Ctrl-C would reach nobody in there
    began = time.monotonic()
    folder = Path(tempfile.mkdtemp(prefix="projectl-bare-"))
    machine = Machine(folder / "root")
    try:
        machine.make(*sys.argv[1:2])
        say(f"a Debian root with {PACKAGES} was made in {time.monotonic() - began:.0f} s")
        work(machine)
    except (Failed, subprocess.CalledProcessError) as error:
        sys.exit(f"bare: {error}")
    finally:
        shutil.rmtree(folder)
    say(f"all of it in {time.monotonic() - began:.0f} s")


if __name__ == "__main__":
    on_a_bare_machine(newcomers)
