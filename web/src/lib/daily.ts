// The puzzle of a day: which day it is, and what the server says to a turn that is tried.
import { json } from "./api";
import type { Daily, Days, Graded, Tried } from "./messages";
import { locale } from "./words.svelte";

const A_DAY = 86_400_000;

const two = (n: number): string => `${n}`.padStart(2, "0");

/** The date on this device's clock, as 2026-11-18. */
export function dayOf(at: Date): string {
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

/** So many days later; earlier with a minus. */
export function shifted(day: string, days: number): string {
  return new Date(Date.parse(`${day}T12:00:00Z`) + days * A_DAY).toISOString().slice(0, 10);
}

export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T12:00:00Z`) - Date.parse(`${from}T12:00:00Z`)) / A_DAY);
}

export const isDay = (text: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T12:00:00Z`));

/** A date as it is said: 18 November 2026. */
export function sayDay(day: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "long", timeZone: "UTC" }).format(new Date(`${day}T12:00:00Z`));
}

/** Anywhere on earth it is at most one date earlier or later than with the server; more is a clock that is wrong. */
export const clockIsWrong = (here: string, server: string): boolean => Math.abs(daysBetween(here, server)) > 1;

export const days = () => json<Days>("GET", "/api/daily");
export const ask = (day: string, actions: string[]) => json<Daily>("POST", `/api/daily/${day}`, { actions });
export const tryOut = (day: string, actions: string[], action: string) =>
  json<Tried>("POST", `/api/daily/${day}/try`, { actions, action });
export const compare = (day: string, actions: string[]) => json<Graded>("POST", `/api/daily/${day}/answer`, { actions });
