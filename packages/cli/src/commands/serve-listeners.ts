/** The flags of `wirewalk serve` that choose worlds, dialects, ports and ticks. */
import type { BanAddress, Policies, RoomPort } from "@wirewalk/server";
import { MAX_TICK_MS, type Protocol, requireMembers, type ServedProtocol } from "wirewalk/protocol";
import type { ServeConfig } from "../config/read-config.ts";
import type { WorldConfig } from "../config/serve-schema.ts";
import { type CommandContext, UsageError } from "../context.ts";
import { looksLikeName, mapsAt } from "../input/maps.ts";
import { suggest } from "../input/nearest.ts";
import {
  parseSettings,
  readRules,
  type SettingFlags,
  type Settings,
  settingsOf,
  withSettings,
} from "../input/settings.ts";
import { chooseDialect, chooseProtocol } from "../input/streams.ts";
import { choosePolicies } from "./serve-policies.ts";

export interface ListenerFlags extends SettingFlags {
  readonly world?: readonly string[];
  readonly listen?: readonly string[];
  readonly all?: true;
  readonly dialect?: readonly string[];
  readonly tickMs?: readonly string[];
  readonly threads?: number;
  readonly banAddress?: readonly string[];
  readonly policy?: readonly string[];
  readonly roomPort?: readonly string[];
  readonly maps?: readonly string[];
}

/** A world to serve. */
export interface Listener {
  readonly name: string;
  readonly protocol: ServedProtocol;
  readonly dialect: string;
  readonly port?: number;
  readonly roomPorts?: readonly RoomPort[];
  readonly tickMs?: number;
  readonly threads?: number;
  readonly banAddress?: BanAddress;
  readonly policies?: Policies;
  readonly room?: string;
  readonly seed?: number;
  /** The path of its maps: each thread opens them itself. */
  readonly maps?: string;
}

/** A world before its options are read. */
interface NamedWorld {
  readonly name: string;
  /** Without settings. */
  readonly game: Protocol;
  /** In the config file. */
  readonly config?: WorldConfig;
  port?: number;
}

/**
 * Every world, with its dialect and its port. What a flag says of a game holds for all of its worlds, unless another one names
 * the world. Throws `UsageError` for an invalid flag, and `MissingMemberError` for a game that cannot be served.
 */
export function chooseListeners(context: CommandContext, flags: ListenerFlags, config: ServeConfig = {}): Listener[] {
  const worlds = chooseWorlds(context, flags, config);
  checkStarted(context, worlds, flags);
  const dialects = valuesOf(worlds, "--dialect", flags.dialect);
  const ticks = chooseTicks(worlds, flags.tickMs);
  const banAddresses = chooseBanAddresses(worlds, flags.banAddress);
  const policies = choosePolicies(context, worlds, flags.policy);
  const roomPorts = chooseRoomPorts(worlds, flags.roomPort);
  const maps = chooseMaps(worlds, flags.maps);
  const settings = chooseSettings(context, worlds, flags);
  checkPorts(worlds, roomPorts);
  return worlds.map((world) => {
    const { name, game, port, config: own } = world;
    const protocol = requireMembers(withSettings(game, settings(world)), ["openChannel", "createWorld"], "be served");
    const dialect = chooseDialect(protocol, dialects.get(world) ?? own?.dialect);
    const threads = protocol.capabilities?.threads === undefined ? undefined : (flags.threads ?? own?.threads);
    return defined({
      name,
      protocol,
      dialect,
      port,
      roomPorts: roomPorts.get(world) ?? own?.roomPorts,
      room: own?.room,
      tickMs: ticks.get(world) ?? own?.tickMs,
      banAddress: banAddresses.get(world) ?? own?.banAddress ?? config.banAddress,
      policies: policies(world),
      threads,
      seed: own?.seed,
      maps: maps.get(world) ?? own?.maps,
    });
  });
}

/** Throws `UsageError` for a flag of a game that has no world, as it would change nothing. */
function checkStarted(context: CommandContext, worlds: readonly NamedWorld[], flags: ListenerFlags): void {
  const idle = Object.keys(context.protocols).filter((name) => worlds.every((world) => world.game.name !== name));
  const named: readonly (readonly [flag: string, given: readonly string[] | undefined])[] = [
    ["--dialect", flags.dialect],
    ["--tick-ms", flags.tickMs],
    ["--ban-address", flags.banAddress],
    ["--policy", flags.policy],
    ["--room-port", flags.roomPort],
    ["--maps", flags.maps],
    ["--set", flags.set],
  ];
  for (const [flag, given = []] of named) {
    for (const text of given) {
      const name = idle.find((each) => /^[.=]/.test(text.slice(each.length)) && text.startsWith(each));
      if (name === undefined) continue;
      throw new UsageError(`${flag} ${text} is for ${name}, which does not start: --listen ${name}=PORT starts it`);
    }
  }
}

/** Throws `UsageError` for a port that two worlds or rooms have. */
function checkPorts(
  worlds: readonly NamedWorld[],
  roomPorts: ReadonlyMap<NamedWorld, readonly { readonly room: string; readonly port: number }[]>,
): void {
  const taken = new Map<number, string>();
  for (const world of worlds) {
    const rooms = roomPorts.get(world) ?? world.config?.roomPorts ?? [];
    const places = [
      [world.name, world.port] as const,
      ...rooms.map(({ room, port }) => [`room ${room}`, port] as const),
    ];
    for (const [name, port = 0] of places) {
      const other = taken.get(port);
      if (other !== undefined) throw new UsageError(`port ${port} is given twice: for ${other} and for ${name}`);
      if (port !== 0) taken.set(port, name);
    }
  }
}

/** Without the members that are undefined. */
function defined(listener: { readonly [K in keyof Listener]: Listener[K] | undefined }): Listener {
  return Object.fromEntries(Object.entries(listener).filter(([, value]) => value !== undefined)) as unknown as Listener;
}

/**
 * The worlds: those of the config file, of `--world` and of `--listen`. Without any of them, and with `--all`, a game without a world has
 * one; where no ports are given, the first world of a game has the port of the game.
 */
function chooseWorlds(context: CommandContext, flags: ListenerFlags, config: ServeConfig): NamedWorld[] {
  const games = Object.values(context.protocols);
  const worlds = worldsOfFile(context, config);
  for (const text of flags.world ?? []) {
    const [name = "", game] = text.split("=", 2);
    if (game === undefined) throw new UsageError(`--world ${text} needs a game: ${name}=maplestory`);
    if (!WORLD_NAME.test(name) || games.some((protocol) => protocol.name === name)) {
      throw new UsageError(
        `--world ${text} needs a name of small letters, digits and hyphens that is not the name of a game`,
      );
    }
    if (worlds.has(name)) throw new UsageError(`--world is given twice for ${name}`);
    worlds.set(name, { name, game: chooseProtocol(context, game) });
  }
  takePorts(context, worlds, flags.listen);
  if (config.worlds !== undefined && flags.all !== true) return [...worlds.values()];
  const isAll = worlds.size === 0 || flags.all === true;
  // In the order of the games, whatever the order of the flags.
  const all = games.flatMap((game) => {
    const own = [...worlds.values()].filter((world) => world.game === game);
    return own.length > 0 || !isAll ? own : [{ name: game.name, game }];
  });
  if (flags.listen !== undefined || config.worlds !== undefined) return all;
  const first = new Set(games.map((game) => all.find((world) => world.game === game)));
  return all.map((world) => ({ ...world, ...(first.has(world) ? { port: ownPort(world.game) } : {}) }));
}

/** A game that cannot be served at all says so first. */
function ownPort(game: Protocol): number {
  const served = requireMembers(game, ["openChannel", "createWorld"], "be served");
  return requireMembers(served, ["defaultPort"], `be served over TCP without --listen ${game.name}=PORT`).defaultPort;
}

/** The worlds of the config file, with names. */
function worldsOfFile(context: CommandContext, { worlds = [] }: ServeConfig): Map<string, NamedWorld> {
  const named = new Map<string, NamedWorld>();
  const taken = new Set(worlds.flatMap(({ name }) => name ?? []));
  for (const config of worlds) {
    const game = chooseProtocol(context, config.game);
    let { name } = config;
    for (let number = 1; name === undefined; number += 1) {
      const free = numbered(game, number);
      if (!taken.has(free)) name = free;
    }
    taken.add(name);
    const { port } = config;
    named.set(name, { name, game, config, ...(port === undefined ? {} : { port }) });
  }
  return named;
}

/** Gives worlds the ports of `--listen`. The n-th port of a game is that of its world with this number, which is made unless it is there. */
function takePorts(context: CommandContext, worlds: Map<string, NamedWorld>, given: readonly string[] = []): void {
  const counts = new Map<Protocol, number>();
  const taken = new Set<NamedWorld>();
  for (const pair of given) {
    const [name = "", text = ""] = pair.split("=", 2);
    const game = Object.values(context.protocols).find((each) => each.name === name);
    const known = worlds.get(name);
    if (game === undefined && known === undefined) throw unknown(context, worlds, "--listen", pair);
    if (text === "") throw new UsageError(`--listen ${pair} needs a value: ${name}=…`);
    for (const each of text.split(",")) {
      const port = Number(each);
      if (!/^\d+$/.test(each) || port > 65_535) throw new UsageError(`--listen ${pair} needs a port from 0 to 65535`);
      let world = known;
      if (game !== undefined) {
        const number = (counts.get(game) ?? 0) + 1;
        counts.set(game, number);
        const own = numbered(game, number);
        world = worlds.get(own) ?? { name: own, game };
        if (world.game !== game)
          throw new UsageError(`--listen ${pair} needs a world ${own}, which is one of another game`);
        worlds.set(own, world);
      }
      if (world === undefined) continue;
      if (taken.has(world)) throw new UsageError(`--listen is given twice for ${world.name}`);
      taken.add(world);
      world.port = port;
    }
  }
}

/** The name of a game's n-th world, from 1. */
function numbered(game: Protocol, number: number): string {
  return number === 1 ? game.name : `${game.name}-${number}`;
}

const WORLD_NAME = /^[a-z\d]+(?:-[a-z\d]+)*$/;

function unknown(
  { protocols }: CommandContext,
  worlds: ReadonlyMap<string, NamedWorld>,
  flag: string,
  given: string,
): UsageError {
  const known = [...new Set([...Object.values(protocols).map((each) => each.name), ...worlds.keys()])];
  return unknownWorld(flag, given, known);
}

/** A value without a world, such as `--listen 5555`, or one with an unknown world. */
function unknownWorld(flag: string, given: string, known: readonly string[]): UsageError {
  const [name = "", value] = given.split("=", 2);
  if (value !== undefined) return new UsageError(`unknown protocol '${name}'${suggest(name, known)}`);
  return new UsageError(
    `${flag} ${given} needs a world and a value, as ${known[0]}=${given}; worlds are ${known.join(", ")}`,
  );
}

/** The worlds that the value of a flag names: the world of that name, or all worlds of a game. Throws {@link UsageError} for neither. */
function named(worlds: readonly NamedWorld[], flag: string, given: string): readonly NamedWorld[] {
  const [name = ""] = given.split("=", 1);
  const ofGame = worlds.filter(({ game }) => game.name === name);
  const found = ofGame.length > 0 ? ofGame : worlds.filter((world) => world.name === name);
  if (found.length > 0) return found;
  throw unknownWorld(flag, given, [...new Set(worlds.flatMap((world) => [world.game.name, world.name]))]);
}

/** The games with capability `tick`. */
function ticking({ protocols }: CommandContext): Protocol[] {
  return Object.values(protocols).filter(({ capabilities }) => capabilities?.tick !== undefined);
}

/** Names of the games that `--tick-ms` is for. */
export function tickingNames(context: CommandContext): string[] {
  return ticking(context).map(({ name }) => name);
}

/** Names of the games that `--threads` is for, and the most threads of one. */
export function threadedNames({ protocols }: CommandContext): readonly [names: readonly string[], most: number] {
  const threaded = Object.values(protocols).filter(({ capabilities }) => capabilities?.threads !== undefined);
  const most = Math.max(1, ...threaded.map(({ capabilities }) => capabilities?.threads?.most ?? 1));
  return [threaded.map(({ name }) => name), most];
}

/** Ticks by world: `600` is for all games with that capability, `osrs=50` for a game, `osrs-2=50` for a world, and wins over it. */
function chooseTicks(worlds: readonly NamedWorld[], given: readonly string[] = []): Map<NamedWorld, number> {
  const canTick = ({ game }: NamedWorld): boolean => game.capabilities?.tick !== undefined;
  const forAll = given.filter((text) => !text.includes("="));
  if (forAll.length > 1) throw new UsageError(`--tick-ms is given twice: ${forAll.join(" and ")}`);
  const ticks = new Map(forAll.flatMap((text) => worlds.filter(canTick).map((world) => [world, tickOf(text, text)])));
  const forSome = given.filter((text) => text.includes("="));
  for (const [world, text] of valuesOf(worlds, "--tick-ms", forSome)) {
    if (!canTick(world)) {
      const others = [...new Set(worlds.filter(canTick).map(({ game }) => game.name))].join(", ");
      throw new UsageError(`the tick of ${world.game.name} is the game's own; --tick-ms is for ${others}`);
    }
    ticks.set(world, tickOf(text, `${world.name}=${text}`));
  }
  return ticks;
}

/** Ports by world and room: `maplestory=channel-2:7576`, any number of times. Of a game they are those of its first world. */
function chooseRoomPorts(
  worlds: readonly NamedWorld[],
  given: readonly string[] = [],
): Map<NamedWorld, readonly RoomPort[]> {
  const ports = new Map<NamedWorld, readonly RoomPort[]>();
  for (const text of given) {
    const [name = "", place = ""] = text.split("=", 2);
    const [world] = named(worlds, "--room-port", text) as [NamedWorld];
    const [, room = "", number = ""] = /^(.+):(\d{1,5})$/.exec(place) ?? [];
    const port = Number(number);
    if (room === "" || port > 65_535) {
      throw new UsageError(`--room-port ${text} needs a room and a port: ${name}=ROOM:PORT`);
    }
    ports.set(world, [...(ports.get(world) ?? []), { room, port }]);
  }
  return ports;
}

const banPolicies: readonly BanAddress[] = ["off", "soft", "on"];

/** Policies by world: `on` is for all, `osrs=off` for a game, `osrs-2=off` for a world, and wins over it. */
function chooseBanAddresses(worlds: readonly NamedWorld[], given: readonly string[] = []): Map<NamedWorld, BanAddress> {
  const policyOf = (text: string): BanAddress => {
    const policy = banPolicies.find((each) => each === text);
    if (policy === undefined)
      throw new UsageError(`--ban-address ${text} is unknown; known are ${banPolicies.join(", ")}`);
    return policy;
  };
  const forAll = given.filter((text) => !text.includes("="));
  if (forAll.length > 1) throw new UsageError(`--ban-address is given twice: ${forAll.join(" and ")}`);
  const policies = new Map(forAll.flatMap((text) => worlds.map((world) => [world, policyOf(text)])));
  const forSome = given.filter((text) => text.includes("="));
  for (const [world, text] of valuesOf(worlds, "--ban-address", forSome)) policies.set(world, policyOf(text));
  return policies;
}

/** Paths of maps by world: `maplestory=wz`, or a path alone where one game has maps. Throws {@link UsageError}. */
function chooseMaps(worlds: readonly NamedWorld[], given: readonly string[] = []): Map<NamedWorld, string> {
  const canHave = worlds.filter(({ game }) => game.capabilities?.maps !== undefined);
  const isNamed = (text: string): boolean =>
    worlds.some(({ name, game }) => text.startsWith(`${name}=`) || text.startsWith(`${game.name}=`));
  const paths = new Map<NamedWorld, string>();
  const alone = given.filter((text) => !isNamed(text) && !looksLikeName(text));
  for (const text of alone) {
    const games = [...new Set(canHave.map(({ game }) => game.name))];
    if (games.length !== 1) throw unknownWorld("--maps", text, games.length === 0 ? ["a game with maps"] : games);
    if (paths.size > 0) throw new UsageError(`--maps is given twice for ${games[0]}`);
    for (const world of canHave) paths.set(world, text);
  }
  const forSome = given.filter((text) => !alone.includes(text));
  for (const [world, path] of valuesOf(worlds, "--maps", forSome)) paths.set(world, path);
  // What is wrong is said before anything is started; the server opens them again, and logs what it cannot read.
  for (const [world, path] of paths) mapsAt(world.game, path);
  return paths;
}

function tickOf(text: string, given: string): number {
  const tickMs = Number(text);
  if (/^\d+$/.test(text) && tickMs >= 1 && tickMs <= MAX_TICK_MS) return tickMs;
  throw new UsageError(`--tick-ms ${given} needs a whole number of milliseconds from 1 to ${MAX_TICK_MS}`);
}

/** The values of a flag that is given once per game or world, as `slime-online-2=v0106`: one of a world wins over one of its game. */
function valuesOf(worlds: readonly NamedWorld[], flag: string, given: readonly string[] = []): Map<NamedWorld, string> {
  const values = new Map<string, string>();
  for (const pair of given) {
    const at = pair.indexOf("=");
    const [name, value] = at < 0 ? [pair, undefined] : [pair.slice(0, at), pair.slice(at + 1)];
    named(worlds, flag, pair);
    if (value === undefined || value === "") throw new UsageError(`${flag} ${pair} needs a value: ${name}=…`);
    if (values.has(name)) throw new UsageError(`${flag} is given twice for ${name}`);
    values.set(name, value);
  }
  return new Map(
    worlds.flatMap((world) => {
      const value = values.get(world.name) ?? values.get(world.game.name);
      return value === undefined ? [] : [[world, value] as const];
    }),
  );
}

/** The settings by world: `--set maplestory-2.x=1` is for one world, and wins over `--set maplestory.x=1`. */
function chooseSettings(
  context: CommandContext,
  worlds: readonly NamedWorld[],
  { set: given = [], rules }: SettingFlags,
): (world: NamedWorld) => Settings {
  const ofRules = readRules(context.protocols, rules);
  const names = new Map(worlds.map((world) => [world.name, world]));
  const isOfWorld = (pair: string): NamedWorld | undefined => {
    const world = names.get(pair.slice(0, Math.max(0, pair.indexOf("."))));
    return world === undefined || world.name === world.game.name ? undefined : world;
  };
  const forGames = given.filter((pair) => isOfWorld(pair) === undefined);
  // What names no setting of any game is refused once, here.
  parseSettings(context.protocols, forGames);
  return (world) => {
    const own = given.filter((pair) => isOfWorld(pair) === world);
    const asOfGame = own.map((pair) => `${world.game.name}${pair.slice(pair.indexOf("."))}`);
    const { name } = world.game;
    // What --set says wins over --rules, and that over the config file.
    const before = { ...settingsOf(world.game, world.config?.settings ?? {}), ...ofRules.get(name) };
    return parseSettings(context.protocols, [...forGames, ...asOfGame], new Map([[name, before]]));
  };
}
