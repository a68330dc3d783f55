/** What is selected: on the drawing, in a list, on the time line. The inspector shows it. */
import type { FeedBan, FeedVerdict } from "@wirewalk/server/feed";
import type { PlayerId } from "wirewalk/motion";
import type { WireEntry } from "../feed/wire-log.ts";

export type Inspected =
  | { readonly kind: "entry"; readonly entry: WireEntry }
  /** `group`: the verdicts beside which it was chosen, newest first. */
  | { readonly kind: "verdict"; readonly verdict: FeedVerdict; readonly group?: readonly FeedVerdict[] }
  | { readonly kind: "player"; readonly player: PlayerId }
  | { readonly kind: "ban"; readonly ban: FeedBan }
  /** A rule of the game, from the glossary. */
  | { readonly kind: "rule"; readonly rule: string };

/** The player that it is about, if it is about one. */
export function playerOf(inspected: Inspected | undefined): PlayerId | undefined {
  switch (inspected?.kind) {
    case "entry":
      return inspected.entry.player;
    case "verdict":
      return inspected.verdict.player;
    case "player":
      return inspected.player;
    default:
      return undefined;
  }
}

/** Whether both are the same thing: a verdict is made anew whenever the feed sends it again. */
export function isSame(a: Inspected | undefined, b: Inspected | undefined): boolean {
  if (a === undefined || b === undefined) return a === b;
  if (a.kind === "entry" && b.kind === "entry") return a.entry.id === b.entry.id;
  if (a.kind === "verdict" && b.kind === "verdict") return verdictKey(a.verdict) === verdictKey(b.verdict);
  if (a.kind === "player" && b.kind === "player") return a.player === b.player;
  if (a.kind === "ban" && b.kind === "ban") return a.ban.name === b.ban.name && a.ban.fromMs === b.ban.fromMs;
  return a.kind === "rule" && b.kind === "rule" && a.rule === b.rule;
}

/** Distinguishes verdicts. */
export function verdictKey({ player, rule, atMs, message }: FeedVerdict): string {
  return `${player} ${rule} ${atMs} ${message}`;
}
