/** What has to be known of each game to measure it: everything else comes from its `Protocol`. */
import type { Position, Random, Track } from "../../packages/wirewalk/src/motion/index.ts";
import type { Bot, BotOptions } from "../../packages/wirewalk/src/protocols/bot.ts";
import { MapleBot } from "../../packages/wirewalk/src/protocols/maplestory/bots/bot.ts";
import { isMapCheat } from "../../packages/wirewalk/src/protocols/maplestory/bots/map-cheats.ts";
import { walkConstants } from "../../packages/wirewalk/src/protocols/maplestory/movement/walker.ts";
import type { WorldMaps } from "../../packages/wirewalk/src/protocols/maps.ts";
import { ScrapBot } from "../../packages/wirewalk/src/protocols/scrap-mechanic/bots/bot.ts";
import { TICK_MS } from "../../packages/wirewalk/src/protocols/scrap-mechanic/movement/model.ts";
import { seatAt, yard } from "../../packages/wirewalk/src/protocols/scrap-mechanic/movement/place.ts";
import { physicsConstants } from "../../packages/wirewalk/src/protocols/slime-online-2/movement/physics-constants.ts";
import { slimeRuleDefaults } from "../../packages/wirewalk/src/protocols/slime-online-2/world/limits.ts";
import { kindsOf, playableMaps, startMaps } from "./start-maps.ts";

function isOnSeat({ x, y, z = 0 }: Position): boolean {
  return seatAt({ x, y, z }, yard.seats, yard.ground) !== undefined;
}

export interface FairnessGame {
  /** Unit of places. */
  readonly unit: string;
  /** A correction that moves a player by more than this, in `unit`, is one that it notices. */
  readonly tolerance: number;
  /** Messages of the server that take a player elsewhere rightly. */
  readonly warps: readonly string[];
  /** Whether a player asked the server to put it at, or away from, one of its two places: that corrects nothing. */
  readonly isAskedFor?: (before: Position, after: Position) => boolean;
  /** Players of a room; a room without them is another world's. */
  readonly perRoom: number;
  /**
   * Its cheats run through the walls of the demo's rooms, at which the server's ghosts of them stop: they play in rooms without, but for
   * these, which leave the ground or the room.
   */
  readonly cheatsInRooms?: readonly string[];
  /** Dialects whose players are wherever their first message says. */
  readonly startsAnywhere?: readonly string[];
  /** Rooms for so many groups of players to begin in, out of a set of the user's. Default: where the game begins. */
  readonly startRooms?: (maps: WorldMaps, count: number, random: Random, cheat?: string) => readonly number[];
  /** All rooms of a set for players to begin in. */
  readonly allRooms?: (maps: WorldMaps) => readonly number[];
  /** How many of some places, by their names, are of each kind. */
  readonly kindsOfPlaces?: (maps: WorldMaps, places: readonly string[]) => Readonly<Record<string, number>>;
  /** Makes the bots, where honest ones differ in more than luck. */
  readonly createBot?: (options: BotOptions) => Bot;
  /** A new measure of what a player gained over the rules; undefined where it cannot gain anything. */
  readonly gain?: (bot: Bot, cheat: string) => Gain;
  readonly gainUnit?: string;
}

/** What one player gained over the rules, from its tracks in the order of time. */
export interface Gain {
  /** `isPutBack`: it was put elsewhere, and its client has not received that. */
  add(track: Track, isPutBack: boolean): void;
  /** Takes the last `add` back, where a correction has made the place of that track. */
  undo?(): void;
  /** The greatest gain that was held at any time. */
  readonly greatest: number;
}

/** Pixels along an axis beyond the greatest speed, in either direction; standing still uses it up. */
class DistanceGain implements Gain {
  greatest = 0;
  readonly #speeds: Readonly<Record<Direction, number>>;
  readonly #silentFallSeconds: number;
  readonly #startsAnew: boolean;
  readonly #forgivenShare: number;
  readonly #held: Record<Direction, number> = { left: 0, right: 0, up: 0, down: 0 };
  #last: Track | undefined;

  /**
   * Greatest speeds in pixels per second; y grows downwards.
   *
   * @param silentFallSeconds for how long a player may fall before others see it, where nothing is sent until it lands.
   * @param startsAnew whether a player that is put elsewhere is measured from there on: that is no way of its own.
   * @param forgivenShare by which share of the time a clock may be fast for ever: what it makes is not held.
   */
  constructor(
    speeds: Readonly<Record<Direction, number>>,
    { silentFallSeconds = 0, startsAnew = false, forgivenShare = 0 } = {},
  ) {
    this.#speeds = speeds;
    this.#silentFallSeconds = silentFallSeconds;
    this.#startsAnew = startsAnew;
    this.#forgivenShare = forgivenShare;
  }

  add(track: Track, isPutBack: boolean): void {
    const last = this.#last;
    this.#last = isPutBack && this.#startsAnew ? undefined : track;
    if (this.#last === undefined) return;
    // Another room has another origin.
    if (last === undefined || last.room !== track.room) return;
    const seconds = (track.atMs - last.atMs) / 1000;
    const dx = track.position.x - last.position.x;
    const dy = track.position.y - last.position.y;
    const moved = { left: -dx, right: dx, up: -dy, down: dy };
    for (const direction of directions) {
      const held =
        this.#held[direction] + moved[direction] - this.#speeds[direction] * (1 + this.#forgivenShare) * seconds;
      const least = direction === "down" ? -this.#silentFallSeconds * this.#speeds.down : 0;
      this.#held[direction] = Math.max(least, held);
      this.greatest = Math.max(this.greatest, this.#held[direction]);
    }
  }
}

/** Pixels beyond where a bot could be without its cheat, as it says itself. */
class CheatGain implements Gain {
  greatest = 0;
  #before = 0;
  readonly #bot: MapleBot;

  constructor(bot: MapleBot) {
    this.#bot = bot;
  }

  add({ position, room, source }: Track, isPutBack: boolean): void {
    this.#before = this.greatest;
    // What others extrapolate it has not sent.
    if (source === "guessed") return;
    // Until its client knows that it is on another map, it measures by the places of the last one.
    if (isPutBack || Number.parseInt(room, 10) !== this.#bot.mapId) return;
    this.greatest = Math.max(this.greatest, this.#bot.gainPx(position));
  }

  undo(): void {
    this.greatest = this.#before;
  }
}

/** Ticks that a server plays at most between two tracks; a greater step of the count is a leap, which plays nothing. */
const MAX_PLAYED_TICKS = 45;

/** Milliseconds of play beyond the time that has passed since the first track. */
class TimeGain implements Gain {
  greatest = 0;
  #heldMs = 0;
  #last: Track | undefined;

  add(track: Track): void {
    const last = this.#last;
    this.#last = track;
    if (last === undefined) return;
    const ticks = Number(track.details?.tick) - Number(last.details?.tick);
    this.#heldMs += (ticks > MAX_PLAYED_TICKS ? 0 : ticks * TICK_MS) - (track.atMs - last.atMs);
    this.greatest = Math.max(this.greatest, this.#heldMs);
  }
}

const frameTimesMs = [TICK_MS / 2, 1000 / 60, 1000 / 30, 1000 / 18];

const directions = ["left", "right", "up", "down"] as const;
type Direction = (typeof directions)[number];

const slimeSpeed = physicsConstants.hspMax * physicsConstants.framesPerSecond;

/** Whether a play is in the demo's rooms. */
export function playsInRooms({ cheatsInRooms }: FairnessGame, cheat: string): boolean {
  return cheat === "none" || cheatsInRooms?.includes(cheat) !== false;
}

export const fairnessGames: Readonly<Record<string, FairnessGame>> = {
  "slime-online-2": {
    unit: "px",
    tolerance: 48,
    warps: ["login", "warp"],
    perRoom: 10,
    cheatsInRooms: [
      "air-stairs",
      "wall",
      "door-hop",
      "anywhere",
      "teleport",
      "jump-teleport",
      "slow-teleport",
      "idle-jump",
      "climb",
      "warp",
      "reconnect",
      "key-spam",
    ],
    startsAnywhere: ["documented", "documentedLittleEndian"],
    gain: () =>
      new DistanceGain(
        {
          left: slimeSpeed,
          right: slimeSpeed,
          up: physicsConstants.jumpSpeed * physicsConstants.framesPerSecond,
          down: physicsConstants.terminalVelocity * physicsConstants.framesPerSecond,
        },
        { silentFallSeconds: slimeRuleDefaults.fallMaxSeconds, forgivenShare: slimeRuleDefaults.forgivenShare },
      ),
    gainUnit: "px",
  },
  maplestory: {
    unit: "px",
    tolerance: 50,
    warps: ["changeMap"],
    perRoom: 10,
    startsAnywhere: ["documented"],
    startRooms: startMaps,
    allRooms: playableMaps,
    kindsOfPlaces: (maps, places) =>
      kindsOf(
        maps,
        places.map((place) => Number.parseInt(place, 10)),
      ),
    gain: (bot, cheat) =>
      bot instanceof MapleBot && isMapCheat(cheat)
        ? new CheatGain(bot)
        : new DistanceGain(
            {
              left: walkConstants.walk,
              right: walkConstants.walk,
              up: walkConstants.jump,
              down: walkConstants.maxFall,
            },
            { startsAnew: true },
          ),
    gainUnit: "px",
  },
  "scrap-mechanic": {
    unit: "m",
    tolerance: 0.25,
    warps: ["playing"],
    // The server alone seats a character and stands it up, after `use`: exactly on a seat, or from there.
    isAskedFor: (before, after) => isOnSeat(before) !== isOnSeat(after),
    perRoom: 2,
    // Of four honest players three have machines that draw 60, 30 and 18 frames a second, and so leave out ticks.
    createBot: (options) => {
      const frameMs = options.cheat === "none" ? frameTimesMs[options.number % frameTimesMs.length] : undefined;
      return new ScrapBot({ place: "yard", ...options, ...(frameMs === undefined ? {} : { frameMs }) });
    },
    gain: () => new TimeGain(),
    gainUnit: "ms",
  },
  osrs: { unit: "tiles", tolerance: 0, warps: [], perRoom: 20 },
};
