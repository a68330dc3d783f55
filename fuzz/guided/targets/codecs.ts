/** Codecs: payloads of a dialect. */
import type { Side } from "wirewalk/protocol";
import type { OpenedTarget, Target } from "../target.ts";
import { payloadsOf, protocolNamed, sides } from "./payloads.ts";
import { src } from "./sources.ts";

/** The parts of a game that a codec is made of. */
function gameFiles(folder: string): RegExp {
  return new RegExp(`${src}(?:wire/(?!testing)|protocols/(?:message-table|${folder}/wire/)).*(?<!\\.test)\\.ts$`);
}

/** A payload of a dialect, the sender in the first byte: read and trace agree, and what is read is written back. */
export function codecTarget(protocolName: string, dialect: string): Target {
  return {
    name: `${protocolName}/${dialect}`,
    summary:
      "a payload: refused by a WireError, or written back as it says, and read, traced and refused alike by the oracle, the interpreter and the generated code",
    cover: gameFiles(protocolName === "osrs" ? "osrs/mouse" : protocolName),
    maxBytes: 512,
    async open(): Promise<OpenedTarget> {
      const protocol = await protocolNamed(protocolName);
      const { checkPayload, readOrRefuse } = await import(
        "../../../packages/wirewalk/src/protocols/testing/payloads.ts"
      );
      const { proveOn } = await import("../../../packages/wirewalk/src/protocols/testing/codec-proof.ts");
      const { createRandom } = await import("wirewalk/motion");
      const { tilingFault } = await import("wirewalk/wire");
      const codec = protocol.codec(dialect);
      const seeds: Uint8Array[] = [];
      for (const [at, side] of sides.entries()) {
        for (const payload of await payloadsOf(codec, side)) seeds.push(Uint8Array.of(at, ...payload));
      }
      const sideOf = (input: Uint8Array): Side => sides[(input[0] ?? 0) & 1] as Side;
      return {
        seeds,
        run(input) {
          readOrRefuse(codec, sideOf(input), input.subarray(1));
        },
        checkEvery: 512,
        check(input) {
          const payload = input.subarray(1);
          checkPayload(codec, sideOf(input), payload);
          // Which part of the value is replaced by an odd one follows from the length.
          const count = { read: 0, refused: 0, written: 0 };
          proveOn(codec, sideOf(input), payload, createRandom(input.length), count);
          const { error, fields } = codec.trace(sideOf(input), payload);
          const unknown = codec.undescribed?.(sideOf(input), payload);
          if (unknown !== undefined && error?.code !== "unknown-message") {
            throw new Error(`${unknown} is not described, and gives ${error ?? "a message"}`);
          }
          const fault = error === undefined ? tilingFault(fields, payload.length) : undefined;
          if (fault !== undefined) throw new Error(`The trace of ${Buffer.from(payload).toString("hex")}: ${fault}`);
        },
      };
    },
  };
}
