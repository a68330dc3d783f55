/** MapleStory: paths of fragments, and the monsters that a client moves. */
import type { Position } from "../../../packages/wirewalk/src/motion/index.ts";
import type { WireMessage } from "../../../packages/wirewalk/src/protocols/codec.ts";
import { demoMap } from "../../../packages/wirewalk/src/protocols/maplestory/maps/demo-maps.ts";
import { isMapleMaps, type MapleMap } from "../../../packages/wirewalk/src/protocols/maplestory/maps/index.ts";
import { walkConstants } from "../../../packages/wirewalk/src/protocols/maplestory/movement/walker.ts";
import { dialectRules } from "../../../packages/wirewalk/src/protocols/maplestory/wire/dialect.ts";
import {
  Fragment,
  type FragmentFields,
  type FragmentKind,
} from "../../../packages/wirewalk/src/protocols/maplestory/wire/fragment.ts";
import { boxOf, type Point } from "../../../packages/wirewalk/src/protocols/maplestory/wire/messages.ts";
import { MapleWorld } from "../../../packages/wirewalk/src/protocols/maplestory/world/world.ts";
import type { WorldMaps } from "../../../packages/wirewalk/src/protocols/maps.ts";
import type { World } from "../../../packages/wirewalk/src/protocols/world.ts";
import { fairnessGames } from "../../fairness/games.ts";
import { type Amounts, type ChangeKind, commonChanges, round } from "../changes.ts";
import type { ChangedClient, SearchGame } from "../games.ts";
import {
  AboveJump,
  across,
  BeyondSpeed,
  climbed,
  FrozenMonsters,
  type Gauge,
  HerdedMonsters,
  LATE_SECONDS,
  type SeenMonster,
  TenSeconds,
  upwards,
} from "../gauges.ts";
import type { Scene, Sent } from "../play.ts";

/** What is changed of a path. `documented` has no start and no box. */
interface PathValue {
  readonly fragments: readonly FragmentFields[];
  readonly start?: Point;
  readonly box?: object;
  readonly fieldKey?: number;
  readonly mobId?: number;
}

const own = ["movePlayer"] as const;
const life = ["moveLife"] as const;

function pathIn(message: WireMessage | undefined, name: string): PathValue | undefined {
  return message?.message === name ? (message.value as PathValue) : undefined;
}

function withPath(sent: Sent, value: PathValue): Sent {
  return { ...sent, message: { message: sent.message?.message ?? "", value } };
}

const placed: ReadonlySet<FragmentKind> = new Set(["absolute", "fallDown", "instant", "jumpDown"]);
const hasPlace = ({ kind }: FragmentFields): boolean => kind !== undefined && placed.has(kind);

/** A path elsewhere. */
function elsewhere({ start, fragments, ...rest }: PathValue, dx: number, dy: number): PathValue {
  if (dx === 0 && dy === 0) return { ...rest, fragments, ...(start === undefined ? {} : { start }) };
  const at = <P extends Point>(point: P): P => ({ ...point, x: Math.round(point.x + dx), y: Math.round(point.y + dy) });
  return {
    ...rest,
    ...(start === undefined ? {} : { start: at(start) }),
    fragments: fragments.map((each) =>
      hasPlace(each) ? { ...each, ...at({ x: each.x ?? 0, y: each.y ?? 0 }) } : each,
    ),
  };
}

/** Where a path ends; undefined where it names no place. */
function endOf({ start, fragments }: PathValue): Point | undefined {
  const last = fragments.findLast(hasPlace);
  return last === undefined ? start : { x: last.x ?? 0, y: last.y ?? 0 };
}

/** Changes paths of a player. What the change moves their end by, all later ones are moved by as well. */
function changing(change: (path: PathValue, amounts: Amounts) => PathValue): Pick<ChangeKind, "messages" | "apply"> {
  return {
    messages: own,
    apply: (stream, isChosen, amounts) => {
      let dx = 0;
      let dy = 0;
      return stream.map((sent) => {
        const path = pathIn(sent.message, "movePlayer");
        if (path === undefined) return sent;
        const before = elsewhere(path, dx, dy);
        if (!isChosen(sent)) return withPath(sent, before);
        const after = change(before, amounts);
        const from = endOf(before);
        const to = endOf(after);
        if (from !== undefined && to !== undefined) {
          dx += to.x - from.x;
          dy += to.y - from.y;
        }
        return withPath(sent, after);
      });
    },
  };
}

const step = { least: -400, most: 400 } as const;
const small = { least: -60, most: 60 } as const;
const speed = { least: -700, most: 700 } as const;
const aFoothold = { least: -2, most: 20, isWhole: true } as const;
const aStance = { least: 0, most: 21, isWhole: true } as const;

/** The foothold of a change: -2 leaves it as it is. */
const footholdOf = (wanted = -2, usual = 0): number => (wanted === -2 ? usual : wanted);

const shift: ChangeKind = {
  ...changing((path, { dx = 0, dy = 0 }) => {
    const last = path.fragments.findLastIndex(hasPlace);
    return {
      ...path,
      fragments: path.fragments.map((each, index) =>
        index < last ? each : { ...each, x: Math.round((each.x ?? 0) + dx), y: Math.round((each.y ?? 0) + dy) },
      ),
    };
  }),
  amounts: { dx: step, dy: step },
  words: ({ dx = 0, dy = 0 }) =>
    `ends ${round(dx)} px across and ${round(dy)} px down from there, and so on from there`,
};

const scale: ChangeKind = {
  ...changing((path, { across: wide = 1, down = 1 }) => {
    const from = path.start ?? path.fragments.find(hasPlace);
    if (from === undefined) return path;
    const [x, y] = [from.x ?? 0, from.y ?? 0];
    return {
      ...path,
      fragments: path.fragments.map((each) =>
        hasPlace(each)
          ? {
              ...each,
              x: Math.round(x + ((each.x ?? 0) - x) * wide),
              y: Math.round(y + ((each.y ?? 0) - y) * down),
            }
          : each,
      ),
    };
  }),
  amounts: { across: { least: 0, most: 4 }, down: { least: 0, most: 4 } },
  words: ({ across: wide = 1, down = 1 }) => `is ${round(wide)} times as long across and ${round(down)} times down`,
};

const durations: ChangeKind = {
  ...changing((path, { times = 1 }) => ({
    ...path,
    fragments: path.fragments.map((each) => ({ ...each, durationMs: Math.round((each.durationMs ?? 0) * times) })),
  })),
  amounts: { times: { least: 0, most: 3 } },
  words: ({ times = 1 }) => `lasts ${round(times)} times as long`,
};

const stance: ChangeKind = {
  ...changing((path, { stance: to = 0, foothold }) => ({
    ...path,
    fragments: path.fragments.map((each) => ({
      ...each,
      state: to,
      foothold: footholdOf(foothold, each.foothold),
    })),
  })),
  amounts: { stance: aStance, foothold: aFoothold },
  words: ({ stance: to, foothold }) => `has state ${to}${foothold === -2 ? "" : ` and foothold ${foothold}`}`,
};

const velocity: ChangeKind = {
  ...changing((path, { vx = 0, vy = 0 }) => ({
    ...path,
    fragments: path.fragments.map((each) => ({ ...each, vx: Math.round(vx), vy: Math.round(vy) })),
  })),
  amounts: { vx: speed, vy: speed },
  words: ({ vx = 0, vy = 0 }) => `has velocities of ${round(vx)} and ${round(vy)} px/s`,
};

/** Types of a dialect that name a place. */
function placedTypes(dialect: string): readonly number[] {
  const { kindOf } = dialectRules(dialect).fragments;
  return Array.from({ length: 256 }, (_, type) => type).filter((type) => placed.has(kindOf(type) as FragmentKind));
}

function appendOf(dialect: string): ChangeKind {
  const types = placedTypes(dialect);
  const { kindOf } = dialectRules(dialect).fragments;
  return {
    ...changing((path, amounts) => {
      const { type = 0, count = 1, dx = 0, dy = 0, ms = 0, stance: state = 4, foothold } = amounts;
      const end = endOf(path);
      const last = path.fragments.at(-1);
      if (end === undefined) return path;
      const number = types[type] ?? 0;
      const added = Array.from({ length: count }, (_, index) =>
        Fragment.of(kindOf(number) ?? "absolute", {
          type: number,
          x: Math.round(end.x + (index + 1) * dx),
          y: Math.round(end.y + (index + 1) * dy),
          state,
          foothold: footholdOf(foothold, last?.foothold),
          durationMs: Math.round(ms),
        }),
      );
      return { ...path, fragments: [...path.fragments, ...added].slice(0, 255) };
    }),
    amounts: {
      type: { least: 0, most: types.length - 1, isWhole: true },
      count: { least: 1, most: 20, isWhole: true },
      dx: small,
      dy: small,
      ms: { least: 0, most: 300 },
      stance: aStance,
      foothold: aFoothold,
    },
    words: ({ type = 0, count, dx = 0, dy = 0, ms = 0, stance: state, foothold }) =>
      `${count} fragments more of type ${types[type]} (${kindOf(types[type] ?? 0)}), each ${Math.round(dx)} px across, ${Math.round(dy)} px down and ${Math.round(ms)} ms, state ${state}, foothold ${foothold === -2 ? "as before" : foothold}; all later paths go on from there`,
  };
}

function retypeOf(dialect: string): ChangeKind {
  const types = placedTypes(dialect);
  const { kindOf } = dialectRules(dialect).fragments;
  return {
    ...changing((path, { type = 0 }) => {
      const number = types[type] ?? 0;
      const kind = kindOf(number) ?? "absolute";
      return {
        ...path,
        fragments: path.fragments.map((each) =>
          hasPlace(each) ? Fragment.of(kind, { ...each, type: number, kind }) : each,
        ),
      };
    }),
    amounts: { type: { least: 0, most: types.length - 1, isWhole: true } },
    words: ({ type = 0 }) => `has fragments of type ${types[type]} (${kindOf(types[type] ?? 0)})`,
  };
}

/** Monsters nearer to their player with each path. */
const pull: ChangeKind = {
  amounts: { px: { least: -300, most: 300 }, dy: small },
  messages: life,
  apply: (stream, isChosen, { px = 0, dy = 0 }) => {
    const moved = new Map<number, Point>();
    let player: Point | undefined;
    return stream.map((sent) => {
      player = endOf(pathIn(sent.message, "movePlayer") ?? { fragments: [] }) ?? player;
      const path = pathIn(sent.message, "moveLife");
      if (path?.mobId === undefined) return sent;
      const by = moved.get(path.mobId) ?? { x: 0, y: 0 };
      const before = elsewhere(path, by.x, by.y);
      const end = endOf(before);
      if (!isChosen(sent) || player === undefined || end === undefined) return withPath(sent, before);
      const x = Math.sign(player.x - end.x) * Math.min(px, Math.abs(player.x - end.x));
      moved.set(path.mobId, { x: by.x + Math.round(x), y: by.y + Math.round(dy) });
      const last = before.fragments.findLastIndex(hasPlace);
      const fragments = before.fragments.map((each, index) =>
        index < last ? each : { ...each, x: Math.round((each.x ?? 0) + x), y: Math.round((each.y ?? 0) + dy) },
      );
      return withPath(sent, { ...before, fragments });
    });
  },
  words: ({ px = 0, dy = 0 }) =>
    `ends ${round(px)} px nearer to the player and ${round(dy)} px down, and so on from there`,
};

/** Its paths begin where the last ones ended, with the key of the map and the box of what they are. */
class MapleClient implements ChangedClient {
  #fieldKey: number | undefined;
  #end: Point | undefined;

  hear({ message, value }: WireMessage): void {
    if (message !== "changeMap") return;
    this.#fieldKey = (value as { readonly fieldKey: number }).fieldKey;
    this.#end = undefined;
  }

  send(message: WireMessage): WireMessage {
    const path = pathIn(message, message.message);
    if (path?.start === undefined || path.fragments === undefined) return message;
    const start =
      message.message === "movePlayer" && this.#end !== undefined ? { ...path.start, ...this.#end } : path.start;
    const value = { ...path, start, ...(path.box === undefined ? {} : { box: boxOf(start, path.fragments) }) };
    if (message.message !== "movePlayer") return { message: message.message, value };
    this.#end = endOf(value);
    return { message: "movePlayer", value: { ...value, fieldKey: this.#fieldKey ?? path.fieldKey } };
  }
}

const { walk, jump, gravity, maxFall, climb } = walkConstants;
const jumpHeight = (jump * jump) / (2 * gravity);
/** Pixels around a place that may stand for it. */
const NEAR_PX = 16;

function gauges(scene: Scene, maps: WorldMaps | undefined): Readonly<Record<string, Gauge>> {
  const mapOf = (room: string): MapleMap | undefined => {
    if (!scene.known) return undefined;
    const mapId = Number(room.split("-", 1)[0]);
    return maps !== undefined && isMapleMaps(maps) ? maps.map(mapId) : demoMap(mapId);
  };
  const monsters = (world: World, room: string): Iterable<SeenMonster> =>
    world instanceof MapleWorld ? world.monsters(room).values() : [];
  return {
    distance: new BeyondSpeed({ way: across, perSecond: walk, lateSeconds: LATE_SECONDS }),
    leap: new BeyondSpeed({ way: across, perSecond: walk }),
    "ten seconds": new TenSeconds(across, walk),
    climb: new BeyondSpeed({ way: upwards, perSecond: jump / 2, free: jumpHeight, lateSeconds: LATE_SECONDS }),
    ladder: new BeyondSpeed({ way: climbed, perSecond: climb, free: NEAR_PX }),
    "above jump": new AboveJump({ jump, gravity, most: maxFall }, ({ room, position }) => {
      const map = mapOf(room);
      if (map === undefined || map.flies) return undefined;
      if (isCarried(map, position)) return 0;
      return (map.below(position.x, position.y)?.y ?? map.bounds.bottom) - position.y;
    }),
    "frozen monsters": new FrozenMonsters(monsters),
    "herded monsters": new HerdedMonsters(monsters),
  };
}

function isCarried(map: MapleMap, { x, y }: Position): boolean {
  if (map.isWater(x, y) || map.isNearGround(x, y, NEAR_PX) || y > map.bounds.bottom) return true;
  if (map.seats.some((seat) => Math.hypot(seat.x - x, seat.y - y) <= NEAR_PX)) return true;
  return map.ladders.some(
    (each) => Math.abs(each.x - x) <= NEAR_PX && y >= each.top - NEAR_PX && y <= each.bottom + NEAR_PX,
  );
}

const px = { unit: "px", bound: 50 } as const;
/** What a line may hold back and bring at once. */
const late = { unit: "px", bound: LATE_SECONDS * walk } as const;

export const mapleGame: SearchGame = {
  answers: new Set(["pong"]),
  session: new Set(["playerLoggedIn"]),
  messages: (dialect) =>
    dialectRules(dialect).movementOnly ? own : [...own, "moveLife", "movePet", "moveSummon", "aggro"],
  changes: (dialect) => ({
    ...commonChanges,
    shift,
    scale,
    durations,
    stance,
    velocity,
    append: appendOf(dialect),
    retype: retypeOf(dialect),
    ...(dialectRules(dialect).movementOnly ? {} : { pull }),
  }),
  measures: {
    distance: px,
    leap: late,
    "ten seconds": late,
    climb: px,
    ladder: px,
    "above jump": px,
    "frozen monsters": { unit: "s", bound: 30 },
    "herded monsters": { unit: "px", bound: 150 },
  },
  gauges,
  client: () => new MapleClient(),
  createBot: (protocol, options) => protocol.bots.create(options),
  startsAnywhere: ({ known, dialect }) => !known || dialect === "documented",
  roomName: ({ room }) => (room === undefined ? undefined : String(room)),
  rooms: (protocol, maps, random) =>
    (maps === undefined ? undefined : fairnessGames.maplestory?.startRooms?.(maps, 4, random)) ??
    protocol.bots.rooms ?? [1],
};
