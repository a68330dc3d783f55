/**
 * Changes of a stream of messages: a kind of change, which messages it is made to, and by how much. Plain data, so that a stream is its
 * scene and its changes.
 */
import type { Random } from "../../packages/wirewalk/src/motion/index.ts";
import type { Sent } from "./play.ts";

/** A number of a change. */
export interface Amount {
  readonly least: number;
  readonly most: number;
  readonly isWhole?: true;
}

/** The numbers of one change by name. */
export type Amounts = Readonly<Record<string, number>>;

/** A kind of change. */
export interface ChangeKind {
  readonly amounts: Readonly<Record<string, Amount>>;
  /** Names of the messages that it is for. Default: all that are no session's. */
  readonly messages?: readonly string[];
  /** The stream after the change. `isChosen` says which messages it is made to, once for each and in their order. */
  apply(stream: readonly Sent[], isChosen: (sent: Sent) => boolean, amounts: Amounts, window: Window): readonly Sent[];
  words(amounts: Amounts): string;
}

/** When a change begins and ends, milliseconds. */
export interface Window {
  readonly fromMs: number;
  readonly toMs: number;
}

/** One change. */
export interface Change extends Window {
  readonly kind: string;
  /** One in so many of the messages that it could be made to. */
  readonly every: number;
  /** Messages of this name alone. */
  readonly of?: string;
  readonly amounts: Amounts;
}

export type ChangeKinds = Readonly<Record<string, ChangeKind>>;

/** Messages of a stream at most: a change of changes may double it again and again. */
const MOST_MESSAGES = 30_000;

/** Replaces each chosen message. */
export function replacing(replace: (sent: Sent, amounts: Amounts) => readonly Sent[]): ChangeKind["apply"] {
  return (stream, isChosen, amounts) => stream.flatMap((sent) => (isChosen(sent) ? replace(sent, amounts) : [sent]));
}

const whole = (least: number, most: number): Amount => ({ least, most, isWhole: true });

/** Changes that fit every game. */
export const commonChanges: ChangeKinds = {
  drop: { amounts: {}, apply: replacing(() => []), words: () => "dropped" },
  repeat: {
    amounts: { times: whole(1, 10), gapMs: { least: 0, most: 500 } },
    apply: replacing((sent, { times = 1, gapMs = 0 }) =>
      Array.from({ length: times + 1 }, (_, index) => ({ ...sent, atMs: sent.atMs + index * gapMs })),
    ),
    words: ({ times, gapMs = 0 }) => `sent ${times} more times, ${round(gapMs)} ms apart`,
  },
  late: {
    amounts: { ms: { least: 0, most: 6000 } },
    apply: replacing((sent, { ms = 0 }) => [{ ...sent, atMs: sent.atMs + ms }]),
    words: ({ ms = 0 }) => `sent ${round(ms)} ms later`,
  },
  bursts: {
    amounts: { everyMs: { least: 300, most: 30_000 }, heldMs: { least: 50, most: 10_000 } },
    apply: (stream, isChosen, { everyMs = 1000, heldMs = 0 }, { fromMs }) =>
      stream.map((sent) => {
        if (!isChosen(sent)) return sent;
        const held = (sent.atMs - fromMs) % everyMs;
        return held < heldMs ? { ...sent, atMs: sent.atMs + Math.min(heldMs, everyMs) - held } : sent;
      }),
    words: ({ everyMs = 0, heldMs = 0 }) =>
      `held back for ${round(heldMs)} ms of each ${round(everyMs)} ms and then sent at once`,
  },
  faster: {
    amounts: { times: { least: 0.3, most: 4 } },
    apply: (stream, isChosen, { times = 1 }, { fromMs }) =>
      stream.map((sent) => (isChosen(sent) ? { ...sent, atMs: fromMs + (sent.atMs - fromMs) / times } : sent)),
    words: ({ times = 1 }) => `sent ${round(times)} times as fast`,
  },
  pause: {
    amounts: { ms: { least: 100, most: 20_000 } },
    apply: (stream, _isChosen, { ms = 0 }, { fromMs }) =>
      stream.map((sent) => (sent.atMs >= fromMs ? { ...sent, atMs: sent.atMs + ms } : sent)),
    words: ({ ms = 0 }) => `this and all that follows ${round(ms)} ms later`,
  },
  swap: {
    amounts: {},
    apply: (stream, isChosen) => {
      const swapped = [...stream];
      for (let index = 0; index + 1 < swapped.length; index++) {
        const [first, second] = [swapped[index] as Sent, swapped[index + 1] as Sent];
        if (!isChosen(first)) continue;
        swapped[index] = { ...second, atMs: first.atMs };
        swapped[index + 1] = { ...first, atMs: second.atMs };
        index += 1;
      }
      return swapped;
    },
    words: () => "swapped with the next message",
  },
  again: {
    amounts: { times: whole(1, 20) },
    apply: (stream, _isChosen, { times = 1 }, { fromMs, toMs }) => {
      const part = stream.filter(({ atMs }) => atMs >= fromMs && atMs < toMs);
      const longerMs = times * (toMs - fromMs);
      const copies = Array.from({ length: times }, (_, index) =>
        part.map((sent) => ({ ...sent, atMs: sent.atMs + (index + 1) * (toMs - fromMs) })),
      );
      const after = stream.map((sent) => (sent.atMs >= toMs ? { ...sent, atMs: sent.atMs + longerMs } : sent));
      return [...after, ...copies.flat()];
    },
    words: ({ times }) => `the whole part is sent ${times} more times`,
  },
  reconnect: {
    amounts: { everyMs: { least: 3000, most: 30_000 } },
    apply: (stream, _isChosen, { everyMs = 3000 }, { fromMs, toMs }) => {
      const ends: Sent[] = [];
      for (let atMs = fromMs + everyMs; atMs < toMs; atMs += everyMs) ends.push({ atMs, message: undefined });
      return [...stream, ...ends];
    },
    words: ({ everyMs = 0 }) => `connects again every ${round(everyMs)} ms`,
  },
};

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** A stream after all changes, in the order of its times. Messages of the beginning of a session stay as they are. */
export function changed(
  honest: readonly Sent[],
  changes: readonly Change[],
  kinds: ChangeKinds,
  session: ReadonlySet<string>,
): readonly Sent[] {
  let stream = honest;
  for (const { kind: name, fromMs, toMs, every, of, amounts } of changes) {
    const kind = kinds[name];
    if (kind === undefined) throw new RangeError(`There is no change ${name}`);
    let count = 0;
    const isChosen = ({ atMs, message }: Sent): boolean => {
      if (message === undefined || atMs < fromMs || atMs >= toMs || session.has(message.message)) return false;
      if (of !== undefined && message.message !== of) return false;
      if (kind.messages?.includes(message.message) === false) return false;
      count += 1;
      return (count - 1) % every === 0;
    };
    const isPart = ({ message }: Sent): boolean => message === undefined || !session.has(message.message);
    // What begins a session is not part of what is repeated or delayed.
    stream = [
      ...stream.filter((sent) => !isPart(sent)),
      ...kind.apply(stream.filter(isPart), isChosen, amounts, { fromMs, toMs }),
    ];
    stream = stream.toSorted((a, b) => a.atMs - b.atMs).slice(0, MOST_MESSAGES);
  }
  return stream;
}

const everies = [1, 1, 1, 1, 2, 3, 5, 10, 30] as const;

/** A change by chance. `messages` are those of the game. */
export function randomChange(
  random: Random,
  kinds: ChangeKinds,
  messages: readonly string[],
  { seconds }: { readonly seconds: number },
): Change {
  const kind = random.pick(Object.keys(kinds));
  const { amounts, messages: fitting = messages } = kinds[kind] as ChangeKind;
  const endMs = seconds * 1000;
  const fromMs = random.chance(0.5) ? 0 : Math.round(random.next() * endMs * 0.8);
  const toMs = random.chance(0.6) ? endMs : Math.min(endMs, Math.round(fromMs + 200 + random.next() ** 2 * endMs));
  const of = fitting.length > 1 && random.chance(0.7) ? { of: random.pick(fitting) } : {};
  return { kind, fromMs, toMs, every: random.pick(everies), ...of, amounts: randomAmounts(random, amounts) };
}

function randomAmounts(random: Random, amounts: ChangeKind["amounts"]): Amounts {
  return Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, randomAmount(random, amount)]));
}

function randomAmount(random: Random, { least, most, isWhole }: Amount): number {
  if (isWhole) return random.integer(least, most);
  if (least < 0 && random.chance(0.25)) return 0;
  // Small ones are as likely as large ones, on both sides of 0.
  const low = least < 0 && (most <= 0 || random.chance(0.5)) ? 0 : Math.max(0, least);
  const isBelow = least < 0 && low === 0 && (most <= 0 || random.chance(0.5));
  const high = isBelow ? -least : most;
  const value = low + (high - low) * random.next() ** 3;
  return isBelow ? -value : value;
}

/** The same change with another number, window or share of messages. */
export function tweaked(random: Random, change: Change, kinds: ChangeKinds, endMs: number): Change {
  const { amounts } = kinds[change.kind] as ChangeKind;
  const names = Object.keys(amounts);
  if (names.length > 0 && random.chance(0.7)) {
    const name = random.pick(names);
    const amount = amounts[name] as Amount;
    return { ...change, amounts: { ...change.amounts, [name]: nearby(random, change.amounts[name] ?? 0, amount) } };
  }
  switch (random.integer(0, 3)) {
    case 0:
      return { ...change, every: random.pick(everies) };
    case 1:
      return { ...change, fromMs: Math.round(random.next() * change.toMs) };
    case 2:
      return { ...change, toMs: Math.round(change.fromMs + 1 + random.next() * (endMs - change.fromMs)) };
    default:
      return { ...change, fromMs: 0, toMs: endMs };
  }
}

function nearby(random: Random, value: number, amount: Amount): number {
  const { least, most, isWhole } = amount;
  if (random.chance(0.15)) return randomAmount(random, amount);
  const near = isWhole
    ? value + random.pick([-2, -1, 1, 2])
    : random.chance(0.1)
      ? -value
      : value * random.pick([0.5, 0.8, 0.9, 0.97, 1.03, 1.1, 1.25, 2]);
  return Math.max(least, Math.min(most, near));
}

/** A change in words: `3.0 to 60.0 s, every 2nd movePlayer: …`. */
export function wordsOf({ kind, fromMs, toMs, every, of, amounts }: Change, kinds: ChangeKinds): string {
  const { words, messages } = kinds[kind] as ChangeKind;
  const which = of ?? (messages?.length === 1 ? messages[0] : undefined) ?? "message";
  const share = every === 1 ? `each ${which}` : `one in ${every} of ${which}`;
  return `${(fromMs / 1000).toFixed(1)} to ${(toMs / 1000).toFixed(1)} s, ${share}: ${words(amounts)}`;
}
