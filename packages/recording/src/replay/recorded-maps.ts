/**
 * The maps of a recorded world. Its recording names the set, and the places that the world used with their digests: a replay needs a
 * set with the same ones, since effects follow from them.
 */
import type { WorldMaps } from "wirewalk/protocol";
import { decodeCbor } from "../cbor-reader.ts";
import { type KeyFrame, type RecordedWorld, RecordKind, readWorldRecord, type UsedPlace } from "../profile.ts";
import type { Recording } from "../reading/read-recording.ts";

/** The maps of a recorded world. */
export interface RecordedMaps {
  /** The set, as its user named it: the last name of its path. */
  readonly name: string;
  /** Digests of the places that the world used, by place, in the order in which it came to them. */
  readonly places: ReadonlyMap<string, string>;
}

const known = new WeakMap<Recording, RecordedMaps | undefined>();
const agreeing = new WeakMap<Recording, WeakSet<WorldMaps>>();

/**
 * The maps that the world of a recording was made with; undefined where it was made without. It reads the last key frame, which names
 * all places before it, and what comes after it.
 */
export function recordedMaps(recording: Recording): RecordedMaps | undefined {
  if (!known.has(recording)) known.set(recording, findMaps(recording));
  return known.get(recording);
}

function findMaps(recording: Recording): RecordedMaps | undefined {
  const after: UsedPlace[] = [];
  for (const chunk of recording.chunks.toReversed()) {
    const found: UsedPlace[] = [];
    let frame: KeyFrame | undefined;
    for (const { topic, data } of recording.messagesOf(chunk, isOfWorld)) {
      if (topic.endsWith("/key-frames")) {
        frame = decodeOr(data);
        found.length = 0;
      } else {
        const place = usedPlace(data);
        if (place !== undefined) found.push(place);
      }
    }
    after.unshift(...found);
    if (frame === undefined) continue;
    const name = frame.world?.maps;
    if (name === undefined) return undefined;
    return {
      name,
      places: new Map([...(frame.maps ?? []), ...after.map(({ place, digest }) => [place, digest] as const)]),
    };
  }
  return undefined;
}

function isOfWorld(topic: string): boolean {
  return topic.endsWith("/key-frames") || topic.endsWith("/world");
}

function usedPlace(data: Uint8Array): UsedPlace | undefined {
  const record = readWorldRecord(data);
  return record?.kind === RecordKind.place ? decodeOr(record.body) : undefined;
}

/** Undefined for malformed bytes: the replay refuses them with their place. */
function decodeOr<T>(data: Uint8Array): T | undefined {
  try {
    return decodeCbor(data) as T;
  } catch {
    return undefined;
  }
}

/**
 * Throws `RangeError` unless `maps` has what the recorded world used. The message names the place, both digests, and how a set is given.
 * A recording that was made without maps needs none.
 */
export function checkRecordedMaps(recording: Recording, maps: WorldMaps | undefined): void {
  const recorded = recordedMaps(recording);
  if (recorded === undefined) return;
  if (maps === undefined) throw new RangeError(missingText(recorded));
  if (agreeing.get(recording)?.has(maps) === true) return;
  checkPlaces(recorded, maps);
  const agreed = agreeing.get(recording) ?? new WeakSet();
  agreeing.set(recording, agreed.add(maps));
}

/** Throws `RangeError` unless a set has the places with their digests. */
export function checkPlaces({ name, places }: RecordedMaps, maps: WorldMaps): void {
  const differing = [...places].flatMap(([place, digest]) => {
    const given = maps.digest(place);
    return given === digest ? [] : [{ place, digest, given }];
  });
  const [first] = differing;
  if (first === undefined) return;
  const { place, digest, given } = first;
  const has = given === undefined ? "does not have it, or cannot read it" : `has ${given}`;
  const more = differing.length > 1 ? `; ${differing.length - 1} more places differ` : "";
  throw new RangeError(
    `Cannot replay with other maps: ${place} was ${digest} in ${name}, ${maps.name} ${has}${more}. --maps PATH gives the maps of the recording`,
  );
}

function missingText({ name, places }: RecordedMaps): string {
  const [first] = places;
  const used =
    first === undefined
      ? "no place used"
      : `${first[0]} was ${first[1]}${places.size > 1 ? `, and ${places.size - 1} more places` : ""}`;
  return `Cannot replay without maps: it was recorded with ${name} (${used}), and none are given. --maps PATH gives them`;
}

/** Why maps that are given are not used; undefined where they are. For people. */
export function unusedMapsText({ protocol }: RecordedWorld, recorded: RecordedMaps | undefined): string | undefined {
  if (recorded !== undefined) return undefined;
  return `the world of ${protocol} was recorded without maps: it is replayed without them, and --maps changes nothing`;
}
