/**
 * Frames that only one recipient can read, such as those of a cipher with memory. The delivery keeps payloads, once for a
 * room, and the recipient frames them when it writes: a flood of broadcasts costs the memory of its payloads, however many
 * recipients there are.
 */
import { joinBytes } from "../wire/index.ts";
import type { Framing } from "./delivery.ts";

const LENGTH_BYTES = 4;

/** Payloads with their lengths. A recipient with this framing gives what it receives to {@link framePayloads}. */
export const payloadFraming: Framing = {
  frame(payload) {
    const { length } = payload;
    const logged = new Uint8Array(LENGTH_BYTES + length);
    new DataView(logged.buffer).setUint32(0, length, true);
    logged.set(payload, LENGTH_BYTES);
    return logged;
  },
};

/** What a recipient with {@link payloadFraming} received, each payload framed by `frame`, as one piece. */
export function framePayloads(logged: Uint8Array, frame: (payload: Uint8Array) => Uint8Array): Uint8Array {
  const view = new DataView(logged.buffer, logged.byteOffset, logged.byteLength);
  const frames: Uint8Array[] = [];
  for (let at = 0; at < logged.length; ) {
    const end = at + LENGTH_BYTES + view.getUint32(at, true);
    frames.push(frame(logged.subarray(at + LENGTH_BYTES, end)));
    at = end;
  }
  return joinBytes(frames);
}
