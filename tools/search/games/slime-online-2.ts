/** Slime Online 2: keys with places, landings and doors. */

import type { Position } from "../../../packages/wirewalk/src/motion/index.ts";
import type { WireMessage } from "../../../packages/wirewalk/src/protocols/codec.ts";
import type { WorldMaps } from "../../../packages/wirewalk/src/protocols/maps.ts";
import { demoSlimeMaps } from "../../../packages/wirewalk/src/protocols/slime-online-2/maps/demo-rooms.ts";
import {
  isSlimeMaps,
  type SlimeMaps,
} from "../../../packages/wirewalk/src/protocols/slime-online-2/maps/slime-maps.ts";
import { outgoing } from "../../../packages/wirewalk/src/protocols/slime-online-2/movement/keys.ts";
import { physicsConstants } from "../../../packages/wirewalk/src/protocols/slime-online-2/movement/physics-constants.ts";
import { dialectRules } from "../../../packages/wirewalk/src/protocols/slime-online-2/wire/dialect.ts";
import { type Direction, directions } from "../../../packages/wirewalk/src/protocols/slime-online-2/wire/direction.ts";
import {
  type MovePlayer,
  movePlayer,
} from "../../../packages/wirewalk/src/protocols/slime-online-2/wire/move-player.ts";
import { type Amounts, type ChangeKind, type ChangeKinds, commonChanges, replacing, round } from "../changes.ts";
import type { SearchGame } from "../games.ts";
import {
  AboveJump,
  across,
  BeyondSpeed,
  CameBack,
  type Fall,
  type Gauge,
  InsideSolid,
  LATE_SECONDS,
  TenSeconds,
  upwards,
} from "../gauges.ts";
import type { Scene, Sent } from "../play.ts";

type Move = { readonly message: "movePlayer"; readonly value: MovePlayer };

const moves = ["movePlayer"] as const;
const far = { least: -20_000, most: 20_000 } as const;
const near = { least: -700, most: 700 } as const;
const aDirection = { least: 0, most: directions.length - 1, isWhole: true } as const;
const directionAt = (index = 0): Direction => (directions[index] as (typeof directions)[number]).name;

function asMove(message: WireMessage | undefined): MovePlayer | undefined {
  return message?.message === "movePlayer" ? (message as Move).value : undefined;
}

function moved(sent: Sent, dx: number, dy: number): Sent {
  const move = asMove(sent.message);
  if (move?.x === undefined) return sent;
  return said(sent.atMs, move.direction, move.x + dx, (move.y ?? 0) + dy);
}

function said(atMs: number, direction: Direction, x: number, y: number): Sent {
  const sent = outgoing(direction, x, y);
  return { atMs, message: { message: "movePlayer", value: movePlayer(sent.direction, sent.x, sent.y) } };
}

/** A stream with the last place that was named before each message. */
function withPlaces(stream: readonly Sent[], each: (sent: Sent, at: { x: number; y: number }) => readonly Sent[]) {
  let at = { x: 0, y: 0 };
  return stream.flatMap((sent) => {
    const move = asMove(sent.message);
    at = { x: move?.x ?? at.x, y: move?.y ?? at.y };
    return each(sent, at);
  });
}

const place: ChangeKind = {
  amounts: { dx: far, dy: near },
  messages: moves,
  apply: replacing((sent, { dx = 0, dy = 0 }) => [moved(sent, dx, dy)]),
  words: ({ dx = 0, dy = 0 }) => `its place is ${round(dx)} px across and ${round(dy)} px down`,
};

/** Where it is, it goes on from. */
const shift: ChangeKind = {
  amounts: { dx: near, dy: near },
  messages: moves,
  apply: (stream, isChosen, { dx = 0, dy = 0 }) => {
    let count = 0;
    return stream.map((sent) => {
      if (isChosen(sent)) count += 1;
      return moved(sent, count * dx, count * dy);
    });
  },
  words: ({ dx = 0, dy = 0 }) => `this and all later places ${round(dx)} px across and ${round(dy)} px down`,
};

const key: ChangeKind = {
  amounts: { direction: aDirection },
  messages: moves,
  apply: (stream, isChosen, { direction }) =>
    withPlaces(stream, (sent, { x, y }) => (isChosen(sent) ? [said(sent.atMs, directionAt(direction), x, y)] : [sent])),
  words: ({ direction }) => `is ${directionAt(direction)}`,
};

/** A second message after it, to and fro, or on and on. */
const insert: ChangeKind = {
  amounts: { direction: aDirection, dx: near, dy: near, returns: { least: 0, most: 1, isWhole: true } },
  messages: moves,
  apply: (stream, isChosen, { direction, dx = 0, dy = 0, returns }) => {
    let count = 0;
    return withPlaces(stream, (sent, { x, y }) => {
      const before = moved(sent, count * dx, count * dy);
      if (!isChosen(sent)) return [before];
      if (returns !== 1) count += 1;
      const times = returns === 1 ? 1 : count;
      return [before, said(sent.atMs, directionAt(direction), x + times * dx, y + times * dy)];
    });
  },
  words: ({ direction, dx = 0, dy = 0, returns }) =>
    `${directionAt(direction)} is added, ${round(dx)} px across and ${round(dy)} px down${returns === 1 ? "" : ", and all later places are there too"}`,
};

/** A message by the clock. */
const beat: ChangeKind = {
  amounts: {
    direction: aDirection,
    everyMs: { least: 17, most: 3000 },
    dx: near,
    dy: near,
    returns: { least: 0, most: 1, isWhole: true },
  },
  apply: (stream, _isChosen, amounts, { fromMs, toMs }) => {
    const { direction, dx = 0, dy = 0, returns, everyMs = 1000 } = amounts;
    const all: Sent[] = [];
    let beats = 0;
    let atMs = fromMs;
    let at = { x: 0, y: 0 };
    const beatUntil = (untilMs: number): void => {
      for (; atMs < Math.min(untilMs, toMs); atMs += everyMs) {
        beats += 1;
        const times = returns === 1 ? beats % 2 : beats;
        all.push(said(atMs, directionAt(direction), at.x + times * dx, at.y + times * dy));
      }
    };
    for (const sent of stream) {
      if (at.x !== 0) beatUntil(sent.atMs);
      const times = returns === 1 ? 0 : beats;
      const move = asMove(sent.message);
      at = { x: move?.x ?? at.x, y: move?.y ?? at.y };
      if (at.x === 0) atMs = Math.max(atMs, sent.atMs);
      all.push(moved(sent, times * dx, times * dy));
    }
    beatUntil(toMs);
    return all;
  },
  words: ({ direction, everyMs = 0, dx = 0, dy = 0, returns }) =>
    `${directionAt(direction)} every ${round(everyMs)} ms, ${round(dx)} px across and ${round(dy)} px down ${returns === 1 ? "and back" : "each time"}`,
};

/** Out of the room and back to another place in it. */
const doors: ChangeKind = {
  amounts: {
    everyMs: { least: 100, most: 20_000 },
    awayMs: { least: 0, most: 5000 },
    room: { least: 1, most: 6, isWhole: true },
    home: { least: 1, most: 4, isWhole: true },
    x: { least: 0, most: 65_000 },
    y: { least: 0, most: 480 },
  },
  apply: (stream, _isChosen, amounts: Amounts, { fromMs, toMs }) => {
    const { everyMs = 1000, awayMs = 0, room = 1, home = 1, x = 0, y = 0 } = amounts;
    const added: Sent[] = [];
    for (let atMs = fromMs + everyMs; atMs < toMs; atMs += everyMs + awayMs) {
      added.push(
        { atMs, message: { message: "warp", value: { room, x: 100, y: 100 } } },
        {
          atMs: atMs + awayMs,
          message: { message: "warp", value: { room: home, x: Math.round(x), y: Math.round(y) } },
        },
      );
    }
    return [...stream, ...added];
  },
  words: ({ everyMs = 0, awayMs = 0, room, home, x = 0, y = 0 }) =>
    `every ${round(everyMs)} ms by a door to room ${room}, and ${round(awayMs)} ms later to room ${home} at ${Math.round(x)}, ${Math.round(y)}`,
};

const moveChanges: ChangeKinds = { place, shift, key, insert, beat };

const perSecond = physicsConstants.framesPerSecond;
const fall: Fall = {
  jump: physicsConstants.jumpSpeed * perSecond,
  gravity: physicsConstants.gravity * perSecond * perSecond,
  most: physicsConstants.terminalVelocity * perSecond,
};
const run = physicsConstants.hspMax * perSecond;
const jumpHeight = (fall.jump * fall.jump) / (2 * fall.gravity);
/** Below every room. */
const LOWEST = 65_535;
/** Pixels around a place that may stand for it. */
const NEAR_PX = 48;

function roomsOf(scene: Scene, maps: WorldMaps | undefined): SlimeMaps | undefined {
  if (!scene.known) return undefined;
  return maps !== undefined && isSlimeMaps(maps) ? maps : demoSlimeMaps;
}

function gauges(scene: Scene, maps: WorldMaps | undefined): Readonly<Record<string, Gauge>> {
  const rooms = roomsOf(scene, maps);
  const geometryOf = (room: string) => rooms?.room(Number(room))?.geometry;
  const isEntrance = (name: string, at: Position): boolean => {
    const room = rooms?.room(Number(name));
    const entrances = rooms === undefined || room === undefined ? [] : entrancesOf(rooms, Number(name));
    return entrances.some(({ x, y }) => Math.hypot(x - at.x, y - at.y) <= NEAR_PX);
  };
  return {
    distance: new BeyondSpeed({ way: across, perSecond: run, lateSeconds: LATE_SECONDS }),
    leap: new BeyondSpeed({ way: across, perSecond: run }),
    "ten seconds": new TenSeconds(across, run),
    climb: new BeyondSpeed({ way: upwards, perSecond: fall.jump / 2, free: jumpHeight, lateSeconds: LATE_SECONDS }),
    "above jump": new AboveJump(fall, ({ room, position: { x, y } }) => {
      const geometry = geometryOf(room);
      if (geometry === undefined) return undefined;
      const floats = geometry.waterAt(x, y) || geometry.waterAt(x, y + 4) || geometry.freeAt?.(x, y) === true;
      return floats ? 0 : Math.max(0, geometry.stopY(x, Math.max(0, y - 1), LOWEST) - y - 1);
    }),
    inside: new InsideSolid((room, { x, y }) => geometryOf(room)?.solidAt?.(x, y) === true),
    "came back": new CameBack(run, isEntrance),
  };
}

function entrancesOf(rooms: SlimeMaps, number: number): readonly { readonly x: number; readonly y: number }[] {
  const { spawns = [], returns = [] } = rooms.room(number) ?? {};
  const byDoor = [...rooms.places()].flatMap((place) =>
    (rooms.room(Number(place))?.doors ?? []).flatMap(({ to: { room, x, y } }) =>
      room === number && x !== undefined && y !== undefined ? [{ x, y }] : [],
    ),
  );
  return [...spawns, ...returns, ...byDoor];
}

const px = { unit: "px", bound: 48 } as const;
/** What a line may hold back and bring at once. */
const late = { unit: "px", bound: LATE_SECONDS * run } as const;

export const slimeGame: SearchGame = {
  answers: new Set(["ping", "newPlayer"]),
  session: new Set(["login"]),
  messages: (dialect) => (dialectRules(dialect).movementOnly ? moves : [...moves, "warp"]),
  changes: (dialect) => ({
    ...commonChanges,
    ...moveChanges,
    ...(dialectRules(dialect).movementOnly ? {} : { doors }),
  }),
  measures: { distance: px, leap: late, "ten seconds": late, climb: px, "above jump": px, inside: px, "came back": px },
  gauges,
  client: () => ({ hear: () => {}, send: (message) => message }),
  createBot: (protocol, options) => protocol.bots.create(options),
  claimIn: (message, last) => {
    const move = asMove(message);
    if (move?.x === undefined || last === undefined) return move;
    // A jump carries 16 bits with a sign, everything else has none: of the two places that is meant which is nearer.
    return { ...move, x: move.x + 65_536 * Math.round((last.x - move.x) / 65_536) };
  },
  startsAnywhere: ({ dialect }) => dialectRules(dialect).movementOnly,
  roomName: ({ room }) => (room === undefined ? undefined : String(room)),
  rooms: (protocol) => protocol.bots.rooms ?? [1],
};
