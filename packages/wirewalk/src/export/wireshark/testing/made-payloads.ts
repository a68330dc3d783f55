/** Payloads to compare readers on: of the game's own bots, made up from the descriptions, and both of them damaged. */
import type { Random } from "../../../motion/index.ts";
import type { PlayableProtocol, Side } from "../../../protocols/index.ts";
import { maskRevisions } from "../../../protocols/osrs/wire/revisions.ts";
import { generatedPayloads } from "../../../protocols/testing/generated-payloads.ts";
import { mutated } from "../../../protocols/testing/random-bytes.ts";
import { Subject } from "../../../protocols/testing/subject.ts";
import type { CheckedSession } from "./made-session.ts";
import { playerInfoPayloads } from "./player-info-sessions.ts";

const sides: readonly Side[] = ["client", "server"];

/** Those of Old School RuneScape, the newest first. */
const revisions: readonly number[] = [...maskRevisions.keys()].sort((a, b) => b - a);

/** The share of payloads that are damaged. */
const DAMAGED = 0.4;

/** What {@link madeSessions} makes. */
export interface MadeSessionsOptions {
  readonly protocol: PlayableProtocol;
  readonly dialect: string;
  readonly random: Random;
  /** Payloads in all. */
  readonly count: number;
  /** Payloads of one session at most. */
  readonly perSession: number;
  /** Whether bots play, which takes seconds. */
  readonly played: boolean;
}

/** Connections of one dialect. Those of a game with revisions have one after the other. */
export function* madeSessions({
  protocol,
  dialect,
  random,
  count,
  perSession,
  played,
}: MadeSessionsOptions): Generator<CheckedSession> {
  const sizes = Array.from({ length: Math.ceil(count / perSession) }, (_, at) =>
    Math.min(perSession, count - at * perSession),
  );
  if (protocol.name === "osrs") {
    // Packets of player info can be read in their order alone.
    for (const [at, size] of sizes.entries()) {
      const revision = revisions[at % revisions.length] as number;
      const own = protocol.capabilities?.settings?.configure({ revision }) ?? protocol;
      yield { protocol: own, dialect, payloads: playerInfoPayloads(own, dialect, random, size) };
    }
    return;
  }
  const codec = protocol.codec(dialect);
  const subject = new Subject(protocol, dialect);
  const corpus = sides.flatMap((sender): readonly (readonly [Side, readonly Uint8Array[]])[] => {
    const own = played ? subject.payloads(1, sender) : [];
    const made = generatedPayloads(codec, sender, random, count);
    return own.length + made.length === 0 ? [] : [[sender, [...own.slice(0, count), ...made]]];
  });
  for (const size of sizes) {
    const payloads = Array.from({ length: size }, () => {
      const [sender, of] = random.pick(corpus);
      const payload = random.pick(of);
      return { sender, payload: random.chance(DAMAGED) ? mutated(random, payload) : payload };
    });
    yield { protocol, dialect, payloads };
  }
}
