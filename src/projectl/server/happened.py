"""What an action did, for messages: logs in words and animation are made from it."""

from projectl.core.engine import apply
from projectl.core.errors import ProjectLError
from projectl.core.lines import legal_decisions
from projectl.core.state import OVER, PLACES, TOUCHES, State
from projectl.facts import (
    completed_places,
    mastermind_acted,
    mastermind_took,
    mastermind_unlocked,
    received,
    taken_places,
    turned_up,
)
from projectl.record import Move
from projectl.server.messages import Facts, Finished


def facts_of(before: State, move: Move, after: State) -> Facts:
    """What an action did that its text does not say."""
    cards = after.cards.cards
    at = move.seat * PLACES
    came = [int(after.board[at + place]) for place in taken_places(before, move, after)]
    done = tuple(
        Finished(cards[before.board[at + place]].id, place + 1, int(cards[before.board[at + place]].points))
        for place in completed_places(before, move, after)
    )
    solo = mastermind_acted(before, after)
    return Facts(
        card=cards[came[0]].id if came else None,
        completed=done,
        rewards=tuple(received(before, move, after)) if done else (),
        turned=tuple(sorted(cards[card].id for card in turned_up(before, after) - set(came))),
        mastermind=tuple(cards[card].id for card in mastermind_took(before, after)) if solo else (),
        unlocked=mastermind_unlocked(before, after),
        round=int(after.round) if after.round > before.round and after.phase not in (TOUCHES, OVER) else None,
        end_triggered=after.end_triggered and not before.end_triggered,
    )


def facts_ahead(state: State, seat: int, actions: list[str]) -> list[Facts]:
    """What actions of a seat (from 0) would do, as far as that can be known: it ends where a hidden card decides."""
    found: list[Facts] = []
    after = state.clone()
    for action in actions:
        before = after.clone()
        try:
            decisions = legal_decisions(after, seat, action)
        except ProjectLError:  # it rests on a card that was only imagined
            break
        for decision in decisions:
            apply(after, decision, seat)
        facts = facts_of(before, Move(seat, action, decisions), after)
        hidden = {after.cards.cards[card].id for card in turned_up(state, after)}
        found.append(
            Facts(card=None if facts.card in hidden else facts.card, completed=facts.completed, rewards=facts.rewards)
        )
    return found
