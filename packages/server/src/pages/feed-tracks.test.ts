/** Which snapshots of a room's tracks a page is sent, on a virtual clock and with links whose queues are as the test says. */
import { pino } from "pino";
import { expect, test, vi } from "vitest";
import { payloadFraming } from "wirewalk/host";
import { TrackReader, type TrackSnapshot } from "wirewalk/motion";
import { VirtualClock } from "wirewalk/net";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import type { FakeWorld } from "../../../wirewalk/src/protocols/testing/fake-world.ts";
import { Places } from "../admission/places.ts";
import type { FeedMessage } from "../feed/feed.ts";
import { FrameMeter } from "../http/websocket-frames.ts";
import { LogBudget } from "../runtime/log-budget.ts";
import { Stalls } from "../runtime/stalls.ts";
import { budgetsWith } from "../session/budgets.ts";
import type { WebSocketLink } from "../session/links.ts";
import { HostedWorld } from "../worlds/hosted-world.ts";
import type { FeedContext } from "./feed-session.ts";
import { StudioFeed } from "./studio-feed.ts";

/** The payload of a frame of up to 65,535 bytes. */
const payloadOf = (frame: Uint8Array): Uint8Array => frame.subarray(frame[1] === 126 ? 4 : 2);

/** A page's link that keeps what it is given. */
class PageLink {
  readonly kind = "websocket";
  readonly address = "127.0.0.1";
  readonly meter = new FrameMeter();
  queuedBytes = 0;
  closedWith: string | undefined;
  readonly events: FeedMessage[] = [];
  readonly frames: Uint8Array[] = [];
  readonly snapshots: TrackSnapshot[] = [];
  readonly #reader = new TrackReader();

  watch: (room: string) => void = () => {};

  listen(): void {}

  writeText(text: Buffer): void {
    this.events.push(JSON.parse(String(text)) as FeedMessage);
  }

  write(frame: Uint8Array): void {
    this.frames.push(frame);
    const snapshot = this.#reader.read(payloadOf(frame));
    if (snapshot !== undefined) this.snapshots.push(snapshot);
  }

  close(reason: string): void {
    this.closedWith = reason;
  }

  /** The places of the newest snapshot by player. */
  get places(): Readonly<Record<number, number>> {
    const tracks = [...(this.snapshots.at(-1)?.tracks.values() ?? [])];
    return Object.fromEntries(tracks.map(({ player, position }) => [player, position.x]));
  }

  /** For every snapshot since the last call, whether it was full. */
  takeKinds(): readonly ("full" | "delta")[] {
    return this.snapshots.splice(0).map(({ isFull }) => (isFull ? "full" : "delta"));
  }
}

function setUp() {
  const clock = new VirtualClock();
  const feed = new StudioFeed(clock, () => []);
  const log = new LogBudget(pino({ level: "silent" }), { clock, linesPerMinute: 1 });
  const world = new HostedWorld({
    protocol: fakeProtocol,
    dialect: "plain",
    clock,
    seed: 1,
    enforcement: "enforce",
    demo: false,
    flushMs: 0,
    log,
    observer: feed,
    banned: () => {},
  });
  feed.start([world], []);
  const budgets = budgetsWith({ feedQueuedBytesSoft: 1_000, feedQueuedBytesHard: 5_000 });
  const places = new Places({ ...budgets, listeners: ["studio"] });
  const context: FeedContext = {
    budgets,
    stalls: new Stalls(clock),
    clock,
    proved: () => {},
    ended: () => {},
    gone: () => {},
  };
  return {
    clock,
    feed,
    world: world.world as FakeWorld,
    /** A page that watches a room. */
    open(room = "1"): PageLink {
      const place = places.take("studio", "192.0.2.1", () => {});
      if (typeof place === "string") throw new Error(place);
      const link = new PageLink();
      const session = feed.open({ link: link as unknown as WebSocketLink, place, log }, context);
      link.watch = (other) => session.watch({ world: "fake", room: other });
      link.watch(room);
      return link;
    },
    join: (room = "1"): number =>
      world.host.join({ framing: payloadFraming, deliver: () => true }, { account: "a", name: "a", room }, clock.now()),
    leave: (player: number): void => world.host.leave(player, clock.now()),
    step: (player: number, x: number): void =>
      world.receive(player, { message: "step", value: { x } }, new Uint8Array()),
  };
}

test("a page is sent all tracks first, then those that have changed, in one frame for all pages", () => {
  const { clock, open, join, leave, step } = setUp();
  const [a, b] = [join(), join()];
  const early = open();
  clock.advanceBy(50);
  expect(early.places).toEqual({ [a]: a, [b]: b });
  const late = open();
  step(b, 1);
  clock.advanceBy(50);
  expect([early.takeKinds(), late.takeKinds()]).toEqual([["full", "delta"], ["full"]]);
  step(a, 1);
  clock.advanceBy(50);
  expect(early.places).toEqual({ [a]: a + 1, [b]: b + 1 });
  expect(late.places).toEqual(early.places);
  expect(late.frames.at(-1)).toBe(early.frames.at(-1));
  leave(a);
  const c = join();
  clock.advanceBy(50);
  expect(late.places).toEqual({ [b]: b + 1, [c]: c });
  expect([early.takeKinds(), late.takeKinds()]).toEqual([
    ["delta", "delta"],
    ["delta", "delta"],
  ]);
});

test("while nobody moves, a page is sent the time once a second, in a few bytes", () => {
  const { clock, open, join } = setUp();
  for (let count = 0; count < 100; count += 1) join();
  const page = open();
  clock.advanceBy(10_050);
  const [full, ...others] = page.frames;
  expect(full?.length).toBeGreaterThan(1_000);
  expect(others.length).toBe(10);
  for (const frame of others) expect(frame.length).toBeLessThan(24);
  expect(page.snapshots.at(-1)?.atMs).toBe(10_050);
});

test("a world that counts the versions of its tracks is asked for them once for each", () => {
  const { clock, world, open, join } = setUp();
  let version = 1;
  Object.assign(world, { tracksVersion: () => version });
  const tracks = vi.spyOn(world, "tracks");
  const a = join();
  const page = open();
  clock.advanceBy(5_000);
  expect(tracks).toHaveBeenCalledTimes(1);
  expect(page.places).toEqual({ [a]: a });
  const late = open();
  clock.advanceBy(50);
  expect(tracks).toHaveBeenCalledTimes(1);
  expect(late.places).toEqual({ [a]: a });
  version = 2;
  clock.advanceBy(500);
  expect(tracks).toHaveBeenCalledTimes(2);
});

test("a page that watches another room, or the same again, begins with all its tracks", () => {
  const { clock, open, join } = setUp();
  const [a, b] = [join("1"), join("2")];
  const page = open("1");
  clock.advanceBy(50);
  expect(page.places).toEqual({ [a]: a });
  page.watch("2");
  clock.advanceBy(50);
  expect(page.places).toEqual({ [b]: b });
  page.watch("2");
  clock.advanceBy(50);
  expect(page.takeKinds()).toEqual(["full", "full", "full"]);
  // A room that was not watched for a while has another stream.
  page.watch("1");
  clock.advanceBy(2_000);
  expect(page.takeKinds()).toEqual(["full", "delta"]);
});

test("a page that reads too slowly is sent no tracks, then all of them, and is closed when it never catches up", () => {
  const { clock, open, join, step } = setUp();
  const a = join();
  const [slow, other] = [open(), open()];
  let x = 0;
  /** So many snapshots' time, with a step before each. */
  const walk = (snapshots: number): void => {
    for (let count = 0; count < snapshots; count += 1) {
      x = x === 0 ? 1 : 0;
      step(a, x);
      clock.advanceBy(50);
    }
  };
  walk(20);
  expect(slow.takeKinds()).toEqual(["full", ...Array(19).fill("delta")]);
  slow.queuedBytes = 1_001;
  walk(20);
  expect(slow.takeKinds()).toEqual([]);
  expect(slow.events.filter(({ type }) => type === "rates")).toHaveLength(2);
  slow.queuedBytes = 0;
  walk(3);
  expect(slow.places).toEqual(other.places);
  expect(slow.takeKinds()).toEqual(["full", "delta", "delta"]);
  // A queue that is long while nothing changes loses nothing.
  slow.queuedBytes = 1_001;
  clock.advanceBy(100);
  slow.queuedBytes = 0;
  walk(1);
  expect(slow.takeKinds()).toEqual(["delta"]);
  expect(slow.closedWith).toBeUndefined();
  slow.queuedBytes = 5_001;
  clock.advanceBy(50);
  expect(slow.closedWith).toBe("slow-reader");
  expect(other.closedWith).toBeUndefined();
});
