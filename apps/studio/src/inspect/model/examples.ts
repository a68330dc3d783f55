/** Packets to begin with, one button each. The bodies of all but the last are in `vectors/`; a test looks for them there. */
import { hasMembers } from "wirewalk/protocol";
import { type JsonObject, joinBytes, parseHex } from "wirewalk/wire";
import type { Protocols, Reading } from "./reading.ts";

export interface Example {
  readonly name: string;
  readonly reading: Reading;
  readonly bytes: Uint8Array;
}

const client = { part: "", sender: "client", framed: false } as const;

interface HexExample {
  readonly name: string;
  readonly reading: Reading;
  readonly hex: string;
}

export const hexExamples: readonly HexExample[] = [
  {
    name: "Slime: right pressed",
    reading: { ...client, protocol: "slime-online-2", dialect: "v0106" },
    hex: "02 00 02 C0 01 A0 00",
  },
  {
    name: "Maple: fall and landing",
    reading: { ...client, protocol: "maplestory", dialect: "v62" },
    hex:
      "2600016c001f0003006c002d000000f0000000067800006c003500000000000000061a00006c003500000000000b00046c011100000000000000" +
      "00006c001f006c003500",
  },
  {
    name: "Maple: another player",
    reading: { ...client, protocol: "maplestory", dialect: "v62", sender: "server" },
    hex: "8d00040302016400c80001006e00d2000500fdff0100073200",
  },
  {
    name: "Mouse stroke",
    reading: { ...client, protocol: "osrs", part: "mouse", dialect: "client" },
    hex: "0404ffff019c02d3291e299c3ad82a1c2a5a299f289e",
  },
  {
    name: "Scrap: sprint and jump",
    reading: { ...client, protocol: "scrap-mechanic", dialect: "documented" },
    hex: "1e800000303a0d404040",
  },
  {
    name: "Scrap: a character",
    reading: { ...client, protocol: "scrap-mechanic", dialect: "documented", sender: "server" },
    hex: "18f011000000100000303901170600000007022000201fc00000200000002020000000",
  },
];

/** The examples of the protocols that are there. */
export function examples(protocols: Protocols): readonly Example[] {
  const found = hexExamples.flatMap(({ hex, ...example }) => {
    return protocols[example.reading.protocol] === undefined ? [] : [{ ...example, bytes: parseHex(hex) }];
  });
  return [...found, ...playerInfoExample(protocols)];
}

/** Players of the example by index: a tile for each tick. */
const walks: Readonly<Record<string, (tick: number) => readonly [level: number, x: number, z: number]>> = {
  5: (tick) => [0, 3200 + tick, 3200],
  7: (tick) => [0, 3203, 3201 + 2 * tick],
  9: (tick) => [0, 3198 - tick, 3205 - tick],
};
const OBSERVER = 5;
const TICKS = 4;

/** Player info needs the packets before it: a stream in frames, with its initialisation. It is written here by the game's own writer. */
function playerInfoExample({ osrs }: Protocols): readonly Example[] {
  const stream = osrs?.streams?.["player-info"];
  if (osrs === undefined || stream === undefined || !hasMembers(osrs, ["openChannel"])) return [];
  const reading: Reading = {
    protocol: osrs.name,
    part: "player-info",
    dialect: "client",
    sender: "server",
    framed: true,
  };
  const writer = stream.openWriter({ dialect: reading.dialect, sender: "server", framed: false, options: {} });
  const codec = osrs.codec(reading.dialect);
  const channel = osrs.openChannel({ side: "server", dialect: reading.dialect, carrier: "stream" });
  const frames: Uint8Array[] = [];
  const add = (message: string, value: object): void => {
    frames.push(channel.frame(codec.write("server", { message, value })).slice());
  };
  const hexOf = (written: Uint8Array | JsonObject, name: string): Uint8Array => {
    const group = (written as Readonly<Record<string, Readonly<Record<string, string>>>>)[name];
    return parseHex(group?.[OBSERVER] ?? "");
  };
  const at = (tick: number): JsonObject =>
    Object.fromEntries(Object.entries(walks).map(([index, walk]) => [index, [...walk(tick)]]));
  add("playerIndex", { index: OBSERVER });
  add("playerInfoInit", { bytes: hexOf(writer.write({ observers: [OBSERVER], players: at(0) }), "init") });
  for (let tick = 1; tick <= TICKS; tick++) {
    add("playerInfo", { bytes: hexOf(writer.write({ players: at(tick) }), "packets") });
  }
  return [{ name: "Player info: four ticks", reading, bytes: joinBytes(frames) }];
}
