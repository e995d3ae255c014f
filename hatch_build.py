"""Compile the engine with mypyc while the wheel is built; without a C compiler it stays Python."""

import os
import sys
from contextlib import chdir
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

# Text and files stay plain Python; what is called for every decision is compiled.
COMPILED = (
    "bots/beam",
    "bots/covers",
    "bots/eager",
    "bots/rollout",
    "bots/touches",
    "bots/value",
    "core/actions",
    "core/cards",
    "core/complete",
    "core/dice",
    "core/engine",
    "core/finesse",
    "core/legal",
    "core/market",
    "core/mastermind",
    "core/pieces",
    "core/playout",
    "core/rules",
    "core/score",
    "core/setup",
    "core/state",
    "core/turn",
)


def compile_engine(source: Path, target: Path) -> list[Path]:
    """Compile the engine's modules below `source` (the folder of the package) into `target`."""
    from mypyc.build import mypycify
    from setuptools import Distribution
    from setuptools.command.build_ext import build_ext

    with chdir(source):
        modules = [f"projectl/{name}.py" for name in COMPILED]
        extensions = mypycify(modules, opt_level="3", debug_level="0", target_dir=mkdtemp())
        command = build_ext(Distribution({"name": "projectl", "ext_modules": extensions}))
        command.build_lib = str(target)
        command.build_temp = mkdtemp()
        command.ensure_finalized()
        command.run()
        return [Path(output) for output in command.get_outputs()]


class CompileHook(BuildHookInterface):
    """Adds the compiled modules to a wheel. PROJECTL_PURE=1 leaves them out."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if self.target_name != "wheel" or version == "editable" or os.environ.get("PROJECTL_PURE"):
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
