// Whose hands these are, and what they may do now, read from the props.
import { Legal } from "./actions";
import type { BoardProps, PlayerView } from "./contract";

export class Turn {
  readonly props: () => BoardProps;
  chosenSeat = $state(0);

  constructor(props: () => BoardProps) {
    this.props = props;
  }

  /** The seat that these hands play now: the chosen one of mine if it may act, else one of mine that may. */
  seat = $derived.by(() => {
    const { seats, view, viewer } = this.props();
    const acting = view.to_act.filter((seat) => seats.includes(seat));
    if (acting.includes(this.chosenSeat)) return this.chosenSeat;
    return acting[0] ?? (seats.includes(this.chosenSeat) ? this.chosenSeat : (seats[0] ?? viewer));
  });
  player = $derived.by((): PlayerView | undefined => {
    const { players } = this.props().view;
    return players.find((player) => player.seat === this.seat) ?? players[0];
  });
  mine = $derived.by(() => this.props().seats.includes(this.seat));
  acting = $derived.by(() => this.mine && this.props().view.to_act.includes(this.seat));
  legal = $derived.by(() => new Legal(this.acting ? (this.props().legal[String(this.seat)] ?? []) : []));
  phase = $derived.by(() => this.props().view.phase);
  actionsLeft = $derived.by(() => {
    const left = this.props().view.actions_left;
    return typeof left === "number" ? left : (left[String(this.seat)] ?? 0);
  });
}
