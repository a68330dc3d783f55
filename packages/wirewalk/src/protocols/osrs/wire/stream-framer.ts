/** The frames of a connection of the game: with the sizes of its messages, and with the ciphers of a connection that is read from beside. */
import type { ChannelOptions, Side } from "../../codec.ts";
import { type Framer, WholeFramer } from "../../framed-channel.ts";
import type { RevisionTable } from "../../revisions.ts";
import { BrokenStream } from "./broken-stream.ts";
import {
  type BodySizes,
  frameOsrs,
  MAX_BODY_BYTES,
  OPCODE_BYTES,
  OsrsDeframer,
  type SavedOsrsDeframer,
} from "./framing.ts";
import { type GameMessages, hiddenBodiesOf, sizesOfTable } from "./game-messages.ts";
import { OpcodeCipher, type SavedIsaac } from "./isaac.ts";
import type { LoginEnd } from "./login.ts";

/** What is known of a connection of a real client. */
export interface StreamConnection {
  /** Of the client's cipher of opcodes; undefined: they are plain. */
  readonly seed: readonly number[] | undefined;
  /** Sizes of messages that have no name. */
  readonly sizes: Readonly<Record<Side, BodySizes>>;
  readonly login?: LoginEnd | undefined;
  /** Other revisions that the game knows, for the error of a stream that breaks. Default: none. */
  readonly otherTables?: (() => readonly RevisionTable[]) | undefined;
  /** Called when the server has sent a message that ends the session. */
  readonly loggedOut?: (() => void) | undefined;
}

interface SavedFramer extends SavedOsrsDeframer {
  /** Of the cipher of this side. */
  readonly sent?: SavedIsaac;
  /** Payloads that the login stands for, and that were not taken. */
  readonly led?: readonly Uint8Array[];
}

/** The framer of one end. Over a carrier that keeps messages whole a frame is its payload. */
export function openFramer(options: ChannelOptions, messages: GameMessages, connection: StreamConnection): Framer {
  if (options.carrier === "message") {
    const longest = OPCODE_BYTES + MAX_BODY_BYTES;
    return new WholeFramer({ receiveLimit: longest, sendLimit: longest });
  }
  return streamFramer(options.side, messages, connection);
}

function streamFramer(side: Side, messages: GameMessages, connection: StreamConnection): Framer {
  const { seed, login } = connection;
  const sizesOf = (sender: Side): BodySizes => new Map([...connection.sizes[sender], ...messages.sizes[sender]]);
  const carriageOf = (sender: Side, table = messages.table) => {
    const cipher = seed === undefined ? undefined : new OpcodeCipher(sender, seed);
    if (sender === "server") cipher?.skip(login?.usedNumbers ?? 0);
    const isServers = table !== undefined && sender === "server";
    const hiddenBodies = isServers ? hiddenBodiesOf(table) : undefined;
    return { cipher, isSmart: isServers, revision: table?.revision, hiddenBodies };
  };
  const sizes = sizesOf(side);
  const sent = carriageOf(side);
  const peer = side === "server" ? "client" : "server";
  const stands = login === undefined ? [] : payloadsOf(login, messages);
  // Within a login these have no opcode: a frame of a server with such an opcode is of no message.
  const isLed = new Set(stands.length > 0 ? ledOpcodes(messages) : []);
  const known = [...sizesOf(peer)].filter(([opcode]) => peer === "client" || !isLed.has(opcode));
  const deframer = new OsrsDeframer(new Map(known), carriageOf(peer));
  const others = connection.otherTables;
  const broken =
    others === undefined
      ? undefined
      : new BrokenStream({
          nameOf: (opcode) => messages.table?.[peer].get(opcode)?.name,
          others: () =>
            others().map((table) => ({
              revision: table.revision,
              open: () => new OsrsDeframer(sizesOfTable(table, peer), carriageOf(peer, table)),
            })),
        });
  const nextPayload = (): Uint8Array | undefined => {
    try {
      const payload = deframer.next();
      if (payload !== undefined) broken?.read(payload);
      return payload;
    } catch (error) {
      throw broken?.explained(error) ?? error;
    }
  };
  let led = peer === "server" ? stands : [];
  return {
    get pending() {
      return deframer.pending;
    },
    push(bytes) {
      broken?.push(bytes);
      deframer.push(bytes);
    },
    next() {
      const [first] = led;
      if (first !== undefined) {
        led = led.slice(1);
        return first;
      }
      const payload = nextPayload();
      if (peer === "server" && endsSession(messages, payload)) connection.loggedOut?.();
      return payload;
    },
    // These payloads stand for the login, whose own bytes were carried: they have no frame.
    frame: (payload) =>
      side === "server" && isLed.has(payload[0] as number) ? new Uint8Array(0) : frameOsrs(sizes, payload, sent),
    save: () => ({
      ...deframer.save(),
      ...(sent.cipher === undefined ? {} : { sent: sent.cipher.save() }),
      ...(led.length === 0 ? {} : { led: led.map((payload) => payload.slice()) }),
    }),
    restore(state) {
      const { sent: numbers, led: waiting = [], ...received } = state as SavedFramer;
      deframer.restore(received);
      broken?.forget();
      led = waiting.map((payload) => payload.slice());
      if (numbers !== undefined) sent.cipher?.restore(numbers);
    },
  };
}

/** `LOGOUT`, `LOGOUT_WITHREASON`, `LOGOUT_TRANSFER`. */
function endsSession({ table }: GameMessages, payload: Uint8Array | undefined): boolean {
  return payload !== undefined && table?.server.get(payload[0] as number)?.name.startsWith("LOGOUT") === true;
}

/** Opcodes of messages whose content is part of the login in the real game. */
function ledOpcodes({ opcodes }: GameMessages): readonly number[] {
  return [opcodes.playerIndexOpcode, opcodes.playerInfoInitOpcode];
}

/** The payloads that a login stands for: what the reader of player info must know before the first packet. */
function payloadsOf({ index, init }: LoginEnd, { opcodes }: GameMessages): readonly Uint8Array[] {
  const payloads: Uint8Array[] = [];
  if (index !== undefined) payloads.push(Uint8Array.of(opcodes.playerIndexOpcode, index >>> 8, index & 0xff));
  if (init !== undefined) payloads.push(Uint8Array.of(opcodes.playerInfoInitOpcode, ...init));
  return payloads;
}
