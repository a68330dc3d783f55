/**
 * The codecs of `wirewalk/<game>/codec` and those of the games read the same values, refuse the same bytes at the same places,
 * and write the same bytes: payloads made up from the descriptions, whole and damaged.
 */
import { describe, expect, expectTypeOf, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import { scaled } from "../../testing/scale.ts";
import { parseHex, WireError } from "../../wire/index.ts";
import type { Side } from "../codec.ts";
import { mapleMessages } from "../maplestory/codec.ts";
import { mapleStory } from "../maplestory/maplestory.ts";
import type { DocumentedMovePlayer, V62MovePlayer, V83MovePlayer, V95MovePlayer } from "../maplestory/wire/codec.ts";
import { slimeMessages } from "../slime-online-2/codec.ts";
import { slimeOnline2 } from "../slime-online-2/slime-online-2.ts";
import { protocols } from "../table.ts";
import { generatedPayloads } from "./generated-payloads.ts";
import { mutated } from "./random-bytes.ts";
import { compareSmallCodec, smallCodecOf } from "./small-codecs.ts";

const DAMAGED = scaled(20_000, 30);
/** Of each kind of message. */
const GENERATED = scaled(400, 3);

const codecs = Object.values(protocols).flatMap((protocol) =>
  protocol.dialects.map(({ name }) => [`${protocol.name} ${name}`, protocol, name] as const),
);

describe.each(codecs)("%s", (_name, protocol, dialect) => {
  const full = protocol.codec(dialect);
  const codec = smallCodecOf(protocol.name, dialect);
  const random = createRandom(31);
  const corpusOf = (sender: Side): readonly Uint8Array[] => {
    const kinds = full.messages.filter((each) => each.sender === sender).length;
    return generatedPayloads(full, sender, random, kinds * GENERATED);
  };

  it.each(["client", "server"] as const)("reads and writes what a %s sends", (sender) => {
    const corpus = corpusOf(sender);
    const read = corpus.filter((payload) => compareSmallCodec(full, codec, sender, payload) === "value");
    expect(read.length).toBeGreaterThanOrEqual(corpus.length / 2);
  });

  it.each(["client", "server"] as const)("refuses what is refused of a %s, at the same place", (sender) => {
    const corpus = corpusOf(sender);
    for (let count = 0; count < DAMAGED && corpus.length > 0; count++) {
      compareSmallCodec(full, codec, sender, mutated(random, random.pick(corpus)));
    }
  });

  it("has the opcodes of its messages", () => {
    for (const { sender, message, id } of full.messages) {
      expect(codec.opcodeOf(sender as "client", message)).toBe(id);
    }
    expect(() => codec.opcodeOf("client", "toString")).toThrow(RangeError);
    expect(() => codec.readBody("client", "toString", new Uint8Array())).toThrow(RangeError);
  });
});

describe("a value that cannot be written", () => {
  it.each<[string, object]>([
    ["a direction without a code", { direction: "sideways" }],
    ["a coordinate over its range", { code: 2, direction: "rightPress", x: 65_536, y: 0 }],
    ["a text for a number", { code: 2, direction: "rightPress", x: "1", y: 0 }],
    ["nothing", {}],
  ])("is refused as by the whole codec: %s", (_, value) => {
    const message = { message: "movePlayer", value } as never;
    const whole = attempt(() => slimeOnline2.codec("v0106").write("client", message));
    expect(attempt(() => slimeMessages("v0106").write("client", message))).toBe(whole);
  });

  function attempt(write: () => Uint8Array): string {
    try {
      return `${write()}`;
    } catch (error) {
      return (error as Error).name;
    }
  }
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
