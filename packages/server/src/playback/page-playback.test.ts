/** A recording that is played without a server, on a virtual clock. */
import { listVerdicts, openRecording, type Recording, zstdDecompress } from "@wirewalk/recording";
import { beforeAll, expect, test } from "vitest";
import { TrackReader, type TrackSnapshot } from "wirewalk/motion";
import { VirtualClock } from "wirewalk/net";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import type { FeedMessage, FeedRequest } from "../feed/feed.ts";
import { PagePlayback } from "./page-playback.ts";

const PROTOCOL = "slime-online-2";
let bytes: Uint8Array;

beforeAll(async () => {
  const protocol = protocols[PROTOCOL] as PlayableProtocol;
  const { sink } = await recordPlay({ protocol, bots: 6, durationMs: 9_000, options: { keyFrameMs: 2_000 } });
  bytes = sink.bytes();
});

const open = (file: Uint8Array = bytes): Recording => openRecording(file, { decompress: { zstd: zstdDecompress } });

function play(recording = open()) {
  const clock = new VirtualClock();
  const messages: FeedMessage[] = [];
  const snapshots: TrackSnapshot[] = [];
  const refusals: string[] = [];
  const tracks = new TrackReader();
  const playback = new PagePlayback({
    recording,
    protocols,
    file: "play.mcap",
    clock,
    send: (message) => {
      if (typeof message === "string") messages.push(JSON.parse(message) as FeedMessage);
      else {
        const snapshot = tracks.read(message);
        if (snapshot !== undefined) snapshots.push(snapshot);
      }
    },
    refused: (reason) => refusals.push(reason),
  });
  const all = <T extends FeedMessage["type"]>(type: T) =>
    messages.filter((message): message is Extract<FeedMessage, { type: T }> => message.type === type);
  return {
    clock,
    messages,
    snapshots,
    refusals,
    playback,
    all,
    state: () => all("playback").at(-1)?.playback,
    ask: (request: FeedRequest) => playback.request(JSON.stringify(request)),
    /** Watches the fullest room. */
    watch(): void {
      const [fullest] = [...(all("rooms").at(-1)?.rooms ?? [])].sort((a, b) => b.players - a.players);
      playback.request(JSON.stringify({ type: "watch", world: PROTOCOL, room: fullest?.room ?? null }));
    },
  };
}

test("a page is sent what a server sends: the recording, its rooms, players, tracks, messages, verdicts and marks", () => {
  const { clock, messages, snapshots, all, watch, state } = play();
  expect(messages[0]).toMatchObject({
    type: "hello",
    worlds: [{ name: PROTOCOL, demo: { seed: 7 }, playback: { file: "play.mcap", firstMs: 0 } }],
  });
  watch();
  expect(all("players")[0]?.players.length).toBeGreaterThan(0);
  clock.advanceBy(10_000);
  const [early, late] = [snapshots[0], snapshots.at(-1)];
  expect(early?.isFull).toBe(true);
  expect(late?.atMs).toBeGreaterThan(8_000);
  const places = (snapshot: TrackSnapshot | undefined) =>
    [...(snapshot?.tracks.values() ?? [])].map(({ position }) => [position.x, position.y]);
  expect(places(late)).not.toEqual(places(early));
  const senders = new Set(all("wire").flatMap(({ records }) => records.map(({ sender }) => sender)));
  expect(senders).toEqual(new Set(["client", "server"]));
  expect(all("verdict").length).toBeGreaterThan(0);
  expect(all("marks").at(-1)).toMatchObject({ isAll: true });
  expect(all("rates").at(-1)?.rates.sessions).toBe(6);
  expect(state()).toMatchObject({ isPlaying: false, difference: null, isMissing: false, damage: null });
});

test("it plays at other speeds, pauses, steps, and jumps to verdicts, whose world is that of then", () => {
  const { clock, snapshots, ask, watch, state, all } = play();
  watch();
  ask({ type: "speed", speed: 4 });
  clock.advanceBy(1_000);
  ask({ type: "pause" });
  expect(state()?.atMs).toBe(4_000);
  clock.advanceBy(1_000);
  ask({ type: "step", to: "tick" });
  const { atMs = 0 } = state() ?? {};
  expect(atMs).toBeGreaterThan(4_000);
  expect(atMs).toBeLessThan(4_200);
  ask({ type: "seek", atMs: 0 });
  clock.advanceBy(100);
  ask({ type: "verdict", which: "next" });
  clock.advanceBy(100);
  watch();
  clock.advanceBy(100);
  const marked = all("marks").at(-1)?.marks[0]?.atMs ?? 0;
  expect(state()?.atMs).toBeGreaterThanOrEqual(marked);
  expect(state()).toMatchObject({ isSeeking: false, jump: 2 });
  expect(snapshots.at(-1)?.atMs).toBeCloseTo(state()?.atMs ?? 0, 2);
});

test("damage of the file is named with its place, and the rest is played", () => {
  const chunk = open().chunks.at(-2);
  const damaged = bytes.slice();
  for (let at = chunk?.start ?? 0; at < (chunk?.end ?? 0); at++)
    if (at % 7 === 0) damaged[at] = (damaged[at] ?? 0) ^ 0x55;
  const { clock, state } = play(open(damaged));
  clock.advanceBy(10_000);
  expect(state()?.damage).toMatch(
    /^(?:A part|\d+ parts) of the file cannot be read: (?:first )?bytes \d+ to \d+ \(.+\)$/,
  );
  expect(state()?.isPlaying).toBe(false);
});

test("nothing is sent and no timer runs after an invalid request, or when it is closed", () => {
  const { clock, messages, refusals, playback, ask } = play();
  playback.request('{"type":"stop"}');
  expect(refusals).toEqual(["not a request"]);
  const count = messages.length;
  ask({ type: "pause" });
  clock.advanceBy(5_000);
  expect(messages.length).toBe(count);
  const other = play();
  other.playback.close();
  const before = other.messages.length;
  other.clock.advanceBy(5_000);
  expect(other.messages.length).toBe(before);
});

test("the seconds of a verdict are played again and again, until the playback is sent elsewhere", () => {
  const { clock, all, ask, state } = play();
  const found = [...listVerdicts(open())].findLast(({ verdict: { rule } }) => rule === "teleport");
  if (found === undefined) throw new Error("no teleport");
  const { player, atMs, measured } = found.verdict;
  ask({ type: "moment", player, atMs: Math.floor(atMs), rule: "teleport" });
  const moment = all("moment").at(-1)?.moment;
  if (moment === undefined || moment === null) throw new Error("no moment");
  expect(moment).toMatchObject({ id: found.id, verdict: { player, rule: "teleport", measured }, isReproduced: true });
  expect(moment.toMs - moment.atMs).toBeLessThanOrEqual(2_000);
  expect(moment.atMs - moment.fromMs).toBeCloseTo(5_000, 6);
  expect(moment.story.map(({ part }) => part)).toEqual([
    "did",
    "done",
    "next",
    "sum",
    "certainty",
    "causes",
    "limits",
    "proof",
  ]);
  expect(moment.envelope).toMatchObject({ shape: "circle" });
  expect(moment.messages.some((each) => each.sender === "client" && each.atMs === atMs)).toBe(true);
  clock.advanceBy(100);
  const before = state()?.jump ?? 0;
  for (let turn = 0; turn < 200; turn += 1) {
    clock.advanceBy(100);
    expect(state()?.atMs).toBeGreaterThanOrEqual(moment.fromMs);
    expect(state()?.atMs).toBeLessThanOrEqual(moment.toMs + 300);
  }
  expect((state()?.jump ?? 0) - before).toBeGreaterThanOrEqual(2);
  // A place within it is no other place.
  ask({ type: "seek", atMs: moment.atMs });
  expect(all("moment").at(-1)?.moment).not.toBeNull();
  ask({ type: "seek", atMs: 0 });
  expect(all("moment").at(-1)).toMatchObject({ moment: null, problem: null });
});

test("a verdict that the recording does not have is no moment, and says so", () => {
  const { all, ask } = play();
  ask({ type: "moment", player: 60_000, atMs: 5 });
  expect(all("moment").at(-1)).toMatchObject({ moment: null, problem: "The recording has no such verdict." });
  ask({ type: "leave-moment" });
  expect(all("moment").length).toBe(1);
});
