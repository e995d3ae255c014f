"""The rules as array code in JAX: many games at once on a CPU or an accelerator, equal to core decision by decision.

`make` gives an environment: `init`, `step`, `legal_action_mask`, `rewards`, to be used under `jax.vmap` and `jax.jit`.
"""

import sys

try:
    from projectl.accel.env import Env, make, make_for
    from projectl.accel.state import State
except ModuleNotFoundError as error:
    if error.name != "jax":
        raise
    sentence = "the array engine needs JAX: pip install 'projectl[accel]'"
    if sys.argv[:1] == ["-m"]:  # `python -m projectl.accel.train`: whoever types that needs no traceback
        raise SystemExit(sentence) from None
    raise ModuleNotFoundError(sentence, name="jax") from None

__all__ = ["Env", "State", "make", "make_for"]
