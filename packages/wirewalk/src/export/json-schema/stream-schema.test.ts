/** The schemas of lines that are no messages, on what `decode` prints. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { decodeLines, encodeLines } from "../../inspect/index.ts";
import { createRandom } from "../../motion/index.ts";
import type { PacketStream } from "../../protocols/index.ts";
import { osrs } from "../../protocols/osrs/osrs.ts";
import { someFields } from "../../protocols/osrs/player-info/testing/random-fields.ts";
import { blockToJson } from "../../protocols/osrs/player-info/wire/masks/mask-codec.ts";
import { knownRevisions } from "../../protocols/osrs/player-info/wire/masks/named-revisions.ts";
import { generatedPayloads } from "../../protocols/testing/generated-payloads.ts";
import { mutated } from "../../protocols/testing/random-bytes.ts";
import { scale } from "../../testing/scale.ts";
import { formatHex, type JsonObject } from "../../wire/index.ts";
import { schemaValidator } from "../testing/schema-validator.ts";
import { streamSchema } from "./json-schema.ts";

/** Random packets of a dialect. */
const PACKETS = scale < 1 ? 30 : 10_000;
/** Random values of each mask block. */
const BLOCKS = scale < 1 ? 2 : 1000;

const streamOf = (name: string): PacketStream => osrs.streams[name] as PacketStream;

function linePrinter(stream: PacketStream, dialect: string, options = {}): (line: string) => JsonObject {
  const lines = decodeLines(stream, { dialect, sender: stream.senders[0], framed: false, options });
  let count = 0;
  return (line) => {
    count += 1;
    const [result] = lines.line(line);
    if (result === undefined || "text" in result) throw new Error("no line");
    const printed = "json" in result ? { ok: true, ...result.json } : { ok: false, error: result.error, line: count };
    return JSON.parse(JSON.stringify(printed));
  };
}

function checkLine(validate: ReturnType<typeof schemaValidator>, line: JsonObject): void {
  if (!validate(line)) throw new Error(`${JSON.stringify(line).slice(0, 2000)}\n${JSON.stringify(validate.errors)}`);
}

describe.each(["client", "native", "documented"])("osrs/mouse, %s", (dialect) => {
  it("accepts the lines of random and damaged packets", { timeout: 600_000 }, () => {
    const validate = schemaValidator(streamSchema(osrs, "mouse", dialect));
    const print = linePrinter(streamOf("mouse"), dialect);
    const random = createRandom(5);
    const seen = { true: 0, false: 0 };
    for (const payload of generatedPayloads(osrs.codec(dialect), "client", random, PACKETS)) {
      for (const bytes of [payload, mutated(random, payload), payload.subarray(0, 2)]) {
        const line = print(formatHex(bytes.subarray(1)));
        checkLine(validate, line);
        seen[line.ok === true ? "true" : "false"] += 1;
      }
    }
    expect(seen.true).toBeGreaterThan(0);
    expect(seen.false).toBeGreaterThan(0);
  });
});

describe("osrs/player-info", () => {
  const stream = streamOf("player-info");
  const validate = schemaValidator(streamSchema(osrs, "player-info", "client"));

  it.each(["client", "bad"])("accepts the lines of the vectors, %s", (name) => {
    const file = new URL(`../../../../../vectors/osrs-player-info-${name}.jsonl`, import.meta.url);
    const lines = readFileSync(file, "utf8").split("\n");
    const print = linePrinter(stream, "client");
    for (const line of lines.slice(0, PACKETS)) if (line !== "") checkLine(validate, print(line));
  });

  it.each(knownRevisions.map((revision) => [revision.name, revision] as const))(
    "accepts random mask blocks of revision %s",
    (revision, { blocks }) => {
      const random = createRandom(9);
      const writer = encodeLines(stream, { dialect: "client", sender: "server", framed: false, options: { revision } });
      const print = linePrinter(stream, "client", { revision });
      const write = (object: object): Readonly<Record<string, JsonObject>> | undefined => {
        const [result] = writer.line(JSON.stringify(object));
        return result !== undefined && "text" in result ? JSON.parse(result.text) : undefined;
      };
      const players = { 5: [0, 3200, 3201] };
      const init = write({ observers: [5], players })?.init;
      checkLine(validate, print(JSON.stringify({ initHex: init?.["5"] ?? "", localIndex: 5 })));
      const seen = new Set<string>();
      for (const block of blocks) {
        for (let count = 0; count < BLOCKS; count++) {
          const fields = blockToJson(block, someFields(random, block, 6));
          // Some values are such that the client could not survive them: they are not written.
          const packets = write({ players, masks: { 5: { [block.name]: fields } } })?.packets;
          if (packets === undefined) continue;
          const line = print(JSON.stringify({ hex: packets["5"] ?? "" }));
          checkLine(validate, line);
          if (Object.hasOwn((line.masks as JsonObject)["5"] as JsonObject, block.name)) seen.add(block.name);
        }
      }
      expect(seen.size).toBeGreaterThan(blocks.length / 2);
    },
  );

  it("refuses an unknown block and an invalid player", () => {
    const line = { players: { 5: [0, 1, 2] }, masks: {}, passBits: [1, 2, 3, 4] };
    expect(validate(line)).toBe(true);
    expect(validate({ ...line, masks: { 5: { nothing: {} } } })).toBe(false);
    expect(validate({ ...line, players: { x: [0, 1, 2] } })).toBe(false);
    expect(validate({ ...line, players: { 5: [0, 1] } })).toBe(false);
    expect(validate({ ...line, message: "playerInfoInit" })).toBe(false);
  });
});
