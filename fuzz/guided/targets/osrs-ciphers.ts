/** Frames of OSRS with hidden opcodes. */
import type { BodySize } from "../../../packages/wirewalk/src/protocols/osrs/wire/framing.ts";
import type { Target } from "../target.ts";
import { piecesOf, SCRIPT_BYTES, scriptOf } from "./script.ts";
import { src } from "./sources.ts";
import { splitReader } from "./split-stream.ts";

/** Opcodes of one and of two bytes, with bodies of fixed and of variable size. */
const bodySizes: readonly (readonly [opcode: number, size: BodySize])[] = [
  [3, 2],
  [4, "varByte"],
  [5, "varShort"],
  [130, 1],
  [200, "varByte"],
];

/** Bits of the first byte of a script's first piece. */
const FROM_SERVER = 1;
const PLAIN = 2;
const MANY_OPCODES = 4;

export const osrsCiphers: Target = {
  name: "osrs hidden opcodes",
  summary:
    "frames under a cipher or plain, damaged and split: what was framed comes out, whole, in pieces and from a restored deframer alike",
  cover: new RegExp(`${src}protocols/osrs/wire/(?:framing|isaac)\\.ts$`),
  maxBytes: SCRIPT_BYTES,
  async open() {
    const { frameOsrs, OsrsDeframer } = await import("../../../packages/wirewalk/src/protocols/osrs/wire/framing.ts");
    const { OpcodeCipher } = await import("../../../packages/wirewalk/src/protocols/osrs/wire/isaac.ts");
    const readSplit = await splitReader();
    const sizes: ConstructorParameters<typeof OsrsDeframer>[0] = new Map(bodySizes);
    const seed = [1, 0xffff_fff0, 3, 4];
    const moreSizes: typeof sizes = new Map([...sizes, ...Array.from({ length: 4 }, (_, at) => [at + 10, 0] as const)]);
    return {
      seeds: bodySizes.flatMap(([opcode, size], at) => [
        scriptOf([
          Uint8Array.of(at % 2, 1, 0, 0, 3),
          Uint8Array.of(opcode, ...new Uint8Array(typeof size === "number" ? size : 5)),
        ]),
        scriptOf([Uint8Array.of(PLAIN | MANY_OPCODES, 1, 255, 0, 1), Uint8Array.of(3, 1, 2)]),
        scriptOf([
          Uint8Array.of(at % 2, 2, 3, 7, 5),
          ...bodySizes.map(([each, of]) => Uint8Array.of(each, ...new Uint8Array(typeof of === "number" ? of : 9))),
        ]),
      ]),
      run(script) {
        const [control = new Uint8Array(), ...payloads] = piecesOf(script);
        const [flags = 0, step = 1, change = 0, place = 0, restoreAt = 0] = control;
        const sender = (flags & FROM_SERVER) === 0 ? "client" : "server";
        const isPlain = (flags & PLAIN) !== 0;
        const cipher = new OpcodeCipher(sender, seed);
        const sent: string[] = [];
        const frames: Uint8Array[] = [];
        for (const payload of payloads.slice(0, 300)) {
          try {
            frames.push(frameOsrs(sizes, payload, isPlain ? undefined : { cipher }));
          } catch (error) {
            if (error instanceof RangeError || error instanceof TypeError) continue;
            throw error;
          }
          sent.push(payload.join(" "));
        }
        const stream = Uint8Array.from(frames.flatMap((frame) => [...frame]));
        if (stream.length === 0) return;
        const received = (flags & MANY_OPCODES) === 0 ? sizes : moreSizes;
        // A restored deframer has the cipher of what it takes over, not its own.
        const open = (isRestored: boolean) =>
          new OsrsDeframer(
            received,
            isPlain ? undefined : { cipher: new OpcodeCipher(sender, isRestored ? [9, 9, 9, 9] : seed) },
          );
        if (readSplit(open, stream, stream.length, -1) !== sent.join("; "))
          throw new Error("Frames do not come out as they went in");
        if (change !== 0) stream[place % stream.length] = (stream[place % stream.length] as number) ^ change;
        const whole = readSplit(open, stream, stream.length, -1);
        const split = readSplit(open, stream, Math.max(1, step), restoreAt);
        if (whole !== split) throw new Error(`Whole: ${whole}; in pieces: ${split}`);
      },
    };
  },
};
