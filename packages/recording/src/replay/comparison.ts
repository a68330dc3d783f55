/** What a replayed world did, compared with what the recorded one did: effects by their hashes, verdicts in full, states. */
import type { PlayerId, Verdict } from "wirewalk/motion";
import type { Effect, World } from "wirewalk/protocol";
import { formatHex } from "wirewalk/wire";
import { EffectHashes } from "../effect-hash.ts";
import type { KeyFrame } from "../profile.ts";
import { firstDifference } from "./difference.ts";
import { nameOf, playerIn, playerOf } from "./effect-names.ts";

/** Browsers compute some functions otherwise in the last digits. */
const DIGITS = 12;

/**
 * A verdict as it is compared. Its state is evidence beside what decides: members that the recording does not have are of a newer build, and
 * its numbers may differ in their last digits.
 */
function evidenceOf(verdict: Verdict, recorded: Verdict | undefined): Verdict {
  const known = Object.entries(verdict.stateBefore).filter(
    ([name]) => recorded === undefined || Object.hasOwn(recorded.stateBefore, name),
  );
  const text = JSON.stringify(Object.fromEntries(known), (_name, value: unknown) =>
    typeof value === "number" ? Number(value.toPrecision(DIGITS)) : value,
  );
  return { ...verdict, stateBefore: JSON.parse(text) as Verdict["stateBefore"] };
}

/** Where a replay differs from its recording. */
export interface ReplayDifference {
  readonly what: "effect" | "verdict" | "state" | "input";
  /** Ticks since replay began, and the time of the world's clock. */
  readonly tick: number;
  readonly nowMs: number;
  /** Undefined where it is the world's own. */
  readonly player: PlayerId | undefined;
  /** A member of the state: `state.players<7>.x`; or what kind of effect. */
  readonly field: string;
  readonly recorded: string;
  readonly replayed: string;
}

const MAX_DIFFERENCES = 100;

export class ReplayComparison {
  /** Effects, verdicts other than accept and key frames that were compared. */
  readonly counts = { effects: 0, verdicts: 0, keyFrames: 0 };
  /** The first ones. */
  readonly differences: ReplayDifference[] = [];
  differenceCount = 0;
  readonly #now: () => Pick<ReplayDifference, "tick" | "nowMs">;
  readonly #hashes = new EffectHashes();
  #effects: Effect[] = [];
  #replayed: Verdict[] = [];
  #recorded: string[] = [];

  /** `now` gives the place of a difference. */
  constructor(now: () => Pick<ReplayDifference, "tick" | "nowMs">) {
    this.#now = now;
  }

  /** Forgets what is not compared yet: replay begins at a key frame. */
  begin(): void {
    this.#hashes.clear();
    this.#effects = [];
    this.#replayed = [];
    this.#recorded = [];
  }

  /** The recorded world's verdict, as JSON. */
  recordedVerdict(json: string): void {
    this.#recorded.push(json);
  }

  /** The replayed world's effect. */
  effect(effect: Effect, payload: Uint8Array | undefined): void {
    this.#hashes.add(effect, payload);
    this.#effects.push(effect);
    if (effect.effect === "verdict" && effect.verdict.kind !== "accept") this.#replayed.push(effect.verdict);
  }

  /** Compares what was done since the record of effects before. */
  effects(body: Uint8Array): void {
    const view = new DataView(body.buffer, body.byteOffset, body.byteLength);
    const hashes = this.#hashes.read();
    const replayed = this.#effects;
    const verdicts = { recorded: this.#recorded, replayed: this.#replayed };
    this.begin();
    const count = Math.floor(body.length / 4);
    this.counts.effects += count;
    this.counts.verdicts += verdicts.recorded.length;
    for (let index = 0; index < Math.max(verdicts.recorded.length, verdicts.replayed.length); index += 1) {
      if (!this.#isSameVerdict(verdicts.recorded[index], verdicts.replayed[index])) return;
    }
    for (let index = 0; index < Math.max(count, replayed.length); index += 1) {
      const own = replayed[index];
      const hash = index < count ? view.getUint32(4 * index, true) : undefined;
      const ownHash = hashes[index];
      if (own !== undefined && ownHash === hash) continue;
      this.differ({
        what: "effect",
        player: own === undefined ? undefined : playerOf(own),
        field: own === undefined ? "number of effects" : nameOf(own),
        recorded: hash === undefined ? `${count} effects` : hash.toString(16).padStart(8, "0"),
        replayed: own === undefined ? `${replayed.length} effects` : (ownHash as number).toString(16).padStart(8, "0"),
      });
      return;
    }
  }

  /** Whether the replayed world is in the state of the key frame. */
  state(frame: KeyFrame, world: World): boolean {
    this.counts.keyFrames += 1;
    const digest = digestText(world);
    if (digest === frame.digest) return true;
    const saved = world.save();
    const found = firstDifference(frame.saved, saved);
    this.differ({
      what: "state",
      player: playerIn(found?.path ?? "", saved),
      field: found?.path ?? "digest",
      recorded: found?.recorded ?? frame.digest,
      replayed: found?.replayed ?? digest,
    });
    return false;
  }

  /** Replay begins in the state of a key frame: what was saved, and what was read from it, is what the frame says. */
  restored(frame: KeyFrame, world: World): void {
    const digest = digestText(world);
    if (digest === frame.digest) return;
    this.differ({
      what: "state",
      player: undefined,
      field: "digest of the key frame",
      recorded: frame.digest,
      replayed: digest,
    });
  }

  differ(difference: Omit<ReplayDifference, "tick" | "nowMs">): void {
    this.differenceCount += 1;
    if (this.differences.length < MAX_DIFFERENCES) this.differences.push({ ...difference, ...this.#now() });
  }

  #isSameVerdict(recorded: string | undefined, replayed: Verdict | undefined): boolean {
    const before = recorded === undefined ? undefined : (JSON.parse(recorded) as Verdict);
    const after =
      replayed === undefined
        ? undefined
        : (JSON.parse(JSON.stringify({ ...replayed, message: formatHex(replayed.message) })) as Verdict);
    const found = firstDifference(before && evidenceOf(before, before), after && evidenceOf(after, before), "verdict");
    if (found === undefined) return true;
    const player = (before ?? after)?.player;
    this.differ({ what: "verdict", player, field: found.path, recorded: found.recorded, replayed: found.replayed });
    return false;
  }
}

function digestText(world: World): string {
  return world.digest().toString(16).padStart(16, "0");
}
