"""Fixed-width numbers and packed arrays.

Compiled by mypyc these names are machine integers and packed vectors; in plain Python they are
`int` and `list`. Code that uses them keeps every value inside 63 bits, so both run alike.
"""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from librt.vecs import append as append
    from librt.vecs import vec as vec
    from mypy_extensions import i16 as i16
    from mypy_extensions import i32 as i32
    from mypy_extensions import i64 as i64
    from mypy_extensions import mypyc_attr as mypyc_attr
    from mypy_extensions import u8 as u8
    from typing_extensions import Buffer as Buffer
else:
    i16 = i32 = i64 = u8 = int
    Buffer = object

    def _new(items=(), *, capacity=0):
        return list(items)

    class vec:  # noqa: N801
        def __class_getitem__(cls, item):
            return _new

    def mypyc_attr(**_):
        return lambda made: made

    def append(items, item):
        items.append(item)
        return items
