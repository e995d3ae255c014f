// One connection to the server for one table: it comes back by itself, asks for what it missed, and sends what was not
// answered again under the same id, so nothing is lost and nothing is done twice.
import type { FromClient, FromServer } from "./messages";

export type Link = "connecting" | "open" | "waiting" | "stopped";
export type Trouble = "" | "offline" | "gone" | "restart" | "large" | "junk" | "origin" | "slow" | "often";

type Asked = Extract<FromClient, { id: string }>;
type WithoutId<T> = T extends unknown ? Omit<T, "id"> : never;
export type Question = WithoutId<Asked>;
export type Answer = Exclude<FromServer, { type: "hello" | "state" | "table" }>;

interface Pending {
  message: Asked;
  answer(message: Answer): void;
}

const FIRST_WAIT = 400; // milliseconds, doubled with each failure
const LONGEST_WAIT = 20_000;
const PING_EVERY = 25_000;
const PONG_WITHIN = 10_000;

/** What a closing code means, and how long to stay away at least. */
const CODES: Record<number, [Trouble, number]> = {
  1009: ["large", 1000],
  1012: ["restart", 1000],
  4400: ["junk", 10_000],
  4403: ["origin", Infinity],
  4408: ["slow", 0],
  4429: ["often", 8000],
};

export class Socket {
  private socket: WebSocket | null = null;
  private pending = new Map<string, Pending>();
  private failures = 0;
  private timer = 0;
  private beat = 0;
  private stopped = false;
  private counter = 0;
  private readonly name = crypto.randomUUID().slice(0, 13);

  constructor(
    private readonly game: string,
    private readonly since: () => number | null,
    private readonly heard: (message: FromServer) => void,
    private readonly changed: (link: Link, trouble: Trouble) => void,
  ) {
    addEventListener("online", this.wake);
    document.addEventListener("visibilitychange", this.wake);
    this.open();
  }

  /** Ask something; the promise is kept across lost connections until there is an answer. */
  ask(question: Question): Promise<Answer> {
    const message = { ...question, id: `${this.name}-${++this.counter}` } as Asked;
    return new Promise((answer) => {
      this.pending.set(message.id, { message, answer });
      this.say(message);
    });
  }

  /** Whether something that changes the game has no answer yet. */
  get acting(): boolean {
    return [...this.pending.values()].some(({ message }) => ["act", "undo", "resign"].includes(message.type));
  }

  close(): void {
    this.stopped = true;
    removeEventListener("online", this.wake);
    document.removeEventListener("visibilitychange", this.wake);
    clearTimeout(this.timer);
    clearTimeout(this.beat);
    this.socket?.close(1000);
    this.pending.clear();
  }

  /** Try now instead of waiting longer. */
  readonly wake = (): void => {
    if (this.stopped || this.socket || document.hidden) return;
    clearTimeout(this.timer);
    this.open();
  };

  private open(): void {
    this.changed("connecting", "");
    const socket = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/socket`);
    this.socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => this.receive(JSON.parse(event.data) as FromServer);
    socket.onclose = (event) => this.lost(socket, event.code);
  }

  private say(message: FromClient): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }

  private receive(message: FromServer): void {
    if (message.type === "hello") this.greet();
    const id = "id" in message ? (message.id ?? "") : "";
    const pending = this.pending.get(id);
    if (pending) {
      this.pending.delete(id);
      pending.answer(message as Answer);
    }
    this.heard(message);
  }

  private greet(): void {
    this.failures = 0;
    this.changed("open", "");
    this.say({ type: "watch", game: this.game, since: this.since() });
    for (const { message } of this.pending.values()) this.say(message);
    this.listen();
  }

  /** A connection can die without a word: ask now and then, and leave it when nothing comes back. */
  private listen(): void {
    clearTimeout(this.beat);
    this.beat = window.setTimeout(() => {
      const silent = window.setTimeout(() => this.socket?.close(), PONG_WITHIN);
      void this.ask({ type: "ping" }).then(() => {
        clearTimeout(silent);
        this.listen();
      });
    }, PING_EVERY);
  }

  private lost(socket: WebSocket, code: number): void {
    if (this.socket !== socket || this.stopped) return;
    this.socket = null;
    clearTimeout(this.beat);
    for (const [id, { message }] of this.pending) if (message.type === "ping") this.pending.delete(id);
    const [trouble, least] = CODES[code] ?? [navigator.onLine ? "gone" : "offline", 0];
    if (least === Infinity) {
      this.changed("stopped", trouble);
      return;
    }
    const wait = Math.max(least, Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** this.failures++));
    this.changed("waiting", trouble);
    // Not all pages at the same moment after a restart.
    this.timer = window.setTimeout(() => this.open(), wait * (0.75 + Math.random() / 2));
  }
}
