import { describe, expect, it } from "vitest";
import { Host } from "wirewalk/host";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { type Recording, RecordKind, readWorldRecord, replayRecording } from "../index.ts";
import { recordHost } from "../node/record-host.ts";
import { MemorySink } from "../testing/record-play.ts";
import type { HostRecording } from "./host-recording.ts";
import type { RecordHostOptions, RecordingProblem, RecordingResumed } from "./recording-options.ts";

const slime = protocols["slime-online-2"] as PlayableProtocol;

const noRecipient = { framing: { frame: (payload: Uint8Array) => payload }, deliver: () => true };

/** A host whose players come, stand for a while and leave, tick by tick, with turns of the event loop in between. */
class Play {
  readonly host: Host;
  readonly recording: HostRecording;
  readonly problems: RecordingProblem[] = [];
  readonly resumed: RecordingResumed[] = [];
  readonly protocol: PlayableProtocol;
  nowMs = 0;

  constructor(options: Partial<RecordHostOptions> & Pick<RecordHostOptions, "sink">, protocol = slime) {
    this.protocol = protocol;
    const world = { dialect: (protocol.dialects[0] as { name: string }).name, seed: 3, demo: true };
    this.host = new Host({ world: protocol.createWorld(world), codec: protocol.codec(world.dialect) });
    this.recording = recordHost({
      host: this.host,
      protocol,
      world,
      nowMs: this.nowMs,
      epochNow: () => Date.UTC(2026, 0, 1) + this.nowMs,
      onProblem: (problem) => this.problems.push(problem),
      onResumed: (resumed) => this.resumed.push(resumed),
      ...options,
    });
  }

  /** With `isSlow` the disk does not keep up with the ticks. */
  async ticks(count: number, { isSlow = false } = {}): Promise<void> {
    for (let tick = 0; tick < count; tick += 1) {
      this.nowMs += this.host.world.tickMs;
      this.host.tick(this.nowMs);
      if (tick % 5 === 0) {
        const name = `p${this.nowMs}`;
        const player = this.host.join(noRecipient, { account: name, name }, this.nowMs);
        if (player % 3 === 0) this.host.refresh(player, this.nowMs);
        if (player % 4 === 0) this.host.follow(player, this.nowMs);
        if (player % 4 === 1) this.host.unfollow(player - 1);
        if (player > 3) this.host.leave(player - 3, this.nowMs);
      }
      this.host.flush();
      if (!isSlow) await this.recording.settled();
    }
  }
}

/** Numbers of the records in a file, without those that replay does not need. */
function numbersIn(recording: Recording): readonly number[] {
  return [...recording.messages()]
    .filter(({ schema, encoding }) => schema === "wirewalk.Record" || encoding === "cbor")
    .map(({ sequence }) => sequence);
}

const replay = (recording: Recording): ReturnType<typeof replayRecording> => replayRecording(recording, { protocols });

describe("a recording of a host", () => {
  it.each(Object.values(protocols).map((protocol) => [protocol.name, protocol] as const))(
    "of %s has every call, each with its number",
    async (_name, protocol) => {
      const sink = new MemorySink();
      const play = new Play({ sink }, protocol);
      await play.ticks(30);
      await play.recording.close();
      expect(play.host.recorder).toBeUndefined();
      const recording = sink.recording();
      const numbers = numbersIn(recording);
      expect(numbers).toEqual(numbers.map((_, index) => index));
      const kinds = new Set(
        [...recording.messages()]
          .filter(({ schema }) => schema === "wirewalk.Record")
          .map(({ data }) => readWorldRecord(data)?.kind),
      );
      for (const kind of ["join", "leave", "refresh", "follow", "unfollow", "tick"] as const) {
        expect(kinds).toContain(RecordKind[kind]);
      }
      expect(replay(recording)).toMatchObject({ differences: [], gaps: [], ticks: 30 });
      expect(play.recording.counts).toMatchObject({ lostRecords: 0, failures: 0, bytes: sink.bytes().length });
    },
  );

  it("begins with the players that are there already", async () => {
    const first = new Play({ sink: new MemorySink() });
    await first.ticks(20);
    await first.recording.close();
    const sink = new MemorySink();
    const world = { dialect: (slime.dialects[0] as { name: string }).name, seed: 3, demo: true };
    const { host, nowMs } = first;
    const recording = recordHost({ host, protocol: slime, world, nowMs, sink, epochNow: () => nowMs });
    expect(() => recordHost({ host, protocol: slime, world, nowMs, sink })).toThrow("the host is recorded already");
    await first.ticks(20);
    await recording.close();
    expect(replay(sink.recording())).toMatchObject({ differences: [], gaps: [], ticks: 20 });
  });

  it("is parted into files, each of which replays by itself, and none misses a record", async () => {
    const sink = new MemorySink();
    const play = new Play({ sink, keyFrameMs: 500, rotateMs: 1_000 });
    await play.ticks(100);
    await play.recording.close();
    expect(sink.files.length).toBeGreaterThan(2);
    const all = sink.files.map((_, index) => sink.recording(index));
    for (const recording of all) {
      expect(recording.isEnded).toBe(true);
      expect(replay(recording)).toMatchObject({ differences: [], gaps: [] });
    }
    const numbers = all.flatMap(numbersIn);
    expect(numbers).toEqual(numbers.map((_, index) => index));
  });

  it("replays from any time: from the key frame before it, to the wanted end", async () => {
    const sink = new MemorySink();
    const play = new Play({ sink, keyFrameMs: 500, chunkMs: 200 });
    await play.ticks(100);
    await play.recording.close();
    const startNs = BigInt(Date.UTC(2026, 0, 1)) * 1_000_000n;
    const report = replayRecording(sink.recording(), {
      protocols,
      fromNs: startNs + 1_700_000_000n,
      toNs: startNs + 3_000_000_000n,
    });
    expect(report).toMatchObject({ differences: [], gaps: [] });
    expect(report.fromMs).toBeGreaterThan(1_100);
    expect(report.fromMs).toBeLessThanOrEqual(1_700);
    expect(report.toMs).toBeGreaterThan(2_900);
    expect(report.toMs).toBeLessThanOrEqual(3_000);
  });
});

describe("a disk that is too slow", () => {
  it("loses records, counts them, and the recording goes on when there is room again", async () => {
    let release = (): void => {};
    const memory = new MemorySink();
    const isOpen = { gate: new Promise<void>((resolve) => (release = resolve)) };
    const play = new Play({
      memoryBytes: 200_000,
      chunkMs: 100,
      keyFrameMs: 500,
      sink: {
        async open() {
          const file = await memory.open();
          return {
            name: file.name,
            close: () => file.close(),
            write: async (bytes) => {
              await isOpen.gate;
              await file.write(bytes);
            },
          };
        },
      },
    });
    for (let round = 0; round < 100 && !play.recording.isLosing; round += 1) await play.ticks(50, { isSlow: true });
    expect(play.problems).toMatchObject([{ problem: "too-slow" }]);
    await play.ticks(20, { isSlow: true });
    expect(play.recording.pendingBytes).toBeLessThan(300_000);
    expect(play.recording.counts.lostRecords).toBeGreaterThan(20);
    release();
    await play.recording.settled();
    await play.ticks(60);
    expect(play.recording.isLosing).toBe(false);
    await play.recording.close();
    const report = replay(memory.recording());
    expect(report.differences).toEqual([]);
    expect(report.gaps.length).toBe(1);
    const [gap] = report.gaps;
    expect((gap?.to ?? 0) - (gap?.from ?? 0) + 1).toBe(play.recording.counts.lostRecords);
    expect(report.toMs).toBe(play.nowMs);
    expect(play.problems.length).toBe(1);
  });
});

describe("a disk that is slow for a while", () => {
  it("does not make files any smaller: the one that waits to be written is not full", async () => {
    let release = (): void => {};
    let gate = Promise.resolve();
    const memory = new MemorySink();
    const sink = {
      async open() {
        const file = await memory.open();
        return {
          name: file.name,
          close: () => file.close(),
          write: (bytes: Uint8Array) => gate.then(() => file.write(bytes)),
        };
      },
    };
    const rotateBytes = 10_000;
    const play = new Play({ chunkMs: 100, keyFrameMs: 500, rotateBytes, sink });
    const sizes = (): readonly number[] => memory.files.map((_, index) => memory.bytes(index).length);
    while ((sizes()[0] ?? 0) < rotateBytes) await play.ticks(1);
    gate = new Promise<void>((resolve) => (release = resolve));
    await play.ticks(100, { isSlow: true });
    release();
    await play.recording.settled();
    await play.recording.close();
    for (const size of sizes().slice(0, -1)) expect(size).toBeGreaterThanOrEqual(rotateBytes);
    expect(sizes().length).toBeGreaterThan(1);
    const numbers = memory.files.flatMap((_, index) => numbersIn(memory.recording(index)));
    expect(numbers).toEqual(numbers.map((_, index) => index));
  });
});

describe("a disk that fails", () => {
  /** Takes so many bytes in each file, as a disk that is full. */
  const fullAfter = (memory: MemorySink, limits: readonly number[]): RecordHostOptions["sink"] => ({
    async open() {
      let left = limits[memory.files.length] ?? Number.POSITIVE_INFINITY;
      const file = await memory.open();
      return {
        name: file.name,
        close: () => file.close(),
        write: async (bytes) => {
          left -= bytes.length;
          if (left < 0) throw new Error("ENOSPC: no space left on device, write");
          await file.write(bytes);
        },
      };
    },
  });

  it("costs recording, never play, and another file is tried later", async () => {
    const memory = new MemorySink();
    const play = new Play({ sink: fullAfter(memory, [4_000]), chunkMs: 100, keyFrameMs: 500, retryMs: 1_000 });
    await play.ticks(200);
    expect(play.problems).toMatchObject([
      { problem: "disk-failed", error: { message: expect.stringContaining("ENOSPC") as string } },
    ]);
    expect(play.host.players.size).toBe(3);
    await play.recording.close();
    expect(memory.files.length).toBe(2);
    expect(memory.recording(0).isEnded).toBe(false);
    expect(memory.recording(0).chunks.length).toBeGreaterThan(0);
    const report = replay(memory.recording(1));
    expect(report).toMatchObject({ differences: [], gaps: [], toMs: play.nowMs });
    expect(play.recording.counts).toMatchObject({ failures: 1, files: 2 });
    expect(play.recording.counts.lostRecords).toBeGreaterThan(10);
  });

  it("that stays full is tried again and again", async () => {
    const memory = new MemorySink();
    const play = new Play({ sink: fullAfter(memory, Array<number>(100).fill(0)), retryMs: 2_000 });
    await play.ticks(150);
    await play.recording.close();
    expect(play.recording.counts.failures).toBeGreaterThan(2);
    // No more often than every `retryMs`, and once at the end.
    expect(play.recording.counts.failures).toBeLessThanOrEqual(2 + play.nowMs / 2_000);
    expect(play.recording.counts.bytes).toBe(0);
    expect(play.recording.pendingBytes).toBe(0);
    // It is one problem, however often it is tried.
    expect(play.problems).toHaveLength(1);
    expect(play.recording.isLosing).toBe(true);
  });

  it("with space again, the recording goes on in a new file within five seconds by default", async () => {
    const memory = new MemorySink();
    let isFull = true;
    const play = new Play({
      sink: {
        async open() {
          const file = await memory.open();
          const write = async (bytes: Uint8Array): Promise<void> => {
            if (isFull) throw new Error("ENOSPC: no space left on device, write");
            await file.write(bytes);
          };
          return { name: file.name, close: () => file.close(), write };
        },
      },
    });
    const untilWritten = async (mostMs: number): Promise<void> => {
      const untilMs = play.nowMs + mostMs;
      while (play.recording.isLosing && play.nowMs < untilMs) await play.ticks(1);
    };
    // Also when space comes just after a file was tried.
    for (const fullMs of [200, 1_950, 2_050, 3_000, 61_000]) {
      isFull = true;
      const untilMs = play.nowMs + fullMs;
      while (!play.recording.isLosing || play.nowMs < untilMs) await play.ticks(1);
      isFull = false;
      await untilWritten(5_000);
      expect(play.recording.isLosing).toBe(false);
      expect(play.resumed.at(-1)?.lostRecords).toBeGreaterThan(0);
    }
    expect(play.problems).toHaveLength(5);
    expect(play.resumed).toHaveLength(5);
    await play.recording.close();
    expect(play.recording.counts.lostRecords).toBe(play.resumed.reduce((sum, { lostRecords }) => sum + lostRecords, 0));
    expect(replay(memory.recording(memory.files.length - 1))).toMatchObject({ differences: [], toMs: play.nowMs });
  });

  it("without a folder, the recording begins when there is one", async () => {
    const memory = new MemorySink();
    let isThere = false;
    const play = new Play({
      retryMs: 500,
      sink: {
        open: async () => (isThere ? memory.open() : Promise.reject(new Error("ENOENT: no such file or directory"))),
      },
    });
    await play.ticks(20);
    expect(play.recording.counts.files).toBe(0);
    expect(play.problems[0]).toMatchObject({ problem: "disk-failed", file: undefined });
    isThere = true;
    await play.ticks(60);
    await play.recording.close();
    expect(replay(memory.recording())).toMatchObject({ differences: [], gaps: [], toMs: play.nowMs });
  });
});

describe("a recorder that fails", () => {
  it("does not end the play", async () => {
    const sink = new MemorySink();
    const play = new Play({ sink, keyFrameMs: 500 });
    await play.ticks(10);
    play.host.world.save = () => {
      throw new Error("a bug");
    };
    await play.ticks(40);
    expect(play.problems[0]).toMatchObject({ problem: "recorder-failed", error: { message: "a bug" } });
    expect(play.host.players.size).toBe(3);
    await play.recording.close();
    expect(replay(sink.recording()).differences).toEqual([]);
  });
});
