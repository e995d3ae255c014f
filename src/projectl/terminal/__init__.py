"""The game in the terminal: on a full screen, or line by line."""
