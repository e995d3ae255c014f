"""Positions may be kept wherever somebody likes: a tree of them is freed as any other."""

import os
import subprocess
import sys

KEPT = """
from projectl import Rules, new_game
state = new_game(Rules(2), seed="deep")
for _ in range(20):
    tree = None
    for _ in range(100):
        tree = [state.clone(), tree]
    del tree
print("whole")
"""


def test_a_deep_tree_of_positions_is_freed_without_writing_over_anything() -> None:
    """Python looks at every piece of memory when it is freed: whoever wrote beyond his own is found."""
    watching = {**os.environ, "PYTHONMALLOC": "debug"}
    done = subprocess.run([sys.executable, "-c", KEPT], env=watching, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (0, "whole\n"), done.stderr[-2000:]
