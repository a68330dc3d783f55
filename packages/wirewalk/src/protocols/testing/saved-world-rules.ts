/** Rules of `save`, `restore` and `digest`. */
import { createRandom, type Random } from "../../motion/index.ts";
import type { SavedWorld, World, WorldOptions } from "../world.ts";
import { copyPlain, digestOf, findUnplain } from "../world-kit/index.ts";
import { equalPlain } from "./equal-plain.ts";
import { cloned, must, mustThrow, type RuleSet, show } from "./rule.ts";
import { replay, type Script } from "./script.ts";
import { joiningOf, type WorldSubject } from "./subject.ts";

/**
 * A world that is saved and restored into another one again and again, also while effects wait, gives what the one gave
 * that never was: effects, tracks and digests. The other one is a new world, the one of two times before, or has other
 * players and effects.
 */
function checkGoesOn(subject: WorldSubject, seed: number): void {
  const script = subject.script(seed);
  const random = createRandom(seed);
  const { restores = 100 } = subject.options;
  const chance = restores / 2 / script.calls.length;
  const kept: { readonly saved: SavedWorld; readonly digest: bigint }[] = [];
  let retired: World | undefined;
  const moved = (world: World): World => {
    if (!random.chance(chance)) return world;
    const saved = world.save();
    const digest = digestOf(saved);
    must(world.digest() === digest, () => "digest() is not the digest of save()");
    if (random.chance(0.2)) {
      scramble(world.save());
      must(world.digest() === digest, () => "a saved world shares data with its world");
    }
    kept.push({ saved, digest });
    const to =
      retired ?? (random.chance(0.5) ? usedWorld(subject, script) : subject.protocol.createWorld(script.options));
    const copy = cloned(saved);
    must(digestOf(copy) === digest, () => "structuredClone changes the saved world");
    to.restore(copy);
    must(to.digest() === digest, () => `a restored world has another digest: ${firstDifference(saved, to.save())}`);
    scramble(copy);
    retired = random.chance(0.5) ? world : undefined;
    return to;
  };
  replay(subject.protocol, script, subject.options, { before: moved, after: moved });
  for (const { saved, digest } of kept) {
    must(digestOf(saved) === digest, () => "a saved world changes while its world plays on");
  }
}

/** A world with players and effects that the script has nothing of. */
function usedWorld(subject: WorldSubject, script: Script): World {
  const world = subject.protocol.createWorld(script.options);
  const nowMs = script.calls[0]?.nowMs ?? 0;
  for (const player of [65_001, 65_002]) {
    world.join(player, joiningOf(player), nowMs);
    world.following?.follow(player, nowMs);
    for (const payload of subject.payloads(script.options.seed, "client").slice(0, 20)) {
      world.receive(player, subject.codec.read("client", payload), payload, nowMs);
    }
  }
  world.tick(nowMs + 1000);
  return world;
}

interface SavedPlay {
  /** Before the call in the middle of the script. */
  readonly middle: SavedWorld;
  readonly end: SavedWorld;
}

const savedPlays = new WeakMap<Script, SavedPlay>();

/** The world of a script, as it was saved. The script is played once for all rules that ask: what they restore is a copy. */
function savedPlay(subject: WorldSubject, script: Script): SavedPlay {
  const known = savedPlays.get(script) ?? playAndSave(subject, script);
  savedPlays.set(script, known);
  return known;
}

function playAndSave({ protocol, options }: WorldSubject, script: Script): SavedPlay {
  let middle: SavedWorld | undefined;
  const world = replay(protocol, script, options, {
    before(played, index) {
      if (index === middleOf(script)) middle = played.save();
      return played;
    },
  });
  const end = world.save();
  return { middle: middle ?? end, end };
}

function middleOf({ calls }: Script): number {
  return calls.length >> 1;
}

/** What is saved is plain data, and names protocol and dialect. */
function checkShape(subject: WorldSubject, seed: number): void {
  const { middle, end } = savedPlay(subject, subject.script(seed));
  for (const saved of [subject.world().save(), middle, end]) {
    const unplain = findUnplain(saved);
    must(unplain === undefined, () => `a saved world is not plain data: ${unplain}`);
    must(Number.isInteger(saved.schema) && saved.schema >= 1, () => `schema is ${saved.schema}`);
    const name = `${subject.protocol.name}/${subject.dialect}`;
    must(saved.world === name, () => `a saved world is of ${saved.world}, expected ${name}`);
  }
}

/** Whatever is not a saved world of this protocol and dialect is refused, and then nothing has changed. */
function checkRefuses(subject: WorldSubject, seed: number): void {
  const { damages = 60 } = subject.options;
  const script = subject.script(seed);
  const random = createRandom(seed);
  const saved = cloned(savedPlay(subject, script).end);
  const target = subject.protocol.createWorld(script.options);
  target.restore(cloned(saved));
  const digest = target.digest();
  const mustStay = (what: () => string): void => {
    must(target.digest() === digest, () => `${what()} changes the world though it throws`);
    must(target.takeEffects().length === 0, () => `${what()} gives effects`);
  };
  const others: readonly SavedWorld[] = [
    { ...saved, world: "another/dialect" },
    { ...saved, world: `${subject.protocol.name}/another` },
    { ...saved, schema: saved.schema + 1 },
  ];
  for (const other of others) {
    const what = (): string => `restore of ${other.world}, schema ${other.schema}`;
    mustThrow(() => target.restore(other), [RangeError], what);
    mustStay(what);
  }
  for (const malformed of [
    undefined,
    null,
    5,
    "saved",
    [],
    {},
    { ...saved, options: undefined },
    { ...saved, state: undefined },
    { ...saved, state: [] },
  ]) {
    const what = (): string => `restore of ${show(malformed)}`;
    mustThrow(() => target.restore(malformed as SavedWorld), [TypeError, RangeError], what);
    mustStay(what);
  }
  for (const name of Object.keys(saved.state)) {
    const { [name]: _gone, ...rest } = saved.state as Readonly<Record<string, unknown>>;
    const what = (): string => `restore without state.${name}`;
    mustThrow(() => target.restore({ ...saved, state: rest }), [TypeError, RangeError], what);
    mustStay(what);
  }
  for (let count = 0; count < damages; count++) {
    const damaged = cloned(saved);
    const where = damage(random, damaged);
    const what = (): string => `restore of a saved world with damage at ${where}`;
    try {
      target.restore(damaged);
    } catch (error) {
      const isExpected = error instanceof TypeError || error instanceof RangeError;
      must(isExpected, () => `${what()} throws ${String(error)}, expected TypeError or RangeError`);
      mustStay(what);
      continue;
    }
    // Not everything can be noticed; but whatever was taken over, the next restore replaces all of it.
    target.restore(cloned(saved));
    mustStay(what);
  }
}

/** Options of every protocol, each changed. */
const otherOptions: Readonly<Record<string, (options: WorldOptions, tickMs: number) => WorldOptions>> = {
  seed: (options) => ({ ...options, seed: options.seed + 1 }),
  enforcement: (options) => ({ ...options, enforcement: options.enforcement === "log" ? "enforce" : "log" }),
  demo: ({ demo = false, ...options }) => ({ ...options, demo: !demo }),
  tickMs: (options, tickMs) => ({ ...options, tickMs: tickMs * 2 }),
};

/**
 * A world with other options refuses a saved world and says which options differ, or these options decide nothing: then it
 * goes on as the world that was saved.
 */
function checkOptions(subject: WorldSubject, seed: number): void {
  const script = subject.script(seed);
  const { protocol, options } = subject;
  const { middle: saved } = cloned(savedPlay(subject, script));
  const { tickMs } = protocol.createWorld(script.options);
  const worlds = Object.entries(otherOptions).map(([name, change]): [string, () => World] => [
    name,
    () => protocol.createWorld(change(script.options, tickMs)),
  ]);
  for (const [name, create] of worlds) {
    const world = create();
    const before = world.digest();
    try {
      world.restore(cloned(saved));
    } catch (error) {
      must(error instanceof RangeError, () => `restore with another ${name} throws ${String(error)}`);
      must(error.message.includes("other options"), () => `restore with another ${name}: ${error.message}`);
      must(world.digest() === before, () => `restore with another ${name} changes the world though it throws`);
      continue;
    }
    replay(protocol, script, options, {
      from: { index: middleOf(script), world },
      what: `in a world with another ${name}, which was accepted`,
    });
  }
  for (const [name, create] of Object.entries(options.otherWorlds ?? {})) {
    const restore = (): void => create(script.options).restore(cloned(saved));
    mustThrow(restore, [RangeError], () => `restore with another ${name}`);
    let said = "";
    try {
      restore();
    } catch (error) {
      said = String(error);
    }
    must(said.includes(` ${name} was `), () => `restore with another ${name} says ${said}`);
  }
}

/** Overwrites all data that can be overwritten, so that a world that shares it changes. */
function scramble(data: unknown): void {
  if (typeof data !== "object" || data === null) return;
  if (ArrayBuffer.isView(data)) {
    new Uint8Array(data.buffer, data.byteOffset, data.byteLength).fill(0xa5);
    return;
  }
  if (data instanceof Map || data instanceof Set) {
    for (const [key, value] of data.entries()) {
      scramble(key);
      scramble(value);
    }
    data.clear();
    return;
  }
  for (const [name, value] of Object.entries(data)) {
    scramble(value);
    Reflect.set(data, name, null);
  }
  if (Array.isArray(data) && !Object.isFrozen(data)) data.length = 0;
}

const wrongValues: readonly unknown[] = [undefined, null, "x", -1, 1.5, Number.NaN, 1e9, true, 7n, [], {}, new Map()];

/** Replaces or removes one member somewhere in the data. Gives its path. */
function damage(random: Random, data: SavedWorld): string {
  let at: unknown = data.state;
  let path = "state";
  for (;;) {
    const members = membersOf(at);
    if (members.length === 0) return path;
    const name = random.pick(members);
    path += `.${String(name)}`;
    const inner = at instanceof Map ? at.get(name) : (at as Record<string, unknown>)[String(name)];
    if (membersOf(inner).length > 0 && random.chance(0.75)) {
      at = inner;
      continue;
    }
    const wrong = random.pick(wrongValues);
    if (at instanceof Map) at.set(name, wrong);
    else if (random.chance(0.2)) delete (at as Record<string, unknown>)[String(name)];
    else (at as Record<string, unknown>)[String(name)] = wrong;
    return path;
  }
}

function membersOf(data: unknown): readonly unknown[] {
  if (typeof data !== "object" || data === null || ArrayBuffer.isView(data) || data instanceof Set) return [];
  return data instanceof Map ? [...data.keys()] : Object.keys(data);
}

/** The path of the first member that differs, for an error. */
function firstDifference(a: unknown, b: unknown, path = "saved"): string {
  if (a instanceof Map && b instanceof Map) return firstDifference([...a], [...b], path);
  if (a instanceof Set && b instanceof Set) return firstDifference([...a], [...b], path);
  const isPair = typeof a === "object" && typeof b === "object" && a !== null && b !== null;
  if (isPair && !ArrayBuffer.isView(a)) {
    const [x, y] = [copyPlain(a), copyPlain(b)] as [Record<string, unknown>, Record<string, unknown>];
    for (const name of new Set([...Object.keys(x), ...Object.keys(y)])) {
      if (!equalPlain(x[name], y[name])) return firstDifference(x[name], y[name], `${path}.${name}`);
    }
  }
  return `${path} is ${show(b)}, expected ${show(a)}`;
}

export const savedWorldRules: RuleSet<"createWorld", WorldSubject> = {
  needs: ["createWorld"],
  rules: [
    {
      name: "saved and restored at any moment, goes on as the world that was not",
      check: checkGoesOn,
    },
    { name: "is saved as plain data that names protocol and dialect", check: checkShape },
    { name: "refuses what is not a saved world of its own", check: checkRefuses },
    { name: "refuses the saved world of other options", check: checkOptions },
  ],
};
