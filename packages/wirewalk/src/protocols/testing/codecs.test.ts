/**
 * The generated codecs, the interpreter and the oracle of the tests read and write the same: payloads of the games' own bots,
 * payloads made up from the descriptions, and both of them damaged. `npm run proof -- codecs` goes on with more of them.
 */
import { describe, expect, expectTypeOf, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import { scaled } from "../../testing/scale.ts";
import { formatHex, type LayoutNode, layoutOf, parseHex, parseNode, WireError } from "../../wire/index.ts";
import type { Side } from "../codec.ts";
import type { CompiledCodec } from "../compiled-codec.ts";
import { mapleMessages } from "../maplestory/codec.ts";
import { mapleStory } from "../maplestory/maplestory.ts";
import type { DocumentedMovePlayer, V62MovePlayer, V83MovePlayer, V95MovePlayer } from "../maplestory/wire/codec.ts";
import { osrsMessages } from "../osrs/codec.ts";
import { scrapMessages } from "../scrap-mechanic/codec.ts";
import { slimeMessages } from "../slime-online-2/codec.ts";
import { slimeOnline2 } from "../slime-online-2/slime-online-2.ts";
import { protocols } from "../table.ts";
import { compareReaders, outcomeOf, say, withOddPart } from "./codec-proof.ts";
import { generatedPayloads } from "./generated-payloads.ts";
import { sides } from "./payloads.ts";
import { proveDialect } from "./prove-dialect.ts";

const MESSAGES = scaled(20_000, 500);
/** Made-up payloads of a sender that go through the codec of `wirewalk/<game>/codec` by their bodies. */
const BODIES = scaled(2_000, 60);

interface AnyMessage {
  readonly message: string;
  readonly value: object;
}

const alone = {
  "slime-online-2": slimeMessages,
  osrs: osrsMessages,
  maplestory: mapleMessages,
  "scrap-mechanic": scrapMessages,
} as unknown as Readonly<Record<string, (dialect: string) => CompiledCodec<AnyMessage, AnyMessage>>>;

const dialects = Object.values(protocols).flatMap((protocol) =>
  protocol.dialects.map(({ name }) => [`${protocol.name} ${name}`, protocol, name] as const),
);

describe.each(dialects)("%s", (_name, protocol, dialect) => {
  const codec = protocol.codec(dialect);

  it("is read and written alike by all three", { timeout: 600_000 }, () => {
    const result = proveDialect(protocol, dialect, { seed: 23, messages: MESSAGES, playMs: scaled(12_000, 2000) });
    expect(result.examples).toEqual([]);
    expect(result.differences).toBe(0);
    expect(result.read).toBeGreaterThan(MESSAGES / 20);
    expect(result.refused).toBeGreaterThan(MESSAGES / 20);
    expect(result.written).toBeGreaterThan(result.read);
  });

  it("most payloads that are made up from a description are messages", () => {
    for (const sender of sides) {
      const payloads = generatedPayloads(codec, sender, createRandom(31), 100);
      const read = payloads.filter((payload) => compareReaders(codec, sender, payload) !== undefined);
      expect(read.length).toBeGreaterThanOrEqual(payloads.length / 2);
    }
  });

  it("has the same bodies and opcodes where its messages are used alone", () => {
    const own = alone[protocol.name]?.(dialect);
    if (own === undefined) throw new RangeError(`${protocol.name} has no codec of its own`);
    for (const { sender, message, id } of codec.messages) expect(own.opcodeOf(sender as "client", message)).toBe(id);
    expect(() => own.opcodeOf("client", "toString")).toThrow(RangeError);
    expect(() => own.readBody("client", "toString", new Uint8Array())).toThrow(RangeError);
    const random = createRandom(41);
    for (const sender of sides) {
      const side = sender as "client";
      for (const payload of generatedPayloads(codec, sender, createRandom(37), BODIES)) {
        let message: AnyMessage;
        try {
          message = codec.read(sender, payload);
        } catch (error) {
          expect(() => own.read(side, payload)).toThrow(error as WireError);
          continue;
        }
        expect(own.read(side, payload)).toEqual(message);
        const written = own.write(side, message);
        expect(formatHex(written)).toBe(formatHex(codec.write(sender, message)));
        const body = own.writeBody(side, message);
        expect(formatHex(written).endsWith(formatHex(body))).toBe(true);
        expect(own.sizeOfBody(side, message)).toBe(body.length);
        expect(codec.toJson(sender, own.readBody(side, message.message, body))).toEqual(codec.toJson(sender, message));
        const odd = { ...message, value: withOddPart(message.value, random) as object };
        const refused = say(outcomeOf(() => codec.write(sender, odd)));
        expect(say(outcomeOf(() => own.write(side, odd)))).toEqual(refused);
      }
    }
  });

  it.each<Side>(["client", "server"])(
    "what a %s sends is plain data, from which the layouts can be made again",
    (sender) => {
      const { layouts, messages } = codec;
      const names = messages.filter((each) => each.sender === sender).map((each) => each.message);
      expect(Object.keys(layouts[sender])).toEqual(names);
      for (const [message, layout] of Object.entries(layouts[sender])) {
        const copy = JSON.parse(JSON.stringify(layout.node)) as LayoutNode;
        expect(copy).toEqual(layout.node);
        expect(layoutOf(parseNode(copy)).node, message).toEqual(layout.node);
      }
    },
  );
});

it("an unknown dialect is refused", () => {
  for (const dialect of ["", "v61", "constructor", "__proto__"]) {
    expect(() => mapleMessages(dialect as never)).toThrow(RangeError);
  }
});

it("types follow the dialect", () => {
  const bytes = parseHex("00");
  type Value<M, N extends string> = Extract<M, { readonly message: N }> extends { readonly value: infer V } ? V : never;
  const v62 = () => mapleStory.codec("v62").read("client", bytes);
  const v83 = () => mapleStory.codec("v83").read("client", bytes);
  const v95 = () => mapleStory.codec("v95").read("client", bytes);
  const documented = () => mapleStory.codec("documented").read("client", bytes);
  expectTypeOf<Value<ReturnType<typeof v62>, "movePlayer">>().toEqualTypeOf<V62MovePlayer>();
  expectTypeOf<Value<ReturnType<typeof v83>, "movePlayer">>().toEqualTypeOf<V83MovePlayer>();
  expectTypeOf<Value<ReturnType<typeof v95>, "movePlayer">>().toEqualTypeOf<V95MovePlayer>();
  expectTypeOf<Value<ReturnType<typeof documented>, "movePlayer">>().toEqualTypeOf<DocumentedMovePlayer>();
  expectTypeOf<Extract<ReturnType<typeof v62>, { readonly message: "moveDragon" }>>().toBeNever();
  expectTypeOf<Extract<ReturnType<typeof v83>, { readonly message: "moveDragon" }>>().not.toBeNever();

  const small62 = () => mapleMessages("v62").read("client", bytes);
  expectTypeOf<Value<ReturnType<typeof small62>, "movePlayer">>().toEqualTypeOf<V62MovePlayer>();
  const slime = () => slimeOnline2.codec("documented").read("client", bytes).message;
  expectTypeOf<ReturnType<typeof slime>>().toEqualTypeOf<"movePlayer">();
  const any = () => mapleStory.codec("v62" as string).read("client", bytes);
  expectTypeOf<Value<ReturnType<typeof any>, "movePlayer">>().toEqualTypeOf<
    V62MovePlayer | V83MovePlayer | V95MovePlayer | DocumentedMovePlayer
  >();
  expect(v62).toThrow(WireError);
});
