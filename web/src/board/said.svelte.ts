// The sentence that is said for a while: why something cannot be, or what was just earned.

const STAYS = 6000; // milliseconds

export class Said {
  note = $state.raw<{ text: string; bad: boolean; n: number } | null>(null);

  constructor(private readonly sound: (name: "no") => void) {}

  say(text: string, bad = false): void {
    const note = { text, bad, n: (this.note?.n ?? 0) + 1 };
    this.note = note;
    setTimeout(() => {
      if (this.note === note) this.note = null;
    }, STAYS);
    if (bad) this.sound("no");
  }

  clear(): void {
    this.note = null;
  }
}
