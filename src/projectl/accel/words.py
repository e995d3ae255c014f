"""32-bit words, the only numbers there are here: packing small fields, choosing without branching.

Everything is written for one game, with every number a scalar. Under `vmap` each scalar becomes one array over the
games, so that a whole decision is a long chain of elementwise operations which a compiler can fuse.
"""

from collections.abc import Callable
from typing import ClassVar, TypeAlias, TypeVar

import jax
import jax.numpy as jnp
import numpy as np
import numpy.typing as npt

Word: TypeAlias = jax.Array  # uint32
Flag: TypeAlias = jax.Array  # bool
Table: TypeAlias = npt.NDArray[np.uint32]
T = TypeVar("T")
WIDTH = 32
CARDS_A_WORD = 4  # a card is a byte


def word(number: int) -> Word:
    """A fixed number as a word; not an array, so that it can stand inside any kernel."""
    return np.uint32(number)


def as_word(flag: Flag) -> Word:
    """1 where a flag is set."""
    return jnp.asarray(flag).astype(jnp.uint32)


def when(condition: Flag, new: T, old: T) -> T:
    """`new` where the condition holds, else `old`; either may be a structure of words."""
    return jax.tree.map(lambda a, b: b if a is b else jnp.where(condition, a, b), new, old)


class Kernel:
    """Set while the body of a kernel is traced: its tables lie in memory that it is handed, and it needs no seams."""

    tables: ClassVar[dict[int, Callable[[Word], Word]] | None] = None  # by the table's identity: how to read it


def seam(values: T) -> T:
    """The same values, worked out before anything behind the seam is.

    A compiler that fuses whatever it can would else repeat all of a decision for each of its results.
    """
    if Kernel.tables is not None:
        return values
    leaves, structure = jax.tree.flatten(values)
    moving = [n for n, leaf in enumerate(leaves) if isinstance(leaf, jax.Array)]
    for n, leaf in zip(moving, jax.lax.optimization_barrier([leaves[n] for n in moving]), strict=True):
        leaves[n] = leaf
    return jax.tree.unflatten(structure, leaves)


def loop_while(condition: Callable[[T], Flag], change: Callable[[T], T], values: T) -> T:
    """Change each game for as long as its condition holds."""

    def any_holds(now: T) -> Flag:
        return jnp.max(condition(now).astype(jnp.int32)) > 0

    return jax.lax.while_loop(any_holds, lambda now: when(condition(now), change(now), now), values)


def compiler_options() -> dict[str, bool | str]:
    """What `jax.jit` needs to know: on a CPU the compiler drops seams, unless it is told not to."""
    return {"xla_disable_hlo_passes": "cse_barrier_expander"} if jax.default_backend() == "cpu" else {}


def only(condition: Flag, number: Word) -> Word:
    """The number where the condition holds, else 0."""
    return jnp.where(condition, number, word(0))


def nth(items: list[T], index: Word) -> T:
    """One of several items by a number that only the game knows."""
    found = items[0]
    for n in range(1, len(items)):
        found = when(index == n, items[n], found)
    return found


def bits_set(number: Word) -> Word:
    """How many bits are set."""
    if isinstance(number, np.uint32):
        return word(int(number).bit_count())
    signed = jax.lax.bitcast_convert_type(number, jnp.int32)  # kernels count the bits of signed numbers only
    return jax.lax.bitcast_convert_type(jax.lax.population_count(signed), jnp.uint32)


def bit(index: Word) -> Word:
    """The word with one bit set."""
    return word(1) << (index & 31)


def lowest_bit(number: Word) -> Word:
    """The lowest set bit alone; 0 for 0."""
    return number & (~number + 1)


def index_of(single: Word) -> Word:
    """The position of the only set bit (32 for 0)."""
    return bits_set(single - 1)


def nth_bit(number: Word, n: Word) -> Word:
    """The position of the n-th set bit, from 0."""
    found = word(0)
    for half in (16, 8, 4, 2, 1):
        below = bits_set((number >> found) & np.uint32((1 << half) - 1))
        past = n >= below
        n = n - only(past, below)
        found = found + only(past, word(half))
    return found


def byte(number: Word, index: Word | int) -> Word:
    """One of the four bytes."""
    return (number >> (8 * index)) & 255


def without_first(words: list[Word]) -> list[Word]:
    """A row of bytes that moves up by one."""
    following = [*words[1:], word(0)]
    return [here >> 8 | after << 24 for here, after in zip(words, following, strict=True)]


def with_byte(words: list[Word], index: Word, number: Word) -> list[Word]:
    """A row of bytes with a number where a 0 was."""
    return [here | only(index >> 2 == n, number << (8 * (index & 3))) for n, here in enumerate(words)]


def look(table: Table, index: Word) -> Word:
    """An entry of a table; the index must be inside."""
    if Kernel.tables is not None:
        return Kernel.tables[id(table)](index)
    return jnp.asarray(table).at[index].get(mode="promise_in_bounds")


Fields: TypeAlias = tuple[tuple[str, int], ...]  # names and bits; one bit is a flag


def places(fields: Fields) -> list[tuple[str, int, int, int]]:
    """Name, bits, word and shift: fields go into words in order, never across two."""
    found: list[tuple[str, int, int, int]] = []
    at, shift = 0, 0
    for name, bits in fields:
        if shift + bits > WIDTH:
            at, shift = at + 1, 0
        found.append((name, bits, at, shift))
        shift += bits
    return found


def words_needed(fields: Fields) -> int:
    """How many words the fields take."""
    return places(fields)[-1][2] + 1 if fields else 0


def unpack(fields: Fields, words: tuple[Word, ...]) -> dict[str, jax.Array]:
    """The fields of packed words, by name."""
    found: dict[str, jax.Array] = {}
    for name, bits, at, shift in places(fields):
        number = (words[at] >> shift) & np.uint32((1 << bits) - 1)
        found[name] = number != 0 if bits == 1 else number
    return found


def pack(fields: Fields, numbers: dict[str, jax.Array]) -> tuple[Word, ...]:
    """The words of the named fields."""
    words = [word(0)] * words_needed(fields)
    for name, bits, at, shift in places(fields):
        number = as_word(numbers[name]) if bits == 1 else numbers[name]
        words[at] = words[at] | (number << shift)
    return tuple(words)
