/**
 * A protocol that is no game, for tests of the command line: two dialects, frames with a cipher in one of them, a part
 * with flags and memory of its own, and a bot.
 */
import {
  type Bot,
  type Channel,
  type ChannelOptions,
  type PacketStream,
  type PayloadCodec,
  type PayloadTrace,
  type Protocol,
  payloadStream,
  type Received,
  type Side,
  type WireMessage,
} from "wirewalk/protocol";
import {
  decode,
  encode,
  type JsonObject,
  type Layout,
  LengthPrefixDeframer,
  literal,
  struct,
  traceLayout,
  u8,
  u16le,
  u64le,
  WireError,
} from "wirewalk/wire";

/** `ciphered` payloads are carried with all bits turned over, and its ids begin at 0x80. */
type FakeDialect = "plain" | "ciphered";

interface Definition {
  readonly message: string;
  readonly sender: Side;
  readonly id: number;
  readonly fields: Readonly<Record<string, Layout<unknown>>>;
}

const definitions: readonly Definition[] = [
  { message: "step", sender: "client", id: 1, fields: { x: u16le as Layout<unknown> } },
  { message: "time", sender: "client", id: 2, fields: { now: u64le as Layout<unknown> } },
  { message: "stepped", sender: "server", id: 3, fields: { player: u8, x: u16le } as Record<string, Layout<unknown>> },
];

function fakeCodec(dialect: FakeDialect): PayloadCodec {
  const idOf = (definition: Definition): number => definition.id + (dialect === "ciphered" ? 0x80 : 0);
  const layoutOf = (definition: Definition): Layout<Record<string, unknown>> =>
    struct({ id: literal(u8, idOf(definition)) as Layout<unknown>, ...definition.fields });
  const find = (sender: Side, test: (definition: Definition) => boolean): Definition | undefined =>
    definitions.find((definition) => definition.sender === sender && test(definition));
  const named = (sender: Side, message: unknown): Definition => {
    const definition = find(sender, (each) => each.message === message);
    if (definition !== undefined) return definition;
    throw new WireError("unknown-message", `Cannot read message: ${String(message)} is none`, 0, "message");
  };
  const toMessage = ({ message }: Definition, { id: _id, ...value }: Record<string, unknown>): WireMessage => ({
    message,
    value,
  });
  const trace = (sender: Side, payload: Uint8Array): PayloadTrace => {
    const definition = find(sender, (each) => idOf(each) === payload[0]);
    if (definition === undefined) {
      return {
        fields: [],
        error: new WireError("unknown-message", "Cannot read id: no message has it at byte 0", 0, "id"),
      };
    }
    const { fields, value, error } = traceLayout(layoutOf(definition), payload);
    if (value !== undefined) return { fields, message: toMessage(definition, value) };
    return error === undefined ? { fields } : { fields, error };
  };
  return {
    messages: definitions.map((each) => ({
      message: each.message,
      sender: each.sender,
      id: idOf(each),
      summary: `A ${each.message}.`,
    })),
    read(sender: Side, payload: Uint8Array): WireMessage {
      const definition = find(sender, (each) => idOf(each) === payload[0]);
      if (definition === undefined) throw trace(sender, payload).error;
      return toMessage(definition, decode(layoutOf(definition), payload));
    },
    write(sender: Side, { message, value }: WireMessage): Uint8Array {
      const definition = named(sender, message);
      return encode(layoutOf(definition), { id: idOf(definition), ...value });
    },
    trace,
    toJson: (_sender, { message, value }): JsonObject => ({
      message,
      value: Object.fromEntries(
        Object.entries(value).map(([key, field]) => [key, typeof field === "bigint" ? field.toString() : field]),
      ),
    }),
    fromJson(sender, json): WireMessage {
      const { message } = named(sender, json.message);
      const value = { ...(json.value as Record<string, unknown>) };
      if (typeof value.now === "string") value.now = BigInt(value.now);
      return { message, value };
    },
  };
}

function fakeChannel({ side, dialect }: ChannelOptions): Channel {
  const codec = fakeCodec(dialect as FakeDialect);
  const turn = (bytes: Uint8Array): Uint8Array => (dialect === "ciphered" ? bytes.map((byte) => byte ^ 0xff) : bytes);
  const deframer = new LengthPrefixDeframer({ limit: 16, lengthLayout: "u16le" });
  const frame = (payload: Uint8Array): Uint8Array =>
    new Uint8Array([payload.length & 0xff, payload.length >> 8, ...turn(payload)]);
  return {
    greeting: undefined,
    push: (bytes) => deframer.push(bytes),
    next(): Received | undefined {
      const carried = deframer.next();
      if (carried === undefined) return undefined;
      const payload = turn(carried);
      try {
        return { payload, message: codec.read(side === "client" ? "server" : "client", payload) };
      } catch (error) {
        if (error instanceof WireError) return { payload, error };
        throw error;
      }
    },
    get pendingBytes() {
      return deframer.pending;
    },
    write: (message) => frame(codec.write(side, message)),
    frame,
    sharesFrames: true,
  };
}

/** Numbers in hex, answered with their sum so far: a stream with memory. */
const sums: PacketStream = {
  summary: "Sums of bytes, over all lines",
  senders: ["client"],
  options: [
    { name: "times", kind: "number", unit: "number", summary: "multiply each sum" },
    { name: "factor", kind: "document", names: ["two"], summary: "multiply by this too" },
    { name: "runningSum", kind: "switch", default: true, summary: "the sum of the lines before" },
  ],
  reversible: false,
  openReader({ options }) {
    let sum = 0;
    const read = (packet: Uint8Array): JsonObject => {
      if (options.runningSum === false) sum = 0;
      for (const byte of packet) sum += byte;
      const factor = options.factor === undefined ? 1 : options.factor === "two" ? 2 : Number(options.factor);
      return { sum: sum * factor * Number(options.times ?? 1) };
    };
    return {
      read,
      receive: ({ payload }) => read(payload),
      trace: (bytes) => ({
        bytes,
        fields: [...bytes].map((raw, at) => ({ path: `[${at}]`, bitOffset: at * 8, bitLength: 8, raw, shown: "!" })),
      }),
    };
  },
  openWriter: () => ({
    write({ sums: numbers }) {
      if (!Array.isArray(numbers)) throw new WireError("bad-value", "Cannot read sums: it must be a list", 0, "sums");
      return { packets: numbers.map((number) => String(number)) };
    },
  }),
  openChannel: (side, { dialect }) => fakeChannel({ side, dialect, carrier: "stream" }),
};

function fakeBot(cheat: string): Bot {
  let x = 0;
  return {
    stepMs: 5,
    start: () => [],
    receive: () => [],
    step: () => {
      x += cheat === "leap" ? 1000 : 1;
      return [{ message: "step", value: { x: x & 0xffff } }];
    },
  };
}

function noWorld(): never {
  throw new Error("the fake protocol has no world");
}

/** The protocol `fake`, with the part `fake/sums`. */
export const fakeProtocol: Protocol = {
  name: "fake",
  title: "Fake",
  summary: "For tests.",
  dialects: [
    { name: "plain", summary: "In clear." },
    { name: "ciphered", summary: "With all bits turned over." },
  ],
  defaultDialect: "plain",
  defaultPort: 4999,
  codec: (dialect) => fakeCodec(dialect as FakeDialect),
  openChannel: (options: ChannelOptions) => fakeChannel(options),
  admission: () => undefined,
  createWorld: noWorld,
  settings: { opcode: { summary: "Number of the only message", default: 7 } },
  configure({ opcode = 7 }) {
    if (opcode > 255) throw new RangeError(`fake.opcode must be a byte, got ${opcode}`);
    return { ...fakeProtocol, title: `Fake with opcode ${opcode}` };
  },
  cheats: ["leap"],
  createBot: ({ cheat }) => fakeBot(cheat),
  streams: {
    "": payloadStream({
      summary: "Payloads",
      codec: ({ dialect }) => fakeCodec(dialect as FakeDialect),
      openChannel: (side, { dialect }) => fakeChannel({ side, dialect, carrier: "stream" }),
    }),
    sums,
  },
};
