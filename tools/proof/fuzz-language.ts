/** Whether a compiled reader holds against bytes that are damaged again and again: it must not end, fail otherwise, or take memory without bound. */

import { createRandom, type Random } from "../../packages/wirewalk/src/motion/index.ts";
import { proofPayloads } from "../../packages/wirewalk/src/protocols/testing/prove-dialect.ts";
import { mutated } from "../../packages/wirewalk/src/protocols/testing/random-bytes.ts";
import { formatHex } from "../../packages/wirewalk/src/wire/index.ts";
import { batchOf, Frames } from "./frames.ts";
import type { LanguageSubject } from "./prove-language.ts";
import type { Toolchain } from "./toolchains.ts";

/** What came out of a dialect's damaged payloads in a language. */
export interface FuzzResult {
  messages: number;
  read: number;
  refused: number;
  /** Answers that are neither, or a program that has ended. */
  failures: number;
  /** The most memory of the program, in bytes; undefined where the system does not say it. */
  peakBytes: number | undefined;
  readonly examples: string[];
}

export interface FuzzOptions {
  readonly seed: number;
  /** How long the bots play whose payloads are damaged. */
  readonly playMs: number;
  readonly isOver: () => boolean;
  /** Messages that are under way at once. */
  readonly batch?: number;
}

/** Payloads that are kept to be damaged: those that are read take the places of others. */
const KEPT = 4096;
const BATCH = 1024;
/** Longest payload. */
const LONGEST = 1 << 16;
const MAX_EXAMPLES = 5;

type Kept = readonly [sender: 0 | 1, payload: Uint8Array];

/** Sends damaged payloads until `isOver`, or until the program fails too often. */
export async function fuzzLanguage(
  toolchain: Toolchain,
  { protocol, source, program }: LanguageSubject,
  { seed, playMs, isOver, batch: size = BATCH }: FuzzOptions,
): Promise<FuzzResult> {
  const result: FuzzResult = { messages: 0, read: 0, refused: 0, failures: 0, peakBytes: undefined, examples: [] };
  const { dialect } = source.dialect.dialect;
  const random = createRandom(seed);
  const kept: Kept[] = Array.from(
    proofPayloads(protocol, dialect, { seed, messages: KEPT, playMs }),
    ({ sender, payload }) => [sender === "client" ? 0 : 1, payload],
  );
  const fail = (words: string): void => {
    result.failures += 1;
    if (result.examples.length < MAX_EXAMPLES) result.examples.push(words);
  };
  const frames = new Frames(toolchain.command(program));
  try {
    while (!isOver() && result.examples.length < MAX_EXAMPLES) {
      const batch = Array.from({ length: size }, () => damaged(random, kept));
      frames.send(batchOf(batch));
      for (const own of batch) {
        const [sender, payload] = own;
        const answer = await frames.next().catch((error: unknown) => {
          fail(`${String(error)}, after a ${sender === 0 ? "client" : "server"}'s ${formatHex(payload)}`);
          return undefined;
        });
        if (answer === undefined) return result;
        result.messages += 1;
        if (answer[0] === 0) {
          result.read += 1;
          kept[random.integer(0, kept.length - 1)] = own;
        } else if (answer[0] === 1) result.refused += 1;
        else fail(`a ${sender === 0 ? "client" : "server"}'s ${formatHex(payload)}: ${answer.toString("utf8", 1)}`);
      }
      result.peakBytes = frames.peakBytes ?? result.peakBytes;
    }
  } finally {
    frames.end();
  }
  return result;
}

/** One of the payloads, damaged a few times; now and then far longer than it was. */
function damaged(random: Random, kept: readonly Kept[]): Kept {
  const [sender, first] = random.pick(kept);
  let payload = first;
  for (let count = random.integer(1, 3); count > 0; count--) payload = mutated(random, payload);
  if (random.integer(0, 999) === 0) {
    const long = new Uint8Array(random.integer(payload.length, LONGEST)).fill(random.pick([0, 1, 0x7f, 0xff] as const));
    long.set(payload);
    payload = long;
  }
  return [sender, payload.subarray(0, LONGEST)];
}
