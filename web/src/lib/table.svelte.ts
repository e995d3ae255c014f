// A table that is followed: everything the board is given, kept current by the socket.
import type { Advice } from "../board/contract";
import * as api from "./api";
import { actionOf, isPlay, seatOf } from "./events";
import type { FromServer, Happened, Update, Table, Tried } from "./messages";
import { keepState, lastState, remember } from "./mine";
import { Socket, type Answer, type Change, type Link, type Trouble } from "./socket";
import { Pacer, type When } from "./pace";
import { settings } from "./settings.svelte";
import { sayCode } from "./refusals";

export interface Refused {
  code: string;
  sentence: string;
}


// Not every browser tells when it is idle.
const whenIdle = (run: () => void): void => void (window.requestIdleCallback?.(run, { timeout: 400 }) ?? setTimeout(run, 60));

export class Followed {
  state = $state.raw<Update | null>(null);
  table = $state.raw<Table | null>(null);
  events = $state.raw<Happened[]>([]);
  earlier = $state(0); // before this version something happened that was not asked for yet
  played = $derived(this.events.filter(({ event }) => event.type !== "said"));
  said = $derived(this.events.flatMap(({ version, event }) => (event.type === "said" ? [{ version, ...event }] : [])));
  link = $state<Link>("connecting");
  trouble = $state<Trouble>("");
  unanswered = $state.raw<Change[]>([]); // sent, and not known to have arrived
  busy = $state(false);
  refused = $state.raw<Refused | null>(null);
  hint = $state.raw<Advice | null>(null);
  hinting = $state(false);
  missing = $state.raw<Refused | null>(null); // the table cannot be watched at all
  stale = $state(false); // what is shown was kept from an earlier visit

  private readonly socket: Socket;
  private readonly pacer = new Pacer(() => (this.table?.clock ? "once" : settings.pace)); // a clock that runs leaves no time to watch
  private told = 0; // the version of the last state that arrived, shown or not
  private keeping = false; // what is shown will be kept soon

  constructor(readonly game: string) {
    addEventListener("pagehide", this.keep);
    const kept = lastState(game);
    if (kept) {
      this.state = kept.state;
      this.table = kept.table;
      this.events = kept.state.events;
      this.stale = true;
    }
    this.socket = new Socket(
      game,
      () => (this.stale || !this.state ? null : this.state.version),
      {
        heard: (message) => this.hear(message),
        changed: (link, trouble) => {
          this.link = link;
          this.trouble = trouble;
        },
        waits: (changes) => (this.unanswered = changes),
      },
    );
  }

  close(): void {
    this.pacer.close();
    this.keep();
    removeEventListener("pagehide", this.keep);
    this.socket.close();
  }

  readonly retry = (): void => this.socket.wake();

  get mayAct(): boolean {
    const { state } = this;
    return !!state && this.table?.status === "playing" && state.seats.some((seat) => state.view.to_act.includes(seat));
  }

  /** Ask for what happened before the first event here. */
  readonly lookBack = async (): Promise<void> => {
    const asked = this.earlier;
    this.earlier = 0;
    try {
      const { events, earlier } = await api.before(this.game, asked);
      this.events = [...events, ...this.events];
      this.earlier = earlier ?? 0;
    } catch {
      this.earlier = asked; // it can be asked again
    }
  };

  /** Whether what is shown may be older than what is so: nothing can be done, and nobody's turn is known. */
  get cut(): boolean {
    return this.link !== "open" || this.stale;
  }

  /** The last event that changed the position. */
  private get position(): number {
    return this.events.findLast(({ event }) => isPlay(event))?.version ?? 0;
  }

  private get version(): number {
    return this.state?.version ?? 0;
  }

  private hear(message: FromServer): void {
    if ("game" in message && message.game && message.game !== this.game) return;
    if (message.type === "state") this.pacer.hear(() => this.apply(message), this.when(message));
    else if (message.type === "table") this.pacer.hear(() => this.setTable(message.table), "after");
    else if (message.type === "refused" && !message.id && !this.state) {
      this.missing = { code: message.code, sentence: message.sentence };
    }
  }

  /** What others played is shown one by one; whatever I did, or what is no move, at once. */
  private when({ events, seats, version }: Update): When {
    const fresh = events.filter((happened) => happened.version > this.told);
    const first = this.stale || !this.state;
    this.told = Math.max(this.told, version);
    if (first || fresh.length === 0) return "now";
    if (fresh.every(({ event }) => event.type === "said")) return "after";
    return fresh.every((happened) => actionOf(happened) && !seats.includes(seatOf(happened.event))) ? "paced" : "now";
  }

  private apply(next: Update): void {
    if (!this.stale && next.version < this.version) return;
    const last = this.stale ? 0 : (this.events.at(-1)?.version ?? 0);
    const before = this.stale || next.earlier ? [] : this.events;
    if (this.stale || next.earlier) this.earlier = next.earlier ?? 0;
    this.events = [...before, ...next.events.filter((event) => event.version > last)];
    if (next.version !== this.version) this.hint = this.followHint(next);
    this.stale = false;
    this.state = next;
    if (next.table) this.setTable(next.table);
    if (!this.keeping) whenIdle(this.keep);
    this.keeping = true;
  }

  /** Writing takes a moment, so it waits until the board has moved. */
  private readonly keep = (): void => {
    if (!this.keeping) return;
    this.keeping = false;
    const { state, table } = this;
    if (!state || !table) return;
    keepState({ ...state, events: this.events }, table);
    if (state.seats.length) remember(table, this.mayAct);
  };

  /** A hint that was followed goes on with what is left of it. */
  private followHint(next: Update): Advice | null {
    const { hint } = this;
    const [played, ...more] = next.events.filter(({ version, event }) => version > this.version && isPlay(event));
    if (!played) return hint;
    const [first, ...actions] = hint?.actions ?? [];
    if (!hint || more.length || actionOf(played) !== first || actions.length === 0) return null;
    return { ...hint, actions, facts: hint.facts.slice(1) };
  }

  private setTable(table: Table): void {
    this.table = table;
    if (this.state?.seats.length) remember(table, this.mayAct);
  }

  private async change(asked: Promise<Answer>): Promise<void> {
    this.busy = true;
    this.refused = null;
    const answer = await asked;
    this.busy = this.socket.acting;
    if (answer.type === "refused") this.refused = { code: answer.code, sentence: sayCode(answer.code, answer.sentence) };
  }

  /** Say why something is not done that was never sent. */
  refuse(sentence: string): void {
    this.refused = { code: "", sentence };
  }

  readonly act = (seat: number, action: string): void => {
    const { game, version } = this;
    void this.change(this.socket.ask({ type: "act", game, version, action, seat }));
  };

  readonly undo = (seat: number, all: boolean): void => {
    const { game, version } = this;
    void this.change(this.socket.ask({ type: "undo", game, version, seat, all }));
  };

  readonly resign = (seat: number): void => {
    const { game, version } = this;
    void this.change(this.socket.ask({ type: "resign", game, version, seat }));
  };

  readonly chat = (text: string): void => {
    const seat = this.state?.seats[0] ?? null;
    void this.change(this.socket.ask({ type: "chat", game: this.game, text, seat }));
  };

  readonly try = async (seat: number, action: string): Promise<Tried> => {
    const answer = await this.socket.ask({ type: "try", game: this.game, action, seat });
    if (answer.type === "tried") return answer;
    const { code, sentence } = answer.type === "refused" ? answer : { code: "", sentence: "" };
    return { type: "tried", game: this.game, id: "", legal: false, code, sentence };
  };

  readonly askHint = async (seat: number): Promise<void> => {
    this.hinting = true;
    const position = this.position;
    const answer = await this.socket.ask({ type: "hint", game: this.game, seat });
    this.hinting = false;
    if (answer.type === "hinted" && position === this.position) {
      const { actions, facts, chance } = answer;
      this.hint = { actions, facts, chance };
    }
    if (answer.type === "refused") this.refused = { code: answer.code, sentence: sayCode(answer.code, answer.sentence) };
  };
}
