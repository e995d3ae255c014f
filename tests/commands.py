"""`projectl` in a process of its own."""

import os
import sys
from pathlib import Path


def environment(**more: str) -> dict[str, str]:
    """In which another process finds what this one does, in whatever folder it works."""
    path = ":".join(str(Path(entry).resolve()) for entry in sys.path if entry)
    return {**os.environ, "PYTHONPATH": path, **more}
