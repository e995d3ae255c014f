"""Environments for people who train agents, in the shapes that their libraries expect.

Importing this registers Gymnasium's `projectl/Solo-v0` and `projectl/Table-v0`; `projectl_v0` is PettingZoo's module,
and importing `open_spiel` registers OpenSpiel's `python_projectl`.
"""

from importlib.util import find_spec

if find_spec("gymnasium"):  # OpenSpiel alone does without
    from gymnasium import register

    register("projectl/Solo-v0", "projectl.envs.solo:SoloEnv", vector_entry_point="projectl.envs.solo:SoloVectorEnv")
    register("projectl/Table-v0", "projectl.envs.table:TableEnv", kwargs={"opponents": ("greedy",)})
