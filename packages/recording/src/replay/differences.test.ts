import { beforeAll, describe, expect, it } from "vitest";
import type { Verdict } from "wirewalk/motion";
import { type Effect, MissingMemberError, type PlayableProtocol, type Protocol, type World } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import type { RecordedWorld } from "../profile.ts";
import type { Recording } from "../reading/read-recording.ts";
import { recordPlay } from "../testing/record-play.ts";
import { firstDifference } from "./difference.ts";
import { replayRecording } from "./replay.ts";

const slime = protocols["slime-online-2"] as PlayableProtocol;

let recording: Recording;

beforeAll(async () => {
  recording = (
    await recordPlay({ protocol: slime, bots: 4, durationMs: 9_000, options: { keyFrameMs: 2_000 } })
  ).sink.recording();
});

/** The recorded world with one thing changed. */
function changed(change: (world: World) => Partial<World>): (recorded: RecordedWorld) => World {
  return ({ dialect, seed, enforcement, demo }) => {
    const world = slime.createWorld({ dialect, seed, enforcement, demo });
    return Object.assign(world, change(world));
  };
}

describe("a replay by a world that behaves differently", () => {
  it("names the tick, the player and the effect, then the state field", () => {
    let messages = 0;
    const report = replayRecording(recording, {
      protocols,
      createWorld: changed((world) => {
        const { receive } = world;
        return {
          receive: (player, ...rest) => {
            if (player === 3) messages += 1;
            if (player !== 3 || messages !== 5) receive.call(world, player, ...rest);
          },
        };
      }),
    });
    const [first] = report.differences;
    expect(first).toMatchObject({ what: "effect" });
    expect(first?.tick).toBeGreaterThan(5);
    const state = report.differences.find(({ what }) => what === "state");
    expect(state).toMatchObject({ player: 3, field: expect.stringMatching(/^state\.players[<[]\w+[>\]]\./) as string });
    expect(state?.recorded).not.toBe(state?.replayed);
  });

  it("names a verdict that measures something else", () => {
    const report = replayRecording(recording, {
      protocols,
      createWorld: changed((world) => {
        const { takeEffects } = world;
        const other = (verdict: Verdict): Verdict => ({ ...verdict, reason: `${verdict.reason}!` });
        return {
          takeEffects: () =>
            takeEffects
              .call(world)
              .map(
                (effect: Effect): Effect =>
                  effect.effect === "verdict" && effect.verdict.kind !== "accept"
                    ? { ...effect, verdict: other(effect.verdict) }
                    : effect,
              ),
        };
      }),
    });
    expect(report.verdicts).toBeGreaterThan(0);
    expect(report.differences[0]).toMatchObject({
      what: "verdict",
      field: "verdict.reason",
      player: expect.any(Number) as number,
    });
  });

  it("says which option of the world is another", () => {
    expect(() =>
      replayRecording(recording, {
        protocols,
        createWorld: ({ dialect, seed, enforcement }) => slime.createWorld({ dialect, seed, enforcement }),
      }),
    ).toThrow(/^Cannot replay a recording of wirewalk 0\.1\.0: Cannot restore: other options: /);
  });

  it("of a game without worlds is refused by name", () => {
    const { createWorld: _gone, ...rest } = slime;
    const { values = {} } = slime.capabilities?.settings ?? {};
    const game: Protocol = { ...rest, capabilities: { settings: { values, configure: () => rest } } };
    expect(() => replayRecording(recording, { protocols: { [game.name]: game } })).toThrow(
      new MissingMemberError("slime-online-2", ["createWorld"], "be replayed"),
    );
  });

  it("of an unknown game is refused", () => {
    expect(() => replayRecording(recording, { protocols: {} })).toThrow(
      new RangeError("Cannot replay: unknown protocol slime-online-2"),
    );
  });
});

describe("the first difference", () => {
  it.each([
    [{ a: [{ b: 1 }] }, { a: [{ b: 2 }] }, "a[0].b", "1", "2"],
    [{ players: new Map([[7, { x: 0 }]]) }, { players: new Map([[7, { x: -0 }]]) }, "players<7>.x", "0", "0"],
    [{ a: 1 }, { b: 1 }, "a", "1", "absent"],
    [new Map([["k", 1]]), new Map(), '<"k">', "1", "absent"],
    [
      new Map([
        [1, 1],
        [2, 1],
      ]),
      new Map([
        [2, 1],
        [1, 1],
      ]),
      " (order of keys)",
      "1",
      "2",
    ],
    [[1, 2], [1], ".length", "2", "1"],
    [{ a: Uint8Array.of(1, 1) }, { a: Uint8Array.of(1, 2) }, "a[1]", "1", "2"],
    [Uint8Array.of(1), Uint16Array.of(1), "", "[1]", "[1]"],
    [Float64Array.of(Number.NaN), Float64Array.of(Number.NaN, 0), ".length", "1", "2"],
    [1n, 1, "", "1", "1"],
    [null, {}, "", "null", "{}"],
    [new Set([1]), new Set([2]), "", "[1]", "[2]"],
  ])("of %o and %o", (recorded, replayed, path, before, after) => {
    expect(firstDifference(recorded, replayed)).toEqual({ path, recorded: before, replayed: after });
  });

  it("is undefined for equal data", () => {
    const data = { a: [new Map([[1, new Set([2n])]]), Float32Array.of(1), undefined, Number.NaN] };
    expect(firstDifference(data, structuredClone(data))).toBeUndefined();
  });
});
