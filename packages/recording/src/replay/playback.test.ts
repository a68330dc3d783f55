import { beforeAll, describe, expect, it } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { nodeDecompress } from "../node/read-file.ts";
import { openRecording, type Recording } from "../reading/read-recording.ts";
import { type MemorySink, recordPlay } from "../testing/record-play.ts";
import { Playback, type PlaybackOptions } from "./playback.ts";
import { replayRecording } from "./replay.ts";

const slime = protocols["slime-online-2"] as PlayableProtocol;

let recording: Recording;
let sink: MemorySink;

beforeAll(async () => {
  ({ sink } = await recordPlay({ protocol: slime, bots: 4, durationMs: 9_000, options: { keyFrameMs: 2_000 } }));
  recording = sink.recording();
});

const open = (options: Partial<PlaybackOptions> = {}): Playback => new Playback(recording, { protocols, ...options });

function seek(playback: Playback, atMs: number): Playback {
  playback.seek(atMs);
  while (!playback.continueSeek()) {
    // Another turn.
  }
  return playback;
}

describe("a playback", () => {
  it("has the length of the recording, and plays all of it as a replay does", () => {
    const playback = open();
    const replayed = replayRecording(recording, { protocols });
    expect(playback.durationMs).toBe(replayed.toMs - replayed.fromMs);
    expect(playback.play(Number.POSITIVE_INFINITY)).toBe(true);
    expect(playback.isAtEnd).toBe(true);
    expect(playback.report).toEqual(replayed);
  });

  it("is at any position in the state in which it is after playing up to there", () => {
    const played = open();
    for (let atMs = 300; atMs < played.durationMs; atMs += 700) {
      played.play(atMs);
      const sought = seek(open(), atMs);
      expect(sought.atMs).toBe(atMs);
      expect(sought.world?.digest()).toBe(played.world?.digest());
      expect(sought.world?.tracks(sought.nowMs)).toEqual(played.world?.tracks(played.nowMs));
      expect([...sought.players]).toEqual([...played.players]);
    }
  });

  it("goes back, and reads at most two key frames' distance of records for it", () => {
    let records = 0;
    const playback = open({ onInput: () => (records += 1) });
    playback.play(8_000);
    const all = records;
    records = 0;
    seek(playback, 7_900);
    expect(playback.isSeeking).toBe(false);
    expect(records).toBeLessThan(all / 2);
    const digest = playback.world?.digest();
    seek(seek(playback, 100), 7_900);
    expect(playback.world?.digest()).toBe(digest);
  });

  it("reads for a jump each chunk once, from the key frame on", () => {
    const read: number[] = [];
    const counted = sink.recording();
    const messagesOf = counted.messagesOf.bind(counted);
    counted.messagesOf = (chunk, topic) => {
      read.push(chunk.start);
      return messagesOf(chunk, topic);
    };
    const playback = new Playback(counted, { protocols });
    read.length = 0;
    seek(playback, 5_900);
    // A key frame every 2 s, in chunks of 1 s: that of 4 s, what follows to 5.9 s, and the first record after it.
    expect(read.length).toBeLessThanOrEqual(4);
    expect(read).toEqual([...new Set(read)].sort((a, b) => a - b));
  });

  it("shows the world before a jump until the one after it is there", () => {
    const jumps: number[] = [];
    const playback: Playback = open({ onJump: () => jumps.push(1) });
    playback.play(500);
    const { world } = playback;
    playback.seek(5_900);
    expect(playback.continueSeek(() => true)).toBe(false);
    expect([playback.atMs, playback.world, playback.isSeeking]).toEqual([500, world, true]);
    // A newer jump replaces it.
    seek(playback, 3_100);
    expect(playback.atMs).toBe(3_100);
    expect(jumps.length).toBe(2);
  });

  it("steps from tick to tick, and from packet to packet", () => {
    let packets = 0;
    const playback = seek(
      open({ onInput: () => (packets += 1), onEffect: (_, payload) => (packets += payload ? 1 : 0) }),
      4_000,
    );
    const { ticks } = playback.report;
    playback.step("tick");
    expect(playback.report.ticks).toBe(ticks + 1);
    const atMs = playback.atMs;
    playback.step("tick");
    expect(playback.atMs - atMs).toBe(playback.world?.tickMs);
    for (let count = 0; count < 20; count += 1) {
      packets = 0;
      playback.step("packet");
      expect(packets).toBeGreaterThan(0);
    }
    expect(playback.report.inputs).toBeGreaterThan(0);
    seek(playback, playback.lastMs);
    playback.step("tick");
    expect(playback.isAtEnd).toBe(true);
  });

  it("stays within its part, and refuses one that is not there", () => {
    const playback = open({ firstMs: 3_000, lastMs: 4_000 });
    expect(playback.atMs).toBe(3_000);
    playback.play(9_000);
    expect([playback.atMs, playback.isAtEnd]).toEqual([4_000, true]);
    expect(seek(playback, 0).atMs).toBe(3_000);
    expect(() => open({ firstMs: 60_000 })).toThrow(/^Cannot play from 60000 to \d+ ms: the recording has \d+ ms$/);
  });

  it("has no world where records are missing, and one again from the next key frame on", () => {
    const chunk = recording.chunks[3];
    const bytes = sink.bytes();
    const middle = ((chunk?.start ?? 0) + (chunk?.end ?? 0)) >> 1;
    bytes[middle] = (bytes[middle] ?? 0) ^ 1;
    const damaged = openRecording(bytes, { decompress: nodeDecompress });
    const worlds = new Set<boolean>();
    const playback = new Playback(damaged, { protocols });
    for (let atMs = 0; atMs < playback.durationMs; atMs += 100) {
      playback.play(atMs);
      worlds.add(playback.world !== undefined);
    }
    expect(worlds).toEqual(new Set([true, false]));
    expect(playback.world).toBeDefined();
    expect(playback.report.gaps.length).toBe(1);
  });
});

describe("a followed player", () => {
  const osrs = protocols.osrs as PlayableProtocol;

  it("changes nothing in the comparison: it rests until the first key frame at which nobody is followed", async () => {
    const followed = (await recordPlay({ protocol: osrs, bots: 3, durationMs: 9_000, options: { keyFrameMs: 1_500 } }))
      .sink;
    const seen: string[] = [];
    const playback = new Playback(followed.recording(), {
      protocols,
      onEffect: (effect) => {
        if (effect.effect === "observe" && effect.toFollowers === true) seen.push(effect.what);
      },
    });
    playback.play(1_000);
    const [player = 0] = playback.players.keys();
    playback.follow(player);
    playback.play(4_000);
    expect(seen.length).toBeGreaterThan(2);
    const { keyFrames } = playback.report;
    playback.unfollow(player);
    playback.play(playback.lastMs);
    expect(playback.report.keyFrames).toBeGreaterThan(keyFrames);
    expect(playback.report.differences).toEqual([]);
  });
});
