/** Verdicts that are still to be seen on a drawing. */
import type { FeedVerdict } from "@wirewalk/server/feed";
import type { PlayerId } from "wirewalk/motion";
import { playerNames } from "../feed/player-names.ts";
import { kindWords } from "../ui/kind-words.ts";
import type { ViewSettings, WatchedRoom } from "./game-view.ts";
import type { Palette } from "./palette.ts";

/** Whom a picture is of, while the seconds of a verdict are played; undefined: of all. */
export function isOfMoment(watched: WatchedRoom): ((player: PlayerId) => boolean) | undefined {
  const { verdict } = watched.moment() ?? {};
  return verdict === undefined ? undefined : (player) => player === verdict.player;
}

/** Names over heads, by the setting: the page names whom a verdict is about. */
export function shownNames(
  watched: WatchedRoom,
  { names }: Pick<ViewSettings, "names">,
): ReadonlyMap<PlayerId, string> {
  return names && watched.moment() === undefined ? playerNames(watched.players().values()) : noNames;
}

const noNames: ReadonlyMap<PlayerId, string> = new Map();

/** Verdicts that have a tag: none while the seconds of one are played. */
export function taggedVerdicts(watched: WatchedRoom): readonly FeedVerdict[] {
  return watched.moment() === undefined ? watched.verdicts() : [];
}

/** How long a verdict stays on the drawing. */
const VERDICT_MS = 2_500;

/** The page's idea of the server's clock is this far behind it at most. What is later belongs to a time that is not shown yet. */
const CLOCK_BEHIND_MS = 250;

/** A verdict on a drawing. */
export interface ShownVerdict {
  readonly verdict: FeedVerdict;
  /** 0 is now, 1 is gone. */
  readonly age: number;
}

/** The newest verdict of each player that is still to be shown; `verdicts` newest first, the time is the server's. */
export function shownVerdicts(verdicts: readonly FeedVerdict[], serverMs: number): ReadonlyMap<PlayerId, ShownVerdict> {
  const shown = new Map<PlayerId, ShownVerdict>();
  for (const verdict of verdicts) {
    // An earlier time is looked at.
    if (verdict.atMs > serverMs + CLOCK_BEHIND_MS) continue;
    const age = Math.max(0, (serverMs - verdict.atMs) / VERDICT_MS);
    // Whatever follows is older still.
    if (age > 1) break;
    if (!shown.has(verdict.player)) shown.set(verdict.player, { verdict, age });
  }
  return shown;
}

export function verdictColour({ kind }: FeedVerdict, palette: Palette): string {
  return kind === "accept" ? palette["text-dim"] : palette[kind];
}

/** What stands beside a player: `teleport · corrected`. */
export function verdictText({ rule, kind }: FeedVerdict): string {
  return `${rule} · ${kindWords[kind]}`;
}
