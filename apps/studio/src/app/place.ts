/** What is looked at, in the page's address: `#slime-online-2/3`. Links and reloads lead back to it. */
import type { Place } from "./studio.ts";

/** Undefined when the address names none. */
export function readPlace(hash: string): Place | undefined {
  const [world = "", room] = hash.replace(/^#/, "").split("/");
  if (world === "" || room === undefined || room === "") return undefined;
  try {
    return { world: decodeURIComponent(world), room: decodeURIComponent(room) };
  } catch {
    // A broken escape in a link that somebody typed.
    return undefined;
  }
}

export function writePlace({ world, room }: Place): string {
  return `#${encodeURIComponent(world)}/${encodeURIComponent(room)}`;
}
