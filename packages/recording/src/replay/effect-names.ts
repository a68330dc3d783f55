/** Whom and what a difference concerns. */
import type { PlayerId } from "wirewalk/motion";
import type { Effect } from "wirewalk/protocol";

export function playerOf(effect: Effect): PlayerId | undefined {
  switch (effect.effect) {
    case "send":
      return effect.to;
    case "broadcast":
      return effect.except;
    case "verdict":
      return effect.verdict.player;
    default:
      return effect.player;
  }
}

export function nameOf(effect: Effect): string {
  return effect.effect === "send" || effect.effect === "broadcast"
    ? `${effect.effect} of ${effect.message.message}`
    : effect.effect;
}

/** What worlds call their lists of players. */
const LISTS = "players|sessions|walkers";

/**
 * The player whose state a path of a saved world leads to: worlds keep players in a map by id, or in an array of objects with an
 * id.
 */
export function playerIn(path: string, saved: unknown): PlayerId | undefined {
  const entry = /players<(\d+)>/.exec(path);
  if (entry !== null) return Number(entry[1]);
  const item = new RegExp(`^(.*?(?:${LISTS}))\\[(\\d+)\\]`).exec(path);
  if (item === null) return undefined;
  let data = saved;
  for (const name of `${item[1]}`.split(".")) data = (data as Record<string, unknown> | undefined)?.[name];
  const found = Array.isArray(data) ? (data[Number(item[2])] as { readonly id?: unknown } | undefined) : undefined;
  return typeof found?.id === "number" ? found.id : undefined;
}
