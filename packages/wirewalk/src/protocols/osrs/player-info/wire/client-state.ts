/**
 * One observer's client between two packets, as plain JSON: `PlayerInfoEngine.clientState` makes it, and
 * `PlayerInfoDecoder.fromState` reads on from there.
 *
 * ```ts
 * const engine = new PlayerInfoEngine({ dialect: "client" });
 * engine.add(5, { level: 0, x: 3200, z: 3201 });
 * engine.observe(5);
 * const { index, players, quarters } = engine.clientState(5);
 * [index, players, quarters]; // => [5, [[5, 0, 3200, 3201]], []]
 * const decoder = PlayerInfoDecoder.fromState(JSON.parse(JSON.stringify(engine.clientState(5))));
 * engine.move(5, 3202, 3203);
 * engine.tick();
 * decoder.decode(engine.packet(5)).moves[0].type; // => "run"
 * ```
 */
import { type JsonObject, type JsonValue, parseHex, WireError } from "../../../../wire/index.ts";
import { checkTile, MAX_PLAYER_INDEX, PLAYER_SLOTS } from "./constants.ts";
import { playerInfoDialect } from "./dialect.ts";
import type { MaskRevision } from "./masks/mask-revision.ts";
import { namedRevisions } from "./masks/named-revisions.ts";
import { maskRevisionJson, parseMaskRevision } from "./masks/parse-mask-revision.ts";

/**
 * Everything that the next packets are read by. Default values are left out. It does not hold what only the client knows:
 * the orientation of players before they last turned, and old values of blocks whose new values were not sent yet.
 */
export type PlayerInfoState = {
  readonly dialect: string;
  /** A known name, or the revision itself. */
  readonly revision: string | JsonObject;
  /** The observer's own. */
  readonly index: number;
  /** Everybody in view, the observer too: index, level, x, z. */
  readonly players: readonly (readonly [index: number, level: number, x: number, z: number])[];
  /** Of players out of view: index and map quarter, packed as the client does, where that is not 0. */
  readonly quarters: readonly (readonly [index: number, quarter: number])[];
  /** Players skipped by the last packet: a bit for each slot as hex, that of slot 0 the lowest of the first byte. */
  readonly skipped: string;
  /** Blocks that the client keeps: index, and flags and blocks as they stand in a packet, as hex. */
  readonly masks: readonly (readonly [index: number, hex: string])[];
  /** South-west tile of the part of the map that is loaded; without it there is one around the observer. */
  readonly scene?: readonly [x: number, z: number];
};

/** A revision as it is in a state, without the initial values of blocks: only the server uses them. */
export function revisionJson(revision: MaskRevision): string | JsonObject {
  for (const [name, known] of Object.entries(namedRevisions)) if (known === revision) return name;
  return maskRevisionJson({ ...revision, blocks: revision.blocks.map(({ initial: _, ...block }) => block) });
}

/** A state that has been checked, with its texts parsed. */
export interface CheckedState {
  readonly state: PlayerInfoState;
  readonly revision: MaskRevision;
  readonly skipped: Uint8Array;
}

/** Checks a state out of JSON. Throws `WireError` that names the place. */
export function checkClientState(json: JsonObject): CheckedState {
  const { dialect, revision, index, players, quarters, skipped, masks, scene } = json;
  if (!isIndex(index)) throw bad("index", `it must be an index in 1..${MAX_PLAYER_INDEX}`);
  if (typeof dialect !== "string") throw bad("dialect", "it must be a name");
  try {
    playerInfoDialect(dialect);
  } catch (error) {
    throw bad("dialect", error instanceof Error ? error.message : "unknown");
  }
  const tiles = list(players, "players", 4);
  tiles.forEach(([, level, x, z], at) => {
    try {
      checkTile(level as number, x as number, z as number);
    } catch {
      throw bad(`players[${at}]`, "it must be an index, a level 0..3, x and z 0..16383");
    }
  });
  if (!tiles.some(([each]) => each === index)) throw bad("players", "the observer is not among them");
  list(quarters, "quarters", 2).forEach(([, quarter], at) => {
    if (typeof quarter !== "number" || !Number.isInteger(quarter) || quarter < 0 || quarter >= 1 << 30) {
      throw bad(`quarters[${at}]`, "it must be an index and a map quarter");
    }
  });
  const flags = typeof skipped === "string" ? parseHex(skipped) : undefined;
  if (flags?.length !== PLAYER_SLOTS / 8) throw bad("skipped", `it must be ${PLAYER_SLOTS / 8} bytes of hex`);
  list(masks, "masks", 2).forEach(([, hex], at) => {
    if (typeof hex !== "string") throw bad(`masks[${at}]`, "it must be an index and hex");
  });
  const isScene = Array.isArray(scene) && scene.length === 2 && scene.every(Number.isInteger);
  if (scene !== undefined && !isScene) throw bad("scene", "it must be two whole numbers");
  return { state: json as unknown as PlayerInfoState, revision: revisionOf(revision), skipped: flags };
}

function revisionOf(json: JsonValue | undefined): MaskRevision {
  if (typeof json !== "string") return parseMaskRevision(json);
  const known = Object.hasOwn(namedRevisions, json) ? namedRevisions[json] : undefined;
  if (known === undefined) throw bad("revision", `it is one of ${Object.keys(namedRevisions).join(", ")}, or itself`);
  return known;
}

/** Rows of `length` values, of which the first is an index. */
function list(json: JsonValue | undefined, path: string, length: number): readonly (readonly JsonValue[])[] {
  if (!Array.isArray(json) || json.length > MAX_PLAYER_INDEX) throw bad(path, "it must be a list of players");
  json.forEach((row: JsonValue, at) => {
    if (Array.isArray(row) && row.length === length && isIndex(row[0])) return;
    throw bad(`${path}[${at}]`, `it must be ${length} values, the first an index in 1..${MAX_PLAYER_INDEX}`);
  });
  return json;
}

function isIndex(value: JsonValue | undefined): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 1 && value <= MAX_PLAYER_INDEX;
}

function bad(path: string, why: string): WireError {
  return new WireError("bad-value", `Cannot read ${path}: ${why}`, 0, path);
}
