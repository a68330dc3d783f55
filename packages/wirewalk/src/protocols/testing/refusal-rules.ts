/** Rules about messages that a world refuses: nothing of them may remain or be sent to others. */
import { createRandom, type PlayerId } from "../../motion/index.ts";
import type { Effect } from "../world.ts";
import { equalPlain } from "./equal-plain.ts";
import { readOrRefuse } from "./payloads.ts";
import { mutated } from "./random-bytes.ts";
import { cloned, must, mustEqual, show } from "./rule.ts";
import { perform } from "./script.ts";
import type { WorldSubject } from "./subject.ts";

/** A refusal is the only answer to a refused message: nothing is sent to others. */
export function checkRefusals(subject: WorldSubject, seed: number): void {
  const script = subject.script(seed);
  const { countedOnRefusal = [] } = subject.options;
  const codec = subject.codec;
  let found = 0;
  const world = subject.protocol.createWorld(script.options);
  script.calls.forEach((call, index) => {
    const isRefused = call.call === "receive" && refuses(script.effects[index] ?? []);
    if (!isRefused || found >= MAX_REFUSALS) {
      perform(world, codec, call, subject.options.gameCode);
      world.takeEffects();
      return;
    }
    // What time alone brings about happens now and is not taken for the message's doing.
    world.tick(call.nowMs);
    world.takeEffects();
    const before = world.save();
    perform(world, codec, call, subject.options.gameCode);
    const effects = world.takeEffects();
    if (!refuses(effects)) return;
    found += 1;
    const place = `the refused message of call ${index} (${show(effects.find(isRejection))})`;
    let isHeldBack = false;
    for (const effect of effects) {
      const isSent = effect.effect === "broadcast" || (effect.effect === "send" && effect.to !== call.player);
      if (!isSent) continue;
      // Others may be told where the player stands, which is where they see it from then on.
      const stood = subject.options.stoodAt?.(effect.message);
      const seen = world.tracks(call.nowMs + SETTLED_MS).find(({ player }) => player === call.player)?.position;
      const isThere = stood !== undefined && stood.x === seen?.x && stood.y === seen.y;
      isHeldBack ||= isThere;
      must(isThere, () => `${place} is sent to others: ${show(effect)}`);
    }
    if (isHeldBack) return;
    const after = world.save();
    const change = firstChange(before.state, after.state, countedOnRefusal);
    must(change === undefined, () => `${place} changes ${change}`);
  });
}

const MAX_REFUSALS = 150;
/** After this time others see a player where its last message has led. */
export const SETTLED_MS = 5_000;

function isRejection(effect: Effect): boolean {
  return effect.effect === "verdict" && effect.verdict.kind === "reject";
}

function refuses(effects: readonly Effect[]): boolean {
  return effects.some(isRejection);
}

/** Whether the differences of the data can be found member by member. */
function isWalked(data: object): boolean {
  return !ArrayBuffer.isView(data) && !(data instanceof Map) && !(data instanceof Set);
}

/** The path of the first member that differs, but for members with these names. */
function firstChange(before: unknown, after: unknown, except: readonly string[], path = "state"): string | undefined {
  if (equalPlain(before, after)) return undefined;
  if (before instanceof Map && after instanceof Map && before.size === after.size) {
    return firstChange([...before], [...after], except, path);
  }
  if (before instanceof Set && after instanceof Set && before.size === after.size) {
    return firstChange([...before], [...after], except, path);
  }
  const isPair = typeof before === "object" && typeof after === "object" && before !== null && after !== null;
  const isList = Array.isArray(before) && Array.isArray(after) && before.length === after.length;
  if (!isPair || (Array.isArray(before) && !isList) || !isWalked(before)) {
    return `${path}: ${show(before)} became ${show(after)}`;
  }
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (except.includes(name)) continue;
    const [was, is] = [before, after].map((each) => (each as Readonly<Record<string, unknown>>)[name]);
    const change = firstChange(was, is, except, Array.isArray(before) ? `${path}[${name}]` : `${path}.${name}`);
    if (change !== undefined) return change;
  }
  return undefined;
}

/**
 * A corrected message has no effect of its own: what the world changes and sends depends on what it believed before, and
 * not on what the message claimed. So another message that is corrected in its place has the same effects. The player is
 * sent the correction, and is where it says.
 */
export function checkCorrections(subject: WorldSubject, seed: number): void {
  const script = subject.script(seed);
  const random = createRandom(seed);
  const { codec, protocol, options } = subject;
  const { countedOnRefusal = [], keptOfCorrected = [], ownCorrections = [], correctedTo } = options;
  const { believedOfCorrected = () => undefined, correctionsApartMs = 0 } = options;
  const believedOf = (payload: Uint8Array): string | undefined => {
    const message = readOrRefuse(codec, "client", payload);
    return message && believedOfCorrected(message);
  };
  const correctedMs = new Map<PlayerId, number>();
  const noteSent = (effects: readonly Effect[], player: PlayerId, nowMs: number): boolean => {
    const isSent = effects.some((effect) => effect.effect === "send" && effect.to === player);
    if (isSent && corrects(effects)) correctedMs.set(player, nowMs);
    return isSent;
  };
  const except = [...countedOnRefusal, ...keptOfCorrected];
  const corrected = script.calls.flatMap((call, index) =>
    call.call === "receive" && corrects(script.effects[index] ?? []) ? [{ payload: call.payload, index }] : [],
  );
  const chosen = new Set(spread(corrected, MAX_CORRECTIONS).map(({ index }) => index));
  const world = protocol.createWorld(script.options);
  script.calls.forEach((call, index) => {
    if (call.call !== "receive" || !chosen.has(index)) {
      perform(world, codec, call, options.gameCode);
      const effects = world.takeEffects();
      if (call.call === "receive") noteSent(effects, call.player, call.nowMs);
      return;
    }
    const place = `the corrected message of call ${index} (${show(call)})`;
    const before = world.save();
    const believed = believedOf(call.payload);
    /** The effects of another message in place of the corrected one; undefined where it is not corrected. */
    const instead = (payload: Uint8Array): { effects: readonly Effect[]; after: unknown } | undefined => {
      const message = readOrRefuse(codec, "client", payload);
      if (message === undefined) return undefined;
      const other = protocol.createWorld(script.options);
      other.restore(cloned(before));
      other.receive(call.player, message, payload, call.nowMs);
      const effects = other.takeEffects();
      return corrects(effects) ? { effects, after: other.save().state } : undefined;
    };
    const others = [
      ...spread(corrected, OTHER_MESSAGES).map(({ payload }) => payload),
      ...Array.from({ length: OTHER_MESSAGES }, () => mutated(random, call.payload)),
    ].flatMap((payload) => (believedOf(payload) === believed ? (instead(payload) ?? []) : []));
    perform(world, codec, call, options.gameCode);
    const effects = world.takeEffects();
    const after = world.save().state;
    const isRecent = call.nowMs - (correctedMs.get(call.player) ?? Number.NEGATIVE_INFINITY) < correctionsApartMs;
    const isSent = noteSent(effects, call.player, call.nowMs);
    must(isSent || isRecent || bans(effects), () => `${place} is answered with no correction`);
    const track = world.tracks(call.nowMs).find(({ player }) => player === call.player);
    for (const effect of effects) {
      const isToPlayer = effect.effect === "send" && effect.to === call.player;
      const stated = isToPlayer ? correctedTo?.(effect.message, call.player) : undefined;
      if (stated === undefined) continue;
      const { x, y } = track?.position ?? { x: Number.NaN, y: Number.NaN };
      const isThere = Math.abs(stated.x - x) <= 0.5 && Math.abs(stated.y - y) <= 0.5;
      must(isThere, () => `${place} is corrected to ${show(stated)}, and the player is at ${show({ x, y })}`);
    }
    for (const other of others) {
      // A penalty may weigh how much was claimed; a correction may not.
      if (bans(other.effects) !== bans(effects)) continue;
      // What is believed of it is relayed where the rule allows that.
      if (believed !== undefined && relays(other.effects) !== relays(effects)) continue;
      if (ownRule(other.effects, ownCorrections) !== ownRule(effects, ownCorrections)) continue;
      const [found, expected] = [effects, other.effects].map((list) => list.filter(isNoEvidence));
      mustEqual(found, expected, () => `The effects of ${place} depend on what it claimed`);
      const change = firstChange(other.after, after, except);
      must(change === undefined, () => `${place} changes the world by what it claimed: ${change}`);
    }
  });
}

/** The rule that corrected, where it is one that does so in a way of its own. */
function ownRule(effects: readonly Effect[], rules: readonly string[]): string | undefined {
  for (const effect of effects) {
    if (effect.effect !== "verdict" || effect.verdict.kind !== "correct") continue;
    if (rules.includes(effect.verdict.rule)) return effect.verdict.rule;
  }
  return undefined;
}

/** Corrected messages that are looked at, and messages that are tried in place of each. */
const MAX_CORRECTIONS = 12;
const OTHER_MESSAGES = 6;

/** At most so many of the values, evenly from all of them. */
function spread<T>(values: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, values.length / most);
  return Array.from({ length: Math.min(most, values.length) }, (_, index) => values[Math.floor(index * step)] as T);
}

function corrects(effects: readonly Effect[]): boolean {
  return effects.some((effect) => effect.effect === "verdict" && effect.verdict.kind === "correct");
}

function relays(effects: readonly Effect[]): boolean {
  return effects.some(({ effect }) => effect === "broadcast");
}

function bans(effects: readonly Effect[]): boolean {
  return effects.some(({ effect }) => effect === "ban");
}

/** Verdicts and bans hold the message that led to them. */
function isNoEvidence({ effect }: Effect): boolean {
  return effect !== "verdict" && effect !== "ban";
}
