/** Exported specifications, compiled and run by Kaitai Struct, against our reader. */
import { describe, expect, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import { defaultDialect, type PayloadCodec, type Side } from "../../protocols/index.ts";
import { protocols } from "../../protocols/table.ts";
import { generatedPayloads } from "../../protocols/testing/generated-payloads.ts";
import { mutated } from "../../protocols/testing/random-bytes.ts";
import { scale } from "../../testing/scale.ts";
import { formatHex, type JsonObject, WireError } from "../../wire/index.ts";
import { compareKaitai } from "../testing/compare-kaitai.ts";
import { type KaitaiObject, kaitaiReader } from "../testing/kaitai-reader.ts";
import { kaitaiSpec } from "./kaitai.ts";

/** Random packets of each message. */
const PACKETS = scale < 1 ? 10 : 10_000;
/** Packets in memory at a time. */
const BATCH = 1000;

const packetKinds = Object.values(protocols).flatMap((protocol) =>
  protocol.dialects.flatMap(({ name }) =>
    (["client", "server"] as const)
      .filter((side) => protocol.codec(name).messages.some(({ sender }) => sender === side))
      .map((side) => ({ protocol, dialect: name, sender: side })),
  ),
);

/** Kaitai's compiler takes 50 to 150 ms a specification: a small run compiles one of each game, that with most kinds of fields. */
const smallKinds: Readonly<Record<string, Side>> = {
  "slime-online-2": "server",
  osrs: "client",
  maplestory: "client",
  "scrap-mechanic": "server",
};
const compiledKinds = packetKinds.filter(({ protocol, dialect, sender }) => {
  return scale >= 1 || (dialect === defaultDialect(protocol) && sender === smallKinds[protocol.name]);
});

/** The JSON of a message, or why the codec refuses the packet. */
function readJson(codec: PayloadCodec, sender: Side, packet: Uint8Array): JsonObject | WireError {
  try {
    return JSON.parse(JSON.stringify(codec.toJson(sender, codec.read(sender, packet))));
  } catch (error) {
    if (error instanceof WireError) return error;
    throw error;
  }
}

/** What Kaitai reads, or why it refuses the packet. */
function attempt(read: () => KaitaiObject): KaitaiObject | Error {
  try {
    return read();
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

describe.each(compiledKinds)("$protocol.name $dialect, from the $sender", ({ protocol, dialect, sender }) => {
  it("Kaitai reads what the codec reads, and refuses what it refuses", { timeout: 900_000 }, async () => {
    const codec = protocol.codec(dialect);
    const read = await kaitaiReader(kaitaiSpec({ protocol, dialects: [dialect] }, dialect, sender));
    const random = createRandom(41);
    const seen = { value: 0, refused: 0 };

    const compare = (packet: Uint8Array): void => {
      const wanted = readJson(codec, sender, packet);
      const found = attempt(() => read(packet));
      if (wanted instanceof WireError) {
        if (!(found instanceof Error)) throw new Error(`Kaitai reads what the codec refuses: ${wanted.message}`);
        seen.refused += 1;
        return;
      }
      if (found instanceof Error) throw new Error(`Kaitai refuses what the codec reads: ${found.message}`);
      const node = codec.layouts[sender][String(wanted.message)]?.node;
      if (node !== undefined) compareKaitai(node, found.body, wanted.value as JsonObject);
      seen.value += 1;
    };

    const count = codec.messages.filter((each) => each.sender === sender).length * PACKETS;
    for (let left = count; left > 0; left -= BATCH) {
      for (const payload of generatedPayloads(codec, sender, random, Math.min(left, BATCH))) {
        for (const packet of [payload, mutated(random, payload)]) {
          try {
            compare(packet);
          } catch (error) {
            throw new Error(`${formatHex(packet)}\n${String(error)}`);
          }
        }
      }
    }
    expect(seen.value).toBeGreaterThan(count / 2);
    expect(seen.refused).toBeGreaterThan(0);
  });
});

it.each(packetKinds)(
  "$protocol.name $dialect has a specification from the $sender",
  ({ protocol, dialect, sender }) => {
    const { meta, types, doc } = kaitaiSpec({ protocol, dialects: [dialect] }, dialect, sender) as {
      readonly meta: JsonObject;
      readonly types: JsonObject;
      readonly doc: string;
    };
    expect(meta.id).toMatch(/^[a-z][a-z0-9_]*$/);
    for (const { message, sender: from } of protocol.codec(dialect).messages) {
      if (from === sender) expect(doc).toContain(` ${message}: `);
    }
    expect(Object.keys(types)).not.toEqual([]);
  },
);
