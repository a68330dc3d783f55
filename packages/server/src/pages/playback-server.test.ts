import type { Recording } from "@wirewalk/recording";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Clock, systemClock } from "wirewalk/net";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import type {
  FeedMark,
  FeedPlayback,
  FeedWireRecord,
  PlaybackRequest,
  ServedWorld,
  WatchRequest,
} from "../feed/feed.ts";
import { MAX_MARKS, VerdictMarks } from "../playback/verdict-marks.ts";
import { until, WebClient } from "../testing/clients.ts";
import { type RunningPlayback, startPlayback } from "./playback-server.ts";

const PROTOCOL = "slime-online-2";
let recording: Recording;
let running: RunningPlayback | undefined;

beforeAll(async () => {
  const protocol = protocols[PROTOCOL] as PlayableProtocol;
  recording = (
    await recordPlay({ protocol, bots: 6, durationMs: 9_000, options: { keyFrameMs: 2_000 } })
  ).sink.recording();
});
afterEach(async () => {
  await running?.close();
  running = undefined;
});

it("stops its timers when its port is in use", async () => {
  const options = { recording, protocols, file: "play.mcap", studioFolder: undefined } as const;
  running = await startPlayback({ ...options, http: 0 });
  let timers = 0;
  const clock: Clock = {
    now: () => systemClock.now(),
    after: (delayMs, call) => counted(systemClock.after(delayMs, call)),
    every: (periodMs, call) => counted(systemClock.every(periodMs, call)),
  };
  const counted = (cancel: () => void): (() => void) => {
    timers += 1;
    let isRunning = true;
    return () => {
      if (isRunning) timers -= 1;
      isRunning = false;
      cancel();
    };
  };
  await expect(startPlayback({ ...options, http: running.address.port, clock })).rejects.toThrow("the port is in use");
  expect(timers).toBe(0);
});

class Page {
  readonly client: WebClient;

  constructor(client: WebClient) {
    this.client = client;
  }

  static async open(): Promise<Page> {
    running ??= await startPlayback({ recording, protocols, file: "play.mcap", http: 0, studioFolder: undefined });
    return new Page(await WebClient.to(running.address, "/ws/studio"));
  }

  ask(request: PlaybackRequest | WatchRequest): void {
    this.client.socket.send(JSON.stringify(request));
  }

  watch(room: string | null): void {
    this.ask({ type: "watch", world: PROTOCOL, room });
  }

  /** The newest state that the page was sent. */
  get state(): FeedPlayback | undefined {
    return this.client.events.findLast(({ type }) => type === "playback")?.playback as FeedPlayback | undefined;
  }

  async reaches(what: string, isThere: (state: FeedPlayback) => boolean): Promise<FeedPlayback> {
    await until(what, () => this.state !== undefined && isThere(this.state));
    return this.state as FeedPlayback;
  }

  async room(): Promise<string> {
    const { rooms } = await this.client.receivesEvent("rooms", (event) => (event.rooms as unknown[]).length > 0);
    return (rooms as { room: string }[])[0]?.room ?? "";
  }
}

describe("the feed of a recording", () => {
  it("gives what a live server gives: rooms, players, tracks, messages of both directions, verdicts", async () => {
    const page = await Page.open();
    const { worlds: served } = await page.client.receivesEvent("hello");
    expect((served as ServedWorld[])[0]).toMatchObject({
      name: PROTOCOL,
      demo: { seed: 7 },
      playback: { file: "play.mcap", startMs: 0, firstMs: 0, epochMs: Date.UTC(2026, 0, 1) },
    });
    page.ask({ type: "speed", speed: 16 });
    page.watch(await page.room());
    expect((await page.client.receivesEvent("players")).players).not.toEqual([]);
    await page.client.receivesEvent("tracks", ({ tracks }) => (tracks as unknown[]).length > 0);
    const senders = new Set<string>();
    await page.client.receivesEvent("wire", ({ records }) => {
      for (const { sender, player, name } of records as FeedWireRecord[]) {
        senders.add(sender);
        // Also of players of other rooms, whom the page knows by no other message. A broadcast to a room has no player.
        if (sender === "client") expect(name, `player ${player}`).toMatch(/^bot/);
      }
      return senders.size === 2;
    });
    const { verdict } = await page.client.receivesEvent("verdict");
    expect(verdict).toMatchObject({ player: expect.any(Number) as number, message: expect.any(String) as string });
    const { atMs, difference } = await page.reaches("the end of the recording", ({ isPlaying }) => !isPlaying);
    expect(atMs).toBe(running?.state.atMs);
    expect(difference).toBeNull();
  });

  it("jumps, for all pages: each receives the count of jumps, and after watch the world of then", async () => {
    const [page, other] = [await Page.open(), await Page.open()];
    page.ask({ type: "pause" });
    await page.reaches("a pause", ({ isPlaying }) => !isPlaying);
    page.ask({ type: "seek", atMs: 6_000 });
    for (const each of [page, other]) {
      const { atMs } = await each.reaches("the jump", ({ jump, isSeeking }) => jump === 1 && !isSeeking);
      expect(atMs).toBe(6_000);
    }
    other.watch(await other.room());
    expect((await other.client.receivesEvent("players")).players).not.toEqual([]);
    const { atMs: tracksMs } = await other.client.receivesEvent("tracks");
    expect(tracksMs).toBe(6_000);
    // The verdicts of the seconds before are those after `watch`.
    const before = other.client.events.filter(({ type }) => type === "verdict");
    for (const { verdict } of before) expect((verdict as { atMs: number }).atMs).toBeLessThanOrEqual(6_000);
    other.ask({ type: "step", to: "tick" });
    const { atMs } = await page.reaches("a step", (state) => state.atMs > 6_000);
    expect(atMs).toBeLessThan(6_000 + 1_000);
  });

  it("carries out only the last of many jumps that arrive together", async () => {
    const page = await Page.open();
    page.ask({ type: "pause" });
    for (let atMs = 0; atMs < 20; atMs += 1) running?.control({ type: "seek", atMs: 1_000 + 100 * atMs });
    const { jump } = await page.reaches("the last", ({ atMs, isSeeking }) => atMs === 2_900 && !isSeeking);
    expect(jump).toBe(1);
  });

  it("has marks of all verdicts, and goes from one verdict to the next and back", async () => {
    const page = await Page.open();
    const { marks } = await page.client.receivesEvent("marks", ({ isAll }) => isAll === true);
    const times = [...recording.messages({ topic: (topic) => topic.endsWith("/verdicts") })].map(
      ({ data }) => (JSON.parse(new TextDecoder().decode(data)) as { atMs: number }).atMs,
    );
    expect((marks as FeedMark[]).reduce((sum, { count }) => sum + count, 0)).toBe(times.length);
    expect((marks as FeedMark[]).length).toBeLessThanOrEqual(MAX_MARKS);
    page.ask({ type: "seek", atMs: 0 });
    page.ask({ type: "verdict", which: "next" });
    const first = times.find((time) => time > 0) ?? 0;
    const state = await page.reaches("the first verdict", ({ atMs, isSeeking }) => atMs === first && !isSeeking);
    expect(state.isPlaying).toBe(false);
    page.ask({ type: "seek", atMs: 9_000 });
    const end = await page.reaches("the end", ({ atMs, isSeeking }) => atMs > first && !isSeeking);
    page.ask({ type: "verdict", which: "previous" });
    const last = times.findLast((time) => time < end.atMs);
    await page.reaches("the last verdict", ({ atMs }) => atMs === last);
  });

  it.each([
    '{"type":"speed","speed":17}',
    '{"type":"speed","speed":"2"}',
    '{"type":"seek","atMs":-1}',
    '{"type":"seek","atMs":1e999}',
    '{"type":"step","to":"end"}',
    '{"type":"verdict"}',
    '{"type":"stop"}',
  ])("ends with %s, and plays on for others", async (text) => {
    const [page, other] = [await Page.open(), await Page.open()];
    page.client.socket.send(text);
    await until("the feed has ended", () => page.client.socket.readyState === 3);
    other.ask({ type: "speed", speed: 2 });
    await other.reaches("another speed", ({ speed }) => speed === 2);
  });
});

describe("marks", () => {
  it("of a recording with any number of verdicts are at most so many, with the gravest kind", () => {
    const marks = new VerdictMarks(recording, { startMs: 0, firstMs: 0, lastMs: 9_000 });
    while (!marks.isAll) marks.read();
    for (const { atMs, kind } of marks.marks) {
      expect(atMs % (9_000 / MAX_MARKS)).toBeCloseTo(0, 6);
      expect(["benign", "flag", "correct", "reject"]).toContain(kind);
    }
    expect(marks.near(Number.POSITIVE_INFINITY, "next")).toBeUndefined();
  });
});
