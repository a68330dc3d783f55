/** What the drawing of a verdict has, for each rule that cheats of the games break: the tables of docs/verdicts.md. */
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { beyondEnvelope, defaultDialect, type PlayableProtocol, ruleInfoOf } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { nodeDecompress } from "../node.ts";
import { openRecording } from "../reading/read-recording.ts";
import { recordPlay } from "../testing/record-play.ts";
import { explainVerdict, type VerdictExplanation } from "./explain-verdict.ts";
import { listVerdicts } from "./recorded-verdict.ts";

/** A hand has to make some strokes. */
const durationOf = (game: PlayableProtocol): number => (game.name === "osrs" ? 20_000 : 8_000);
const docs = readFileSync(new URL("../../../../docs/verdicts.md", import.meta.url), "utf8");

/** A dialect with all messages beside the default one. */
const dialectsOf = (game: PlayableProtocol): readonly string[] =>
  game.name === "slime-online-2" ? [defaultDialect(game), "v0106"] : [defaultDialect(game)];

/** The first verdict of each rule and kind. */
async function explained(game: PlayableProtocol): Promise<readonly VerdictExplanation[]> {
  const found = new Map<string, VerdictExplanation>();
  for (const dialect of dialectsOf(game)) {
    const bots = game.bots.cheats.length * 2;
    const { sink } = await recordPlay({ protocol: game, dialect, bots, durationMs: durationOf(game) });
    const recording = sink.recording();
    for (const verdict of listVerdicts(recording)) {
      const key = `${verdict.verdict.rule} ${verdict.verdict.kind}`;
      if (!found.has(key)) found.set(key, explainVerdict(recording, verdict, { protocols }));
    }
  }
  return [...found.values()];
}

const corpus = new URL("../../../../corpus/", import.meta.url);

/** The first verdict of each rule and kind in each recording of the corpus. */
function* ofCorpus({ name }: PlayableProtocol): Generator<readonly [file: string, explanation: VerdictExplanation]> {
  const folder = new URL(`${name}/`, corpus);
  for (const file of readdirSync(folder).filter((each) => each.endsWith(".mcap"))) {
    const recording = openRecording(readFileSync(new URL(file, folder)), { decompress: nodeDecompress });
    const found = new Set<string>();
    for (const verdict of listVerdicts(recording)) {
      const key = `${verdict.verdict.rule} ${verdict.verdict.kind}`;
      if (found.has(key)) continue;
      found.add(key);
      yield [file, explainVerdict(recording, verdict, { protocols, beforeMs: 0, afterMs: 0 })];
    }
  }
}

/** The rows of the table of a game: a rule, and what is drawn as the possible place, the way and the cross. */
function rowsOf(game: string): ReadonlyMap<string, readonly string[]> {
  const [, section = ""] = docs.split(`### What is drawn: ${game}\n`);
  const [table = ""] = section.split("\n## ")[0]?.split("\n### ") ?? [];
  return new Map(
    Array.from(table.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm), ([, rule = "", cells = ""]) => [
      rule,
      cells.split(" | "),
    ]),
  );
}

describe.each(Object.values(protocols) as readonly PlayableProtocol[])("$name", (game) => {
  test("each rule that measures a length has its row in the docs, with what it compares", () => {
    const rows = rowsOf(game.title);
    const lengths = (game.capabilities?.rules ?? []).filter((rule) => {
      const unit = ruleInfoOf(game, rule)?.measured ?? "";
      return unit === game.capabilities?.claims?.unit;
    });
    expect([...rows.keys()].filter((rule) => !game.capabilities?.rules?.includes(rule))).toEqual([]);
    expect(lengths.filter((rule) => !rows.has(rule))).toEqual([]);
  });

  test("the claimed place of every verdict of the corpus lies outside of what was possible, as far from the start as the rule says", () => {
    const rows = rowsOf(game.title);
    let places = 0;
    for (const [file, { rule, measure, unit, from, at, envelope, elsewhere, picture }] of ofCorpus(game)) {
      const name = `${file}: ${rule}`;
      const [possible = "none"] = rows.get(rule) ?? [];
      if (measure?.allowed === undefined || unit === undefined || !measure.unit.startsWith(unit)) continue;
      if (possible === "none" || elsewhere !== undefined) continue;
      if (!possible.includes("; none where")) expect(picture, name).toBe("places");
      if (envelope === undefined || at === undefined || from === undefined) continue;
      expect(beyondEnvelope(envelope, at), name).toBeGreaterThan(0);
      places += 1;
      if (envelope.shape === "box") continue;
      expect([envelope.x, envelope.y, envelope.radius], name).toEqual([from.x, from.y, measure.allowed]);
      expect(Math.abs(Math.hypot(at.x - from.x, at.y - from.y) - measure.measured), name).toBeLessThan(1);
    }
    // The messages of the other games name no place.
    expect(places > 0).toBe(rows.size > 0);
  });

  test("every verdict has what its row says, and what the server knew in words", { timeout: 120_000 }, async () => {
    const rows = rowsOf(game.title);
    const all = await explained(game);
    expect(all.length).toBeGreaterThan(5);
    for (const { rule, measure, from, at, envelope, claimed, known, stateBefore, room, unit, message } of all) {
      const [possible = "none", way = "none"] = rows.get(rule) ?? [];
      const isLength = measure?.allowed !== undefined && measure.unit === unit;
      const judged = claimed.find(({ isJudged }) => isJudged);
      const isElsewhere = (judged?.room ?? room) !== room;
      expect(judged !== undefined || message.bytes.length === 0, `${rule}: the message is found`).toBe(true);
      if (isLength && !isElsewhere) {
        if (possible.includes("; none where")) expect(envelope === undefined || at !== undefined).toBe(true);
        else expect(envelope !== undefined, `${rule}: the possible place`).toBe(possible !== "none");
        expect(from !== undefined && at !== undefined, `${rule}: the way`).toBe(way !== "none");
      }
      if ((judged?.places.length ?? 0) > 0 && !isElsewhere) expect(at, `${rule}: the cross`).toBeDefined();
      const names = known.map(({ name }) => name);
      expect(names.filter((name) => name in stateBefore)).toEqual([]);
      expect(names.length > 0, `${rule}: what was known`).toBe(Object.keys(stateBefore).length > 0);
    }
  });
});
