"""The game server: tables, seats, a store that loses nothing, and the protocol that clients speak."""
