/** Messages of MapleStory that send a client to another server. */
import type { PayloadCodec, WireMessage } from "wirewalk/protocol";
import type { Target } from "../target.ts";
import { src } from "./sources.ts";

const dialects = ["v62", "v83", "v95"];
/** Bytes of an input before its payload: the dialect, an address, a port. */
const HEAD_BYTES = 7;

export const mapleRedirects: Target = {
  name: "maplestory redirects",
  summary:
    "a payload of a server, given another address: the same length, that address when it is read, and back again",
  cover: new RegExp(`${src}protocols/maplestory/redirects\\.ts$`),
  maxBytes: 120,
  async open() {
    const { mapleRedirects: redirects } = await import(
      "../../../packages/wirewalk/src/protocols/maplestory/redirects.ts"
    );
    const { mapleStory } = await import("wirewalk/maplestory");
    const { WireError } = await import("wirewalk/wire");
    const codecs = dialects.map((dialect) => mapleStory.codec(dialect) as PayloadCodec);
    const payloads = [
      "0c000000c0000207971d4d00000000000000" + "0000",
      "090000007f000001981d4d00000045390500" + "00",
      "100001c0000207981d",
      "0c000600",
      "0c000c130102",
      "1100",
    ];
    return {
      seeds: dialects.flatMap((_, dialect) =>
        payloads.map((hex) => Uint8Array.of(dialect, 10, 1, 2, 255, 0x80, 1, ...Buffer.from(hex, "hex"))),
      ),
      run(input) {
        const [which = 0, ...address] = input.subarray(0, HEAD_BYTES);
        const codec = codecs[which % codecs.length] as PayloadCodec;
        const payload = input.slice(HEAD_BYTES);
        let message: WireMessage;
        try {
          message = codec.read("server", payload);
        } catch (error) {
          if (error instanceof WireError) return;
          throw error;
        }
        const before = redirects.addressOf(message);
        if (before === undefined) return;
        if (!redirects.messages.includes(message.message)) throw new Error(`${message.message} is not listed`);
        const [a = 0, b = 0, c = 0, d = 0, high = 0, low = 0] = address;
        const after = { host: `${a}.${b}.${c}.${d}`, port: (high << 8) | low };
        const written = codec.write("server", redirects.withAddress(message, after));
        if (written.length !== payload.length) throw new Error(`${payload.length} bytes become ${written.length}`);
        const again = codec.read("server", written);
        if (JSON.stringify(redirects.addressOf(again)) !== JSON.stringify(after)) {
          throw new Error(`${JSON.stringify(after)} is read as ${JSON.stringify(redirects.addressOf(again))}`);
        }
        const back = codec.write("server", redirects.withAddress(again, before));
        if (Buffer.compare(back, payload) !== 0) throw new Error("The first address back gives other bytes");
        // A text that is no address, and a number that is no port.
        for (const wrong of [
          { ...after, host: new TextDecoder("latin1").decode(payload) },
          { ...after, host: `${a}.${b}.${c}.${d + 256}` },
          { ...after, port: after.port + 0x1_0000 },
          { ...after, port: after.port + 0.5 },
        ]) {
          try {
            redirects.withAddress(message, wrong);
          } catch (error) {
            if (error instanceof RangeError) continue;
            throw error;
          }
          throw new Error(`${JSON.stringify(wrong)} is taken`);
        }
      },
    };
  },
};
