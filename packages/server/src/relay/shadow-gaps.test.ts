/** A shadow world that has seen a part of a session finds nothing that follows from the rest of it, and says what it has not seen. */
import { expect, test } from "vitest";
import { mapleStory } from "wirewalk/maplestory";
import { demoMaps, type MapleMap } from "wirewalk/maplestory/maps";
import { Character } from "wirewalk/maplestory/movement";
import type { Verdict } from "wirewalk/motion";
import { VirtualClock } from "wirewalk/net";
import type { Gap, PlayableProtocol, Side, WireMessage } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import type { JsonObject } from "wirewalk/wire";
import { ShadowWorld } from "./shadow-world.ts";
import { town } from "./testing/town.ts";

class Watched {
  readonly shadow: ShadowWorld;
  readonly verdicts: Verdict[] = [];
  readonly said: { readonly player: number; readonly gap: Gap }[] = [];
  readonly #protocol: PlayableProtocol;
  readonly #dialect: string;
  nowMs = 0;

  constructor(protocol: PlayableProtocol, dialect: string, demo = false) {
    this.#protocol = protocol;
    this.#dialect = dialect;
    this.shadow = new ShadowWorld({
      protocol,
      dialect,
      seed: 1,
      demo,
      clock: new VirtualClock(),
      events: {
        verdict: (verdict) => this.verdicts.push(verdict),
        moved: () => {},
        observed: () => {},
        unseen: (player, gap) => this.said.push({ player, gap }),
        noticed: () => {},
        failed: (error) => {
          throw error;
        },
      },
    });
    this.shadow.connected(1, "127.0.0.1", 0);
  }

  send(message: WireMessage, player = 1): void {
    const payload = this.#protocol.codec(this.#dialect).write("client", message);
    this.shadow.receive(player, message, payload, this.nowMs);
  }

  client(json: JsonObject, player = 1): void {
    this.send(this.#protocol.codec(this.#dialect).fromJson("client", json), player);
  }

  server(json: JsonObject, player = 1): void {
    const codec = this.#protocol.codec(this.#dialect);
    const message = codec.fromJson("server", json);
    this.shadow.observe(player, message, codec.write("server", message), this.nowMs);
  }

  missed(sender: Side, ...payload: number[]): void {
    this.shadow.missed(1, sender, Uint8Array.from(payload), this.nowMs);
  }

  pass(ms: number): void {
    for (const untilMs = this.nowMs + ms; this.nowMs < untilMs; ) {
      this.nowMs += this.shadow.world.tickMs;
      this.shadow.tick(this.nowMs);
    }
  }

  /** Findings since the last call. */
  found(): readonly string[] {
    return this.verdicts.splice(0).flatMap(({ kind, rule }) => (kind === "benign" ? [] : [rule]));
  }

  reasons(): readonly string[] {
    return this.said.map(({ gap }) => gap.reason);
  }
}

// --- MapleStory -------------------------------------------------------------------------------------------------------

const dialects = ["v62", "v83", "v95"] as const;
type Dialect = (typeof dialects)[number];

const maple = (dialect: string, demo = false): Watched => new Watched(mapleStory as PlayableProtocol, dialect, demo);

const loggedIn = (dialect: Dialect, characterId = 7): JsonObject => ({
  message: "playerLoggedIn",
  value: { characterId, ...(dialect === "v62" ? { reserved: 0 } : { rest: "" }) },
});

interface Field {
  readonly fieldKey?: number;
  readonly mapId?: number;
  readonly spawnPoint?: number;
  readonly chase?: { readonly chaseX: number; readonly chaseY: number };
}

/** SET_FIELD; with a character where no map is given. */
function setField(dialect: Dialect, { fieldKey = 9, mapId, spawnPoint = 0, chase }: Field): JsonObject {
  const head = dialect === "v95" ? { options: [], channel: 0, oldDriver: 0 } : { channel: 0 };
  const seeds = dialect === "v62" ? {} : { notices: 0, seeds: [1, 2, 3] };
  const revive = dialect === "v62" ? {} : { revive: 0 };
  const place = chase === undefined ? { chase: 0 } : { chase: 1, ...chase };
  const target =
    mapId === undefined
      ? { content: "character", ...seeds, data: "ff".repeat(40) }
      : { content: "map", notices: 0, ...revive, mapId, spawnPoint, hp: 50, ...place, time: "0" };
  return { message: "changeMap", value: { ...head, fieldKey, target } };
}

/** Plays by the rules for some seconds. */
function play(watched: Watched, character: Character, seconds: number): number {
  let paths = 0;
  for (let step = 0; step * character.stepMs < seconds * 1000; step++) {
    watched.nowMs += character.stepMs;
    const path = character.step(step % 80 < 40 ? { left: true } : { right: true });
    if (path === undefined) continue;
    watched.send(path);
    paths += 1;
  }
  return paths;
}

const characterAt = (dialect: string, map: MapleMap, at: { x: number; y: number }, fieldKey = 9): Character =>
  new Character({ dialect, map, at, fieldKey });

test.each(dialects)(
  "%s: before a SET_FIELD nothing is found, and that is said once; after it moves are judged",
  (dialect) => {
    for (const hasLogin of [true, false]) {
      const watched = maple(dialect, true);
      if (hasLogin) watched.client(loggedIn(dialect));
      const character = characterAt(dialect, town, { x: 40, y: -700 });
      expect(play(watched, character, 3)).toBeGreaterThan(3);
      character.displace({ x: 2500, y: -700 });
      play(watched, character, 2);
      expect(watched.verdicts).toEqual([]);
      expect(watched.said).toHaveLength(1);
      expect(watched.said[0]?.gap).toEqual({ reason: expect.stringContaining("no changeMap") });

      // Wherever it is, and also where its login was not seen.
      watched.server(setField(dialect, {}));
      character.enter(town, { x: 2500, y: -700 }, 9);
      play(watched, character, 2);
      expect(watched.found()).toEqual([]);
      character.displace({ x: -2500, y: -700 });
      play(watched, character, 2);
      expect(watched.found()).toContain("teleport");
      character.enter(town, { x: -2500, y: -700 }, 10);
      play(watched, character, 1);
      expect(watched.found()).toContain("field-key");
      expect(watched.said).toHaveLength(1);
    }
  },
);

test.each(dialects)("%s: a connection to a login server is not judged, and nothing is said of it", (dialect) => {
  const watched = maple(dialect);
  watched.server({ message: "ping", value: {} });
  watched.client({ message: "pong", value: {} });
  for (let count = 0; count < 20; count++) {
    watched.missed("client", 0xff);
    watched.missed("server", 0xff);
    watched.pass(5000);
  }
  expect([watched.verdicts, watched.said]).toEqual([[], []]);
});

test("a portal that the world does not know, and a player that chases another, may come in anywhere", () => {
  const [first] = demoMaps();
  if (first === undefined) throw new RangeError("there are no demo maps");
  const [portal] = first.portals;
  const far = { x: first.right - 50, y: 0 };
  const ground = first.below(far.x, -2000) ?? far;
  expect(Math.hypot(far.x - (portal?.x ?? 0), ground.y - (portal?.y ?? 0))).toBeGreaterThan(200);
  const at = { x: far.x, y: Math.round(ground.y) };
  const startOf = (field: Field): readonly string[] => {
    const watched = maple("v83", true);
    watched.client(loggedIn("v83"));
    watched.server(setField("v83", { mapId: first.mapId, ...field }));
    play(watched, characterAt("v83", first, at), 2);
    return watched.found();
  };
  expect(startOf({ spawnPoint: 0 })).toContain("teleport");
  expect(startOf({ spawnPoint: 200 })).toEqual([]);
  expect(startOf({ spawnPoint: 0, chase: { chaseX: at.x, chaseY: at.y } })).toEqual([]);
});

/** Opcodes that move a player on its map, and bytes behind them. */
const moving: readonly (readonly [Dialect, Side, readonly number[]])[] = [
  ["v62", "client", [0x5d, 0, 9]],
  ["v62", "server", [0xa2, 0, 0, 1]],
  ["v83", "client", [0x65, 0, 9]],
  ["v83", "server", [0xcf, 0, 0, 1]],
  ["v95", "client", [0x71, 0, 9]],
  ["v95", "server", [0xea, 0, 0, 1]],
  ["v95", "server", [0x0d, 1, 0, 1]],
  // Half of a movePlayer.
  ["v83", "client", [0x29, 0, 9]],
];

test.each(moving)(
  "%s: after a message of the %s that moves it a path may lead anywhere: %j",
  (dialect, side, payload) => {
    const watched = maple(dialect);
    watched.client(loggedIn(dialect));
    watched.server(setField(dialect, {}));
    const character = characterAt(dialect, town, { x: 40, y: -700 });
    play(watched, character, 2);
    // Most messages that are not described move nobody, and what cannot be one neither.
    for (const other of [[0xfe, 0], [0xfe, 0, 1, 2], [7], []]) {
      watched.missed("client", ...other);
      watched.missed("server", ...other);
    }
    play(watched, character, 1);
    expect(watched.said).toEqual([]);
    for (const x of [2500, -100, -160]) {
      watched.missed(side, ...payload);
      character.displace({ x, y: -700 });
      play(watched, character, 2);
      expect(watched.found(), `${x}`).toEqual([]);
    }
    expect(watched.said).toHaveLength(1);
    expect(watched.said[0]?.gap).toEqual({ reason: expect.stringContaining("may lead anywhere"), rules: [] });
    // Nothing was missed since.
    character.displace({ x: 2500, y: -700 });
    play(watched, character, 2);
    expect(watched.found()).toContain("teleport");
  },
);

test.each(dialects)("%s: a SET_FIELD that cannot be read takes the map away until the next one", (dialect) => {
  const watched = maple(dialect);
  watched.client(loggedIn(dialect));
  watched.server(setField(dialect, {}));
  const character = characterAt(dialect, town, { x: 40, y: -700 });
  play(watched, character, 1);
  watched.missed("server", { v62: 0x5c, v83: 0x7d, v95: 0x8d }[dialect], 0, 1);
  character.enter(town, { x: 500, y: -700 }, 33);
  play(watched, character, 2);
  expect(watched.found()).toEqual([]);
  expect(watched.reasons()).toEqual([expect.stringContaining("could not be read")]);
  watched.server(setField(dialect, { fieldKey: 12 }));
  character.enter(town, { x: 500, y: -700 }, 13);
  play(watched, character, 2);
  expect(watched.found()).toContain("field-key");
});

test("a client that changes channels is there twice for a moment: the other server decides that", () => {
  const watched = maple("v83");
  watched.client(loggedIn("v83"));
  watched.server(setField("v83", {}));
  watched.shadow.connected(2, "127.0.0.1", watched.nowMs);
  watched.client(loggedIn("v83"), 2);
  watched.server(setField("v83", { fieldKey: 4 }), 2);
  watched.client(loggedIn("v83"), 2);
  watched.shadow.left(1, watched.nowMs);
  expect(watched.found()).toEqual([]);
  // The new connection is judged.
  const character = characterAt("v83", town, { x: 40, y: -700 }, 5);
  for (let step = 0; step < 40; step++) {
    watched.nowMs += character.stepMs;
    const path = character.step({ left: true });
    if (path !== undefined) watched.send(path, 2);
  }
  expect(watched.found()).toContain("field-key");
});

test("monsters are those of the other server, also where a demo map has some of the same number", () => {
  const watched = maple("v62", true);
  watched.client(loggedIn("v62"));
  watched.server(setField("v62", { mapId: 1 }));
  const path = (mobId: number, x: number): JsonObject => ({
    message: "moveLife",
    value: {
      mobId,
      moveId: 1,
      flags: 0,
      actionAndDirection: -1,
      target: "00000000",
      moveFlags: 0,
      unknown: 1,
      start: { x, y: 0 },
      fragments: [
        { type: 0, kind: "absolute", x: x + 900, y: 0, vx: 0, vy: 0, foothold: 3, state: 2, durationMs: 1080 },
      ],
      keypad: [],
      box: { left: x, top: 0, right: x + 900, bottom: 0 },
    },
  });
  for (let count = 0; count < 30; count++) {
    watched.nowMs += 200;
    for (const mobId of [5, 1_000_001, 1_000_002, 1_000_003]) watched.client(path(mobId, count * 300));
    watched.client({ message: "aggro", value: { mobId: 1_000_001 + (count % 3), unknown: 0 } });
  }
  expect(watched.found()).toEqual([]);
});

test("a pong answers a ping of the other server, and says nothing of what the shadow world would have sent", () => {
  const watched = maple("v83");
  watched.client(loggedIn("v83"));
  watched.server(setField("v83", { fieldKey: 1 }));
  const character = characterAt("v83", town, { x: 40, y: -700 }, 1);
  play(watched, character, 2);
  // The shadow world would ping by now. The other server does, then changes the map, and the pong comes before the client knows.
  watched.server({ message: "ping", value: {} });
  watched.nowMs += 10;
  watched.server(setField("v83", { fieldKey: 0 }));
  watched.pass(20_000);
  watched.client({ message: "pong", value: {} });
  character.displace({ x: 40, y: -700 });
  watched.verdicts.length = 0;
  const late = characterAt("v83", town, { x: 40, y: -700 }, 1);
  for (let step = 0; step < 17; step++) {
    const path = late.step({ left: true });
    if (path !== undefined) watched.send(path);
  }
  expect(watched.found()).toEqual([]);
});

test("when the server is not read any further nothing is found any more, and why is said", () => {
  const watched = maple("v83");
  watched.client(loggedIn("v83"));
  watched.server(setField("v83", {}));
  const character = characterAt("v83", town, { x: 40, y: -700 });
  play(watched, character, 1);
  watched.shadow.lost(1, watched.nowMs);
  character.displace({ x: 2500, y: -700 });
  play(watched, character, 2);
  expect(watched.found()).toEqual([]);
  expect(watched.reasons()).toEqual(["what the server sends is not read any further"]);
});

test("documented has no SET_FIELD, and is judged from its first path on", () => {
  const watched = maple("documented");
  const character = new Character({ dialect: "documented", map: town, at: { x: 40, y: -700 }, fieldKey: 0 });
  play(watched, character, 3);
  expect(watched.found()).toEqual([]);
  character.displace({ x: 2500, y: -700 });
  play(watched, character, 2);
  expect(watched.found()).toContain("teleport");
  expect(watched.said).toEqual([]);
});

// --- Slime Online 2 ---------------------------------------------------------------------------------------------------

const slime = (demo = false): Watched => new Watched(slimeOnline2 as PlayableProtocol, "v0106", demo);
const login = (user: string): JsonObject => ({
  message: "login",
  value: { version: "0.106", user, password: "x", mac: "" },
});
const key = (direction: string, code: number, x: number, y = 300): JsonObject => ({
  message: "movePlayer",
  value: { direction, code, x, y },
});

function admitted(x: number, y: number, room = 1): JsonObject {
  const zeros = (count: number): number[] => new Array<number>(count).fill(0);
  const moment = { time: 0, motd: "", day: 1, hour: 0, minute: 0 };
  const state = { points: 0, signature: 0, quest: 0, questStep: 0, trees: 0, built: 0 };
  const things = { emotes: zeros(5), outfits: zeros(9), accessories: zeros(9), items: zeros(9), tools: zeros(9) };
  const body = { name: "ann", body: 1, accessory1: 0, accessory2: 0 };
  const at = { x, y, room };
  return {
    message: "login",
    value: { result: "success", playerId: 9, ...moment, ...body, ...at, ...state, ...things },
  };
}

test("Slime Online 2: without an answer to its login a player is nowhere, and that is said once", () => {
  const watched = slime(true);
  watched.client(login("ann"));
  watched.pass(1000);
  watched.client(key("rightPress", 2, 500));
  watched.pass(50);
  watched.client(key("leftPress", 1, 4000));
  watched.pass(1000);
  expect(watched.found()).toEqual([]);
  expect(watched.reasons()).toEqual([expect.stringContaining("no answer of the server")]);
  expect(watched.said[0]?.gap.rules).toContain("teleport");
  // From the answer on it is judged.
  watched.server(admitted(448, 400));
  watched.client(key("rightRelease", 6, 448, 400));
  watched.pass(50);
  watched.client(key("leftRelease", 5, 4000, 400));
  watched.pass(100);
  expect(watched.found()).toContain("teleport");
});

test("Slime Online 2: a login that the server refuses makes room for the next one", () => {
  const watched = slime();
  watched.client(login("anm"));
  watched.server({ message: "login", value: { result: "noAccount" } });
  watched.client(login("ann"));
  watched.server(admitted(448, 400));
  expect(watched.shadow.nameOf(1)).toBe("ann");
  expect(watched.found()).toEqual([]);
  watched.client(login("eve"));
  expect(watched.found()).toEqual(["login-twice"]);
});

test("Slime Online 2: who has not logged in is not in the world, and that is said once", () => {
  const watched = slime();
  for (const x of [500, 4000, 10]) watched.client(key("rightPress", 2, x));
  expect(watched.found()).toEqual([]);
  expect(watched.reasons()).toEqual([expect.stringContaining("no login has been seen")]);
});

test("Slime Online 2: an account that the shadow world takes for online is not judged, and that is said", () => {
  const watched = slime();
  watched.client(login("ann"));
  watched.server(admitted(448, 400));
  watched.shadow.connected(2, "127.0.0.1", 0);
  watched.client(login("ann"), 2);
  watched.client(key("rightPress", 2, 500), 2);
  expect(watched.found()).toEqual([]);
  expect(watched.said[0]).toMatchObject({ player: 2, gap: { reason: expect.stringContaining("already-online") } });
});

test("Slime Online 2: after a message of the server that cannot be read the room's shape finds nothing until the next warp", () => {
  const floating = (watched: Watched): readonly string[] => {
    // In the air of the demo room, and it does not say that it has jumped.
    for (const [x, direction, code] of [
      [448, "rightPress", 2],
      [450, "rightRelease", 6],
      [450, "leftPress", 1],
    ] as const) {
      watched.client(key(direction, code, x, 100));
      watched.pass(50);
    }
    watched.client(key("leftRelease", 5, 446, 100));
    watched.pass(500);
    return watched.found();
  };
  const started = (): Watched => {
    const watched = slime(true);
    watched.client(login("ann"));
    watched.server(admitted(448, 419));
    watched.client(key("rightPress", 2, 448, 419));
    watched.pass(100);
    watched.client(key("rightRelease", 6, 460, 419));
    watched.pass(2000);
    watched.verdicts.length = 0;
    return watched;
  };
  expect(floating(started())).toContain("unreachable");
  const watched = started();
  watched.missed("server", 0xff);
  expect(floating(watched)).not.toContain("unreachable");
  expect(watched.reasons()).toEqual([expect.stringContaining("another room")]);
  // The room is known again.
  const warped = started();
  warped.missed("server", 0xff);
  warped.server({ message: "warp", value: { kind: "command", room: 1, x: 448, y: 419 } });
  // What it has sent before the warp reached it may come from anywhere: once.
  warped.client(key("rightPress", 2, 448, 419));
  warped.pass(100);
  warped.client(key("rightRelease", 6, 60, 419));
  warped.pass(2000);
  warped.verdicts.length = 0;
  expect(floating(warped)).toContain("unreachable");
});

test("Slime Online 2: after a message of the client that cannot be read the keys are not known", () => {
  const started = (): Watched => {
    const watched = slime();
    watched.client(login("ann"));
    watched.server(admitted(448, 300));
    watched.client(key("rightPress", 2, 448));
    watched.pass(50);
    return watched;
  };
  const again = (watched: Watched): readonly string[] => {
    watched.client(key("rightPress", 2, 452));
    return watched.found();
  };
  expect(again(started())).toContain("transition");
  const watched = started();
  watched.missed("client", 0xff);
  expect(again(watched)).toEqual([]);
  expect(watched.reasons()).toEqual([expect.stringContaining("may have been keys")]);
});
