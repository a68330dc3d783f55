/** The flags of `wirewalk serve` that choose games, dialects, ports and ticks. */
import type { BanAddress, RoomPort } from "@wirewalk/server";
import { MAX_TICK_MS, type Protocol } from "wirewalk/protocol";
import { type CommandContext, UsageError } from "../context.ts";
import { parseSettings, withSettings } from "../settings.ts";
import { chooseDialect, chooseProtocol } from "./streams.ts";

export interface ListenerFlags {
  readonly listen?: readonly string[];
  readonly dialect?: readonly string[];
  readonly set?: readonly string[];
  readonly tickMs?: readonly string[];
  readonly threads?: number;
  readonly banAddress?: readonly string[];
  readonly roomPort?: readonly string[];
}

/** A game to serve. */
export interface Listener {
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly port?: number;
  readonly roomPorts?: readonly RoomPort[];
  readonly tickMs?: number;
  readonly threads?: number;
  readonly banAddress?: BanAddress;
}

/** Every game, with its dialect and its port. Throws `UsageError` for an invalid flag. */
export function chooseListeners(context: CommandContext, flags: ListenerFlags): Listener[] {
  const ports = pairs(context, "--listen", flags.listen);
  const dialects = pairs(context, "--dialect", flags.dialect);
  const settings = parseSettings(context.protocols, flags.set);
  const ticks = chooseTicks(context, flags.tickMs);
  const policies = choosePolicies(context, flags.banAddress);
  const roomPorts = chooseRoomPorts(context, flags.roomPort);
  return Object.values(context.protocols).map((plain) => {
    const protocol = withSettings(plain, settings);
    const dialect = chooseDialect(protocol, dialects.get(plain));
    const tickMs = ticks.get(plain);
    const banAddress = policies.get(plain);
    const { threads } = flags;
    const forRooms = roomPorts.get(plain);
    const listener = {
      protocol,
      dialect,
      ...(forRooms === undefined ? {} : { roomPorts: forRooms }),
      ...(tickMs === undefined ? {} : { tickMs }),
      ...(banAddress === undefined ? {} : { banAddress }),
      ...(threads === undefined || protocol.capabilities.threads === undefined ? {} : { threads }),
    };
    if (flags.listen === undefined) return { ...listener, port: protocol.defaultPort };
    const text = ports.get(plain);
    if (text === undefined) return listener;
    const port = Number(text);
    if (!/^\d+$/.test(text) || port > 65_535) {
      throw new UsageError(`--listen ${protocol.name}=${text} needs a port from 0 to 65535`);
    }
    return { ...listener, port };
  });
}

/** The games with capability `tick`. */
function ticking({ protocols }: CommandContext): Protocol[] {
  return Object.values(protocols).filter(({ capabilities }) => capabilities.tick !== undefined);
}

/** Names of the games that `--tick-ms` is for. */
export function tickingNames(context: CommandContext): string[] {
  return ticking(context).map(({ name }) => name);
}

/** Names of the games that `--threads` is for, and the most threads of one. */
export function threadedNames({ protocols }: CommandContext): readonly [names: readonly string[], most: number] {
  const threaded = Object.values(protocols).filter(({ capabilities }) => capabilities.threads !== undefined);
  const most = Math.max(1, ...threaded.map(({ capabilities }) => capabilities.threads?.most ?? 1));
  return [threaded.map(({ name }) => name), most];
}

/** Ticks by game: `600` is for all games with that capability, `osrs=50` for one game, and wins over it. */
function chooseTicks(context: CommandContext, given: readonly string[] = []): Map<Protocol, number> {
  const forAll = given.filter((text) => !text.includes("="));
  if (forAll.length > 1) throw new UsageError(`--tick-ms is given twice: ${forAll.join(" and ")}`);
  const ticks = new Map(forAll.flatMap((text) => ticking(context).map((protocol) => [protocol, tickOf(text, text)])));
  const named = given.filter((text) => text.includes("="));
  for (const [protocol, text] of pairs(context, "--tick-ms", named)) {
    if (protocol.capabilities.tick === undefined) {
      const others = tickingNames(context).join(", ");
      throw new UsageError(`the tick of ${protocol.name} is the game's own; --tick-ms is for ${others}`);
    }
    ticks.set(protocol, tickOf(text, `${protocol.name}=${text}`));
  }
  return ticks;
}

/** Ports by game and room: `maplestory=channel-2:7576`, any number of times. */
function chooseRoomPorts(context: CommandContext, given: readonly string[] = []): Map<Protocol, readonly RoomPort[]> {
  const ports = new Map<Protocol, readonly RoomPort[]>();
  for (const text of given) {
    const [name = "", place = ""] = text.split("=", 2);
    const protocol = chooseProtocol(context, name);
    const [, room = "", number = ""] = /^(.+):(\d{1,5})$/.exec(place) ?? [];
    const port = Number(number);
    if (room === "" || port > 65_535) {
      throw new UsageError(`--room-port ${text} needs a room and a port: ${name}=ROOM:PORT`);
    }
    ports.set(protocol, [...(ports.get(protocol) ?? []), { room, port }]);
  }
  return ports;
}

const banPolicies: readonly BanAddress[] = ["off", "soft", "on"];

/** Policies by game: `on` is for all games, `osrs=off` for one game, and wins over it. */
function choosePolicies(context: CommandContext, given: readonly string[] = []): Map<Protocol, BanAddress> {
  const policyOf = (text: string): BanAddress => {
    const policy = banPolicies.find((each) => each === text);
    if (policy === undefined)
      throw new UsageError(`--ban-address ${text} is unknown; known are ${banPolicies.join(", ")}`);
    return policy;
  };
  const forAll = given.filter((text) => !text.includes("="));
  if (forAll.length > 1) throw new UsageError(`--ban-address is given twice: ${forAll.join(" and ")}`);
  const all = Object.values(context.protocols);
  const policies = new Map(forAll.flatMap((text) => all.map((protocol) => [protocol, policyOf(text)])));
  const named = given.filter((text) => text.includes("="));
  for (const [protocol, text] of pairs(context, "--ban-address", named)) policies.set(protocol, policyOf(text));
  return policies;
}

function tickOf(text: string, given: string): number {
  const tickMs = Number(text);
  if (/^\d+$/.test(text) && tickMs >= 1 && tickMs <= MAX_TICK_MS) return tickMs;
  throw new UsageError(`--tick-ms ${given} needs a whole number of milliseconds from 1 to ${MAX_TICK_MS}`);
}

/** The values of a flag that is given once per game, as `slime-online-2=5555`. */
function pairs(context: CommandContext, flag: string, given: readonly string[] = []): Map<Protocol, string> {
  const values = new Map<Protocol, string>();
  for (const pair of given) {
    const [name = "", value] = pair.split("=", 2);
    const protocol = chooseProtocol(context, name);
    if (value === undefined || value === "") throw new UsageError(`${flag} ${pair} needs a value: ${name}=…`);
    if (values.has(protocol)) throw new UsageError(`${flag} is given twice for ${name}`);
    values.set(protocol, value);
  }
  return values;
}
