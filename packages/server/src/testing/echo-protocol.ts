/**
 * The smallest game there is, for tests of the server: what somebody says, the others in the room hear.
 *
 * A payload is one byte that names the message and Latin text; on a stream its length (u16 LE) goes before it. Words
 * that do something: `/fail` throws in the world, `/ban` bans, `/kick` closes, `/verdict` gives one, `/show` an observation,
 * `/room N` moves, `/news` tells the others something that newer news replace.
 */
import type { PlayerId, Verdict } from "wirewalk/motion";
import type {
  Admission,
  Channel,
  ChannelOptions,
  Effect,
  Joining,
  PayloadCodec,
  Protocol,
  Refusal,
  WireMessage,
  World,
  WorldOptions,
} from "wirewalk/protocol";
import { LengthPrefixDeframer, WireError } from "wirewalk/wire";

export type EchoClient =
  | { readonly message: "say"; readonly value: { readonly text: string } }
  | { readonly message: "login"; readonly value: { readonly name: string; readonly password: string } };
export type EchoServer =
  | { readonly message: "said"; readonly value: { readonly player: number; readonly text: string } }
  | { readonly message: "welcome"; readonly value: { readonly player: number } }
  | { readonly message: "state"; readonly value: { readonly text: string } }
  | { readonly message: "refused"; readonly value: { readonly reason: string } };

const MAX_PAYLOAD = 16_384;
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

function payload(first: string, rest: string): Uint8Array {
  return Uint8Array.from(Buffer.from(first + rest, "latin1"));
}

const codec: PayloadCodec<EchoClient, EchoServer> = {
  messages: [],
  read: ((sender: "client" | "server", bytes: Uint8Array): EchoClient | EchoServer => {
    const [first, rest] = [text(bytes.subarray(0, 1)), text(bytes.subarray(1))];
    if (sender === "client" && first === "s") return { message: "say", value: { text: rest } };
    if (sender === "client" && first === "l") {
      const [name = "", password = ""] = rest.split("\0");
      return { message: "login", value: { name, password } };
    }
    if (sender === "server" && first === "S") {
      const [player = "", ...words] = rest.split(":");
      return { message: "said", value: { player: Number(player), text: words.join(":") } };
    }
    if (sender === "server" && first === "W") return { message: "welcome", value: { player: Number(rest) } };
    if (sender === "server" && first === "F") return { message: "state", value: { text: rest } };
    if (sender === "server" && first === "R") return { message: "refused", value: { reason: rest } };
    throw new WireError("unknown-message", `Cannot read message: no ${JSON.stringify(first)} at byte 0`, 0);
  }) as PayloadCodec<EchoClient, EchoServer>["read"],
  write: ((_sender: "client" | "server", message: EchoClient | EchoServer): Uint8Array => {
    switch (message.message) {
      case "say":
        return payload("s", message.value.text);
      case "login":
        return payload("l", `${message.value.name}\0${message.value.password}`);
      case "said":
        return payload("S", `${message.value.player}:${message.value.text}`);
      case "welcome":
        return payload("W", String(message.value.player));
      case "state":
        return payload("F", message.value.text);
      case "refused":
        return payload("R", message.value.reason);
    }
  }) as PayloadCodec<EchoClient, EchoServer>["write"],
  trace: () => ({ fields: [] }),
  fromJson: () => ({ message: "say", value: { text: "" } }),
  toJson: () => ({}),
};

class EchoChannel implements Channel {
  readonly greeting: Uint8Array | undefined;
  readonly sharesFrames: boolean;
  readonly #options: ChannelOptions;
  readonly #deframer = new LengthPrefixDeframer({ limit: MAX_PAYLOAD, lengthLayout: "u16le" });
  readonly #whole: Uint8Array[] = [];

  constructor(options: ChannelOptions) {
    this.#options = options;
    this.sharesFrames = options.dialect !== "private";
    const greets = options.dialect === "greeting" && options.side === "server";
    this.greeting = greets ? this.frame(payload("F", "hello")) : undefined;
  }

  get pendingBytes(): number {
    return this.#deframer.pending;
  }

  push(bytes: Uint8Array): void {
    if (this.#options.carrier === "message") this.#whole.push(bytes);
    else this.#deframer.push(bytes);
  }

  next(): ReturnType<Channel["next"]> {
    const bytes = this.#options.carrier === "message" ? this.#whole.shift() : this.#deframer.next();
    if (bytes === undefined) return undefined;
    try {
      const sender = this.#options.side === "server" ? "client" : "server";
      return { payload: bytes, message: codec.read(sender, bytes) };
    } catch (error) {
      if (error instanceof WireError) return { payload: bytes, error };
      throw error;
    }
  }

  write(message: WireMessage): Uint8Array {
    return this.frame(codec.write(this.#options.side, message as EchoClient & EchoServer));
  }

  frame(bytes: Uint8Array): Uint8Array {
    if (this.#options.carrier === "message") return bytes;
    const frame = new Uint8Array(2 + bytes.length);
    new DataView(frame.buffer).setUint16(0, bytes.length, true);
    frame.set(bytes, 2);
    return frame;
  }
}

export class EchoWorld implements World<EchoClient, EchoServer> {
  readonly tickMs = 50;
  readonly capacity = 2_000;
  /** Players whom somebody looks at closely. */
  readonly followed = new Set<PlayerId>();
  readonly #players = new Map<PlayerId, { readonly joining: Joining; room: string }>();
  readonly #enforcement: "enforce" | "log";
  #effects: Effect<EchoServer>[] = [];

  constructor(options: WorldOptions) {
    this.#enforcement = options.enforcement ?? "enforce";
  }

  refuses(joining: Joining): Refusal | undefined {
    return joining.room === "nowhere" ? "bad-room" : undefined;
  }

  join(player: PlayerId, joining: Joining): void {
    const room = joining.room ?? "1";
    this.#players.set(player, { joining, room });
    this.#effects.push({ effect: "enter", player, room });
    this.#effects.push({ effect: "send", to: player, message: { message: "welcome", value: { player } } });
    if (joining.name === "unwanted") this.#effects.push({ effect: "close", player, reason: "unwanted" });
    if (joining.name === "join-fails") throw new Error("this join fails");
  }

  leave(player: PlayerId): void {
    const found = this.#players.get(player);
    if (found === undefined) return;
    this.#players.delete(player);
    this.#effects.push({ effect: "exit", player, room: found.room });
    if (found.joining.name === "leave-fails") throw new Error("this leave fails");
  }

  receive(player: PlayerId, message: EchoClient, bytes: Uint8Array, nowMs: number): void {
    const found = this.#players.get(player);
    if (found === undefined || message.message !== "say") return;
    const { room, joining } = found;
    const { account } = joining;
    const said = message.value.text;
    const verdict: Verdict = {
      kind: "reject",
      rule: "manners",
      reason: "Nobody says this",
      player,
      room,
      atMs: nowMs,
      measured: 1,
      allowed: 0,
      unit: "words",
      message: bytes,
      stateBefore: { room },
    };
    if (said === "/fail") throw new Error("this message fails");
    if (said === "/show") {
      this.#effects.push({ effect: "observe", player, room, what: "gesture", data: { hands: 2 } });
    }
    if (said === "/verdict") this.#effects.push({ effect: "verdict", verdict });
    // A defect on purpose: it asks for a ban though it only logs.
    if (said === "/ban") {
      const reason = this.#enforcement === "log" ? "defect" : "manners";
      this.#effects.push({ effect: "ban", player, account, reason, durationMs: 86_400_000, evidence: [verdict] });
    }
    if (said === "/kick") this.#effects.push({ effect: "close", player, reason: "kicked" });
    if (said === "/appear") this.#effects.push({ effect: "show", player, room: "mirror" });
    if (said === "/vanish") this.#effects.push({ effect: "hide", player, room: "mirror" });
    if (said === "/look" && this.followed.has(player)) {
      this.#effects.push({ effect: "observe", player, room, what: "closer", data: { eyes: 2 }, toFollowers: true });
    }
    if (said.startsWith("/room ")) {
      const next = said.slice("/room ".length);
      this.#effects.push({ effect: "exit", player, room }, { effect: "enter", player, room: next });
      found.room = next;
    }
    if (said.startsWith("/news ")) {
      const text = said.slice("/news ".length);
      for (const [other, of] of this.#players) {
        if (other === player || of.room !== room) continue;
        const message: EchoServer = { message: "state", value: { text } };
        this.#effects.push({ effect: "send", to: other, message, unreliable: true });
      }
    }
    if (said.startsWith("/")) return;
    const value = { player, text: said };
    this.#effects.push({ effect: "broadcast", room, except: player, message: { message: "said", value } });
  }

  follow(player: PlayerId): void {
    const found = this.#players.get(player);
    if (found === undefined) return;
    this.followed.add(player);
    const { room } = found;
    this.#effects.push({ effect: "observe", player, room, what: "start", data: {}, toFollowers: true });
  }

  unfollow(player: PlayerId): void {
    this.followed.delete(player);
  }

  tick(): void {}

  refresh(player: PlayerId): void {
    this.#effects.push({ effect: "send", to: player, message: { message: "state", value: { text: "fresh" } } });
  }

  takeEffects(): readonly Effect<EchoServer>[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }

  tracks(atMs: number, room?: string) {
    return [...this.#players]
      .filter(([, of]) => room === undefined || of.room === room)
      .map(([player, of]) => ({
        player,
        room: of.room,
        atMs,
        position: { x: player, y: 0 },
        velocity: { x: 0, y: 0 },
        facingTurns: 0,
        stance: "stand",
        source: "claimed" as const,
      }));
  }

  rooms(): ReadonlyMap<string, number> {
    const rooms = new Map<string, number>();
    for (const { room } of this.#players.values()) rooms.set(room, (rooms.get(room) ?? 0) + 1);
    return rooms;
  }
}

const admission: Admission<EchoClient, EchoServer> = {
  credentials: (message) => (message.message === "login" ? message.value : undefined),
  refusal: (reason) => ({ message: "refused", value: { reason } }),
};

/** `open` has no login, `login` has one; `private` frames for each session alone, `greeting` speaks first. */
export const echoProtocol: Protocol<EchoClient, EchoServer> = {
  name: "echo",
  title: "Echo",
  summary: "What somebody says, the others in the room hear.",
  dialects: ["open", "login", "private", "greeting"].map((name) => ({ name, summary: name })),
  defaultDialect: "open",
  defaultPort: 1,
  codec: () => codec,
  openChannel: ((options: ChannelOptions) => new EchoChannel(options)) as Protocol<
    EchoClient,
    EchoServer
  >["openChannel"],
  admission: (dialect) => (dialect === "login" ? admission : undefined),
  createWorld: (options) => new EchoWorld(options),
  cheats: [],
  createBot: () => ({ stepMs: 100, start: () => [], receive: () => [], step: () => [] }),
  streams: {},
};
