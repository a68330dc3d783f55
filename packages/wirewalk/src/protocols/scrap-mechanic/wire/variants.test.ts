import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { expectEqual, withoutStackTraces } from "../../../testing/inner-loops.ts";
import { scaled } from "../../../testing/scale.ts";
import { decode, encode, parseHex, WireError } from "../../../wire/index.ts";
import { mutated } from "../../testing/random-bytes.ts";
import { scrapCodec } from "./codec.ts";
import {
  compiledMovementBody,
  decodePlayerMovement,
  movementBody,
  movementPacketLayout,
  type PlayerMovement,
} from "./player-movement.ts";
import {
  decodeUpdateBody,
  encodeUpdateBody,
  type UnreliableUpdate,
  updateBody,
  updatePacket,
} from "./unreliable-update.ts";

withoutStackTraces();

/** The value, or code, path and words of the refusal. */
function outcomeOf(read: () => unknown): unknown {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return [error.code, error.path, error.message.replace(/ at byte \d+$/, "")];
  }
}

const [yes, no] = [true, false];
const ways = [
  { lenient: no, countByte: yes },
  { lenient: no, countByte: no },
  { lenient: yes, countByte: yes },
  { lenient: yes, countByte: no },
];
const runs = scaled(20_000, 500);

const position = { x: 1, y: -2.5, z: 0 };
const keys = { jump: false, crawl: true, horizontal: true, sprint: false, aim: false };
const update: UnreliableUpdate = {
  serverTick: 16,
  currentTick: 12_345,
  updates: [
    { kind: "character", id: 7, keys, direction: 64, yaw: 21, pitch: 64, position },
    {
      kind: "tumbling",
      id: 8,
      rotation: { ...position, w: 1 },
      position,
      velocity: position,
      angularVelocity: position,
    },
    { kind: "opaque", type: 9, data: Uint8Array.of(1, 2, 3) },
  ],
};

describe.each(ways)("what is generated for $lenient lenient, $countByte count", (options) => {
  const codec = scrapCodec("documented", options);

  it("reads and writes updates as the description says", () => {
    const random = createRandom(41);
    const body = encode(updateBody(options), update);
    expect(encodeUpdateBody(update, options)).toEqual(body);
    expect(decodeUpdateBody(body, options)).toEqual(update);
    const packet = Uint8Array.of(0x18, ...encode(updatePacket(options), update));
    expect(codec.write("server", { message: "unreliableUpdate", value: update })).toEqual(packet);
    expect(codec.read("server", packet)).toEqual({ message: "unreliableUpdate", value: update });
    for (let run = 0; run < runs; run++) {
      const changed = mutated(random, body);
      expectEqual(
        outcomeOf(() => decodeUpdateBody(changed, options)),
        outcomeOf(() => decode(updateBody(options), changed)),
      );
      const inner = mutated(random, packet.subarray(1));
      expectEqual(
        outcomeOf(() => codec.read("server", Uint8Array.of(0x18, ...inner)).value),
        outcomeOf(() => decode(updatePacket(options), inner)),
      );
    }
  });

  it("reads movement as the description says", () => {
    const strictness = options.lenient ? "lenient" : "strict";
    const random = createRandom(42);
    for (const hex of ["80 0000303904400040", "20 0000 0100 2f 0540", "8f 00003039e4400040"]) {
      const packet = parseHex(hex);
      for (let run = 0; run < runs; run++) {
        const inner = run === 0 ? packet : mutated(random, packet);
        const bytes = Uint8Array.of(0x1e, ...inner);
        const described = outcomeOf(() => decode(movementPacketLayout(strictness), inner));
        expectEqual(
          outcomeOf(() => decodePlayerMovement(bytes, strictness)),
          described,
        );
        expectEqual(
          outcomeOf(() => codec.read("client", bytes).value),
          described,
        );
        const body = inner.subarray(1);
        const { read, after } = compiledMovementBody(strictness);
        const wanted = outcomeOf(() => decode(movementBody(strictness), body)) as PlayerMovement | readonly unknown[];
        if (!Array.isArray(wanted)) expectEqual([read(body, 0, body.length), after()], [wanted, body.length]);
      }
    }
  });
});
