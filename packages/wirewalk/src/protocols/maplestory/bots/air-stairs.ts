/** `air-stairs`: rises for ever, and says that it lands on something every 90 ms. */
import { documentedStances, Fragment, type FragmentFields, stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";

/** How long it rises until the next landing, milliseconds. */
const RISE_MS = 90;

/** A path of one that only rises, with landings in it. `start` is absent in `documented`, whose fragments name where they begin. */
export function withLandings(fragments: readonly FragmentFields[], start: Point | undefined): readonly Fragment[] {
  const path: Fragment[] = [];
  let at = start;
  for (const fragment of fragments) {
    const { kind = "absolute", x = 0, y = 0, vy = 0, durationMs = 0, type } = fragment;
    const isRise = kind === "absolute" && vy < 0 && (fragment.foothold ?? 0) === 0;
    if (!isRise) path.push(Fragment.of(kind, fragment));
    else if (at === undefined) {
      path.push(Fragment.of("absolute", { type, x, y, state: documentedStances.stand << 1, durationMs: 0 }));
      path.push(Fragment.of("absolute", fragment));
    } else {
      const parts = Math.max(1, Math.round(durationMs / RISE_MS));
      const from = at;
      for (let part = 1; part <= parts; part++) {
        const share = part / parts;
        const place = { x: Math.round(from.x + (x - from.x) * share), y: Math.round(from.y + (y - from.y) * share) };
        const lasts = Math.round(durationMs * share) - Math.round((durationMs * (part - 1)) / parts);
        path.push(Fragment.of("absolute", { ...fragment, ...place, durationMs: lasts }));
        const landed = { vx: 0, vy: 0, foothold: 1, state: stances.stand << 1, durationMs: 0 };
        path.push(Fragment.of("absolute", { ...fragment, ...place, ...landed }));
      }
    }
    if (start !== undefined && kind !== "relative") at = { x, y };
  }
  return path;
}
