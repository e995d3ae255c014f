// The buttons of the action bar: what each would do now, and whom to ask when it cannot be done.
import { m } from "../lib/words.svelte";
import type { Hand } from "./hand.svelte";
import { placementText } from "./actions";
import { cellOf } from "./geometry";

export interface Choice {
  id: keyof typeof ICONS;
  label: string;
  key: string;
  icon: string;
  on: boolean; // possible now
  pressed?: boolean;
  go(): void;
}

export const ICONS = {
  deck: "M5 4h10v12H5ZM10 7v6M7 10l3 3 3-3",
  recycle: "M4 8a6.5 6.5 0 0 1 11.5-1.5M16 12a6.5 6.5 0 0 1-11.5 1.5M15.8 2.5v4.2h-4.2M4.2 17.5v-4.2h4.2",
  gain: "M5 7h8v8H5ZM15.5 2.5v5M13 5h5",
  upgrade: "M10 17V4M5 9l5-5 5 5",
  master: "M3 16V5l7 7 7-7v11",
  ambassador: "M10 3l2 4.5 5 .5-3.7 3.4 1 4.9L10 13.8 5.7 16.3l1-4.9L3 8l5-.5Z",
  ghost: "M4 17V9a6 6 0 0 1 12 0v8l-3-2-3 2-3-2ZM8 9v.01M12 9v.01",
  insert: "M10 4v12M4 10h12",
  pass: "M5 4l7 6-7 6ZM15 4v12",
  undo: "M4 8h8a4.5 4.5 0 0 1 0 9H8M7.5 4.5L4 8l3.5 3.5",
  reset: "M4.5 10a5.5 5.5 0 1 0 2-4.2M6.5 2.5v3.5H10",
  hint: "M7 14.5h6M8 17.5h4M10 2.5a5 5 0 0 1 3 9c-.7.6-1 1.2-1 2H8c0-.8-.3-1.4-1-2a5 5 0 0 1 3-9Z",
} as const;

/** A readable placement on a puzzle of mine, to ask why a gathering action is not possible. */
function somePlacement(hand: Hand): string | null {
  const puzzle = hand.me.player?.puzzles.find((other) => other.empty.length > 0);
  const cell = puzzle?.empty[0];
  return puzzle && cell ? placementText(puzzle.place, [cellOf(cell)]) : null;
}

/** Taking back and hints: they stand beside what is said, not among the actions. */
export const AIDS: readonly Choice["id"][] = ["undo", "reset", "hint"];

export function choices(hand: Hand): Choice[] {
  const { view } = hand.props();
  const { legal, player } = hand.me;
  const { insert, before } = hand.possible;
  const tops = legal.tops(insert);
  const rows = legal.rows(insert);
  const gains = legal.of("gain", insert);
  const back = hand.me.backSeat;
  const ghosts = Object.keys(player?.supply ?? {}).filter((shape) => shape.endsWith("5"));
  const found: Choice[] = [];
  const add = (id: Choice["id"], label: string, key: string, on: boolean, go: () => void, whyNot?: () => void, pressed?: boolean): void => {
    const run = on ? go : (whyNot ?? (() => {}));
    found.push({ id, label, key, icon: ICONS[id], on, go: run, ...(pressed === undefined ? {} : { pressed }) });
  };
  const gather = (verb: "master" | "ambassador"): void => (hand.begun.gathering === verb ? void hand.cancel() : hand.startGathering(verb));
  const whyGather = (verb: string): void => {
    const some = somePlacement(hand);
    if (some) void hand.why(`${before}${verb} ${some}`);
    else hand.said.say(m.b_why_no_puzzle(), true);
  };

  const { actions = [] } = hand.props().table.setup;
  if (actions.includes("deck")) {
    const only = tops[0];
    const deck = view.solo ? "G" : "W";
    add("deck", m.b_take_deck(), "T", tops.length > 0, () => {
      if (tops.length === 1 && only) hand.tapCard(only);
      else hand.ask = { kind: "deck" };
    }, () => void hand.why(`${before}take ${deck}`));
    if (actions.includes("recycle")) {
      const row = view.markers ? "WL" : "W";
      add("recycle", m.b_recycle(), "Y", rows.length > 0, () => {
        hand.ask = { kind: "recycle", row: rows[0] ?? row };
      }, () => void hand.why(`${before}recycle ${row}`));
    }
  }
  add("gain", m.b_gain(), "G", gains.length > 0, () => {
    if (gains.length === 1 && gains[0]) hand.act(gains[0].text);
    else hand.want("gain");
  }, () => void hand.why(`${before}gain O1`), ...(hand.begun.wanting === "gain" ? [true] : []));
  add("upgrade", m.b_upgrade(), "U", legal.has("upgrade", insert), () => hand.want("upgrade"), () => void hand.why(`${before}upgrade ${Object.keys(player?.supply ?? {})[0] ?? "O1"} I2`), hand.begun.wanting === "upgrade");
  add("master", m.b_master(), "M", legal.has("master", insert), () => gather("master"), () => whyGather("master"), hand.begun.gathering === "master");
  if (actions.includes("ambassador")) {
    add("ambassador", m.b_ambassador(), "A", legal.has("ambassador", insert), () => gather("ambassador"), () => whyGather("ambassador"), hand.begun.gathering === "ambassador");
  }
  if (actions.includes("ghost")) {
    add("ghost", m.b_ghost(), "H", legal.has("ghost", insert), () => hand.want("ghost"), () => void (ghosts.length > 0 ? hand.why(`${before}ghost ${ghosts[0]} I2 L3`) : hand.said.say(m.b_why_no_ghost(), true)), hand.begun.wanting === "ghost");
  }
  if (actions.includes("insert")) {
    add("insert", m.b_insert(), "I", legal.inserts, () => {
      const wanted = !hand.begun.insertWanted;
      hand.cancel();
      hand.begun.insertWanted = wanted;
    }, () => void hand.why("insert gain O1"), insert);
  }
  if (legal.has("pass") || actions.includes("pass")) {
    add("pass", m.b_pass(), "E", legal.has("pass"), () => hand.act("pass"), () => void hand.why("pass"));
  }
  if (hand.props().table.undo !== false) {
    add("undo", m.b_undo(), "Z", back > 0, () => hand.props().onundo(back, false), () => hand.said.say(m.b_why_no_undo(), true));
    add("reset", m.b_reset(), "Shift+Z", back > 0, () => hand.props().onundo(back, true), () => hand.said.say(m.b_why_no_undo(), true));
  }
  if (hand.props().table.hints !== false) add("hint", m.b_hint(), "N", hand.me.acting && !hand.me.legal.none, () => hand.props().onhint(hand.me.seat));
  return found;
}
