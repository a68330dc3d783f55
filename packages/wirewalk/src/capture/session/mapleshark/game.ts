/** What builds and locales say of the game (sheet 2.2). */
import type { Program } from "./versions.ts";

/** By the number of the locale, as MapleShark counts them. MapleShark 2 writes 0 where it does not know. */
const localeNames: readonly (string | undefined)[] = [
  undefined,
  "Korea",
  "Korea test",
  "Japan",
  "China",
  "Tespia",
  "Taiwan",
  "South East Asia",
  "Global",
  "Europe or Brazil",
];

export const GLOBAL_LOCALE = 8;

const dialects: ReadonlyMap<number, string> = new Map([
  [62, "v62"],
  [83, "v83"],
  [95, "v95"],
]);

export function localeName(locale: number | undefined): string | undefined {
  return locale === undefined ? undefined : localeNames[locale];
}

/** The game, and its dialect where the build has one. MapleStory 2 is another game, which has no protocol here. */
export function gameOf(
  program: Program,
  build: number,
): { readonly protocol: string; readonly dialect: string | undefined } {
  if (program === "MapleShark2") return { protocol: "maplestory-2", dialect: undefined };
  return { protocol: "maplestory", dialect: dialects.get(build) };
}

/** The build of a dialect: undefined where the dialect is of no build. */
export function buildOf(dialect: string | undefined): number | undefined {
  return [...dialects].find(([, name]) => name === dialect)?.[0];
}
