// Which seat these hands play, and what it may do now, as the server says.
import { Legal } from "./actions";
import type { BoardProps, Can, PlayerView } from "./contract";

export class MySeat {
  chosen = $state(0);
  looking = $state(false); // at the chosen seat, though another one of mine is to act

  constructor(private readonly props: () => BoardProps) {}

  /** The seat played now: the chosen one of mine if it may act, else one of mine that may. */
  seat = $derived.by(() => {
    const { seats, view, viewer } = this.props();
    const acting = view.to_act.filter((seat) => seats.includes(seat));
    if (acting.includes(this.chosen) || (this.looking && seats.includes(this.chosen))) return this.chosen;
    return acting[0] ?? (seats.includes(this.chosen) ? this.chosen : (seats[0] ?? viewer));
  });
  /** Turn to a seat of mine, to play it or to look at it. */
  turnTo(seat: number): void {
    const { seats, view } = this.props();
    this.chosen = seat;
    this.looking = !view.to_act.includes(seat) && view.to_act.some((other) => seats.includes(other));
  }
  player = $derived.by((): PlayerView | undefined => {
    const { players } = this.props().view;
    return players.find((player) => player.seat === this.seat) ?? players[0];
  });
  mine = $derived.by(() => this.props().seats.includes(this.seat));
  acting = $derived.by(() => this.mine && this.props().view.to_act.includes(this.seat));
  legal = $derived.by(() => new Legal(this.acting ? (this.props().legal[String(this.seat)] ?? []) : []));
  /** The same in kinds; a state that was kept by an older page has none. */
  can = $derived.by((): Can | undefined => this.props().view.can?.find(({ seat }) => seat === this.seat));
  phase = $derived.by(() => this.props().view.phase);
  /** Whose action can be taken back: a turn that has passed on to another of my seats is still mine. */
  backSeat = $derived.by(() => {
    const { seats, undo } = this.props();
    const can = (seat: number): boolean => (undo[String(seat)] ?? 0) > 0;
    return can(this.seat) ? this.seat : (seats.find(can) ?? 0);
  });
  actionsLeft = $derived.by(() => {
    const left = this.props().view.actions_left;
    return typeof left === "number" ? left : (left[String(this.seat)] ?? 0);
  });
}
