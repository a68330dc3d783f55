/**
 * A protocol that only relays: what a client says goes to all others of its room, with the sender's id. The
 * server's own cost without any game's rules.
 */
import type { PlayerId } from "wirewalk/motion";
import type { ChannelOptions, Effect, PayloadCodec, PlayableProtocol, Received } from "wirewalk/protocol";
import { decode, encode, LengthPrefixDeframer, struct, u8, u16be, u16le, u32le, WireError } from "wirewalk/wire";
import { RELAY_TYPE } from "./workload.ts";

const moveLayout = struct({ type: u16be, zero: u8, sentUs: u32le });
const moveNoticeLayout = struct({ type: u16be, player: u16le, zero: u8, sentUs: u32le });

interface Move {
  readonly message: "move";
  readonly value: { readonly sentUs: number };
}

interface MoveNotice {
  readonly message: "move";
  readonly value: { readonly player: number; readonly sentUs: number };
}

const MAX_PLAYER = 65_535;
const MAX_PAYLOAD = 64;

/** Only what a server calls: reads what clients say, writes what it says itself. */
const codec = {
  messages: [],
  read: (_sender: "client", payload: Uint8Array): Move => ({ message: "move", value: decode(moveLayout, payload) }),
  write: (_sender: "server", { value }: MoveNotice): Uint8Array =>
    encode(moveNoticeLayout, { type: RELAY_TYPE, zero: 0, ...value }),
} as unknown as PayloadCodec<Move, MoveNotice>;

/** Only what a server calls of a channel. */
class RelayChannel {
  readonly sharesFrames = true;
  readonly #deframer: LengthPrefixDeframer | undefined;
  readonly #whole: Uint8Array[] = [];

  constructor({ carrier }: ChannelOptions) {
    if (carrier === "stream") this.#deframer = new LengthPrefixDeframer({ limit: MAX_PAYLOAD, lengthLayout: "u16le" });
  }

  get pendingBytes(): number {
    return this.#deframer?.pending ?? 0;
  }

  push(bytes: Uint8Array): void {
    if (this.#deframer === undefined) this.#whole.push(bytes);
    else this.#deframer.push(bytes);
  }

  next(): Received<Move> | undefined {
    const payload = this.#deframer === undefined ? this.#whole.shift() : this.#deframer.next();
    if (payload === undefined) return undefined;
    try {
      return { payload, message: codec.read("client", payload) };
    } catch (error) {
      if (error instanceof WireError) return { payload, error };
      throw error;
    }
  }

  write(message: MoveNotice): Uint8Array {
    return this.frame(codec.write("server", message));
  }

  frame(payload: Uint8Array): Uint8Array {
    return this.#deframer === undefined
      ? payload
      : Uint8Array.of(payload.length & 0xff, payload.length >> 8, ...payload);
  }
}

/** Only what a host calls of a world. */
class RelayWorld {
  readonly tickMs = 50;
  readonly capacity = 65_535;
  readonly #players = new Set<PlayerId>();
  readonly #rooms: readonly string[];
  #effects: Effect<MoveNotice>[] = [];

  /** Room by player. */
  constructor(roomSize: number) {
    this.#rooms = Array.from({ length: MAX_PLAYER + 1 }, (_, player) => `${Math.ceil(player / roomSize)}`);
  }

  refuses(): undefined {
    return undefined;
  }

  join(player: PlayerId): void {
    this.#players.add(player);
    this.#effects.push({ effect: "enter", player, room: this.#room(player) });
  }

  leave(player: PlayerId): void {
    if (this.#players.delete(player)) this.#effects.push({ effect: "exit", player, room: this.#room(player) });
  }

  receive(player: PlayerId, { value }: Move): void {
    const message: MoveNotice = { message: "move", value: { player, sentUs: value.sentUs } };
    this.#effects.push({ effect: "broadcast", room: this.#room(player), except: player, message });
  }

  tick(): void {}

  refresh(): void {}

  takeEffects(): readonly Effect<MoveNotice>[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  tracks(): readonly [] {
    return [];
  }

  rooms(): ReadonlyMap<string, number> {
    const rooms = new Map<string, number>();
    for (const player of this.#players) rooms.set(this.#room(player), (rooms.get(this.#room(player)) ?? 0) + 1);
    return rooms;
  }

  #room(player: PlayerId): string {
    return this.#rooms[player] ?? "";
  }
}

/** `roomSize` players that join one after the other share a room. */
export const relay = (roomSize = MAX_PLAYER): PlayableProtocol =>
  ({
    name: "relay",
    title: "Relay",
    summary: "Relays and checks nothing: for measuring.",
    dialects: [{ name: "plain", source: "document", summary: "The only one." }],
    defaultPort: 0,
    codec: () => codec,
    openChannel: (options: ChannelOptions) => new RelayChannel(options),
    createWorld: () => new RelayWorld(roomSize),
    streams: {},
    capabilities: {},
  }) as unknown as PlayableProtocol;
