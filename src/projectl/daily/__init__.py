"""A puzzle for every day: a position from a game between bots in which one turn is clearly best."""
