/**
 * Looks for cheats: changes honest streams by chance, keeps those that gain most without a verdict above benign, and changes them further.
 * Equal options give equal steps.
 */
import { createRandom, type Random } from "../../packages/wirewalk/src/motion/index.ts";
import { type Change, changed, randomChange, tweaked, wordsOf } from "./changes.ts";
import { type Played, play, type Scene, type Sent, type Stage } from "./play.ts";

/** A stream and what it gains. Plain data. */
export interface Candidate {
  readonly scene: Scene;
  readonly changes: readonly Change[];
  readonly measure: string;
  /** In the unit of the measure, beyond what the honest stream has. */
  readonly gain: number;
}

/** A cheat, with as few changes as still gain about as much. */
export interface Find extends Candidate {
  readonly words: readonly string[];
  /** Rules without a verdict about it. */
  readonly silent: readonly string[];
  /** Rules with a benign verdict alone. */
  readonly benign: readonly string[];
}

export interface SearchOptions {
  readonly stage: Stage;
  readonly dialect: string;
  readonly seed: number;
  /** Seconds of a stream. Default 60. */
  readonly seconds?: number;
  /** What an earlier run has kept. */
  readonly kept?: readonly Candidate[];
}

const SECONDS = 60;
/** Scenes that a run takes its honest streams from. */
const SCENES = 8;
const MOST_CHANGES = 6;
/** Streams that are kept: the best of each measure, kind of place and set of kinds of changes. */
const MOST_KEPT = 200;
/** Candidates of which the best is changed further. */
const TOURNAMENT = 3;
/** A find that is like an earlier one has to gain so many times as much. */
const MUCH_MORE = 1.5;
/** What a smaller find may lose of its gain. */
const KEPT_SHARE = 0.9;

export class Searcher {
  runs = 0;
  readonly finds: Find[] = [];
  readonly #options: SearchOptions;
  readonly #random: Random;
  readonly #scenes: readonly Scene[];
  readonly #honest = new Map<string, Played>();
  readonly #kept = new Map<string, Candidate>();

  constructor(options: SearchOptions) {
    this.#options = options;
    const { stage, dialect, seed, seconds = SECONDS, kept = [] } = options;
    this.#random = createRandom(seed);
    const rooms = stage.game.rooms(stage.protocol, stage.maps, createRandom(seed));
    this.#scenes = Array.from({ length: SCENES }, (_, index): Scene => {
      const room = rooms[index % rooms.length];
      return {
        dialect,
        seed: seed * 1000 + index,
        known: index % 3 !== 2,
        ...(room === undefined ? {} : { room }),
        seconds,
      };
    });
    for (const candidate of kept) this.#keep(candidate);
  }

  /** The best streams, the one with the greatest gain of its bound first. */
  get kept(): readonly Candidate[] {
    return [...this.#kept.values()].toSorted((a, b) => this.#share(b) - this.#share(a)).slice(0, MOST_KEPT);
  }

  /** What honest streams of this run have: the greatest of each measure, which has to be about 0. */
  honestGains(): Readonly<Record<string, number>> {
    const greatest: Record<string, number> = {};
    for (const scene of this.#scenes) {
      const { gains, found } = this.#honestOf(scene);
      if (found !== undefined) throw new Error(`An honest player of seed ${scene.seed} has a verdict: ${found.rule}`);
      for (const [name, gain] of Object.entries(gains)) greatest[name] = Math.max(greatest[name] ?? 0, gain);
    }
    return greatest;
  }

  /** One more stream. Returns a find that is new. */
  step(): Find | undefined {
    const { scene, changes } = this.#next();
    let best: Candidate | undefined;
    for (const candidate of this.#measured(scene, changes)) {
      this.#keep(candidate);
      if (this.#isFind(candidate) && this.#share(candidate) > (best === undefined ? 0 : this.#share(best)))
        best = candidate;
    }
    if (best === undefined) return undefined;
    const small = this.#shrunk(best);
    this.#keep(small);
    if (!this.#isFind(small)) return undefined;
    const find = this.#describe(small);
    this.finds.push(find);
    return find;
  }

  /** The payloads of a stream, as the server received them. */
  payloadsOf({ scene, changes }: Candidate): Played["received"] {
    return this.#play(scene, changes).received;
  }

  #next(): { readonly scene: Scene; readonly changes: readonly Change[] } {
    const random = this.#random;
    const { stage, dialect } = this.#options;
    const kinds = stage.game.changes(dialect);
    const messages = stage.game.messages(dialect);
    const all = [...this.#kept.values()];
    if (all.length === 0 || random.chance(0.15)) {
      const scene = random.pick(this.#scenes);
      const count = random.integer(1, 3);
      return { scene, changes: Array.from({ length: count }, () => randomChange(random, kinds, messages, scene)) };
    }
    const rivals = Array.from({ length: TOURNAMENT }, () => random.pick(all));
    const { scene, changes: before } = rivals.reduce((a, b) => (this.#share(a) >= this.#share(b) ? a : b));
    const changes = [...before];
    for (let count = random.integer(1, 3); count > 0; count--) {
      const at = random.integer(0, Math.max(0, changes.length - 1));
      const chosen = changes[at];
      const kind = random.next();
      if (chosen === undefined || (kind < 0.2 && changes.length < MOST_CHANGES)) {
        changes.push(randomChange(random, kinds, messages, scene));
      } else if (kind < 0.3 && changes.length > 1) changes.splice(at, 1);
      else if (kind < 0.4) {
        const other = random.pick(all).changes;
        if (other.length > 0 && changes.length < MOST_CHANGES) changes.push(random.pick(other));
      } else changes[at] = tweaked(random, chosen, kinds, scene.seconds * 1000);
    }
    // What works in one scene may work in another.
    return { scene: random.chance(0.1) ? random.pick(this.#scenes) : scene, changes };
  }

  #honestOf(scene: Scene): Played {
    const key = JSON.stringify(scene);
    let honest = this.#honest.get(key);
    if (honest === undefined) {
      honest = play(this.#options.stage, scene, "honest");
      this.#honest.set(key, honest);
    }
    return honest;
  }

  #play(scene: Scene, changes: readonly Change[]): Played {
    const { stage, dialect } = this.#options;
    const { sent } = this.#honestOf(scene);
    const stream: readonly Sent[] = changed(sent, changes, stage.game.changes(dialect), stage.game.session);
    this.runs += 1;
    return play(stage, scene, { stream });
  }

  #measured(scene: Scene, changes: readonly Change[]): readonly Candidate[] {
    const { gains } = this.#play(scene, changes);
    const honest = this.#honestOf(scene).gains;
    return Object.entries(gains).flatMap(([measure, all]) => {
      const gain = all - (honest[measure] ?? 0);
      return gain > 0 ? [{ scene, changes, measure, gain }] : [];
    });
  }

  #boundOf({ measure }: Candidate): number {
    return this.#options.stage.game.measures[measure]?.bound ?? Infinity;
  }

  #share(candidate: Candidate): number {
    return candidate.gain / this.#boundOf(candidate);
  }

  /** Whether it gains too much, and far more than finds like it: those with the same kinds of changes or fewer of them. */
  #isFind(candidate: Candidate): boolean {
    const kinds = kindsOf(candidate);
    const known = this.finds.filter(
      (find) =>
        find.measure === candidate.measure &&
        find.scene.known === candidate.scene.known &&
        [...kindsOf(find)].every((kind) => kinds.has(kind)),
    );
    return this.#share(candidate) > 1 && known.every(({ gain }) => candidate.gain > MUCH_MORE * gain);
  }

  #keep(candidate: Candidate): void {
    const key = keyOf(candidate);
    if (candidate.gain > (this.#kept.get(key)?.gain ?? 0)) this.#kept.set(key, candidate);
    if (this.#kept.size <= 2 * MOST_KEPT) return;
    const best = this.kept;
    this.#kept.clear();
    for (const each of best) this.#kept.set(keyOf(each), each);
  }

  /** The same with fewer and simpler changes. */
  #shrunk(find: Candidate): Candidate {
    let best = find;
    const atLeast = Math.max(this.#boundOf(find), find.gain * KEPT_SHARE);
    const isEnough = (changes: readonly Change[]): boolean => {
      const found = this.#measured(best.scene, changes).find(({ measure }) => measure === find.measure);
      if (found === undefined || found.gain < atLeast) return false;
      best = found;
      return true;
    };
    for (let at = 0; at < best.changes.length; ) {
      if (best.changes.length === 1 || !isEnough(best.changes.toSpliced(at, 1))) at += 1;
    }
    const endMs = find.scene.seconds * 1000;
    const kinds = this.#options.stage.game.changes(this.#options.dialect);
    for (const [at, { kind, every, fromMs, toMs, of, amounts }] of best.changes.entries()) {
      const replaced = (simpler: Partial<Change>): boolean => {
        const { of: kept, ...change } = best.changes[at] as Change;
        const named = "of" in simpler || kept === undefined ? {} : { of: kept };
        return isEnough(best.changes.with(at, { ...change, ...named, ...simpler }));
      };
      if (every > 1) replaced({ every: 1 });
      if (fromMs > 0 || toMs < endMs) replaced({ fromMs: 0, toMs: endMs });
      if (of !== undefined) {
        const { of: _, ...all } = best.changes[at] as Change;
        isEnough(best.changes.with(at, all));
      }
      for (const [name, value] of Object.entries(amounts)) {
        const now = (best.changes[at] as Change).amounts;
        const { least, most } = kinds[kind]?.amounts[name] ?? { least: value, most: value };
        for (const simpler of [0, Math.round(value)]) {
          if (simpler === value || simpler < least || simpler > most) continue;
          if (replaced({ amounts: { ...now, [name]: simpler } })) break;
        }
      }
    }
    return best;
  }

  #describe(find: Candidate): Find {
    const { stage, dialect } = this.#options;
    const kinds = stage.game.changes(dialect);
    const { benign, found } = this.#play(find.scene, find.changes);
    const rules = stage.protocol.capabilities?.rules ?? [];
    const silent = rules.filter((rule) => !benign.includes(rule) && rule !== found?.rule);
    return { ...find, words: find.changes.map((change) => wordsOf(change, kinds)), silent, benign };
  }
}

function kindsOf({ changes }: Candidate): ReadonlySet<string> {
  return new Set(changes.map(({ kind }) => kind));
}

/** Of streams with the same key the best is kept. */
function keyOf(candidate: Candidate): string {
  return `${candidate.measure} ${candidate.scene.known} ${[...kindsOf(candidate)].toSorted().join(" ")}`;
}
