import { describe, expect, test } from "vitest";
import type { Verdict } from "../motion/index.ts";
import type { PayloadCodec, WireMessage } from "../protocols/codec.ts";
import type { Following } from "../protocols/following.ts";
import type { Effect, Joining, Refusal, World } from "../protocols/world.ts";
import type { Framing, Recipient } from "./delivery.ts";
import { Host, type HostEvents } from "./host.ts";

interface Say extends WireMessage {
  readonly message: "say";
  readonly value: { readonly byte: number };
}

const say = (byte: number): Say => ({ message: "say", value: { byte } });

/** One byte per message; only `write` is used by a host. */
let codecWrites = 0;
const codec = {
  write(_sender: string, message: Say) {
    codecWrites += 1;
    return Uint8Array.of(message.value.byte);
  },
} as unknown as PayloadCodec<Say, Say>;

/** A world that does what the test has planned for the next call. A host does not save it. */
class PlannedWorld implements Omit<World<Say, Say>, "save" | "restore" | "digest"> {
  readonly tickMs = 50;
  capacity = 3;
  refusal: Refusal | undefined;
  planned: Effect<Say>[] = [];
  following?: Following;
  readonly calls: string[] = [];

  refuses(): Refusal | undefined {
    return this.refusal;
  }
  join(player: number, joining: Joining, nowMs: number): void {
    this.calls.push(`join ${player} ${joining.name} ${nowMs}`);
    if (joining.name === "broken") throw new RangeError("Cannot join: broken");
  }
  leave(player: number, nowMs: number): void {
    this.calls.push(`leave ${player} ${nowMs}`);
  }
  receive(player: number, message: Say, payload: Uint8Array, nowMs: number): void {
    this.calls.push(`receive ${player} ${message.value.byte} ${payload.length} ${nowMs}`);
  }
  tick(nowMs: number): void {
    this.calls.push(`tick ${nowMs}`);
  }
  refresh(player: number, nowMs: number): void {
    this.calls.push(`refresh ${player} ${nowMs}`);
  }
  takeEffects(): readonly Effect<Say>[] {
    const effects = this.planned;
    this.planned = [];
    return effects;
  }
  tracks() {
    return [];
  }
  rooms(): ReadonlyMap<string, number> {
    return new Map();
  }
}

const framing: Framing = { frame: (payload) => payload };

/** Keeps what it is given as lists of bytes, one per write. */
class Listener implements Recipient {
  readonly framing = framing;
  readonly writes: number[][] = [];
  slow = false;
  isBehind = false;

  deliver(bytes: Uint8Array): boolean {
    this.writes.push([...bytes]);
    return !this.slow;
  }
}

const named = (name: string): Joining => ({ account: name, name });

function hostOf(events?: HostEvents): { readonly world: PlannedWorld; readonly host: Host<Say, Say> } {
  const world = new PlannedWorld();
  return {
    world,
    host: new Host<Say, Say>({
      world: world as PlannedWorld & World<Say, Say>,
      codec,
      ...(events === undefined ? {} : { events }),
    }),
  };
}

describe("players", () => {
  test("get ids from 1 up, and an id that just left does not come back at once", () => {
    const { host } = hostOf();
    expect(host.join(new Listener(), named("a"), 0)).toBe(1);
    expect(host.join(new Listener(), named("b"), 0)).toBe(2);
    host.leave(2, 1);
    expect(host.join(new Listener(), named("c"), 2)).toBe(3);
    expect([...host.players.keys()]).toEqual([1, 3]);
  });

  test("ids wrap after 65535, skip those in use, and are never 0", () => {
    const { host, world } = hostOf();
    const first = host.join(new Listener(), named("stays"), 0);
    world.calls.length = 0;
    for (let expected = 2; expected <= 65_535; expected += 1) {
      const player = host.join(new Listener(), named("passes"), 0);
      if (player !== expected) expect(player).toBe(expected);
      host.leave(player, 0);
    }
    expect(first).toBe(1);
    expect(host.join(new Listener(), named("next"), 0)).toBe(2);
  });

  test("no more come in than the world has room for", () => {
    const { host } = hostOf();
    for (const name of ["a", "b", "c"]) host.join(new Listener(), named(name), 0);
    expect(host.refuses(named("d"))).toBe("full");
    expect(() => host.join(new Listener(), named("d"), 0)).toThrow(RangeError);
    host.leave(1, 0);
    expect(host.refuses(named("d"))).toBeUndefined();
  });

  test("whom the world refuses does not come in", () => {
    const { host, world } = hostOf();
    world.refusal = "banned";
    expect(host.refuses(named("a"))).toBe("banned");
    expect(() => host.join(new Listener(), named("a"), 0)).toThrow("Cannot join: banned");
    expect(world.calls).toEqual([]);
  });

  test("a join at which the world throws leaves no player behind", () => {
    const { host } = hostOf();
    expect(() => host.join(new Listener(), named("broken"), 0)).toThrow("Cannot join: broken");
    expect(host.players.size).toBe(0);
  });

  test("the world is called for its present players alone", () => {
    const { host, world } = hostOf();
    const player = host.join(new Listener(), named("a"), 5);
    host.receive(player, say(7), Uint8Array.of(7), 6);
    host.receive(9, say(7), Uint8Array.of(7), 6);
    host.refresh(9, 6);
    host.leave(9, 6);
    host.tick(7);
    host.refresh(player, 8);
    host.leave(player, 9);
    host.leave(player, 9);
    host.receive(player, say(7), Uint8Array.of(7), 10);
    expect(world.calls).toEqual(["join 1 a 5", "receive 1 7 1 6", "tick 7", "refresh 1 8", "leave 1 9"]);
  });
});

describe("effects", () => {
  test("become writes at the next flush, in their order", () => {
    const { host, world } = hostOf();
    const [a, b] = [new Listener(), new Listener()];
    for (const listener of [a, b]) {
      world.planned = [{ effect: "enter", player: host.players.size + 1, room: "x" }];
      host.join(listener, named("player"), 0);
    }
    world.planned = [
      { effect: "send", to: 2, message: say(1) },
      { effect: "broadcast", room: "x", except: 1, message: say(2) },
      { effect: "broadcast", room: "x", except: undefined, message: say(3) },
    ];
    host.tick(1);
    expect(host.pending).toBe(true);
    expect([a.writes, b.writes]).toEqual([[], []]);
    host.flush();
    expect(host.pending).toBe(false);
    expect([a.writes, b.writes]).toEqual([[[3]], [[1, 2, 3]]]);
    expect(host.counts).toMatchObject({ broadcasts: 2, deliveries: 4, writes: 2 });
  });

  test("of a leave reach the others, and the leaving player is sent its pending messages", () => {
    const { host, world } = hostOf();
    const [a, b] = [new Listener(), new Listener()];
    for (const listener of [a, b]) {
      world.planned = [{ effect: "enter", player: host.players.size + 1, room: "x" }];
      host.join(listener, named("player"), 0);
    }
    world.planned = [{ effect: "send", to: 1, message: say(1) }];
    host.tick(1);
    world.planned = [
      { effect: "exit", player: 1, room: "x" },
      { effect: "broadcast", room: "x", except: undefined, message: say(2) },
    ];
    host.leave(1, 2);
    expect(a.writes).toEqual([[1]]);
    host.flush();
    expect([a.writes, b.writes]).toEqual([[[1]], [[2]]]);
  });

  test("that are not for the wire go to the host's callbacks", () => {
    const received: string[] = [];
    const verdict: Verdict = {
      kind: "flag",
      rule: "speed",
      reason: "Too fast",
      player: 1,
      room: "x",
      atMs: 0,
      message: new Uint8Array(),
      stateBefore: {},
    };
    const { host, world } = hostOf({
      verdict: (each) => received.push(`verdict ${each.rule}`),
      observe: ({ what, room }) => received.push(`observe ${what} in ${room}`),
      ban: (each) => received.push(`ban ${each.account}`),
      close: (player, reason) => received.push(`close ${player} ${reason}`),
      moved: (player, room) => received.push(`moved ${player} ${room}`),
      shown: (player, room, isShown) => received.push(`${isShown ? "shown" : "hidden"} ${player} ${room}`),
    });
    world.planned = [
      { effect: "enter", player: 1, room: "x" },
      { effect: "verdict", verdict },
      { effect: "observe", player: 1, room: "x", what: "step", data: {} },
      { effect: "ban", player: 1, account: "a", reason: "teleports", durationMs: 1, evidence: [verdict] },
      { effect: "close", player: 1, reason: "banned" },
      { effect: "show", player: 1, room: "y" },
      { effect: "hide", player: 1, room: "y" },
      { effect: "exit", player: 1, room: "x" },
    ];
    host.join(new Listener(), named("a"), 0);
    expect(received).toEqual([
      "moved 1 x",
      "verdict speed",
      "observe step in x",
      "ban a",
      "close 1 banned",
      "shown 1 y",
      "hidden 1 y",
      "moved 1 undefined",
    ]);
  });
});

test("a slow reader gets no lossy message until its refresh, and every other message", () => {
  const { host, world } = hostOf();
  const listener = new Listener();
  host.join(listener, named("a"), 0);
  const sendBoth = (byte: number): void => {
    world.planned = [
      { effect: "send", to: 1, message: say(byte), lossy: true },
      { effect: "send", to: 1, message: say(byte + 1) },
    ];
    host.tick(0);
    host.flush();
  };
  listener.slow = true;
  sendBoth(1);
  sendBoth(3);
  listener.slow = false;
  sendBoth(5);
  world.planned = [{ effect: "send", to: 1, message: say(7) }];
  host.refresh(1, 0);
  sendBoth(8);
  expect(listener.writes.flat()).toEqual([1, 2, 4, 6, 7, 8, 9]);
  expect(host.counts.dropped).toBe(2);
});

test("an unreliable message to a player with unsent data is dropped before it is encoded; other messages are sent", () => {
  const { host, world } = hostOf();
  const listener = new Listener();
  host.join(listener, named("a"), 0);
  const sendBoth = (byte: number): void => {
    world.planned = [
      { effect: "send", to: 1, message: say(byte), unreliable: true },
      { effect: "send", to: 1, message: say(byte + 1) },
    ];
    host.tick(0);
    host.flush();
  };
  sendBoth(1);
  listener.isBehind = true;
  const written = codecWrites;
  sendBoth(3);
  expect(codecWrites - written).toBe(1);
  listener.isBehind = false;
  sendBoth(5);
  expect(listener.writes).toEqual([[1, 2], [4], [5, 6]]);
  expect(host.counts).toMatchObject({ deliveries: 5, dropped: 1 });
});

test("`follow` reaches the world if it supports following and the player is present", () => {
  const { host, world } = hostOf({ observe: ({ what }) => void shown.push(what) });
  const shown: string[] = [];
  host.join(new Listener(), named("a"), 0);
  host.follow(1, 5);
  const follows: string[] = [];
  world.following = {
    follow(player, nowMs) {
      follows.push(`follow ${player} ${nowMs}`);
      world.planned = [{ effect: "observe", player, room: "x", what: "start", data: {}, toFollowers: true }];
    },
    unfollow: (player) => void follows.push(`unfollow ${player}`),
  };
  host.follow(2, 6);
  host.follow(1, 7);
  host.unfollow(1);
  expect(follows).toEqual(["follow 1 7", "unfollow 1"]);
  expect(shown).toEqual(["start"]);
});

test("a slow reader gets its refresh first, then broadcasts again", () => {
  const { host, world } = hostOf();
  const listener = new Listener();
  world.planned = [{ effect: "enter", player: 1, room: "x" }];
  host.join(listener, named("a"), 0);
  const broadcast = (byte: number): void => {
    world.planned = [{ effect: "broadcast", room: "x", except: undefined, message: say(byte) }];
    host.tick(0);
    host.flush();
  };
  listener.slow = true;
  broadcast(1);
  expect(host.isLagging(1)).toBe(true);
  broadcast(2);
  listener.slow = false;
  world.planned = [{ effect: "send", to: 1, message: say(3) }];
  host.refresh(1, 0);
  expect(host.isLagging(1)).toBe(false);
  broadcast(4);
  expect(listener.writes).toEqual([[1], [3, 4]]);
});
