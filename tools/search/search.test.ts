import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { createRandom } from "../../packages/wirewalk/src/motion/index.ts";
import { protocols } from "../../packages/wirewalk/src/protocols/table.ts";
import { type Change, changed, commonChanges, randomChange, wordsOf } from "./changes.ts";
import { gainOf, playFind, savedFind, stageOf } from "./finds.ts";
import { searchGames } from "./games.ts";
import { readKept, writeKept } from "./kept-file.ts";
import { play, type Scene, type Sent } from "./play.ts";
import { Searcher } from "./searcher.ts";

const SECONDS = 12;

/** The searcher of a game whose rules have these settings. */
function searcherOf(
  game: string,
  dialect: string,
  settings: Readonly<Record<string, number>> = {},
  seed = 1,
): Searcher {
  const protocol = protocols[game]?.capabilities?.settings?.configure(settings);
  return new Searcher({ stage: stageOf(game, protocol), dialect, seed, seconds: SECONDS });
}

function searched(searcher: Searcher, runs: number): Searcher {
  while (searcher.runs < runs) searcher.step();
  return searcher;
}

const most = (searcher: Searcher, measure: string): number =>
  Math.max(0, ...searcher.kept.filter((each) => each.measure === measure).map(({ gain }) => gain));

describe("the searcher", () => {
  it.each([
    // In 12 s a stall of the line explains up to 900 px at once, which the usual rules let pass: of what remains the plant is worth twice as much.
    ["slime-online-2", "v0106", { maxSpeed: 100, advantageSeconds: 60 }, 400, 2],
    ["maplestory", "v62", { walkPxPerSecond: 10_000 }, 400, 3],
    ["scrap-mechanic", "documented", { maxGain: 0.5, clockSlackMs: 60_000 }, 60, 3],
  ] as const)("finds a weakness that is planted in the rules of %s", (game, dialect, settings, runs, times) => {
    const weak = searched(searcherOf(game, dialect, settings), runs);
    const usual = searched(searcherOf(game, dialect), runs);
    const bound = searchGames[game]?.measures.distance?.bound ?? Infinity;
    expect(weak.finds.some(({ measure }) => measure === "distance")).toBe(true);
    expect(most(weak, "distance")).toBeGreaterThan(3 * bound);
    expect(most(weak, "distance")).toBeGreaterThan(times * most(usual, "distance"));
    const stall = searchGames[game]?.measures.leap?.bound ?? 0;
    if (game === "slime-online-2") expect(most(usual, "distance")).toBeLessThan(stall);
  });

  it("does the same for the same seed and number of runs, and goes on from what it kept", () => {
    const folder = mkdtempSync(join(tmpdir(), "searcher-"));
    try {
      const file = join(folder, "kept.json");
      const first = searched(searcherOf("slime-online-2", "documented"), 120);
      writeKept(file, "slime-online-2/documented", first.kept);
      writeKept(file, "maplestory/v62", []);
      const second = searched(searcherOf("slime-online-2", "documented"), 120);
      expect(second.kept).toEqual(first.kept);
      expect(second.finds).toEqual(first.finds);
      expect(searched(searcherOf("slime-online-2", "documented", {}, 2), 120).kept).not.toEqual(first.kept);

      const kept = readKept(file, "slime-online-2/documented");
      const later = new Searcher({ stage: stageOf("slime-online-2"), dialect: "documented", seed: 3, kept });
      for (const { measure, gain } of kept) expect(most(later, measure)).toBeGreaterThanOrEqual(gain);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("plays honest streams that gain nothing and have no verdict", () => {
    for (const [game, dialect] of [
      ["slime-online-2", "v0106"],
      ["maplestory", "v83"],
      ["scrap-mechanic", "documented"],
    ] as const) {
      const gains = searcherOf(game, dialect).honestGains();
      for (const [measure, gain] of Object.entries(gains)) {
        expect(gain, `${game} ${measure}`).toBeLessThanOrEqual(searchGames[game]?.measures[measure]?.bound ?? 0);
      }
    }
  });

  it("saves a find as what the server received, which gains the same again", () => {
    const game = "scrap-mechanic";
    const settings = { maxGain: 0.5, clockSlackMs: 60_000 };
    const searcher = searched(searcherOf(game, "documented", settings), 60);
    const find = searcher.finds.at(-1);
    if (find === undefined) throw new Error("nothing was found");
    expect(find.words).toHaveLength(find.changes.length);
    const saved = savedFind(game, find, searcher.payloadsOf(find));
    const weak = stageOf(game, protocols[game]?.capabilities?.settings?.configure(settings));
    expect(gainOf(saved, playFind(saved, weak), weak)).toBeCloseTo(find.gain, 6);
    // The rules as they are find it, or let it gain less.
    const played = playFind(saved);
    expect(played.found !== undefined || gainOf(saved, played) < find.gain).toBe(true);
  });
});

describe("changes", () => {
  const scene: Scene = { dialect: "v62", seed: 5, known: true, room: 1, seconds: 4 };
  const stage = stageOf("maplestory");
  const { sent } = play(stage, scene, "honest");
  const session = searchGames.maplestory?.session ?? new Set<string>();
  const streamAfter = (change: Omit<Change, "fromMs" | "toMs" | "every">): readonly Sent[] =>
    changed(
      sent,
      [{ fromMs: 0, toMs: 4000, every: 1, ...change }],
      searchGames.maplestory?.changes("v62") ?? {},
      session,
    );

  it("leave the beginning of a session alone and the stream in the order of time", () => {
    const random = createRandom(4);
    for (const [game, { changes, messages, session: first }] of Object.entries(searchGames)) {
      const [dialect = ""] = protocols[game]?.dialects.map(({ name }) => name) ?? [];
      const kinds = changes(dialect);
      const honest = play(stageOf(game), { ...scene, dialect }, "honest").sent;
      for (let count = 0; count < 200; count++) {
        const change = randomChange(random, kinds, messages(dialect), scene);
        const stream = changed(honest, [change], kinds, first);
        const begins = (each: readonly Sent[]) => each.filter(({ message }) => first.has(message?.message ?? ""));
        expect(begins(stream)).toEqual(begins(honest));
        expect(stream.map(({ atMs }) => atMs)).toEqual(stream.map(({ atMs }) => atMs).toSorted((a, b) => a - b));
        expect(wordsOf(change, kinds)).not.toContain("NaN");
      }
    }
  });

  it("hold messages back and send them at once", () => {
    const bursts = streamAfter({ kind: "bursts", amounts: { everyMs: 2000, heldMs: 1500 } });
    expect(bursts).toHaveLength(sent.length);
    const moves = bursts.filter(({ message }) => !session.has(message?.message ?? ""));
    expect(moves.every(({ atMs }) => atMs % 2000 >= 1500)).toBe(true);
  });

  it("move what comes after by as much", () => {
    const ends = (stream: readonly Sent[]): readonly number[] =>
      stream.flatMap(({ message }) => {
        if (message?.message !== "movePlayer") return [];
        const { fragments } = message.value as { fragments: readonly { readonly x?: number }[] };
        return [fragments.at(-1)?.x ?? 0];
      });
    const shifted = ends(streamAfter({ kind: "shift", amounts: { dx: 10, dy: 0 } }));
    expect(shifted.length).toBeGreaterThan(2);
    expect(shifted).toEqual(ends(sent).map((x, index) => x + 10 * (index + 1)));
  });

  it("are told apart in words", () => {
    const words = wordsOf(
      { kind: "bursts", fromMs: 0, toMs: 4000, every: 3, of: "movePlayer", amounts: { everyMs: 2000, heldMs: 1500 } },
      commonChanges,
    );
    expect(words).toBe(
      "0.0 to 4.0 s, one in 3 of movePlayer: held back for 1500 ms of each 2000 ms and then sent at once",
    );
  });
});
