/**
 * The codecs of `wirewalk/<game>/codec` and those of the games read the same values, refuse the same bytes at the same places,
 * and write the same bytes: payloads made up from the descriptions, whole and damaged.
 */
import { describe, expect, expectTypeOf, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import { expectEqual } from "../../testing/inner-loops.ts";
import { scaled } from "../../testing/scale.ts";
import type { SmallCodec } from "../../wire/described/codec.ts";
import { formatHex, parseHex, WireError } from "../../wire/index.ts";
import type { PayloadCodec, Side, WireMessage } from "../codec.ts";
import { mapleMessages } from "../maplestory/codec.ts";
import { mapleStory } from "../maplestory/maplestory.ts";
import type { DocumentedMovePlayer, V62MovePlayer, V83MovePlayer } from "../maplestory/wire/codec.ts";
import { osrsMessages } from "../osrs/codec.ts";
import { scrapMessages } from "../scrap-mechanic/codec.ts";
import { slimeMessages } from "../slime-online-2/codec.ts";
import { slimeOnline2 } from "../slime-online-2/slime-online-2.ts";
import { protocols } from "../table.ts";
import { generatedPayloads } from "./generated-payloads.ts";
import { mutated } from "./random-bytes.ts";

const DAMAGED = scaled(20_000, 30);
/** Of each kind of message. */
const GENERATED = scaled(400, 3);

type AnyCodec = SmallCodec<WireMessage, WireMessage>;

const small = {
  "slime-online-2": slimeMessages,
  osrs: osrsMessages,
  maplestory: mapleMessages,
  "scrap-mechanic": scrapMessages,
} as unknown as Readonly<Record<string, (dialect: string) => AnyCodec>>;

const codecs = Object.values(protocols).flatMap((protocol) =>
  protocol.dialects.map(({ name }) => [`${protocol.name} ${name}`, protocol, name] as const),
);

/** What a codec says of a payload: its message in JSON, for fragments of MapleStory have members that their kind does not use. */
function reading(full: PayloadCodec, sender: Side, read: () => WireMessage): object {
  try {
    return full.toJson(sender, read());
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    const { code, bitOffset, path } = error;
    return { code, bitOffset, path };
  }
}

describe.each(codecs)("%s", (_name, protocol, dialect) => {
  const full = protocol.codec(dialect);
  const codec = (small[protocol.name] as (dialect: string) => AnyCodec)(dialect);
  const random = createRandom(31);
  const corpusOf = (sender: Side): readonly Uint8Array[] => {
    const kinds = full.messages.filter((each) => each.sender === sender).length;
    return generatedPayloads(full, sender, random, kinds * GENERATED);
  };

  it.each(["client", "server"] as const)("reads and writes what a %s sends", (sender) => {
    let written = 0;
    const corpus = corpusOf(sender);
    for (const payload of corpus) {
      const expected = reading(full, sender, () => full.read(sender, payload));
      const found = reading(full, sender, () => codec.read(sender as "client", payload));
      expectEqual(found, withoutBlockPlace(protocol.name, expected, found));
      if ("code" in expected) continue;
      const message = codec.read(sender as "client", payload);
      const again = codec.write(sender as "client", message);
      // A block may be packed in several ways.
      const isPacked = message.message === "unreliableUpdate";
      if (isPacked) expect(full.read(sender, again)).toEqual(message);
      else expectEqual(formatHex(again), formatHex(full.write(sender, message)));
      const idBytes = again.length - codec.writeBody(sender as "client", message).length;
      const fromBody = codec.readBody(sender as "client", message.message, again.subarray(idBytes));
      expectEqual(full.toJson(sender, fromBody), full.toJson(sender, message));
      written++;
    }
    expect(written).toBeGreaterThanOrEqual(corpus.length / 2);
  });

  it.each(["client", "server"] as const)("refuses what is refused of a %s, at the same place", (sender) => {
    const corpus = corpusOf(sender);
    for (let count = 0; count < DAMAGED && corpus.length > 0; count++) {
      const payload = mutated(random, random.pick(corpus));
      const expected = reading(full, sender, () => full.read(sender, payload));
      const found = reading(full, sender, () => codec.read(sender as "client", payload));
      expectEqual(found, withoutBlockPlace(protocol.name, expected, found));
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

/** Places in a block that was unpacked: the small codec counts in what came out of it. */
function withoutBlockPlace(game: string, expected: object, found: object): object {
  const isInBlock = game === "scrap-mechanic" && "bitOffset" in expected && "bitOffset" in found;
  return isInBlock ? { ...expected, bitOffset: found.bitOffset } : expected;
}

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
  const documented = () => mapleStory.codec("documented").read("client", bytes);
  expectTypeOf<Value<ReturnType<typeof v62>, "movePlayer">>().toEqualTypeOf<V62MovePlayer>();
  expectTypeOf<Value<ReturnType<typeof v83>, "movePlayer">>().toEqualTypeOf<V83MovePlayer>();
  expectTypeOf<Value<ReturnType<typeof documented>, "movePlayer">>().toEqualTypeOf<DocumentedMovePlayer>();
  expectTypeOf<Extract<ReturnType<typeof v62>, { readonly message: "moveDragon" }>>().toBeNever();
  expectTypeOf<Extract<ReturnType<typeof v83>, { readonly message: "moveDragon" }>>().not.toBeNever();

  const small62 = () => mapleMessages("v62").read("client", bytes);
  expectTypeOf<Value<ReturnType<typeof small62>, "movePlayer">>().toEqualTypeOf<V62MovePlayer>();
  const slime = () => slimeOnline2.codec("documented").read("client", bytes).message;
  expectTypeOf<ReturnType<typeof slime>>().toEqualTypeOf<"movePlayer">();
  const any = () => mapleStory.codec("v62" as string).read("client", bytes);
  expectTypeOf<Value<ReturnType<typeof any>, "movePlayer">>().toEqualTypeOf<
    V62MovePlayer | V83MovePlayer | DocumentedMovePlayer
  >();
  expect(v62).toThrow(WireError);
});
