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

/**
 * The game, and its dialect where the build has one. MapleStory 2, which MapleShark 2 is for, is another game and has no protocol here; its
 * builds are small numbers, so one of our dialects means that its file form was used for MapleStory.
 */
export function gameOf(
  program: Program,
  build: number,
): { readonly protocol: string; readonly dialect: string | undefined } {
  const dialect = dialects.get(build);
  if (program === "MapleShark2" && dialect === undefined) return { protocol: "maplestory-2", dialect: undefined };
  return { protocol: "maplestory", dialect };
}

/** The build of a dialect: undefined where the dialect is of no build. */
export function buildOf(dialect: string | undefined): number | undefined {
  return [...dialects].find(([, name]) => name === dialect)?.[0];
}
