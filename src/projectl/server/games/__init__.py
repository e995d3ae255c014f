"""Games that people play: what happened at them, who sits where, whose time runs."""
