/** Bytes made up from a seed: noise, damaged payloads, streams cut anywhere. */
import type { Random } from "../../motion/index.ts";

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

export function randomBytes(random: Random, maxLength: number): Uint8Array {
  return Uint8Array.from({ length: random.integer(0, maxLength) }, () => random.integer(0, 255));
}

/** Values at which readers like to break. */
const edges = [0x00, 0x01, 0x7f, 0x80, 0xfe, 0xff] as const;

/** The bytes with up to four small damages. */
export function mutated(random: Random, bytes: Uint8Array): Uint8Array {
  let result = bytes.slice();
  for (let count = random.integer(1, 4); count > 0; count -= 1) {
    const at = random.integer(0, Math.max(0, result.length - 1));
    switch (random.integer(0, 6)) {
      case 0:
        if (result.length > 0) result[at] = (result[at] ?? 0) ^ (1 << random.integer(0, 7));
        break;
      case 1:
        if (result.length > 0) result[at] = random.pick(edges);
        break;
      case 2:
        if (result.length > 0) result[at] = random.integer(0, 255);
        break;
      case 3:
        result = result.slice(0, at);
        break;
      case 4:
        result = joined(result, randomBytes(random, 8));
        break;
      case 5:
        result = joined(result.subarray(0, at), result.subarray(at + random.integer(0, 4)));
        break;
      default:
        // Some bytes come twice.
        result = joined(result.subarray(0, at + random.integer(1, 8)), result.subarray(at));
    }
  }
  return result;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const result = new Uint8Array(first.length + second.length);
  result.set(first);
  result.set(second, first.length);
  return result;
}

/** The bytes in pieces, cut anywhere; pieces may be empty. Each is a copy: a reader may keep it. */
export function pieces(random: Random, bytes: Uint8Array): readonly Uint8Array[] {
  const parts: Uint8Array[] = [];
  const longest = random.pick([1, 3, 20, 1_000] as const);
  for (let at = 0; at < bytes.length; ) {
    const end = Math.min(bytes.length, at + random.integer(0, longest));
    parts.push(bytes.slice(at, end));
    at = end;
  }
  return parts;
}
