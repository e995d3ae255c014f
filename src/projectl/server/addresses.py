"""Where a server is reached: the addresses of this machine, written as links and drawn as a QR code."""

import socket
from collections.abc import Iterator
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import Final
from urllib.parse import urlsplit

import segno

from projectl.core.errors import Unreadable

EVERYWHERE: Final = {"0.0.0.0": "localhost", "::": "::1"}  # and how this machine itself gets there
# In other networks. Nothing is sent to them: a socket that is pointed at one tells which of our addresses it would use.
_OUTSIDE: Final = ("192.0.2.1", "10.255.255.254", "172.31.255.254", "192.168.255.254", "2001:db8::1")
_QUIET: Final = 2  # modules of margin, which readers need
_HALVES: Final = {(False, False): " ", (True, False): "▀", (False, True): "▄", (True, True): "█"}
INK: Final = "".join(_HALVES.values())


def link(host: str, port: int) -> str:
    """`http://HOST:PORT/`; an IPv6 address stands in brackets."""
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def family(host: str) -> socket.AddressFamily:
    """How a host is listened on; a name or address that means nothing here is refused."""
    try:
        return socket.getaddrinfo(host or " ", None, type=socket.SOCK_STREAM)[0][0]
    except (OSError, UnicodeError):
        sentence = f"--host is an address of this machine, as 0.0.0.0, ::1 or 192.168.1.5, found {host[:60]!r}"
        raise Unreadable("host", sentence) from None


def is_loopback(host: str) -> bool:
    """Whether only this machine reaches a host."""
    if host == "localhost":
        return True
    with suppress(ValueError):
        return ip_address(host).is_loopback
    return False


def public_link(address: str) -> str:
    """A given public address, checked, with a slash at its end."""
    try:
        parts = urlsplit(address)
        right = parts.scheme in ("http", "https") and parts.hostname and not (parts.query or parts.username)
        right = bool(right) and not parts.fragment and parts.port != 0 and parts.path in ("", "/")
        right = right and address.isprintable()
    except ValueError:
        right = False
    if not right or " " in address:
        sentence = f"--public-url is as https://games.example.org, found {address[:60]!r}"
        raise Unreadable("public-url", sentence)
    return address if address.endswith("/") else f"{address}/"


def page_origin(address: str) -> str:
    """A given address of pages, as browsers name it, checked."""
    try:
        parts = urlsplit(address)
        right = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        right = right and parts.path in ("", "/") and not (parts.query or parts.fragment or parts.username)
    except ValueError:
        right = False
    if not right:
        raise Unreadable("origin", f"--origin is as https://other.example.org, found {address[:60]!r}")
    return address.rstrip("/").lower()


def proxy(address: str) -> str:
    """A given proxy, or network of them, checked: by name it would never be believed."""
    try:
        ip_network(address) if "/" in address else ip_address(address)
    except ValueError:
        sentence = f"--trusted-proxy is an address as 10.0.0.5 or a network as 172.16.0.0/12, found {address[:60]!r}"
        raise Unreadable("trusted-proxy", sentence) from None
    return address


def links(host: str, port: int) -> tuple[str, ...]:
    """The links under which other machines reach a server that listens there, the likeliest first."""
    if is_loopback(host):
        return ()
    if host not in EVERYWHERE:
        return (link(host, port),)
    version = 6 if ":" in host else 4
    return tuple(link(str(own), port) for own in own_addresses() if own.version == version)


def own_addresses() -> list[IPv4Address | IPv6Address]:
    """The addresses of this machine in its networks, the one it goes out by first."""
    found = dict.fromkeys([*_routed(), *_named()])
    return [own for own in found if not (own.is_loopback or own.is_link_local or own.is_unspecified)]


def _routed() -> Iterator[IPv4Address | IPv6Address]:
    for outside in _OUTSIDE:
        with suppress(OSError), socket.socket(family(outside), socket.SOCK_DGRAM) as probe:
            probe.connect((outside, 9))
            yield ip_address(probe.getsockname()[0].partition("%")[0])


def _named() -> Iterator[IPv4Address | IPv6Address]:
    with suppress(OSError, UnicodeError):
        for entry in socket.getaddrinfo(socket.gethostname(), None, type=socket.SOCK_STREAM):
            yield ip_address(str(entry[4][0]).partition("%")[0])


def qr_rows(words: str) -> list[str]:
    """A QR code, a text for each row: `#` where it is dark."""
    code = segno.make(words, error="m", micro=False)
    return ["".join("#" if module else "." for module in row) for row in code.matrix_iter(border=4)]


def qr_text(words: str) -> str:
    """A QR code, two rows of it in a line of characters: ink where it is dark."""
    code = segno.make(words, error="l", micro=False)
    rows = [[bool(module) for module in row] for row in code.matrix_iter(border=_QUIET)]
    if len(rows) % 2:
        rows.append([False] * len(rows[0]))
    return "\n".join(
        "".join(_HALVES[pair] for pair in zip(upper, lower, strict=True))
        for upper, lower in zip(rows[::2], rows[1::2], strict=True)
    )
