"""The forms that the store has had, each made from the one before by Alembic."""
