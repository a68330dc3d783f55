/**
 * Nodes of a cluster need the same maps: a world that goes on at a node with others would judge honest players by the wrong ground. Each
 * node says what sets its worlds have, and one whose sets differ from those of a node that is there does not join.
 */
import { createHash } from "node:crypto";
import type { Member } from "wirewalk/net";
import type { WorldMaps } from "wirewalk/protocol";
import { isCount, isObject } from "./batch.ts";

/** Places that are read for a digest. All of a client take ten seconds; what these do not show is found by a world that is taken over. */
const SAMPLED = 16;

/** A set of maps as a node says it to others. */
export type SaidMaps = {
  /** 64 bits, as hexadecimal digits, of the names of all places and of what rules use of some. */
  readonly digest: string;
  readonly places: number;
};

/** What a node says of the sets of its worlds, by world. Null: a world without maps. */
export type MapsOfWorlds = ReadonlyMap<string, SaidMaps | null>;

/** Reads some places of the set. */
export function saidMaps(maps: Pick<WorldMaps, "places" | "digest">): SaidMaps {
  const places = maps.places();
  const hash = createHash("sha256").update(places.join("\n"));
  const every = Math.max(1, Math.ceil(places.length / SAMPLED));
  for (let index = 0; index < places.length; index += every) {
    hash.update(`\n${maps.digest(places[index] as string) ?? ""}`);
  }
  return { digest: hash.digest("hex").slice(0, 16), places: places.length };
}

/** Why the sets of a node are not those of another, for people: undefined where they are, or where the other says nothing of them. */
export function mapsDifference(own: MapsOfWorlds, { name: node, info }: Member): string | undefined {
  if (!isObject(info.maps)) return undefined;
  for (const [world, said] of own) {
    const theirs = info.maps[world];
    if (theirs === undefined || textOf(theirs) === textOf(said)) continue;
    return `world ${world} has ${textOf(said)} here and ${textOf(theirs)} at node ${node}: all nodes need the same`;
  }
  return undefined;
}

/** What others say may be anything. */
function textOf(said: unknown): string {
  if (said === null) return "no maps";
  const { digest, places } = isObject(said) ? said : { digest: undefined, places: undefined };
  const count = isCount(places) ? places : 0;
  return `maps ${typeof digest === "string" ? digest.slice(0, 16) : "unknown"} (${count} places)`;
}
