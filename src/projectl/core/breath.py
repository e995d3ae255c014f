"""A moment of plain Python."""


def breathe() -> None:
    """Nothing. Python looks for signals only between its own instructions: a long compiled loop comes by here."""
