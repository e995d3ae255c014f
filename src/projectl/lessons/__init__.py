"""Short lessons: positions in which one action shows one rule, each with the action that shows it."""
