import { describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { demoMap, demoMaps } from "../maps/demo-maps.ts";
import type { MapleMap } from "../maps/map.ts";
import { footholdsAlong, writtenMap } from "../maps/testing/written-map.ts";
import { nibbleOf, Play, type PlayedStep, randomKeys } from "../testing/play.ts";
import { flat, moveAt, savings } from "../testing/savings.ts";
import { mapleCodec } from "../wire/codec.ts";
import { boxOf, type Path } from "../wire/messages.ts";
import { keyBits } from "../wire/path-blocks.ts";
import { DocumentRecorder, TOLERANCE_PX } from "./document-recorder.ts";
import { nativePlayback } from "./native-playback.ts";
import { nodesOf, type PathNode } from "./nodes.ts";
import { flyingMonsterRecording, monsterRecording, PathRecorder, playerRecording } from "./recorder.ts";
import { createWalker, type Keys, type Move, stepWalker } from "./walker.ts";

const [hillside] = demoMaps() as readonly [MapleMap];

function record(map: MapleMap, x: number, y: number, steps: readonly Keys[]): (Path & { keypad: readonly number[] })[] {
  const play = new Play(map, { x, y }, 30);
  const recorder = new PathRecorder({ ...playerRecording, start: moveAt(play) });
  return steps.flatMap((keys) => recorder.record(play.step(keys).moves, nibbleOf(keys)) ?? []);
}

const hold = (keys: Keys, steps: number): Keys[] => new Array<Keys>(steps).fill(keys);

describe("what the client of v62 sends", () => {
  it("a fall onto the ground is the captured packet, except for a rounding", () => {
    // Captured: (108, 31) to (108, 53) on foothold 11, in three nodes of 120, 26 and 364 ms.
    const ground = writtenMap({
      mapId: 9,
      title: "Spawn",
      footholds: footholdsAlong([
        [0, 53],
        [200, 53],
      ]),
    });
    const [path] = record(ground, 108, 31, hold({}, 17));
    expect(path?.start).toEqual({ x: 108, y: 31 });
    expect(path?.fragments).toMatchObject([
      { type: 0, x: 108, vx: 0, vy: 240, foothold: 0, state: 6, durationMs: 120 },
      { type: 0, x: 108, y: 53, vx: 0, vy: 0, foothold: 0, state: 6 },
      { type: 0, x: 108, y: 53, vx: 0, vy: 0, foothold: 1, state: 4 },
    ]);
    expect(path?.fragments).toHaveLength(3);
    expect(path?.keypad).toEqual(new Array(17).fill(0));
  });

  it("every 17th step, 510 ms, with a nibble for each", () => {
    const paths = record(flat, 0, 100, hold({ right: true }, 51));
    expect(paths).toHaveLength(3);
    for (const { fragments, keypad } of paths) {
      expect(fragments).toHaveLength(1);
      expect(fragments[0]?.durationMs).toBe(510);
      expect(keypad).toEqual(new Array(17).fill(keyBits.right));
    }
    expect(paths[1]?.start).toEqual({ x: paths[0]?.fragments[0]?.x, y: 100 });
  });

  it.each([playerRecording, monsterRecording])(
    "no more nodes in a path than its count can name: the others follow",
    (kind) => {
      const start = moveAt(new Play(flat, { x: 0, y: 100 }, 30));
      const recorder = new PathRecorder({ ...kind, start });
      // Another foothold in each millisecond.
      const moves = Array.from({ length: 1200 }, (_, at) => ({
        ...start,
        durationMs: 1,
        x: at,
        foothold: 1 + (at % 2),
      }));
      const paths = Array.from(
        { length: 4 },
        (_, at) => recorder.record(moves.slice(at * 300, at * 300 + 300), 0) ?? [],
      );
      const all = [...paths.flat(), ...Array.from({ length: 20 }, () => recorder.flush() ?? []).flat()];
      expect(Math.max(...all.map(({ fragments }) => fragments.length))).toBeLessThanOrEqual(255);
      const nodes = all.flatMap(({ fragments }) => fragments);
      expect(nodes.map(({ x }) => x)).toEqual(moves.map(({ x }) => x));
      for (const [at, { start: from }] of all.entries()) {
        if (at > 0) expect(from).toMatchObject({ x: all[at - 1]?.fragments.at(-1)?.x, y: 100 });
      }
    },
  );

  it("nothing while nothing changes, whatever keys are held", () => {
    expect(record(flat, 0, 100, hold({}, 170))).toEqual([]);
    const lying = record(flat, 0, 100, hold({ down: true }, 170));
    expect(lying).toHaveLength(1);
  });

  it("a jump is an impulse of no time, the way up, the way down, the landing", () => {
    const [first, second] = record(flat, 0, 100, [{ jump: true }, ...hold({}, 33)]);
    expect(first?.fragments).toMatchObject([
      { type: 1, kind: "relative", vx: 0, vy: -555, durationMs: 0, state: 6 },
      { type: 0, vy: -15, foothold: 0, durationMs: 270 },
      { type: 0, vy: 465, foothold: 0, durationMs: 240 },
    ]);
    expect(second?.fragments).toMatchObject([
      { type: 0, y: 92, vy: 525, foothold: 0, durationMs: 30 },
      { type: 0, y: 100, vy: 0, foothold: 0, durationMs: 15 },
      { type: 0, y: 100, vy: 0, foothold: 1, state: 4 },
    ]);
  });

  it("a new foothold splits a node, in the middle of a step", () => {
    const path = record(hillside, -230, 300, hold({ right: true }, 17))[0];
    expect(path?.fragments.map(({ foothold }) => foothold)).toEqual([1, 2]);
    expect(path?.fragments[0]?.x).toBe(-200);
    expect((path?.fragments[0]?.durationMs ?? 0) % 30).not.toBe(0);
  });

  it("a drop through a platform starts with type 14 and falls with type 15, and names the foothold that it starts from", () => {
    const [path] = record(hillside, -400, 190, [{ down: true, jump: true }, ...hold({}, 16)]);
    expect(path?.fragments[0]).toMatchObject({ type: 14, kind: "startFallDown", fallStart: 5, durationMs: 0 });
    expect(path?.fragments[1]).toMatchObject({ type: 15, kind: "fallDown", fallStart: 5, foothold: 0 });
    expect(path?.fragments.at(-1)).toMatchObject({ type: 0, foothold: 1 });
  });

  it("a rope is a negative foothold", () => {
    const [path] = record(flat, 500, 100, hold({ up: true }, 17));
    expect(path?.fragments).toMatchObject([
      { type: 0, x: 500, vx: 0, vy: -100, foothold: -1, state: 16, durationMs: 510 },
    ]);
  });

  it("portals and corrections send a shorter path", () => {
    const play = new Play(flat, { x: 0, y: 100 }, 30);
    const recorder = new PathRecorder({ ...playerRecording, start: moveAt(play) });
    for (const keys of hold({ left: true }, 5)) recorder.record(play.step(keys).moves, nibbleOf(keys));
    const path = recorder.flush();
    expect(path?.keypad).toHaveLength(5);
    expect(path?.fragments.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)).toBe(150);
    expect(recorder.flush()).toBeUndefined();
    recorder.restart({ x: 70, y: 0, vx: 0, vy: 0, foothold: 0, state: 6 });
    expect(recorder.record(stepWalker(createWalker(flat, { x: 70, y: 0 }), {}, flat, 510), 0)?.start).toEqual({
      x: 70,
      y: 0,
    });
  });
});

describe("monsters", () => {
  const walk = (recording: typeof monsterRecording, steps: readonly Keys[]): Path[] => {
    const body = createWalker(flat, { x: 0, y: 100 });
    const [start] = stepWalker({ ...body }, {}, flat, 90) as readonly [Move];
    const recorder = new PathRecorder({ ...recording, start });
    return steps.flatMap((keys) => recorder.record(stepWalker(body, keys, flat, 90), 0) ?? []);
  };
  const sum = ({ fragments }: Path): number => fragments.reduce((total, { durationMs = 0 }) => total + durationMs, 0);

  it("send every twelfth step of 90 ms, 1080 ms, and no keys", () => {
    const paths = walk(monsterRecording, hold({ left: true }, 36));
    expect(paths.map(sum)).toEqual([1080, 1080, 1080]);
    expect((paths[0] as { keypad?: unknown }).keypad).toEqual([]);
  });

  it("end a path on the ground: nodes in the air wait for the next one, unless the monster flies", () => {
    const jumping = [...hold({ left: true }, 11), { jump: true }, ...hold({}, 24)];
    const paths = walk(monsterRecording, jumping);
    for (const { fragments } of paths) expect(fragments.at(-1)?.foothold).toBe(1);
    expect(sum(paths[0] as Path)).toBe(990);
    // Nothing is lost: the flight is in the second path.
    expect(paths.map(sum).reduce((total, ms) => total + ms, 0)).toBeGreaterThan(2000);
    expect(walk(flyingMonsterRecording, jumping)[0]?.fragments.at(-1)?.foothold).toBe(0);
  });
});

const codec = mapleCodec("v62");

/** Through bytes and back. */
function carried(path: Path & { keypad: readonly number[] }): Path {
  const value = { fieldKey: 1, ...path, box: boxOf(path.start, path.fragments) };
  const message = codec.read("client", codec.write("client", { message: "movePlayer", value }));
  return message.value as Path;
}

type Regime = "constant" | "ballistic" | "elsewhere";

/** How a node moves, by itself and the one before it. */
function regimeOf(before: Pick<PathNode, "x" | "y" | "vx" | "vy">, node: PathNode): Regime {
  const t = node.durationMs / 1000;
  const straight = Math.abs(before.x + node.vx * t - node.x) <= 1 && before.vx === node.vx;
  if (!straight || node.jump) return "elsewhere";
  const isLevel = before.vy === node.vy && Math.abs(before.y + node.vy * t - node.y) <= 1;
  if (isLevel && node.gravity === 0) return "constant";
  const falls = Math.abs(before.vy + node.gravity * t - node.vy) <= 1 && node.vy < 670;
  return falls && node.gravity > 0 ? "ballistic" : "elsewhere";
}

describe("random play, recorded, carried and played natively one batch late", () => {
  const errors: Record<Regime, number[]> = { constant: [], ballistic: [], elsewhere: [] };

  for (const seed of [1, 2, 3, 4]) {
    const random = createRandom(seed);
    const map = random.pick(demoMaps());
    const play = new Play(map, map.portals[0] ?? { x: 0, y: 0 }, 30);
    const recorder = new PathRecorder({ ...playerRecording, start: { ...moveAt(play) } });
    const next = randomKeys(random);
    const ghost = nativePlayback("player");
    const truth: PlayedStep[] = [{ moves: [], keys: 0, x: play.body.x, y: play.body.y }];
    /** For each 30 ms of truth: how it was sent. */
    const regimes: Regime[] = [];
    let at = { x: play.body.x, y: play.body.y, vx: 0, vy: 0 };
    for (let step = 1; step <= 20_000; step++) {
      const { keys, sits } = next();
      const played = play.step(keys, sits);
      truth.push(played);
      const path = recorder.record(played.moves, nibbleOf(keys));
      if (path !== undefined) {
        const read = carried(path);
        expect(read.fragments.reduce((sum, { durationMs = 0 }) => sum + durationMs, 0)).toBe(510);
        const nodes = nodesOf(read.fragments, "v62", read.start);
        ghost.push(nodes, step * 30);
        let end = (step - 17) * 30;
        for (const node of nodes.nodes) {
          end += node.durationMs;
          const regime = regimeOf(at, node);
          while ((regimes.length + step - 17) * 30 < 0) regimes.push("constant");
          for (let when = Math.ceil((end - node.durationMs) / 30); when * 30 <= end; when++) {
            // A sample on the seam of two nodes is the node's end.
            regimes[when] ??= regime;
          }
          at = node;
        }
      }
      const point = ghost.sample(step * 30);
      const then = truth[step - 17];
      if (point === undefined || then === undefined) continue;
      errors[regimes[step - 17] ?? "constant"].push(Math.hypot(point.x - then.x, point.y - then.y));
    }
  }
  const max = (list: readonly number[]): number => list.reduce((most, error) => Math.max(most, error), 0);
  const mean = (list: readonly number[]): number => list.reduce((sum, error) => sum + error, 0) / list.length;

  it("is within 1 px at constant velocity", () => {
    expect(errors.constant.length).toBeGreaterThan(20_000);
    expect(max(errors.constant)).toBeLessThan(1);
  });

  it("is within 2 px in ballistic flight", () => {
    expect(errors.ballistic.length).toBeGreaterThan(5_000);
    expect(max(errors.ballistic)).toBeLessThan(2);
  });

  it("is near elsewhere: the merge rule costs some px where a walk starts and stops", ({ annotate }) => {
    const { elsewhere } = errors;
    annotate(
      `elsewhere: ${elsewhere.length} samples, mean ${mean(elsewhere).toFixed(2)} px, most ${max(elsewhere).toFixed(1)} px;` +
        ` constant most ${max(errors.constant).toFixed(2)}, ballistic most ${max(errors.ballistic).toFixed(2)} px`,
    );
    expect(mean(elsewhere)).toBeLessThan(5);
    expect(max(elsewhere)).toBeLessThan(60);
  });
});

describe("the document's optimisation leaves", () => {
  const recordDocument = (map: MapleMap, x: number, y: number, steps: readonly Keys[], optimise = true) => {
    const play = new Play(map, { x, y }, 50);
    const recorder = new DocumentRecorder({ start: { ...moveAt(play) }, optimise });
    return steps.map((keys) => {
      const played = play.step(keys);
      return { played, fragments: recorder.record(played.moves) };
    });
  };
  const packetsOf = (results: ReturnType<typeof recordDocument>) =>
    results.flatMap(({ fragments }) => (fragments ? [fragments] : []));

  it("nothing while the character stands", () => {
    expect(packetsOf(recordDocument(flat, 0, 100, hold({}, 40)))).toEqual([]);
  });

  it("one fragment of 500 ms of a straight walk", () => {
    const packets = packetsOf(recordDocument(flat, 0, 100, hold({ right: true }, 40)));
    expect(packets).toHaveLength(4);
    for (const fragments of packets.slice(1)) {
      expect(fragments).toMatchObject([{ kind: "absolute", vx: 125, vy: 0, state: 2, durationMs: 500 }]);
    }
  });

  it("a few fragments of a jump", () => {
    const [first] = packetsOf(recordDocument(flat, 0, 100, [{ jump: true }, ...hold({}, 19)]));
    expect(first?.length).toBeLessThanOrEqual(4);
    expect(first?.[0]).toMatchObject({ kind: "relative", vx: 0, vy: -555, durationMs: 0 });
  });

  it("a jump down names the foothold that it starts from", () => {
    const [first] = packetsOf(recordDocument(hillside, -400, 190, [{ down: true, jump: true }, ...hold({}, 9)]));
    expect(first?.[0]).toMatchObject({ type: 11, kind: "jumpDown", x: -400, y: 190, foothold: 5 });
  });

  it("and all of it can be reconstructed", () => {
    const random = createRandom(5);
    const next = randomKeys(random);
    const steps = Array.from({ length: 4000 }, () => next().keys);
    const results = recordDocument(demoMap(2) as MapleMap, -460, 360, steps);
    let before = { x: -460, y: 360 };
    results.forEach(({ played, fragments }) => {
      if (fragments === undefined) return;
      expect(fragments.reduce((sum, { durationMs }) => sum + durationMs, 0)).toBe(500);
      const { nodes } = nodesOf(fragments, "documented", undefined, before);
      const end = nodes.at(-1);
      before = { x: end?.x ?? 0, y: end?.y ?? 0 };
      // At a packet's end nothing comes after the last fragment: a landing in its last step is not known yet.
      expect(Math.abs(before.x - played.x)).toBeLessThan(TOLERANCE_PX + 7);
      expect(Math.abs(before.y - played.y)).toBeLessThan(TOLERANCE_PX + 35);
    });
  });
});

it("the optimisation saves most of a walk, of a rope and of jumps, and all of standing", () => {
  const rows = savings();
  const saved = (scene: string): number[] => rows.filter((row) => row.scene === scene).map((row) => row.saved);
  for (const share of saved("walk")) expect(share).toBeGreaterThan(0.7);
  for (const share of saved("rope")) expect(share).toBeGreaterThan(0.6);
  for (const share of saved("jump")) expect(share).toBeGreaterThan(0.6);
  expect(saved("stand")).toEqual([1, 1]);
});
