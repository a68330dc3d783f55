/**
 * Makes the world of a recording again. Recordings of other versions replay as long as the same world can be made; where it cannot,
 * the error names the version that recorded it and what differs: the profile, the game, its dialect, a setting, an option of
 * the world or the layout of its saved state.
 */
import {
  MissingMemberError,
  type Protocol,
  replacedBy,
  requireMembers,
  type SavedWorld,
  type World,
  type WorldMaps,
} from "wirewalk/protocol";
import { decodeCbor } from "../cbor-reader.ts";
import { type KeyFrame, PROFILE_VERSION, type RecordedWorld } from "../profile.ts";

export interface WorldSource {
  /** The games by name: those of `wirewalk/protocols`, and others. */
  readonly protocols: Readonly<Record<string, Protocol>>;
  /** Makes the world, where a protocol's own `createWorld` is not enough. */
  readonly createWorld?: (recorded: RecordedWorld, protocol: Protocol) => World;
  /**
   * The maps of the recorded world. A recording names the places that its world used: their digests must be the same. Recordings that
   * were made without maps are replayed without. Default: none.
   */
  readonly maps?: WorldMaps | undefined;
  /** Limits of rules in place of the recorded ones: see `compareSettings`. Nothing is compared then. */
  readonly settings?: Readonly<Record<string, number>>;
}

/** Throws `RangeError` for a key frame of another profile and for malformed data. */
export function readKeyFrame(data: Uint8Array): KeyFrame {
  const frame = members(
    orMalformed(() => decodeCbor(data)),
    "the key frame",
  );
  const { profile, library } = frame;
  if (profile !== PROFILE_VERSION) {
    throw new RangeError(
      `Cannot replay a recording of wirewalk ${library}: profile ${profile}, this version reads ${PROFILE_VERSION}`,
    );
  }
  checkWorld(members(frame.world, "world"));
  check(typeof library === "string", "library", "a text");
  members(frame.saved, "saved");
  check(typeof frame.digest === "string" && /^[0-9a-f]{16}$/.test(frame.digest), "digest", "16 hex digits");
  for (const name of ["nowMs", "epochMs"]) check(Number.isFinite(frame[name]), name, "a number");
  check(Array.isArray(frame.players), "players", "an array");
  for (const [index, player] of (frame.players as readonly unknown[]).entries())
    checkPlayer(player, `players[${index}]`);
  check(frame.maps === undefined || isTexts(frame.maps), "maps", "a map of texts, or absent");
  check(frame.channels instanceof Map, "channels", "a map");
  return frame as unknown as KeyFrame;
}

function isTexts(value: unknown): boolean {
  return value instanceof Map && [...value].flat().every((each) => typeof each === "string");
}

type Members = Readonly<Record<string, unknown>>;

function checkWorld({
  protocol,
  dialect,
  seed,
  enforcement,
  demo,
  shadow,
  tickMs,
  settings,
  maps,
  owner,
  session,
}: Members): void {
  check(typeof protocol === "string", "world.protocol", "a text");
  check(typeof dialect === "string", "world.dialect", "a text");
  check(Number.isSafeInteger(seed), "world.seed", "a whole number");
  check(enforcement === "enforce" || enforcement === "log", "world.enforcement", "enforce or log");
  check(typeof demo === "boolean", "world.demo", "true or false");
  check(shadow === undefined || shadow === true, "world.shadow", "true or absent");
  check(tickMs === undefined || Number.isFinite(tickMs), "world.tickMs", "a number or absent");
  check(maps === undefined || typeof maps === "string", "world.maps", "a text or absent");
  if (owner !== undefined) {
    const { node, epoch } = members(owner, "world.owner");
    check(typeof node === "string" && Number.isSafeInteger(epoch), "world.owner", "a node and an epoch");
  }
  check(session === undefined || typeof session === "string", "world.session", "a text or absent");
  for (const [name, value] of Object.entries(members(settings, "world.settings"))) {
    check(typeof value === "number", `world.settings.${name}`, "a number");
  }
}

function checkPlayer(value: unknown, at: string): void {
  const { player, topic, joining, room } = members(value, at);
  check(
    Number.isInteger(player) && (player as number) > 0 && (player as number) < 65_536,
    `${at}.player`,
    "1 to 65535",
  );
  check(typeof topic === "string", `${at}.topic`, "a text");
  check(room === undefined || typeof room === "string", `${at}.room`, "a text or absent");
  const { account, name } = members(joining, `${at}.joining`);
  check(typeof account === "string" && typeof name === "string", `${at}.joining`, "an account and a name");
}

function members(value: unknown, at: string): Members {
  const isObject = typeof value === "object" && value !== null && Object.getPrototypeOf(value) === Object.prototype;
  check(isObject, at, "an object");
  return value as Members;
}

function check(isSo: boolean, at: string, what: string): void {
  if (!isSo) throw new RangeError(`Cannot replay: malformed key frame: ${at} must be ${what}`);
}

function orMalformed<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new RangeError(`Cannot replay: malformed key frame: ${messageOf(error)}`, { cause: error });
  }
}

/**
 * The world in the state of a key frame, and its game with the recorded settings. Throws `RangeError` with the reason, and
 * `MissingMemberError` for a game without worlds.
 */
export function restoreWorld(
  { world: recorded, saved, library }: KeyFrame,
  { protocols, maps, createWorld = (made, game) => createRecordedWorld(made, game, maps), settings }: WorldSource,
): { readonly protocol: Protocol; readonly world: World } {
  const game = protocols[recorded.protocol];
  if (game === undefined) throw new RangeError(`Cannot replay: unknown protocol ${recorded.protocol}`);
  if (settings !== undefined) checkLimits(game, settings);
  try {
    const protocol = configured(game, { ...recorded, settings: { ...recorded.settings, ...settings } });
    const world = createWorld(recorded, protocol);
    world.restore(settings === undefined ? saved : withOtherOptions(saved, settings));
    return { protocol, world };
  } catch (error) {
    if (error instanceof MissingMemberError) throw error;
    throw new RangeError(`Cannot replay a recording of wirewalk ${library}: ${messageOf(error)}`, { cause: error });
  }
}

/** Throws `RangeError` for an unknown dialect or setting, and for a value that is invalid now. */
function configured(game: Protocol, { dialect, settings }: RecordedWorld): Protocol {
  const { name, dialects, capabilities } = game;
  if (!dialects.some((each) => each.name === dialect)) {
    const known = dialects.map((each) => each.name).join(", ");
    throw new RangeError(`unknown dialect ${dialect} of ${name}, which has ${known}`);
  }
  const known = capabilities?.settings?.values ?? {};
  const unknown = Object.keys(settings).filter((setting) => !Object.hasOwn(known, setting));
  if (unknown.length > 0) {
    const named = unknown.map((setting) => {
      return `${name}.${setting}${replacedBy(capabilities?.renamed, "settings", setting) ?? ""}`;
    });
    throw new RangeError(`unknown setting ${named.join(", ")}`);
  }
  if (Object.keys(settings).length === 0) return game;
  return capabilities?.settings?.configure(settings) ?? game;
}

/** Throws `RangeError` for settings that are no limits of rules, or invalid. */
function checkLimits({ name, capabilities }: Protocol, settings: Readonly<Record<string, number>>): void {
  for (const setting of Object.keys(settings)) {
    const info = capabilities?.settings?.values[setting];
    if (info === undefined) {
      const now = replacedBy(capabilities?.renamed, "settings", setting) ?? "";
      throw new RangeError(`${name} has no setting ${setting}${now}`);
    }
    if (info.kind === "rule") continue;
    throw new RangeError(`${name}.${setting} is no limit of a rule: a recording cannot be replayed with another one`);
  }
  capabilities?.settings?.configure(settings);
}

/** Saved data as a world with other limits takes it: worlds refuse those of other options, also of worlds inside of them. */
function withOtherOptions(saved: SavedWorld, others: Readonly<Record<string, number>>): SavedWorld {
  const options = { ...saved.options };
  for (const [name, value] of Object.entries(others)) if (Object.hasOwn(options, name)) options[name] = value;
  const state = Object.fromEntries(
    Object.entries(saved.state).map(([name, value]) => [
      name,
      isSavedWorld(value) ? withOtherOptions(value, others) : value,
    ]),
  );
  return { ...saved, options, state };
}

function isSavedWorld(value: unknown): value is SavedWorld {
  if (typeof value !== "object" || value === null) return false;
  return "schema" in value && "world" in value && "options" in value && "state" in value;
}

function createRecordedWorld(recorded: RecordedWorld, game: Protocol, given: WorldMaps | undefined): World {
  const protocol = requireMembers(game, ["createWorld"], "be replayed");
  const { dialect, seed, enforcement, demo, shadow = false, tickMs, responses } = recorded;
  const tick = tickMs === undefined ? {} : { tickMs };
  const maps = recorded.maps === undefined || given === undefined ? {} : { maps: given };
  const options = { dialect, seed, enforcement, demo, shadow, ...tick, ...maps };
  return protocol.createWorld({ ...options, ...(responses && { responses }) });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
