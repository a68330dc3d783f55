/**
 * The **plan** of an episode: who plays what over which line, and what goes wrong when. Plain data that follows from a seed.
 * Leaving players or faults out changes nothing about the others, so that a failure can be made smaller.
 */
import { createRandom, type Random } from "wirewalk/motion";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import type { LinkKind } from "../../session/links.ts";
import type { DiskFault } from "./disk.ts";
import { type LineName, lineNames } from "./network.ts";

export interface PlannedPlayer {
  /** 0, 1, 2 …: also the number of its bot. */
  readonly number: number;
  readonly seed: number;
  readonly cheat: string;
  readonly kind: LinkKind;
  readonly line: LineName;
  /** Players of one household share an address. */
  readonly address: string;
  /** The requested room, in games in which a client may ask for one; it starts with a number that bots are given. */
  readonly room: string | undefined;
  readonly startMs: number;
  /** How fast its clock runs. */
  readonly rate: number;
  /** Whether its client decodes what it receives; others compare it with the frames of what the world sent. */
  readonly decodes: boolean;
  /** Of a client that does not decode: it draws a picture, and reads its socket, every so many steps of its bot. */
  readonly steps: number;
  /** The part of the game to which its bot is limited. */
  readonly part: string | undefined;
}

/** Something that goes wrong. `player` is a place in the list of players. */
export type Fault = { readonly atMs: number } & (
  | { readonly fault: "stall" | "busy"; readonly durationMs: number }
  | { readonly fault: "crash"; readonly downMs: number; readonly power: boolean }
  /** Killed after so many awaits of promises that go on. */
  | { readonly fault: "crash-in-await"; readonly awaits: number }
  | { readonly fault: "crash-in-store"; readonly where: "before-write" | "before-sync" | "after-sync" }
  | { readonly fault: "restart"; readonly graceMs: number; readonly downMs: number }
  | { readonly fault: "clock-jump"; readonly byMs: number; readonly durationMs: number }
  | { readonly fault: "disk"; readonly how: DiskFault; readonly durationMs: number }
  | { readonly fault: "partition"; readonly share: number; readonly seed: number; readonly durationMs: number }
  | { readonly fault: "reset" | "half-close" | "vanish" | "leave"; readonly player: number }
  | { readonly fault: "stop-reading"; readonly player: number; readonly durationMs: number }
  | { readonly fault: "garbage"; readonly player: number; readonly seed: number; readonly bytes: number }
  | { readonly fault: "crowd"; readonly connections: number; readonly kind: LinkKind; readonly durationMs: number }
);

export interface Plan {
  readonly seed: number;
  readonly game: string;
  readonly dialect: string;
  readonly durationMs: number;
  /** The last part of it, which has no faults. */
  readonly quietMs: number;
  /** Over how long the server merges messages to one recipient. */
  readonly flushMs: number;
  /** A turn of the server's event loop: what arrives within it is read together. */
  readonly turnMs: number;
  /** Whether the server queues little for slow readers. */
  readonly shortQueues: boolean;
  readonly players: readonly PlannedPlayer[];
  readonly faults: readonly Fault[];
  /** The path of the maps of the game. Default: the demo places. */
  readonly maps?: string;
}

export interface PlanOptions {
  readonly seed: number;
  /** Default: drawn. */
  readonly game?: string | undefined;
  /** Default: drawn. */
  readonly dialect?: string | undefined;
  /** `small` for tests, `large` for long runs. */
  readonly size: "small" | "large";
  /** Default: drawn. */
  readonly count?: number | undefined;
}

/** The last part of an episode has no faults: everything must recover in it. */
const QUIET_MS = { small: 4_000, large: 25_000 } as const;
const MINUTE_MS = 60_000;
/** Crystals differ by so much at most. */
const CRYSTAL = 0.0001;
const CHEAT_SHARE = 0.15;
/** Until then most players of a short episode have logged in. */
const EARLY_MS = 1_000;

/** Draws an episode. */
export function planOf({ seed, game, dialect: wantedDialect, size, count: wantedCount }: PlanOptions): Plan {
  const random = createRandom(seed);
  const names = Object.keys(protocols).sort();
  const drawn = random.pick(
    size === "small" ? names.flatMap((each) => new Array<string>(shortShares[each] ?? 1).fill(each)) : names,
  );
  const name = game ?? drawn;
  const dialects = protocols[name]?.dialects ?? [];
  const drawnDialect = random.pick(dialects).name;
  const dialect = wantedDialect ?? drawnDialect;
  const { bots } = protocols[name] as PlayableProtocol;
  const isSmall = size === "small";
  const most = random.pick([4, 8, 12, 20, 40, 200]);
  const count = wantedCount ?? (isSmall ? random.integer(2, 3) : most);
  const quietMs = QUIET_MS[size];
  const durationMs =
    quietMs + (isSmall ? random.integer(2_000, 4_500) : (count > 100 ? 1 : random.integer(2, 8)) * MINUTE_MS);
  const roomSize = random.pick([20, 20, 30, 30, 50, Number.POSITIVE_INFINITY]);
  const isBusy = count > BUSY_PLAYERS;
  const flushMs = random.pick([0, 0, 20, 50]);
  const turnMs = random.pick(isBusy ? [5, 10, 20] : [1, 1, 5]);
  const shortQueues = random.chance(0.5);
  const players = random.fork();
  const faults = random.fork();
  const faulty = durationMs - quietMs;
  const faultCount = isSmall ? random.integer(0, 4) : random.integer(0, Math.ceil((6 * faulty) / MINUTE_MS));
  return {
    seed,
    game: name,
    dialect,
    durationMs,
    quietMs,
    flushMs,
    turnMs,
    shortQueues,
    players: Array.from({ length: count }, (_, number) =>
      playerOf(players.fork(), number, {
        cheats: bots.cheats,
        rooms: roomsOf(name, Math.max(1, Math.ceil(count / roomSize))),
        spreadMs: isSmall ? 1_000 : 10_000,
        // One for sure, and so many of the others.
        decodes: (each) =>
          number % DECODES_EVERY === seed % Math.min(count, DECODES_EVERY) || (!isBusy && each.chance(0.5)),
        steps: isBusy ? (busySteps[name] ?? [1]) : [1],
        part: lightParts[name],
      }),
    ),
    faults: Array.from({ length: faultCount }, () =>
      faultOf(faults.fork(), { endMs: faulty, players: count, isShort: isSmall }),
    ).sort((a, b) => a.atMs - b.atMs),
  };
}

/**
 * How often a game is drawn for a short episode. A world of osrs has memory for 2,047 players and takes longer to make than
 * such an episode of another game to play; one of scrap-mechanic sends 40 times a second.
 */
const shortShares: Readonly<Record<string, number>> = { maplestory: 3, "slime-online-2": 3, "scrap-mechanic": 2 };

/** Of more players than these most clients do not decode what they receive. */
const BUSY_PLAYERS = 40;
const DECODES_EVERY = 8;

/** Steps of a bot for a picture of its game, where many play: 15 to 60 pictures a second. */
const busySteps: Readonly<Record<string, readonly number[]>> = {
  "slime-online-2": [1, 2, 4],
  maplestory: [1, 2],
  // Its sampler makes one packet for a picture, and 40 packets a second are due.
  "scrap-mechanic": [2],
  osrs: [1, 2, 3],
};

/** What the bot of a client plays that does not decode: player info is for a decoder with memory alone. */
const lightParts: Readonly<Record<string, string>> = { osrs: "mouse" };

/** Names of that many rooms of a game; undefined where the server decides. */
function roomsOf(game: string, count: number): readonly (string | undefined)[] {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  switch (game) {
    case "slime-online-2":
    case "scrap-mechanic":
      return numbers.map(String);
    case "maplestory":
      // Two demo maps, on as many channels as it takes.
      return numbers.map((number) => `${2 - (number % 2)}-${(number + 1) >> 1}`);
    default:
      return [undefined];
  }
}

/** Parts of a plan: what is left out is as if it had never been planned. */
export interface PlanPart {
  /** Numbers of the players that stay. Default: all. */
  readonly players?: readonly number[] | undefined;
  /** Places in the list of faults that stay. Default: all. */
  readonly faults?: readonly number[] | undefined;
  /** Default: the whole time. */
  readonly durationMs?: number | undefined;
}

/** A part of a plan; its episode follows from the same draws. */
export function partOf(plan: Plan, { players, faults, durationMs = plan.durationMs }: PlanPart): Plan {
  return {
    ...plan,
    durationMs: Math.min(plan.durationMs, durationMs),
    players: plan.players.filter(({ number }) => players?.includes(number) ?? true),
    faults: plan.faults.filter((_, index) => faults?.includes(index) ?? true),
  };
}

function playerOf(
  random: Random,
  number: number,
  choice: {
    readonly cheats: readonly string[];
    readonly rooms: readonly (string | undefined)[];
    readonly spreadMs: number;
    readonly decodes: (random: Random) => boolean;
    readonly steps: readonly number[];
    readonly part: string | undefined;
  },
): PlannedPlayer {
  const cheats = random.chance(CHEAT_SHARE);
  const cheat = random.pick(choice.cheats);
  const household = random.integer(0, 3);
  const decodes = choice.decodes(random);
  return {
    number,
    seed: random.integer(1, 0x7fff_ffff),
    cheat: cheats ? cheat : "none",
    kind: random.pick(["tcp", "websocket"]),
    line: random.pick(lineNames),
    // A cheat lives alone: a ban of its address must not reach the honest.
    address: cheats || household > 0 ? `10.1.${number >> 8}.${number & 255}` : `10.2.0.${number >> 4}`,
    room: random.pick(choice.rooms),
    startMs: random.integer(0, choice.spreadMs),
    rate: 1 + (random.next() * 2 - 1) * CRYSTAL,
    decodes,
    steps: random.pick(choice.steps),
    part: decodes ? undefined : choice.part,
  };
}

function faultOf(
  random: Random,
  { endMs, players, isShort }: { readonly endMs: number; readonly players: number; readonly isShort: boolean },
): Fault {
  const atMs = random.integer(Math.min(1_000, endMs), endMs);
  const longest = Math.max(50, endMs - atMs);
  const durationMs = Math.min(random.pick([50, 300, 1_000, 3_000, 5_000, 15_000]), longest);
  const player = random.integer(0, players - 1);
  const seed = random.integer(1, 0x7fff_ffff);
  // Of a short episode everybody has to be back a few seconds later.
  const downMs = random.pick(isShort ? [0, 200, 500] : [0, 200, 2_000]);
  switch (random.integer(0, 15)) {
    case 0:
      return { fault: "stall", atMs, durationMs: Math.min(durationMs, 5_000) };
    case 1:
      return { fault: "crash", atMs, downMs, power: random.chance(0.5) };
    case 2:
      // The store is written to when accounts are made and players banned: early, where there is little time.
      return {
        fault: "crash-in-store",
        atMs: isShort ? atMs % EARLY_MS : atMs,
        where: random.pick(["before-write", "before-sync", "after-sync"]),
      };
    case 3:
      return { fault: "restart", atMs, graceMs: random.pick([0, 500, isShort ? 1_000 : 3_000]), downMs };
    case 4: {
      const byMs = random.pick([-365, -2, -0.01, 0.01, 2, 365]) * 24 * 60 * MINUTE_MS;
      return { fault: "clock-jump", atMs, byMs, durationMs };
    }
    case 5:
    case 6:
      return { fault: "disk", atMs, how: random.pick(["full", "fsync", "slow"]), durationMs };
    case 7:
      return { fault: "partition", atMs, share: random.pick([0.1, 0.5, 1]), seed, durationMs };
    case 8:
      return { fault: "stop-reading", atMs, player, durationMs };
    case 9:
      // The longest is more than a session may send at once.
      return { fault: "garbage", atMs, player, seed, bytes: random.pick([1, 10, 300, 2_000, 300_000]) };
    case 10:
      return {
        fault: "crowd",
        atMs,
        connections: random.pick([5, 70]),
        kind: random.pick(["tcp", "websocket"]),
        durationMs,
      };
    case 11:
      return { fault: "busy", atMs, durationMs: Math.min(durationMs, 5_000) };
    case 12:
      return { fault: "crash-in-await", atMs, awaits: random.integer(0, 8) };
    default:
      return { fault: random.pick(["reset", "half-close", "vanish", "leave"]), atMs, player };
  }
}
