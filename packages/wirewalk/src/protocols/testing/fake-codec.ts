/** The messages and channels of the fake protocol. */
import { type Layout, restString, struct, u8, u16le, u64le } from "../../wire/index.ts";
import type { Channel, ChannelOptions, DialectInfo, PayloadCodec, Side, WireMessage } from "../codec.ts";
import { carrierFramer, channelName, FramedChannel, type Framer } from "../framed-channel.ts";
import { messageTable } from "../message-table.ts";

interface TextMessage<N extends string> {
  readonly message: N;
  readonly value: { readonly text: string };
}

export type FakeClientMessage =
  | { readonly message: "step"; readonly value: { readonly x: number } }
  | { readonly message: "time"; readonly value: { readonly now: bigint } }
  | { readonly message: "count"; readonly value: { readonly number: number } }
  | TextMessage<"say" | "login">;

export type FakeServerMessage =
  | { readonly message: "stepped"; readonly value: { readonly player: number; readonly x: number } }
  | { readonly message: "counted"; readonly value: { readonly number: number } }
  | TextMessage<"said" | "welcome" | "state" | "refused">;

/**
 * `plain` and `ciphered` have all messages; the others talk and count. `ciphered` turns all bits over on a stream and has
 * ids from 0x80 on. `login` has a login. `private` frames for each session alone. In `greeting` both sides greet.
 */
export const fakeDialects: readonly DialectInfo[] = [
  { name: "plain", source: "document", summary: "In clear." },
  { name: "ciphered", source: "document", summary: "With all bits turned over." },
  { name: "login", source: "document", summary: "With a login." },
  { name: "private", source: "document", summary: "With frames for each session alone." },
  { name: "greeting", source: "document", summary: "With greetings of both sides." },
];

/** The longest payload. */
const MAX_PAYLOAD_BYTES = 16_384;

const text = struct({ text: restString({ limit: MAX_PAYLOAD_BYTES }) });
const number = struct({ number: u8 });

interface Row {
  readonly message: (FakeClientMessage | FakeServerMessage)["message"];
  readonly sender: Side;
  readonly id: number;
  readonly layout: Layout<object>;
  /** Only in the dialects with all messages. */
  readonly walks?: true;
}

const row = (message: Row["message"], sender: Side, id: number | string, layout: unknown, walks?: true): Row => ({
  message,
  sender,
  id: typeof id === "string" ? id.charCodeAt(0) : id,
  layout: layout as Layout<object>,
  ...(walks === undefined ? {} : { walks }),
});

const rows: readonly Row[] = [
  row("step", "client", 1, struct({ x: u16le }), true),
  row("time", "client", 2, struct({ now: u64le }), true),
  row("stepped", "server", 3, struct({ player: u8, x: u16le }), true),
  row("count", "client", 4, number),
  row("counted", "server", 4, number),
  row("say", "client", "s", text),
  row("login", "client", "l", text),
  row("said", "server", "S", text),
  row("welcome", "server", "W", text),
  row("state", "server", "F", text),
  row("refused", "server", "R", text),
];

export type FakeCodec = PayloadCodec<FakeClientMessage, FakeServerMessage>;

function createCodec(dialect: string): FakeCodec {
  const isCiphered = dialect === "ciphered";
  const table = messageTable({
    dialect,
    idName: "id",
    id: u8,
    rows: rows
      .filter(({ walks }) => walks !== true || isCiphered || dialect === "plain")
      .map(({ message, sender, id, layout }) => {
        return { message, sender, id: id + (isCiphered ? 0x80 : 0), layout, summary: `A ${message}.` };
      }),
  });
  return table as FakeCodec;
}

const codecs: ReadonlyMap<string, FakeCodec> = new Map(fakeDialects.map(({ name }) => [name, createCodec(name)]));

/** Throws `RangeError` for an unknown dialect. */
export function fakeCodec(dialect: string): FakeCodec {
  const codec = codecs.get(dialect);
  if (codec !== undefined) return codec;
  throw new RangeError(`Unknown dialect ${dialect} of fake: it has ${[...codecs.keys()].join(", ")}`);
}

function turned(bytes: Uint8Array): Uint8Array {
  return bytes.map((byte) => byte ^ 0xff);
}

function framerOf({ dialect, carrier }: ChannelOptions): Framer {
  const limits = { receiveLimit: MAX_PAYLOAD_BYTES, sendLimit: MAX_PAYLOAD_BYTES };
  const framer = carrierFramer(carrier, { lengthLayout: "u16le", ...limits });
  if (dialect !== "ciphered" || carrier !== "stream") return framer;
  return {
    get pending() {
      return framer.pending;
    },
    push: (bytes) => framer.push(bytes),
    next() {
      const carried = framer.next();
      return carried === undefined ? undefined : turned(carried);
    },
    frame: (payload) => framer.frame(turned(payload)),
    save: () => framer.save(),
    restore: (state) => framer.restore(state),
  };
}

/** What each side says first in dialect `greeting`. */
const greetings: Readonly<Record<Side, WireMessage>> = {
  client: { message: "count", value: { number: 0 } },
  server: { message: "state", value: { text: "hello" } },
};

/** Throws `RangeError` for an unknown dialect. */
export function openFakeChannel(options: ChannelOptions): Channel {
  const { side, dialect } = options;
  const codec = fakeCodec(dialect);
  const channel = new FramedChannel({ name: channelName("fake", options), side, codec, framer: framerOf(options) });
  return {
    ...(dialect === "greeting" ? { handshake: { greeting: channel.write(greetings[side]), awaited: false } } : {}),
    sharesFrames: dialect !== "private",
    get pendingBytes() {
      return channel.pendingBytes;
    },
    push: (bytes) => channel.push(bytes),
    next: () => channel.next(),
    write: (message) => channel.write(message),
    frame: (payload) => channel.frame(payload),
    save: () => channel.save(),
    restore: (saved) => channel.restore(saved),
  };
}
