/** Played connections as a capture: TCP packets of a pcapng file, in pieces. */
import { createRandom, type Random } from "../../motion/index.ts";
import { defaultDialect, type PlayableProtocol } from "../../protocols/index.ts";
import { pcapngHeader, pcapngPacket } from "../pcapng.ts";
import { TcpPackets } from "../tcp-packets.ts";
import { type PlayedWorld, playConnections } from "./played-connections.ts";

/** A packet of a capture that is being made. */
export interface MadePacket {
  /** Its connection and who sends: `10.0.0.7:20000-10.0.0.1:7000 client`. */
  readonly direction: string;
  /** Bytes of TCP that it carries. They stand at its end. */
  readonly bytes: number;
  readonly timeNs: bigint;
  readonly frame: Uint8Array;
}

export interface MadeCaptureOptions {
  readonly worlds: readonly PlayedWorld[];
  readonly seed: number;
  readonly durationMs: number;
  /** Bytes of packets after which no new ones are made. */
  readonly enoughBytes?: number;
  packet(packet: MadePacket): void;
  /** A payload that the game's own channel has read, by direction. */
  read?(direction: string, payload: Uint8Array): void;
}

/** What one packet carries over Ethernet. */
const SEGMENT_BYTES = 1440;
/** One of so many pieces is cut once more: bytes arrive split anywhere. */
const CUT_ONE_OF = 10;
const START_NS = 1_700_000_000_000_000_000n;
const NS_PER_MS = 1_000_000n;
/** What a packet has around it in a pcapng file. */
const BLOCK_BYTES = 32;
/** Between packets of the same millisecond. */
const STEP_NS = 1000n;
const FIRST_PORT = 20_000;
const PORTS = 40_000;

/** Every dialect of every game over TCP, and the first of each game over WebSocket. */
export function allWorlds(protocols: readonly PlayableProtocol[], bots: number): readonly PlayedWorld[] {
  return protocols.flatMap((protocol): PlayedWorld[] => [
    ...protocol.dialects.map(({ name }): PlayedWorld => ({ protocol, dialect: name, carrier: "tcp", bots })),
    { protocol, dialect: defaultDialect(protocol), carrier: "websocket", bots },
  ]);
}

/** The port of a world's server: one for each world, none of them a game's own. */
export function portOf(worlds: readonly PlayedWorld[], world: PlayedWorld): number {
  return 7000 + worlds.indexOf(world);
}

/** Makes the packets in order. */
export function makePackets(options: MadeCaptureOptions): void {
  const { worlds, seed, durationMs, enoughBytes = Number.POSITIVE_INFINITY, packet, read } = options;
  const random = createRandom(seed);
  const connections = new Map<number, { readonly tcp: TcpPackets; readonly name: string }>();
  let bytes = 0;
  let lastNs = 0n;
  const write = (direction: string, length: number, frames: readonly Uint8Array[], atMs: number): void => {
    for (const frame of frames) {
      const timeNs = START_NS + BigInt(Math.round(atMs)) * NS_PER_MS;
      lastNs = timeNs > lastNs ? timeNs : lastNs + STEP_NS;
      bytes += frame.length + BLOCK_BYTES;
      packet({ direction, bytes: length, timeNs: lastNs, frame });
    }
  };
  const of = (connection: number) => connections.get(connection) as { readonly tcp: TcpPackets; readonly name: string };
  playConnections(
    { worlds, seed, durationMs, isEnough: () => bytes >= enoughBytes },
    {
      open(connection, world, atMs) {
        const isIpv6 = connection % 5 === 4;
        const client = { address: isIpv6 ? "2001:db8::7" : "10.0.0.7", port: FIRST_PORT + (connection % PORTS) };
        const server = { address: isIpv6 ? "2001:db8::1" : "10.0.0.1", port: portOf(worlds, world) };
        const shown = ({ address, port }: typeof client): string => `${isIpv6 ? `[${address}]` : address}:${port}`;
        const made = { tcp: new TcpPackets({ client, server }), name: `${shown(client)}-${shown(server)}` };
        connections.set(connection, made);
        const [syn, answer, confirmation] = made.tcp.open() as [Uint8Array, Uint8Array, Uint8Array];
        write(`${made.name} client`, 0, [syn], atMs);
        write(`${made.name} server`, 0, [answer], atMs);
        write(`${made.name} client`, 0, [confirmation], atMs);
      },
      data(connection, sender, carried, atMs) {
        const { tcp, name } = of(connection);
        for (const piece of piecesOf(carried, random))
          write(`${name} ${sender}`, piece.length, tcp.data(sender, piece), atMs);
      },
      close(connection, atMs) {
        const { tcp, name } = of(connection);
        write(`${name} client`, 0, tcp.end("client"), atMs);
        write(`${name} server`, 0, tcp.end("server"), atMs);
        connections.delete(connection);
      },
      read(connection, sender, payload) {
        const made = connections.get(connection);
        if (made !== undefined) read?.(`${made.name} ${sender}`, payload);
      },
    },
  );
}

function piecesOf(bytes: Uint8Array, random: Random): readonly Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; ) {
    const whole = Math.min(SEGMENT_BYTES, bytes.length - at);
    const length = whole > 1 && random.chance(1 / CUT_ONE_OF) ? random.integer(1, whole - 1) : whole;
    pieces.push(bytes.subarray(at, at + length));
    at += length;
  }
  return pieces;
}

/** The start of a file with such packets. */
export function captureHead(): Uint8Array {
  return pcapngHeader({ application: "wirewalk tests", interfaceName: "bots" });
}

export function captureBlock({ timeNs, frame }: MadePacket): Uint8Array {
  return pcapngPacket(timeNs, frame);
}

/** Drops, swaps or doubles this share of packets. */
export function damagePackets(
  packets: readonly MadePacket[],
  share: number,
  random: Random,
): { readonly packets: readonly MadePacket[]; readonly dropped: readonly MadePacket[] } {
  const kept: MadePacket[] = [];
  const dropped: MadePacket[] = [];
  for (const packet of packets) {
    if (!random.chance(share)) {
      kept.push(packet);
      continue;
    }
    const kind = random.integer(0, 2);
    if (kind === 0) dropped.push(packet);
    else if (kind === 1) kept.push(packet, packet);
    else kept.splice(Math.max(0, kept.length - 1), 0, packet);
  }
  return { packets: kept, dropped };
}
