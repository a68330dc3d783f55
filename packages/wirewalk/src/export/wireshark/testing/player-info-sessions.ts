/** Player info for the comparison with tshark: what our decoder reads of it in the order of a connection, and connections to read. */
import type { Random } from "../../../motion/index.ts";
import type { PlayableProtocol, Side } from "../../../protocols/index.ts";
import { someFields } from "../../../protocols/osrs/player-info/testing/random-fields.ts";
import { PlayerInfoDecoder } from "../../../protocols/osrs/player-info/wire/decoder.ts";
import { playerInfoDialectIn } from "../../../protocols/osrs/player-info/wire/dialect.ts";
import { PlayerInfoEngine } from "../../../protocols/osrs/player-info/wire/engine/engine.ts";
import { initialPacket } from "../../../protocols/osrs/player-info/wire/initial-packet.ts";
import { blockToJson } from "../../../protocols/osrs/player-info/wire/masks/mask-codec.ts";
import { type MaskRevision, noMasks } from "../../../protocols/osrs/player-info/wire/masks/mask-revision.ts";
import { namedRevisions } from "../../../protocols/osrs/player-info/wire/masks/named-revisions.ts";
import { generatedPayloads } from "../../../protocols/testing/generated-payloads.ts";
import { mutated } from "../../../protocols/testing/random-bytes.ts";
import { decode, type JsonValue, Tracer, WireError } from "../../../wire/index.ts";
import type { SentPayload } from "./made-session.ts";

/** What a packet holds beside the fields of its message: fields by path without places in lists, or why it is refused. */
export type MoreReading =
  | {
      readonly values: readonly (readonly [path: string, value: JsonValue])[];
      /** The same as numbers on the wire, with what the values leave out. */
      readonly traced: readonly (readonly [path: string, raw: JsonValue])[];
    }
  | WireError;

/** The mask blocks of a protocol with its settings. */
export function revisionOf(protocol: PlayableProtocol): MaskRevision {
  const revision = protocol.capabilities?.settings?.values.revision?.default ?? 206;
  return namedRevisions[revision === 0 ? "none" : String(revision)] ?? noMasks;
}

/** Our decoder over one connection. */
export class PlayerInfoSession {
  readonly #protocol: PlayableProtocol;
  readonly #dialect: string;
  readonly #decoder: PlayerInfoDecoder;
  #index: number | undefined;

  constructor(protocol: PlayableProtocol, dialect: string) {
    this.#protocol = protocol;
    this.#dialect = dialect;
    this.#decoder = new PlayerInfoDecoder({ dialect: playerInfoDialectIn(dialect), revision: revisionOf(protocol) });
  }

  /** The next payload of the connection; undefined for one that says no more than its message. */
  read(sender: Side, payload: Uint8Array): MoreReading | undefined {
    let message: { readonly message: string; readonly value: object };
    try {
      message = this.#protocol.codec(this.#dialect).read(sender, payload);
    } catch (error) {
      if (error instanceof WireError) return undefined;
      throw error;
    }
    const { value } = message;
    if ("index" in value && typeof value.index === "number") this.#index = value.index;
    if (!("bytes" in value && value.bytes instanceof Uint8Array)) return undefined;
    if (message.message === "playerInfo") return this.#decode(value.bytes);
    // Of a message without a description there are bytes alone.
    if (message.message !== "playerInfoInit") return undefined;
    if (this.#index !== undefined) this.#decoder.init(value.bytes, this.#index);
    return { values: Object.entries(decode(initialPacket, value.bytes)), traced: [] };
  }

  #decode(packet: Uint8Array): MoreReading {
    const tracer = new Tracer();
    const decoder = this.#decoder;
    try {
      const { masks, unread, moves, added, removed } = decoder.decode(packet, tracer);
      const values: [string, JsonValue][] = [];
      const placed = new Set([...added, ...moves.map(({ index }) => index)]);
      let last = "";
      for (const { path, raw } of tracer.fields) {
        const [, pass, player] = /^(pass\d)\.player\[(\d+)\]/.exec(path) ?? [];
        if (pass === undefined) {
          // The fields of masks follow below, as values.
          if (!path.startsWith("masks.") || /^masks\.player\[\d+\]\.flags$/.test(path))
            values.push([plain(path), raw as JsonValue]);
          continue;
        }
        if (`${pass} ${player}` !== last) {
          const index = Number(player);
          values.push([`${pass}.player.index`, index]);
          if (added.includes(index)) values.push([`${pass}.player.added`, true]);
          if (removed.includes(index)) values.push([`${pass}.player.removed`, true]);
          if (placed.has(index)) {
            values.push([`${pass}.player.tile.level`, decoder.level[index] as number]);
            values.push([`${pass}.player.tile.x`, decoder.x[index] as number]);
            values.push([`${pass}.player.tile.z`, decoder.z[index] as number]);
          }
          last = `${pass} ${player}`;
        }
        values.push([plain(path), raw as JsonValue]);
      }
      const traced = tracer.fields.map(({ path, raw }): [string, JsonValue] => [plain(path), raw as JsonValue]);
      for (const { index, blocks } of unread === undefined ? masks : []) {
        values.push(["masks.player.index", index]);
        for (const block of decoder.revision.blocks) {
          const fields = blocks[block.name];
          if (fields === undefined) continue;
          // A flag without a block has no fields below it.
          if (block.source !== undefined) traced.push([`masks.player.${block.name}`, true]);
          values.push([`masks.player.${block.name}`, blockToJson(block, fields)]);
        }
      }
      return { values, traced };
    } catch (error) {
      if (error instanceof WireError) return error;
      throw error;
    }
  }
}

const plain = (path: string): string => path.replace(/\[\d+\]/g, "");

/** Players around the observer, and as many far away. */
const PLAYERS = 24;
const OBSERVER = 7;

/** A connection: mouse packets, and player info of a world in which everything happens; one of five payloads comes damaged first. */
export function playerInfoPayloads(
  protocol: PlayableProtocol,
  dialect: string,
  random: Random,
  count: number,
): readonly SentPayload[] {
  const codec = protocol.codec(dialect);
  const revision = revisionOf(protocol);
  const engine = new PlayerInfoEngine({ dialect: playerInfoDialectIn(dialect), revision });
  const tile = (isNear: boolean) => ({
    level: random.chance(0.95) ? 0 : random.integer(0, 3),
    x: isNear ? random.integer(8180, 8200) : random.integer(0, 16_383),
    z: isNear ? random.integer(3200, 3220) : random.integer(0, 16_383),
  });
  const players = new Map<number, { level: number; x: number; z: number }>();
  const join = (index: number, isNear: boolean): void => {
    if (players.has(index)) return;
    const at = tile(isNear);
    engine.add(index, at);
    players.set(index, at);
  };
  join(OBSERVER, true);
  for (let index = 1; index <= PLAYERS; index++) join(random.integer(1, 2047), index % 2 === 0);
  const payloads: SentPayload[] = [];
  const send = (sender: Side, payload: Uint8Array): void => {
    if (random.chance(0.2)) payloads.push({ sender, payload: mutated(random, payload) });
    payloads.push({ sender, payload });
  };
  const write = (message: string, value: object): Uint8Array => codec.write("server", { message, value });
  const observe = (): void => {
    send("server", write("playerIndex", { index: OBSERVER }));
    // What comes damaged may name another player.
    payloads.push({ sender: "server", payload: write("playerIndex", { index: OBSERVER }) });
    payloads.push({ sender: "server", payload: write("playerInfoInit", { bytes: engine.observe(OBSERVER).slice() }) });
  };
  observe();
  while (payloads.length < count) {
    for (const [index, at] of [...players]) {
      if (!random.chance(0.4)) continue;
      if (random.chance(0.1) && index !== OBSERVER) {
        engine.remove(index);
        players.delete(index);
        continue;
      }
      const step = (from: number, reach: number): number =>
        Math.min(16_383, Math.max(0, from + random.integer(-reach, reach)));
      const reach = random.pick([1, 2, 2, 15, 40] as const);
      const to = random.chance(0.1) ? tile(random.chance(0.5)) : { ...at, x: step(at.x, reach), z: step(at.z, reach) };
      if (to.level === at.level && random.chance(0.8)) engine.move(index, to.x, to.z);
      else engine.teleport(index, to);
      players.set(index, to);
      if (revision.blocks.length > 0 && random.chance(0.3)) {
        const block = random.pick(revision.blocks);
        engine.setBlock(index, block.name, someFields(random, block, 12));
      }
    }
    if (random.chance(0.5)) join(random.integer(1, 2047), random.chance(0.7));
    engine.tick();
    send("server", write("playerInfo", { bytes: engine.packet(OBSERVER).slice() }));
    for (const payload of generatedPayloads(codec, "client", random, random.integer(0, 2))) send("client", payload);
    if (random.chance(0.02)) observe();
  }
  return payloads.slice(0, count);
}
