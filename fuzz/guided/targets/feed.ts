/** The page's feed: snapshots of tracks, and the requests of pages. */
import type { FeedRequest } from "@wirewalk/server/feed";
import type { Target } from "../target.ts";
import { piecesOf, SCRIPT_BYTES, scriptOf } from "./script.ts";
import { src } from "./sources.ts";

export const trackSnapshots: Target = {
  name: "track snapshots",
  summary:
    "snapshots one after another: refused by a WireError, or tracks that a writer's snapshots and deltas say again",
  cover: new RegExp(`${src}motion/(?:track-reader|track-writer|track-snapshots|snapshot-bytes)\\.ts$`),
  maxBytes: SCRIPT_BYTES,
  async open() {
    const { createRandom, TrackReader, TrackWriter } = await import("wirewalk/motion");
    const { WireError } = await import("wirewalk/wire");
    type Snapshot = NonNullable<ReturnType<InstanceType<typeof TrackReader>["read"]>>;
    type Tracks = Parameters<InstanceType<typeof TrackWriter>["update"]>[1];
    const say = (tracks: Snapshot["tracks"]): string =>
      JSON.stringify([...tracks].toSorted(([a], [b]) => a - b).map(([id, { atMs: _, ...track }]) => [id, track]));
    /** Some tracks, to begin with. */
    const random = createRandom(3);
    const somewhere = (seed: number): Tracks =>
      Array.from({ length: 1 + (seed % 4) }, (_, player) => ({
        player: player + 1,
        room: "1",
        atMs: seed,
        position: {
          x: random.integer(-900, 900) / 8,
          y: random.integer(0, 900),
          ...(seed % 3 === 0 ? { z: 1.5 } : {}),
        },
        velocity: { x: seed, y: 0 },
        facingTurns: 0.25,
        source: "claimed",
        stance: seed % 2 === 0 ? "stand" : "walk",
        ...(seed % 5 === 0 ? { details: { ticks: seed, text: "t" } } : {}),
      })) as unknown as Tracks;
    const seeds = Array.from({ length: 12 }, (_, seed) => {
      const writer = new TrackWriter({ stream: 1 + (seed % 2), world: "osrs", room: "world" });
      const pieces: Uint8Array[] = [];
      for (let step = 0; step < 4; step++) {
        const delta = writer.update(step * 100, somewhere(seed + step));
        if (step === 0) pieces.push(writer.full(0));
        else if (delta !== undefined) pieces.push(delta);
        else pieces.push(writer.still(step * 100));
      }
      return scriptOf(pieces.filter(({ length }) => length < 255));
    });
    return {
      seeds,
      run(script) {
        const reader = new TrackReader();
        let writer = new TrackWriter({ stream: 9, world: "", room: "" });
        let follower = new TrackReader();
        let isFirst = true;
        for (const piece of piecesOf(script)) {
          let snapshot: Snapshot | undefined;
          try {
            snapshot = reader.read(piece);
          } catch (error) {
            if (!(error instanceof WireError)) throw error;
            continue;
          }
          if (snapshot === undefined) continue;
          const { tracks, atMs, world, room, isFull } = snapshot;
          if (isFull) {
            writer = new TrackWriter({ stream: 9, world, room });
            follower = new TrackReader();
            isFirst = true;
          }
          if (!Number.isFinite(atMs)) throw new Error(`A snapshot of ${atMs}`);
          if (writer.isFull) return;
          const delta = writer.update(atMs, [...tracks.values()]);
          const whole = new TrackReader().read(writer.full(atMs));
          const followed = follower.read(isFirst ? writer.full(atMs) : (delta ?? writer.still(atMs)));
          isFirst = false;
          const expected = say(tracks);
          if (say(whole?.tracks ?? new Map()) !== expected)
            throw new Error(`${expected} is written whole as ${say(whole?.tracks ?? new Map())}`);
          if (say(followed?.tracks ?? new Map()) !== expected)
            throw new Error(`${expected} is written as a delta that gives ${say(followed?.tracks ?? new Map())}`);
        }
      },
    };
  },
};

export const feedRequests: Target = {
  name: "feed requests",
  summary: "a page's message as text: undefined, or a request of bounded names that is parsed again as itself",
  cover: /packages\/server\/src\/\w+\/feed-messages\.ts$/,
  maxBytes: 200,
  async open() {
    const { parseRequest } = await import("../../../packages/server/src/feed/feed-messages.ts");
    const text = (line: string): Uint8Array => new TextEncoder().encode(line);
    const decoder = new TextDecoder();
    return {
      seeds: [
        '{"type":"watch","world":"osrs","room":"world","player":3}',
        '{"type":"watch","world":"osrs","room":null}',
        `{"type":"watch","world":"${"a".repeat(64)}","room":"","player":null}`,
        "[]",
        "null",
        '{"type":"play"}',
        '{"type":"step","to":"tick"}',
        '{"type":"step","to":"packet"}',
        '{"type":"speed","speed":0.5}',
        '{"type":"seek","atMs":90000}',
        '{"type":"verdict","which":"previous"}',
        '{"type":"moment","player":7,"atMs":13250,"rule":"teleport"}',
        '{"type":"moment","player":7,"atMs":13250}',
        '{"type":"leave-moment"}',
      ].map(text),
      words: ['"type":', '"watch"', '"world":', '"room":', '"player":', "null", "-1", "1e999", "9007199254740993"].map(
        text,
      ),
      run(input) {
        const request = parseRequest(decoder.decode(input));
        if (request === undefined) return;
        if (!isBounded(request)) throw new Error(`It is taken as ${JSON.stringify(request)}`);
        if (JSON.stringify(parseRequest(JSON.stringify(request))) !== JSON.stringify(request)) {
          throw new Error(`${JSON.stringify(request)} is parsed again as another`);
        }
      },
    };
  },
};

/** Whether a request has exactly the members of its type, with values within their bounds. */
function isBounded(request: FeedRequest): boolean {
  const members = Object.keys(request).length;
  switch (request.type) {
    case "watch": {
      const { world, room, player = null } = request;
      const isName = (name: unknown): boolean => typeof name === "string" && name.length >= 1 && name.length <= 64;
      const areNames = isName(world) && (room === null || isName(room));
      return members === 4 && areNames && (player === null || Number.isSafeInteger(player));
    }
    case "play":
    case "pause":
    case "leave-moment":
      return members === 1;
    case "moment": {
      const { player, atMs, rule } = request;
      const areWhole = [player, atMs].every((value) => Number.isSafeInteger(value) && value >= 0);
      const hasName = rule !== undefined && rule.length >= 1 && rule.length <= 64;
      return areWhole && (rule === undefined ? members === 3 : members === 4 && hasName);
    }
    case "step":
      return members === 2 && ["tick", "packet"].includes(request.to);
    case "speed":
      return members === 2 && request.speed >= 0.1 && request.speed <= 16;
    case "seek":
      return members === 2 && request.atMs >= 0 && request.atMs < Number.POSITIVE_INFINITY;
    case "verdict":
      return members === 2 && ["next", "previous"].includes(request.which);
  }
}
