// Names of seats, games and times, in words.
import type { SeatInfo, Setup, Table } from "./messages";
import { locale, m, word } from "./words.svelte";

export function seatName(seat: SeatInfo): string {
  if (seat.kind === "open") return m.seat_open();
  // A person's seat that a bot plays on keeps the person's name.
  if (seat.kind !== "bot" || seat.resigned) return seat.name || m.seat_player({ n: seat.seat });
  const bot = seat.bot ? word(`bot_${seat.bot.replace(/\W/g, "_")}`) : "";
  // The server calls a bot without a name after its kind: here it is called after its strength.
  const unnamed = !seat.name || seat.name.toLowerCase() === seat.bot?.split(":")[0];
  if (!unnamed) return seat.name;
  return bot && !bot.startsWith("bot_") ? m.seat_bot({ strength: bot }) : seat.bot || m.seat_player({ n: seat.seat });
}

/** The same table with names for people who gave none and for bots; equal names are numbered. */
export function named(table: Table): Table {
  const names = table.seats.map(seatName);
  const number = (index: number) => names.slice(0, index).filter((name) => name === names[index]).length + 1;
  const seats = table.seats.map((seat, index) => {
    const name = names[index] ?? "";
    return { ...seat, name: number(index) > 1 && seat.kind !== "open" ? `${name} ${number(index)}` : name };
  });
  return { ...table, seats };
}

/** A name of a record: seats without one are numbered there in English. */
export function recordName(name: string | undefined, seat: number): string {
  return !name || name === `Seat ${seat}` ? m.seat_player({ n: seat }) : name;
}

function titled(setup: Setup, modules: string[]): string {
  const parts: string[] = [setup.players === 1 ? m.mode_solo() : m.game_players({ n: setup.players })];
  if (setup.edition !== "2023") parts.push(setup.edition);
  return [...parts, ...modules].join(" · ");
}

export function gameTitle(setup: Setup): string {
  return titled(setup, setup.modules.map((id) => word(`module_${id}`)));
}

/** The same where there is little room: many modules are only counted. */
export function shortTitle(setup: Setup): string {
  const { length } = setup.modules;
  return length > 2 ? titled(setup, [m.game_modules({ n: length })]) : gameTitle(setup);
}

/** A number as it is written: with a true minus. */
export function written(value: number): string {
  return value < 0 ? `−${-value}` : `${value}`;
}

const STEPS: [Intl.RelativeTimeFormatUnit, number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** `2 hours ago` for a time in milliseconds. */
export function ago(at: number): string {
  const seconds = (at - Date.now()) / 1000;
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  for (const [unit, length] of STEPS) if (-seconds >= length) return format.format(Math.round(seconds / length), unit);
  return format.format(0, "minute");
}

export function percent(value: number): string {
  return new Intl.NumberFormat(locale(), { style: "percent" }).format(value);
}
