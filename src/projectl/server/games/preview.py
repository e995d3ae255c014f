"""Actions that somebody only thinks about: whether they could be played, why not, what they would do."""

from typing import NamedTuple

from projectl.core import actions
from projectl.core.engine import apply
from projectl.core.errors import ProjectLError
from projectl.core.notation import legal_decisions, more_placements
from projectl.core.state import State
from projectl.facts import Facts, facts_of, turned_up


class Preview(NamedTuple):
    """No code: it could be played."""

    code: str
    sentence: str
    more: list[str]  # placements that may be added to it


def tried(state: State, seat: int, action: str) -> Preview:
    """What would happen if a seat (from 0) played this now."""
    try:
        decisions = legal_decisions(state, seat, action)
    except ProjectLError as error:
        return Preview(error.code, error.sentence, [])
    more = more_placements(state, seat, decisions)
    return Preview("", "", [actions.placement_text(option) for option in more])


def facts_ahead(state: State, seat: int, lines: list[str]) -> list[Facts]:
    """What actions of a seat (from 0) would do, as far as that can be known: it ends where a hidden card decides."""
    found: list[Facts] = []
    after = state.clone()
    for line in lines:
        before = after.clone()
        try:
            decisions = legal_decisions(after, seat, line)
        except ProjectLError:  # it rests on a card that was only imagined
            break
        for decision in decisions:
            apply(after, decision, seat)
        facts = facts_of(before, seat, decisions, after)
        hidden = {after.cards.cards[card].id for card in turned_up(state, after)}
        found.append(_known_ahead(facts, hidden))
    return found


def _known_ahead(facts: Facts, hidden: set[str]) -> Facts:
    """What of it a player can know before: not which card comes from a deck, nor what comes after the action."""
    found: Facts = {}
    if "card" in facts and facts["card"] not in hidden:
        found["card"] = facts["card"]
    if "completed" in facts:
        found["completed"] = facts["completed"]
    if "rewards" in facts:
        found["rewards"] = facts["rewards"]
    return found
