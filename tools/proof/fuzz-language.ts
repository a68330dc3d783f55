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
  /** Kinds of answers that were seen: see `kindsOf`. */
  kinds: number;
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

/** Payloads that are damaged first: of bots, made up, and damaged ones. */
const FIRST = 4096;
/** Texts make kinds without end. */
const MAX_KEPT = 1 << 16;
/** How often one of the last payloads that brought a new kind of answer is damaged, rather than any. */
const RECENT_CHANCE = 0.3;
const RECENT = 64;
const BATCH = 1024;
/** Longest payload. */
const LONGEST = 1 << 16;
const MAX_EXAMPLES = 5;

type Kept = readonly [sender: 0 | 1, payload: Uint8Array];

/** Sends damaged payloads until `isOver`, or until the program fails too often. Those with an answer of a new kind are damaged in turn. */
export async function fuzzLanguage(
  toolchain: Toolchain,
  { protocol, source, program }: LanguageSubject,
  { seed, playMs, isOver, batch: size = BATCH }: FuzzOptions,
): Promise<FuzzResult> {
  const result: FuzzResult = {
    messages: 0,
    read: 0,
    refused: 0,
    kinds: 0,
    failures: 0,
    peakBytes: undefined,
    examples: [],
  };
  const { dialect } = source.dialect.dialect;
  const random = createRandom(seed);
  const kept: Kept[] = Array.from(
    proofPayloads(protocol, dialect, { seed, messages: FIRST, playMs }),
    ({ sender, payload }) => [sender === "client" ? 0 : 1, payload],
  );
  const seen = new Set<string>();
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
        const before = seen.size;
        for (const kind of kindsOf(sender, payload, answer)) seen.add(kind);
        if (seen.size > before) {
          if (kept.length < MAX_KEPT) kept.push(own);
          else kept[random.integer(0, kept.length - 1)] = own;
        }
        if (answer[0] === 0) result.read += 1;
        else if (answer[0] === 1) result.refused += 1;
        else fail(`a ${sender === 0 ? "client" : "server"}'s ${formatHex(payload)}: ${answer.toString("utf8", 1)}`);
      }
      result.kinds = seen.size;
      result.peakBytes = frames.peakBytes ?? result.peakBytes;
    }
  } finally {
    frames.end();
  }
  return result;
}

/**
 * What an answer says of the way that the reader took: a refusal's code and path, without indexes, and how far it came; of a value each
 * member with the kind of its value, and each list and text with about how long it is.
 */
function kindsOf(sender: 0 | 1, payload: Uint8Array, answer: Buffer): readonly string[] {
  const length = Math.ceil(Math.log2(payload.length + 1));
  if (answer[0] !== 0) {
    const [code = "", path = "", bit = ""] = answer.toString("utf8", 1).split("\n");
    const own = `${sender} ${code} ${path.replaceAll(/\d+/g, "")}`;
    return [own, `${own} ${Math.ceil(Math.log2(Number(bit) + 1))}`];
  }
  const json = answer.toString("latin1", 5, 5 + Math.min(answer.readUInt32BE(1), MAX_LOOKED_AT));
  const [, message = ""] = /^\{"message":"([^"]*)"/.exec(json) ?? [];
  const members = json.matchAll(/"([^"]*)":("[^"]*"|\[[^\]]*\]?|\{|-?\d+|\w+)/g);
  return [
    `${sender} ${message} ${length}`,
    ...Array.from(members, ([, key, value = ""]) => `${sender} ${message} ${key} ${kindOfValue(value)}`),
  ];
}

/** Of a value only so many characters are looked at. */
const MAX_LOOKED_AT = 2000;

/** A word of an enum or a flag is itself; of a number its sign and size; of others about how long they are. */
function kindOfValue(text: string): string {
  if (/^"[a-z][A-Za-z]{0,20}"$/.test(text) || /^[a-z]/.test(text)) return text;
  if (/^-?\d/.test(text)) return `${Math.sign(Number(text))} ${Math.ceil(Math.log2(Math.abs(Number(text)) + 1) / 4)}`;
  return `${text[0]} ${Math.ceil(Math.log2(text.length))}`;
}

/** One of the payloads, damaged a few times; now and then far longer than it was. */
function damaged(random: Random, kept: readonly Kept[]): Kept {
  const recent = kept.length > FIRST && random.chance(RECENT_CHANCE);
  const [sender, first] = recent ? random.pick(kept.slice(-RECENT)) : random.pick(kept);
  let payload = first;
  for (let count = random.integer(1, 3); count > 0; count--) payload = mutated(random, payload);
  if (random.integer(0, 999) === 0) {
    const long = new Uint8Array(random.integer(payload.length, LONGEST)).fill(random.pick([0, 1, 0x7f, 0xff] as const));
    long.set(payload);
    payload = long;
  }
  return [sender, payload.subarray(0, LONGEST)];
}
