/** Bans as pages are sent them. */
import { banKind } from "../bans/ban-key.ts";
import type { Ban } from "../bans/bans.ts";
import type { ShownBans } from "../feed/feed-page.ts";

/** Bans sent: the newest. */
const BANS_SHOWN = 50;

/** The bans of a game, without the values of keys: a page does not see the address of a player. */
export function shownBans(bans: readonly Ban[], protocol: string): ShownBans {
  const mine = bans.filter((ban) => ban.protocol === protocol);
  const newest = mine.sort((a, b) => b.fromMs - a.fromMs).slice(0, BANS_SHOWN);
  return {
    version: newest.map(({ key, fromMs, durationMs }) => `${key} ${fromMs} ${durationMs}`).join("\n"),
    bans: newest.map(({ key, name, rule, reason, fromMs, untilMs }) => {
      return { holdsOn: banKind(key), name, rule, reason, fromMs, untilMs };
    }),
  };
}
