/** So many messages of a dialect, read and written by the oracle, the interpreter and the generated code. */
import { createRandom, type Random } from "../../motion/index.ts";
import type { PayloadCodec, Side } from "../codec.ts";
import type { Protocol } from "../protocol.ts";
import { Difference, type ProofCount, proveOn } from "./codec-proof.ts";
import { generatedPayloads } from "./generated-payloads.ts";
import { sides } from "./payloads.ts";
import { mutated } from "./random-bytes.ts";
import { Subject } from "./subject.ts";

export interface ProofOptions {
  readonly seed: number;
  /** Payloads of both senders. */
  readonly messages: number;
  /** How long the bots play whose payloads are among them, on a virtual clock. */
  readonly playMs: number;
  /** Ends the run before all messages are done. */
  readonly isOver?: () => boolean;
}

/** What came out of a dialect's messages. */
export interface ProofResult extends ProofCount {
  /** Payloads that were looked at. */
  messages: number;
  differences: number;
  /** The words of the first differences. */
  readonly examples: string[];
}

/** Made-up payloads of a sender in one round. */
const MADE_UP = 500;
/** Of each made-up payload and each of the bots: itself once, and damaged copies. */
const DAMAGED_COPIES = 15;
const MAX_EXAMPLES = 5;
/** Messages between two looks at the clock. */
const LOOK_EVERY = 256;

/** Payloads without an end: bots' payloads, payloads made up from the descriptions, and damaged copies of both. */
function* payloadsOf(codec: PayloadCodec, sender: Side, played: readonly Uint8Array[], random: Random) {
  for (let round = 0; ; round++) {
    const whole = [...(round === 0 ? played : []), ...generatedPayloads(codec, sender, random, MADE_UP)];
    const all = round === 0 ? whole : [...whole, ...played];
    if (all.length === 0) return;
    for (const payload of whole) {
      yield payload;
      for (let copy = 0; copy < DAMAGED_COPIES; copy++) yield mutated(random, random.pick(all));
    }
  }
}

/** A payload of a sender, with the random numbers that go on with it. */
export interface ProofPayload {
  readonly sender: Side;
  readonly payload: Uint8Array;
  readonly random: Random;
}

/** So many payloads of a dialect's senders; each sender has its share by the kinds of message that it sends. */
export function* proofPayloads(
  protocol: Protocol,
  dialect: string,
  { seed, messages, playMs }: Pick<ProofOptions, "seed" | "messages" | "playMs">,
): Generator<ProofPayload> {
  const codec = protocol.codec(dialect);
  const subject = new Subject(protocol, dialect, { durationMs: playMs });
  for (const sender of sides) {
    const kinds = codec.messages.filter((each) => each.sender === sender).length;
    let left = Math.round((messages * kinds) / codec.messages.length);
    const random = createRandom(seed);
    for (const payload of payloadsOf(codec, sender, subject.payloads(seed, sender), random)) {
      if (left === 0) break;
      left -= 1;
      yield { sender, payload, random };
    }
  }
}

/** Compares all three on messages of both senders. */
export function proveDialect(protocol: Protocol, dialect: string, options: ProofOptions): ProofResult {
  const { stackTraceLimit } = Error;
  // Most messages are refused, and a stack takes longer than all readers together.
  Error.stackTraceLimit = 0;
  try {
    return prove(protocol, dialect, options);
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function prove(protocol: Protocol, dialect: string, options: ProofOptions): ProofResult {
  const { seed, messages, playMs, isOver = () => false } = options;
  const result: ProofResult = { messages: 0, read: 0, refused: 0, written: 0, differences: 0, examples: [] };
  const codec = protocol.codec(dialect);
  for (const { sender, payload, random } of proofPayloads(protocol, dialect, { seed, messages, playMs })) {
    if (result.messages % LOOK_EVERY === 0 && isOver()) break;
    result.messages += 1;
    try {
      proveOn(codec, sender, payload, random, result);
    } catch (error) {
      if (!(error instanceof Difference)) throw error;
      result.differences += 1;
      if (result.examples.length < MAX_EXAMPLES) result.examples.push(error.message);
    }
  }
  return result;
}
