"""The page in a real browser, driven as a person drives it."""
