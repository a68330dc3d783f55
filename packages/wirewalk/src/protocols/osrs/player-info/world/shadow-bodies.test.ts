import { describe, expect, it } from "vitest";
import type { Track } from "../../../../motion/index.ts";
import { expectEqual } from "../../../../testing/inner-loops.ts";
import { scaled } from "../../../../testing/scale.ts";
import { type JsonObject, parseHex } from "../../../../wire/index.ts";
import type { Effect } from "../../../world.ts";
import { PlayerInfoClient } from "../wire/client.ts";
import { TICK_MS } from "../wire/constants.ts";
import { PlayerInfoDecoder } from "../wire/decoder.ts";
import { PlayerInfoEngine } from "../wire/engine/engine.ts";
import { revision206 } from "../wire/masks/revision-206.ts";
import type { PlayerInfoServerMessage } from "../wire/message.ts";
import { ShadowBodies } from "./shadow-bodies.ts";
import { PlayerInfoWorld } from "./world.ts";

const OPTIONS = { dialect: "client", seed: 3, demo: true, revision: revision206 };
const somebody = (name: string) => ({ account: name, name });

/** Another server, with a crowd of its own: sessions are its first players, and all that it sends them is observed. */
class Foreign {
  readonly server = new PlayerInfoWorld(OPTIONS);
  readonly bodies = new ShadowBodies(OPTIONS);
  /** The real client of player 1. */
  readonly client = new PlayerInfoClient(OPTIONS);
  /** Own numbers of our sessions, by the player of the other server. */
  readonly sessions: ReadonlyMap<number, number>;
  nowMs = 0;
  /** Changes a packet on its way. */
  spoil: (packet: Uint8Array) => Uint8Array = (packet) => packet;

  constructor(crowd: number, sessions: ReadonlyMap<number, number> = new Map([[1, 7]])) {
    this.sessions = sessions;
    for (const own of sessions.values()) this.bodies.join(own, somebody(`s${own}`));
    for (let player = 1; player <= crowd; player++) this.server.join(player, somebody(`p${player}`), 0);
  }

  /** Lets what was sent so far arrive. */
  arrive(): void {
    for (const effect of this.server.takeEffects()) {
      if (effect.effect !== "send") continue;
      const own = this.sessions.get(effect.to);
      const message = structuredClone(effect.message);
      if (effect.to === 1) this.client.receive(effect.message);
      if (own === undefined) continue;
      const carried = this.#carried(message);
      this.bodies.observe(own, carried, this.nowMs);
      // The caller owns the bytes.
      if (carried.message !== "playerIndex") carried.value.bytes.fill(0xff);
    }
  }

  #carried(message: PlayerInfoServerMessage): PlayerInfoServerMessage {
    if (message.message !== "playerInfo") return message;
    return { message: "playerInfo", value: { bytes: this.spoil(message.value.bytes) } };
  }

  tick(): void {
    this.nowMs += TICK_MS;
    this.server.tick(this.nowMs);
    this.arrive();
  }

  /** Begins the stream of a session's client anew, as a new login does. */
  relogin(player: number): void {
    this.server.refresh(player, this.nowMs);
    this.arrive();
  }

  observations(): Extract<Effect, { effect: "observe" }>[] {
    return this.bodies.takeEffects().filter((effect) => effect.effect === "observe");
  }
}

const indexOf = ({ details }: Track): number => Number(details?.index);
const placeOf = ({ position: { x, y, level } }: Track): object => ({ x, y, level });

describe("the players of another server", () => {
  it("are where its packets put them: our session, and everybody in its view", () => {
    const foreign = new Foreign(150);
    const { bodies, server } = foreign;
    foreign.tick();
    let moved = 0;
    let seen = 0;
    for (let tick = 0; tick < scaled(100, 20); tick++) {
      foreign.tick();
      const real = new Map(server.tracks(foreign.nowMs).map((track) => [indexOf(track), track]));
      const [own, ...others] = bodies.tracks(foreign.nowMs);
      expect(own).toMatchObject({ player: 7, room: "world", atMs: foreign.nowMs, source: "observed" });
      expect(own?.details).toMatchObject({ index: server.indexOf(1), name: "s7", local: others.length + 1 });
      seen += others.length;
      for (const track of others) {
        const index = indexOf(track);
        expectEqual([track.player, Object.keys(track.details ?? {})], [65_535 - index, ["index"]]);
        expectEqual(placeOf(track), placeOf(real.get(index) as Track));
        if (track.stance === "stand" || track.stance === "teleport") expectEqual(track.velocity, { x: 0, y: 0 });
        else {
          moved += 1;
          const { velocity, facingTurns } = real.get(index) as Track;
          // Blocks turn a player that stands; one that goes looks ahead.
          if (velocity.x !== 0 || velocity.y !== 0) expectEqual(track.velocity, velocity);
          expectEqual(track.facingTurns, facingTurns);
        }
      }
    }
    expect(moved).toBeGreaterThan(100);
    expect(seen).toBeGreaterThan(moved);
  });

  it("have no place before the initialisation: nothing is made up, and nothing is sent", () => {
    const foreign = new Foreign(0);
    const { bodies } = foreign;
    bodies.observe(7, { message: "playerIndex", value: { index: 9 } }, 0);
    bodies.tick();
    bodies.refresh();
    expect(bodies.tracks(600)).toEqual([]);
    expect(bodies.rooms()).toEqual(new Map([["world", 1]]));
    expect(bodies.takeEffects()).toEqual([{ effect: "enter", player: 7, room: "world" }]);
    bodies.leave(7);
    bodies.leave(7);
    expect(bodies.rooms()).toEqual(new Map());
    expect(bodies.takeEffects()).toEqual([{ effect: "exit", player: 7, room: "world" }]);
  });

  it("are shown once where several of our sessions see them, as the last packet has them", () => {
    const foreign = new Foreign(
      60,
      new Map([
        [1, 7],
        [2, 65_000],
        [3, 9],
      ]),
    );
    for (let tick = 0; tick < 10; tick++) foreign.tick();
    const tracks = foreign.bodies.tracks(foreign.nowMs);
    expect(tracks.slice(0, 3).map(({ player }) => player)).toEqual([7, 65_000, 9]);
    expect(new Set(tracks.map(({ player }) => player)).size).toBe(tracks.length);
    expect(new Set(tracks.map(indexOf)).size).toBe(tracks.length);
    const real = new Map(foreign.server.tracks(foreign.nowMs).map((track) => [indexOf(track), placeOf(track)]));
    expect(tracks.map(placeOf)).toEqual(tracks.map((track) => real.get(indexOf(track))));
  });

  it("keep out of the numbers of our sessions", () => {
    const { bodies } = new Foreign(0, new Map([[1, 65_535 - 6]]));
    const engine = new PlayerInfoEngine({ dialect: "client" });
    for (const index of [5, 6]) engine.add(index, { level: 0, x: 3200, z: 3200 + index });
    bodies.observe(65_529, { message: "playerIndex", value: { index: 5 } }, 0);
    // After a login the initialisation stands before the region.
    bodies.observe(65_529, { message: "rebuildNormal", value: { init: engine.observe(5), zoneX: 400 } as object }, 0);
    bodies.observe(65_529, { message: "rebuildNormal", value: { zoneX: 400 } as object }, 10);
    bodies.observe(65_529, { message: "setActiveWorld", value: { index: 1, level: 0 } as object }, 20);
    engine.tick();
    bodies.observe(65_529, { message: "playerInfo", value: { bytes: engine.packet(5) } }, 600);
    const places = bodies.tracks(600).map(({ player, position: { y } }) => [player, y]);
    expect(places).toEqual([
      [65_529, 3205],
      [65_529 - 2047, 3206],
    ]);
  });
});

describe("a spectator who follows a session", () => {
  it("reads what the other server sends: the start, and each packet", () => {
    const foreign = new Foreign(120);
    const { bodies } = foreign;
    const page = new Map<number, PlayerInfoDecoder>();
    const starts: number[] = [];
    const settle = (): void => {
      for (const { player, what, data, room, toFollowers } of foreign.observations()) {
        expect([room, toFollowers]).toEqual(["world", true]);
        if (what === "player-info-start") {
          starts.push(player);
          page.set(player, PlayerInfoDecoder.fromState(JSON.parse(JSON.stringify(data.state)) as JsonObject));
        } else page.get(player)?.decode(parseHex(String(data.hex)));
      }
    };
    for (let tick = 1; tick <= 60; tick++) {
      foreign.tick();
      if (tick === 10 || tick === 20) bodies.follow(7);
      if (tick === 30) foreign.relogin(1);
      settle();
      const decoder = page.get(7);
      if (decoder === undefined) continue;
      const tracks = bodies.tracks(foreign.nowMs);
      expectEqual(
        [...decoder.locals],
        tracks.map(indexOf).sort((a, b) => a - b),
      );
      for (const track of tracks) {
        const { level, x, z, appearance, speed, interacting } = decoder.player(indexOf(track)) ?? {};
        expectEqual(placeOf(track), { x, y: z, level });
        expect(foreign.client.decoder.player(indexOf(track))).toMatchObject({ appearance, speed, interacting });
      }
    }
    expect(starts).toEqual([7, 7, 7]);
    bodies.unfollow(7);
    bodies.follow(8);
    foreign.tick();
    expect(foreign.observations()).toEqual([]);
  });
});

describe("a stream that cannot be read", () => {
  const reasons = (foreign: Foreign): unknown[] =>
    foreign.observations().flatMap(({ what, data }) => (what === "player-info-unread" ? [data.reason] : []));

  it("ends at the packet, with the reason, until the next initialisation", () => {
    const foreign = new Foreign(80);
    const { bodies } = foreign;
    foreign.tick();
    foreign.tick();
    foreign.observations();
    expect(bodies.tracks(foreign.nowMs).length).toBeGreaterThan(1);
    bodies.follow(7);
    foreign.observations();
    foreign.spoil = (packet) => packet.subarray(0, packet.length - 1);
    foreign.tick();
    // The packet too: the decoder of the spectator shows the place.
    const [packet, note, ...more] = foreign.observations();
    expect([packet?.what, packet?.toFollowers, more.length]).toEqual(["player-info", true, 0]);
    expect([note?.what, note?.toFollowers]).toEqual(["player-info-unread", undefined]);
    expect(String(note?.data.reason)).toMatch(/^Cannot read /);
    expect(bodies.tracks(foreign.nowMs)).toEqual([]);
    foreign.spoil = (each) => each;
    foreign.tick();
    expect(foreign.observations()).toEqual([]);
    expect(bodies.tracks(foreign.nowMs)).toEqual([]);
    // A spectator that comes now is told why there is nothing.
    bodies.follow(7);
    expect(foreign.observations()).toMatchObject([{ what: "player-info-unread", data: note?.data, toFollowers: true }]);
    foreign.relogin(1);
    expect(foreign.observations()).toMatchObject([{ what: "player-info-start" }]);
    foreign.tick();
    expect(bodies.tracks(foreign.nowMs).length).toBeGreaterThan(1);
  });

  it("says once that its start was not seen", () => {
    const foreign = new Foreign(5, new Map());
    foreign.tick();
    const late = new Foreign(0);
    late.bodies.follow(7);
    expect(reasons(late)).toEqual(["the server has sent no initialisation yet"]);
    for (let tick = 0; tick < 3; tick++) {
      late.bodies.observe(7, { message: "playerInfo", value: { bytes: foreign.server.engine.packet(1) } }, tick);
    }
    expect(reasons(late)).toEqual(["no initialisation came before the first packet that was seen"]);
    late.bodies.observe(7, { message: "playerInfoInit", value: { bytes: foreign.server.engine.observe(1) } }, 9);
    expect(reasons(late)).toEqual(["the server has not sent the client's own index"]);
    late.bodies.observe(7, { message: "playerIndex", value: { index: 1 } }, 9);
    late.bodies.observe(7, { message: "playerInfoInit", value: { bytes: new Uint8Array(7) } }, 9);
    expect(reasons(late)).toEqual(["Cannot read initialisation: 4608 bytes needed, 7 given"]);
    expect(late.bodies.tracks(10)).toEqual([]);
  });

  it("does not hide what other sessions see", () => {
    const foreign = new Foreign(
      60,
      new Map([
        [1, 7],
        [2, 8],
      ]),
    );
    foreign.tick();
    foreign.bodies.observe(7, { message: "playerInfo", value: { bytes: new Uint8Array([0]) } }, foreign.nowMs);
    foreign.tick();
    const tracks = foreign.bodies.tracks(foreign.nowMs);
    expect(tracks[0]?.player).toBe(8);
    expect(tracks.some(({ player }) => player === 7)).toBe(false);
  });
});
