/** Payloads to compare readers on: of the game's own bots, made up from the descriptions, and both of them damaged. */
import type { Random } from "../../../motion/index.ts";
import type { Protocol, Side } from "../../../protocols/index.ts";
import { generatedPayloads } from "../../../protocols/testing/generated-payloads.ts";
import { mutated } from "../../../protocols/testing/random-bytes.ts";
import { Subject } from "../../../protocols/testing/subject.ts";
import type { SentPayload } from "./made-session.ts";

/** The share of payloads that are damaged. */
const DAMAGED = 0.4;

/** `played`: whether bots play, which takes seconds. */
export function madePayloads(
  protocol: Protocol,
  dialect: string,
  random: Random,
  count: number,
  played: boolean,
): readonly SentPayload[] {
  const codec = protocol.codec(dialect);
  const subject = new Subject(protocol, dialect);
  const corpus = (["client", "server"] as const).flatMap(
    (sender): readonly (readonly [Side, readonly Uint8Array[]])[] => {
      const own = played ? subject.payloads(1, sender) : [];
      const made = generatedPayloads(codec, sender, random, count);
      return own.length + made.length === 0
        ? []
        : [[sender, own.length === 0 ? made : [...own.slice(0, count), ...made]]];
    },
  );
  return Array.from({ length: count }, () => {
    const [sender, payloads] = random.pick(corpus);
    const payload = random.pick(payloads);
    return { sender, payload: random.chance(DAMAGED) ? mutated(random, payload) : payload };
  });
}
