import { beforeAll, describe, expect, it } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { digestOf } from "wirewalk/world-kit";
import { type KeyFrame, RecordKind, readWorldRecord } from "../profile.ts";
import type { RecordedMessage, Recording } from "../reading/read-recording.ts";
import { alterKeyFrames, alterRecording } from "../testing/alter-recording.ts";
import { recordPlay } from "../testing/record-play.ts";
import { type ReplayReport, replayRecording } from "./replay.ts";

const games = Object.values(protocols).map((protocol) => [protocol.name, protocol] as const);

const replay = (recording: Recording): ReplayReport => replayRecording(recording, { protocols });

const record = ({ schema, data }: RecordedMessage) =>
  schema === "wirewalk.Record" ? readWorldRecord(data) : undefined;

const digestText = (state: object): string => digestOf(state).toString(16).padStart(16, "0");

/** What a saved world within a saved world has beside its state. */
const outline = new Set(["schema", "options", "world"]);

/** Adds one to the first number inside, by the order of names; its path, or undefined without one. */
function addToNumber(data: unknown, path: string): string | undefined {
  if (typeof data !== "object" || data === null || ArrayBuffer.isView(data) || data instanceof Set) return undefined;
  const inside: readonly (readonly [string, unknown, unknown])[] = Array.isArray(data)
    ? data.map((value, index) => [`${path}[${index}]`, index, value])
    : data instanceof Map
      ? [...data].map(([key, value]) => [`${path}<${key}>`, key, value])
      : Object.entries(data)
          .filter(([name]) => !outline.has(name))
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([name, value]) => [`${path}.${name}`, name, value]);
  for (const [at, key, value] of inside) {
    if (typeof value !== "number" || !Number.isFinite(value)) {
      const deeper = addToNumber(value, at);
      if (deeper !== undefined) return deeper;
      continue;
    }
    if (data instanceof Map) data.set(key, value + 1);
    else (data as Record<string, unknown>)[String(key)] = value + 1;
    return at;
  }
  return undefined;
}

describe.each(games)("a recording of %s in which one thing was altered", (_, protocol) => {
  let bytes: Uint8Array<ArrayBuffer>;
  let whole: ReplayReport;

  beforeAll(async () => {
    const { sink } = await recordPlay({ protocol, bots: 8, durationMs: 6_000, options: { keyFrameMs: 1_500 } });
    bytes = sink.bytes();
    whole = replay(sink.recording());
  });

  it("is as it was when nothing is altered", () => {
    expect(replay(alterRecording(bytes, () => undefined))).toEqual(whole);
    expect(whole.differences).toEqual([]);
  });

  it("an input: the first difference names tick, player and what differs", () => {
    let altered: { readonly player: number; readonly nowMs: number } | undefined;
    const report = replay(
      alterRecording(bytes, (message) => {
        const input = record(message);
        if (altered !== undefined || (input?.kind !== RecordKind.leave && input?.kind !== RecordKind.message))
          return undefined;
        if (input.nowMs < 3_000 || input.body.length < 2) return undefined;
        altered = input;
        const data = message.data.slice();
        data[data.length - 1] = (data[data.length - 1] ?? 0) ^ 0xff;
        return data;
      }),
    );
    const [first] = report.differences;
    expect(altered).toBeDefined();
    expect(first?.nowMs).toBeGreaterThanOrEqual(altered?.nowMs ?? Number.POSITIVE_INFINITY);
    expect(first?.tick).toBeGreaterThan(0);
    expect(first?.recorded).not.toBe(first?.replayed);
    expect(report.differences.map(({ player }) => player)).toContain(altered?.player);
  });

  it("the bytes to a client: the message is named", () => {
    let altered: number | undefined;
    const report = replay(
      alterRecording(bytes, (message) => {
        const effects = record(message);
        if (altered !== undefined || effects?.kind !== RecordKind.effects || effects.nowMs < 3_000) return undefined;
        altered = effects.nowMs;
        const data = message.data.slice();
        data[data.length - 1] = (data[data.length - 1] ?? 0) ^ 1;
        return data;
      }),
    );
    expect(report.differenceCount).toBe(1);
    expect(report.differences[0]).toMatchObject({
      what: "effect",
      nowMs: altered,
      field: expect.stringMatching(/^(?:(?:send|broadcast) of \w+|\w+)$/) as string,
      recorded: expect.stringMatching(/^[0-9a-f]{8}$/) as string,
    });
  });

  // Verdicts on mice come after a minute.
  it.skipIf(protocol.name === "osrs")("a verdict: its member is named", () => {
    let isAltered = false;
    const report = replay(
      alterRecording(bytes, ({ schema, data }) => {
        if (isAltered || schema !== "wirewalk.Verdict") return undefined;
        isAltered = true;
        const verdict = JSON.parse(new TextDecoder().decode(data)) as object;
        return new TextEncoder().encode(JSON.stringify({ ...verdict, rule: "another" }));
      }),
    );
    expect(report.differenceCount).toBe(1);
    expect(report.differences[0]).toMatchObject({ what: "verdict", field: "verdict.rule", recorded: '"another"' });
  });

  it("the state at a key frame: its member is named, and replay goes on from it", () => {
    let path: string | undefined;
    const report = replay(
      alterKeyFrames(bytes, (frame, index) => {
        if (index !== 2) return undefined;
        const saved = structuredClone(frame.saved);
        path = addToNumber(saved.state, "state");
        return { ...frame, saved, digest: digestText(saved) };
      }),
    );
    const states = report.differences.filter(({ what }) => what === "state");
    expect(path).toMatch(/^state\./);
    expect(states[0]).toMatchObject({ field: path });
  });

  it("the digest of the key frame where replay begins: it is named", () => {
    const report = replay(
      alterKeyFrames(bytes, (frame, index) => (index === 0 ? { ...frame, digest: "0123456789abcdef" } : undefined)),
    );
    expect(report.differenceCount).toBe(1);
    expect(report.differences[0]).toMatchObject({
      what: "state",
      field: "digest of the key frame",
      recorded: "0123456789abcdef",
    });
  });
});

describe("a recording of another version", () => {
  const slime = protocols["slime-online-2"] as PlayableProtocol;
  let bytes: Uint8Array<ArrayBuffer>;

  beforeAll(async () => {
    bytes = (await recordPlay({ protocol: slime, bots: 2, durationMs: 2_000 })).sink.bytes();
  });

  const other = (change: (frame: KeyFrame) => object): Recording =>
    alterKeyFrames(bytes, (frame) => ({ ...frame, library: "9.8.7", ...change(frame) }));

  it("replays as long as the same world can be made", () => {
    expect(replay(other(() => ({}))).differences).toEqual([]);
  });

  it.each<[string, (frame: KeyFrame) => object, string]>([
    ["profile", () => ({ profile: 2 }), ": profile 2, this version reads 1"],
    [
      "dialect",
      ({ world }) => ({ world: { ...world, dialect: "v0107" } }),
      ": unknown dialect v0107 of slime-online-2, which has documented, ",
    ],
    [
      "setting",
      ({ world }) => ({ world: { ...world, settings: { ...world.settings, maxSpeeed: 3 } } }),
      ": unknown setting slime-online-2.maxSpeeed",
    ],
    [
      "setting, of rules of an earlier version",
      ({ world }) => ({ world: { ...world, settings: { ...world.settings, savedShare: 0.25, coastPx: 600 } } }),
      ": unknown setting slime-online-2.savedShare: it is heldBackShare now, slime-online-2.coastPx: it follows from the game's motion",
    ],
    [
      "layout of the saved state",
      ({ saved }) => ({ saved: { ...saved, schema: 1_000 } }),
      ": Cannot restore: schema 1000, expected ",
    ],
    [
      "member of the saved state",
      ({ saved }) => ({ saved: { ...saved, state: { ...saved.state, more: 1 } } }),
      ": Cannot restore: state.more is unknown",
    ],
    [
      "option of the world",
      ({ saved }) => ({ saved: { ...saved, options: { ...saved.options, enforcement: "log" } } }),
      ': Cannot restore: other options: enforcement was "log" and is "enforce"',
    ],
    [
      "game in the saved state",
      ({ saved }) => ({ saved: { ...saved, world: "maplestory/v62" } }),
      ': Cannot restore: saved by "maplestory/v62", not by slime-online-2/v0106',
    ],
  ])("with another %s says exactly that", (_, change, why) => {
    expect(() => replay(other(change))).toThrow(`Cannot replay a recording of wirewalk 9.8.7${why}`);
  });

  it.each<[string, (frame: KeyFrame) => object]>([
    ["world must be an object", () => ({ world: 1 })],
    ["world.dialect must be a text", ({ world }) => ({ world: { ...world, dialect: 1 } })],
    ["world.seed must be a whole number", ({ world }) => ({ world: { ...world, seed: 0.5 } })],
    ["world.enforcement must be enforce or log", ({ world }) => ({ world: { ...world, enforcement: "no" } })],
    ["world.settings.a must be a number", ({ world }) => ({ world: { ...world, settings: { a: "1" } } })],
    ["saved must be an object", () => ({ saved: [] })],
    ["digest must be 16 hex digits", () => ({ digest: "1" })],
    ["nowMs must be a number", () => ({ nowMs: Number.NaN })],
    ["players must be an array", () => ({ players: new Map() })],
    ["players[0].player must be 1 to 65535", () => ({ players: [{ player: 0 }] })],
    ["channels must be a map", () => ({ channels: {} })],
  ])("that is malformed is refused: %s", (why, change) => {
    expect(() => replay(other(change))).toThrow(new RangeError(`Cannot replay: malformed key frame: ${why}`));
  });

  it("with a record of an unknown kind says which record", () => {
    const altered = alterRecording(bytes, (message) => {
      if (record(message)?.kind !== RecordKind.tick) return undefined;
      const data = message.data.slice();
      data[0] = 99;
      return data;
    });
    expect(() => replay(altered)).toThrow(/^Cannot replay: record \d+ is not of profile 1$/);
  });
});
