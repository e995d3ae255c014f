// One connection to the server for one table: it comes back by itself, asks for what it missed, and sends what was not
// answered again under the same id, so nothing is lost and nothing is done twice. A line can die without a word, so it
// is asked about once a second for a sign of life: silence shows within two seconds, on this side and on the other.
import type { FromClient, FromServer } from "./messages";

/** `silent`: connected, but nothing comes back; `waiting`: lost, and tried again. */
export type Link = "connecting" | "open" | "silent" | "waiting" | "stopped";
export type Trouble = "" | "offline" | "gone" | "silent" | "restart" | "large" | "junk" | "banned" | "origin" | "slow" | "often";

type Asked = Extract<FromClient, { id: string }>;
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type Question = WithoutId<Asked>;
export type Answer = Exclude<FromServer, { type: "hello" | "state" | "table" }>;
/** What changes the game, or is said in it. */
export type Change = Extract<FromClient, { type: "act" | "undo" | "resign" | "chat" }>;

interface Pending {
  message: Asked;
  sent: number; // milliseconds of this page's clock
  answer(message: Answer): void;
}

interface Ears {
  heard(message: FromServer): void;
  changed(link: Link, trouble: Trouble): void;
  /** What was sent and has no answer yet. */
  waits(changes: Change[]): void;
}

const FIRST_WAIT = 400; // milliseconds, doubled with each failure
const LONGEST_WAIT = 10_000;
const LOOK = 100; // between two looks at what was not answered
const STOOD_STILL = 300; // the page itself was busy or asleep: that time does not count
const GIVEN_UP = 4000; // without an answer, then the line is left for a new one
const ROUND_TRIPS = 2.5; // of this line's own, if they are long, until its silence means something

/** How often a sign of life is asked for, until when it has to come, and what the server is promised (seconds). */
const SEEN = { beat: 800, patience: 900, within: 2 };
const HIDDEN = { beat: 25_000, patience: 10_000, within: 90 };

/** What a closing code means, and how long to stay away at least. */
const CODES: Record<number, [Trouble, number]> = {
  1009: ["large", 1000],
  1012: ["restart", 1000],
  4400: ["junk", 10_000],
  4401: ["banned", Infinity],
  4403: ["origin", Infinity],
  4408: ["slow", 0],
  4429: ["often", 8000],
};

const isChange = (message: Asked): message is Change => ["act", "undo", "resign", "chat"].includes(message.type);
const pace = () => (document.hidden ? HIDDEN : SEEN);

export class Socket {
  private socket: WebSocket | null = null;
  private greeted = false; // the server has said hello on it
  private opened = 0;
  private heardAt = 0;
  private looked = performance.now();
  private roundTrip = 0;
  private pending = new Map<string, Pending>();
  private failures = 0;
  private timer = 0;
  private link: Link = "connecting";
  private counter = 0;
  private readonly name = crypto.randomUUID().slice(0, 13);
  private readonly looking = window.setInterval(() => this.look(), LOOK);

  constructor(
    private readonly game: string,
    private readonly since: () => number | null,
    private readonly ears: Ears,
  ) {
    addEventListener("online", this.wake);
    addEventListener("offline", this.doubt);
    document.addEventListener("visibilitychange", this.turned);
    this.open();
  }

  /** Ask something; the promise is kept across lost connections until there is an answer. */
  ask(question: Question): Promise<Answer> {
    const message = { ...question, id: `${this.name}-${++this.counter}` } as Asked;
    return new Promise((answer) => {
      this.pending.set(message.id, { message, answer, sent: performance.now() });
      this.say(message);
      if (isChange(message)) this.tellWaits();
    });
  }

  /** Whether something that changes the game has no answer yet. */
  get acting(): boolean {
    return [...this.pending.values()].some(({ message }) => isChange(message) && message.type !== "chat");
  }

  close(): void {
    this.link = "stopped";
    removeEventListener("online", this.wake);
    removeEventListener("offline", this.doubt);
    document.removeEventListener("visibilitychange", this.turned);
    clearTimeout(this.timer);
    clearInterval(this.looking);
    this.socket?.close(1000);
    this.pending.clear();
  }

  /** Try now instead of waiting longer: a new line if there is one, else a sign of life on the old. */
  readonly wake = (): void => {
    if (this.link === "stopped") return;
    if (this.socket && this.link !== "silent") return;
    clearTimeout(this.timer);
    this.leave();
    this.open();
  };

  /** The browser says that the network is gone. A server on this machine may still answer, so it is asked. */
  private readonly doubt = (): void => {
    if (!this.greeted) return;
    this.change("silent", "offline");
    this.beat();
  };

  private readonly turned = (): void => {
    if (this.greeted) this.beat();
    else if (!document.hidden && !this.socket) this.wake();
  };

  private change(link: Link, trouble: Trouble): void {
    this.link = link;
    this.ears.changed(link, trouble);
  }

  private tellWaits(): void {
    this.ears.waits([...this.pending.values()].map(({ message }) => message).filter(isChange));
  }

  private open(): void {
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/socket`);
    this.socket = socket;
    this.greeted = false;
    this.opened = performance.now();
    socket.onmessage = (event: MessageEvent<string>) => {
      if (this.socket === socket) this.receive(JSON.parse(event.data) as FromServer);
    };
    socket.onclose = (event) => {
      if (this.socket === socket) this.lost(event.code);
    };
  }

  private say(message: FromClient): void {
    if (this.greeted && this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private receive(message: FromServer): void {
    this.heardAt = performance.now();
    if (message.type === "hello") this.greet();
    const id = "id" in message ? (message.id ?? "") : "";
    const pending = this.pending.get(id);
    if (pending) {
      this.pending.delete(id);
      if (message.type === "pong") this.roundTrip = (this.roundTrip + this.heardAt - pending.sent) / 2;
      if (isChange(pending.message)) this.tellWaits();
      pending.answer(message as Answer);
    }
    if (this.link === "silent" && this.unanswered() < this.patience) this.change("open", "");
    this.ears.heard(message);
  }

  private greet(): void {
    this.failures = 0;
    this.greeted = true;
    const now = performance.now();
    this.say({ type: "watch", game: this.game, since: this.since() });
    for (const waiting of this.pending.values()) {
      waiting.sent = now;
      this.say(waiting.message);
    }
    this.change("open", "");
    this.beat();
  }

  // --- signs of life --------------------------------------------------------------------------

  private beat(): void {
    void this.ask({ type: "ping", within: pace().within });
  }

  private get patience(): number {
    return Math.max(pace().patience, this.roundTrip * ROUND_TRIPS);
  }

  /** How long the oldest question waits; 0: none does. Only a hint takes its time. */
  private unanswered(): number {
    const sent = [...this.pending.values()].filter(({ message }) => message.type !== "hint").map((waiting) => waiting.sent);
    return sent.length ? Math.max(1, performance.now() - Math.min(...sent)) : 0;
  }

  private look(): void {
    const now = performance.now();
    const still = now - this.looked - LOOK;
    this.looked = now;
    if (still > STOOD_STILL) {
      this.opened += still;
      for (const waiting of this.pending.values()) waiting.sent = Math.min(now, waiting.sent + still);
    }
    if (!this.socket) return;
    const wait = this.greeted ? this.unanswered() : now - this.opened;
    if (wait > GIVEN_UP + this.patience) this.lost(0);
    else if (this.greeted && wait > this.patience && this.link === "open") this.change("silent", "silent");
    else if (this.greeted && wait === 0 && now - this.heardAt > pace().beat) this.beat();
  }

  /** A line that is no longer listened to. Closing it properly would wait for the other side. */
  private leave(): void {
    const { socket } = this;
    this.socket = null;
    this.greeted = false;
    socket?.close();
    for (const [id, { message }] of this.pending) if (message.type === "ping") this.pending.delete(id);
  }

  private lost(code: number): void {
    if (this.link === "stopped") return;
    this.leave();
    const [trouble, least] = CODES[code] ?? [navigator.onLine ? "gone" : "offline", 0];
    if (least === Infinity) {
      this.change("stopped", trouble);
      return;
    }
    this.change("waiting", trouble);
    const wait = Math.max(least, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.failures++));
    // Not all pages at the same moment after a restart.
    this.timer = window.setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
  }
}
