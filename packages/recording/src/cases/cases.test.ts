/** Cases: made of simulated play with cheats, read, judged again, and edited. */
import { generateKeyPairSync, sign } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { demoRooms, slimeMapsOf } from "wirewalk/slime-online-2/maps";
import { nodeMeans } from "../node/node-means.ts";
import { nodeDecompress } from "../node/read-file.ts";
import type { Recording } from "../reading/read-recording.ts";
import { replayRecording } from "../replay/replay.ts";
import { recordPlay } from "../testing/record-play.ts";
import { listVerdicts, type RecordedVerdict } from "../verdicts/recorded-verdict.ts";
import { CASE_FORMAT, CaseError, type CaseFile, isSigned, readCase } from "./case-file.ts";
import { editedFacts, judgeCase, limitsOfToday, openCase, ruleChanges } from "./judge-case.ts";
import { type MakeCaseOptions, makeCase } from "./make-case.ts";

const viewer = 'document.title = "seen";';
const options: MakeCaseOptions = {
  protocols,
  decompress: nodeDecompress,
  means: nodeMeans,
  viewer,
  madeMs: Date.UTC(2026, 0, 2),
};

interface Played {
  readonly recording: Recording;
  readonly verdict: RecordedVerdict;
}

const games = Object.keys(protocols);
const played = new Map<string, Promise<Played>>();

/** Eight bots, every other one with a cheat, and a verdict about one of them when all are there. */
function playedOf(game: string): Promise<Played> {
  const known = played.get(game);
  if (known !== undefined) return known;
  const made = (async () => {
    const { sink } = await recordPlay({ protocol: protocols[game] as PlayableProtocol, bots: 8, durationMs: 22_000 });
    const recording = sink.recording();
    const verdicts = [...listVerdicts(recording)].filter(({ verdict: { kind } }) => kind !== "benign");
    const verdict = verdicts[Math.floor((2 * verdicts.length) / 3)];
    if (verdict === undefined) throw new Error(`nothing was found in ${game}`);
    return { recording, verdict };
  })();
  played.set(game, made);
  return made;
}

async function caseOf(
  game: string,
  more: Partial<MakeCaseOptions> = {},
): Promise<CaseFile & { readonly html: string }> {
  const { recording, verdict } = await playedOf(game);
  const { html } = await makeCase(recording, verdict.id, { ...options, ...more });
  return { ...(await readCase(html)), html };
}

const judging = { protocols, decompress: nodeDecompress };

describe.each(games)("a case of %s", (game) => {
  it("is read as it was written, and judged again with the same digest", async () => {
    const { verdict } = await playedOf(game);
    const file = await caseOf(game);
    expect(file.damage).toEqual([]);
    expect(file.html.length).toBeLessThan(1_000_000);
    const { facts } = file;
    expect(facts).toMatchObject({ format: 1, game, others: "pseudonyms", player: { number: verdict.verdict.player } });
    expect(facts.verdict).toMatchObject({ id: verdict.id, rule: verdict.verdict.rule, kind: verdict.verdict.kind });
    expect(facts.story.length).toBeGreaterThanOrEqual(4);
    const judged = judgeCase(file, judging);
    expect(judged).toMatchObject({ isFound: true, digest: facts.digest, difference: undefined, problem: undefined });
    expect(editedFacts(facts, openCase(file, nodeDecompress))).toEqual([]);
    expect(ruleChanges(facts, protocols[game] as PlayableProtocol)).toEqual([]);
    expect(limitsOfToday(facts, protocols[game] as PlayableProtocol)).toBeUndefined();
  });

  it("has pseudonyms for everybody else, and the same verdicts as with names", async () => {
    const { verdict } = await playedOf(game);
    const hidden = await caseOf(game);
    const named = await caseOf(game, { others: "names" });
    expect(hidden.facts.digest).toBe(named.facts.digest);
    const [own] = [verdict.name ?? named.facts.player.name];
    expect(hidden.facts.player.name).toBe(own);
    const others = Array.from({ length: 8 }, (_, number) => `bot-${number}`).filter((name) => name !== own);
    const textsOf = (file: CaseFile): string => allTexts(openCase(file, nodeDecompress));
    expect(others.filter((name) => textsOf(named).includes(name)).length).toBeGreaterThan(3);
    expect(others.filter((name) => textsOf(hidden).includes(name))).toEqual([]);
    expect(replayRecording(openCase(hidden, nodeDecompress), { protocols })).toMatchObject({
      differences: [],
      gaps: [],
    });
  });
});

/** All bytes of all records as latin-1, in which a name of ASCII letters is found. */
function allTexts(recording: Recording): string {
  return Array.from(recording.messages(), ({ topic, metadata, data }) => {
    return `${topic} ${[...metadata.values()].join(" ")} ${Buffer.from(data).toString("latin1")}`;
  }).join("\n");
}

const rooms = slimeMapsOf("rooms", demoRooms);

test("a world with maps: its places are in the case, and it is judged without others", async () => {
  const protocol = protocols["slime-online-2"] as PlayableProtocol;
  const { sink } = await recordPlay({ protocol, bots: 4, durationMs: 12_000, maps: rooms });
  const recording = sink.recording();
  const found = [...listVerdicts(recording)].find(({ verdict: { kind } }) => kind === "correct");
  if (found === undefined) throw new Error("nothing was corrected");
  const { html, notes } = await makeCase(recording, found.id, { ...options, maps: rooms });
  expect(notes).toEqual([]);
  const file = await readCase(html);
  expect(file.maps).toContain("slime-online-2-rooms");
  expect(judgeCase(file, judging)).toMatchObject({ isFound: true, digest: file.facts.digest, problem: undefined });
  const without = judgeCase({ ...file, maps: undefined }, judging);
  expect(without.problem).toMatch(/Cannot replay without maps/);
  const odd = { ...file, maps: '{"rooms":7}' };
  expect(() => judgeCase(odd, judging)).toThrow(CaseError);
});

describe("a signature", () => {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const raw = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
  const signing = (facts: Uint8Array) => ({ key: raw, value: sign(null, facts, privateKey).toString("base64") });

  it("is that of the facts, and of nothing else", async () => {
    const file = await caseOf("scrap-mechanic", { sign: signing });
    expect(file.damage).toEqual([]);
    expect(await isSigned(file)).toBe(true);
    expect(await isSigned({ ...file, factsText: `${file.factsText} ` })).toBe(false);
    expect(await isSigned({ ...file, signature: undefined })).toBe(false);
    expect(await isSigned({ ...file, signature: { key: "AAAA", value: "" } })).toBe(false);
  });
});

describe("what was changed", () => {
  it("any byte is named: facts, signature, places, recording, script and the page around them", async () => {
    const { html } = await caseOf("scrap-mechanic");
    const step = Math.max(1, Math.floor(html.length / 60));
    let seen = 0;
    for (let at = 0; at < html.length; at += step) {
      const other = html[at] === "7" ? "8" : "7";
      const changed = html.slice(0, at) + other + html.slice(at + 1);
      const damage = await readCase(changed).then(
        (file) => file.damage,
        (error: unknown) => {
          expect(error).toBeInstanceOf(CaseError);
          return ["refused"];
        },
      );
      expect(damage.length, `at ${at}`).toBeGreaterThan(0);
      seen += 1;
    }
    expect(seen).toBeGreaterThan(50);
  });

  it("facts that are not those of the recording are named, though every hash is right", async () => {
    const { facts, recording } = await caseOf("slime-online-2");
    const open = openCase({ recording }, nodeDecompress);
    const { measured } = facts.verdict;
    const other = { ...facts, verdict: { ...facts.verdict, measured: (measured ?? 0) + 1 } };
    expect(editedFacts(other, open)).toEqual([
      `it says measured ${(measured ?? 0) + 1}, and its recording ${measured}`,
    ]);
    const unknown = { ...facts, verdict: { ...facts.verdict, id: "7-00000000" } };
    expect(editedFacts(unknown, open)).toEqual(["its recording does not have the verdict 7-00000000"]);
  });

  it.each([
    ["nothing", ""],
    ["another page", "<!doctype html><html></html>"],
    ["facts without end", '<script type="application/json" id="case-facts">{'],
    ["facts of another layout", '<script type="application/json" id="case-facts">{"format":2}</script>'],
    ["facts of another type", '<script type="application/json" id="case-facts">[]</script>'],
    ["facts without a verdict", '<script type="application/json" id="case-facts">{"format":1}</script>'],
  ])("%s is no case", async (_, html) => {
    await expect(readCase(html)).rejects.toThrow(CaseError);
  });
});

test("limits: a change of a limit since is named, and the limit of today is what it is judged by", async () => {
  const game = protocols["slime-online-2"] as PlayableProtocol;
  const { recording } = await playedOf("slime-online-2");
  const found = [...listVerdicts(recording)].find(({ verdict: { rule } }) => rule === "teleport");
  if (found === undefined) throw new Error("no teleport");
  const { facts } = await makeCase(recording, found.id, options);
  const limits = facts.limits.map((limit) => (limit.name === "maxSpeed" ? { ...limit, value: 2, own: 2 } : limit));
  const before = { ...facts, limits };
  expect(ruleChanges(before, game)).toEqual([{ name: "maxSpeed", before: "2 px/frame", now: "2.5 px/frame" }]);
  expect(limitsOfToday(before, game)).toEqual({ maxSpeed: 2.5 });
  const chosen = facts.limits.map((limit) => (limit.name === "maxSpeed" ? { ...limit, value: 3, own: 2 } : limit));
  expect(limitsOfToday({ ...facts, limits: chosen }, game)).toBeUndefined();
  const gone = { ...facts, verdict: { ...facts.verdict, rule: "no-such-rule" } };
  expect(ruleChanges(gone, game)[0]?.now).toBe("there is no such rule");
});

test("files of each released layout are read as they were written", async () => {
  const folder = new URL("./testing/", import.meta.url);
  const kept = readdirSync(folder).filter((name) => name.endsWith(".html"));
  expect(kept).toEqual(Array.from({ length: CASE_FORMAT }, (_, index) => `format-${index + 1}.html`));
  for (const name of kept) {
    const file = await readCase(readFileSync(new URL(name, folder), "utf8"));
    expect([name, file.damage, await isSigned(file)]).toEqual([name, [], true]);
    const { facts } = file;
    expect(editedFacts(facts, openCase(file, nodeDecompress))).toEqual([]);
    // Rules change: a case of another version may be judged otherwise, or not at all, which is said.
    const { isFound, problem, digest } = judgeCase(file, judging);
    expect(isFound ? digest : (problem ?? "not found")).toMatch(/^[0-9a-f]{16}$|^Cannot replay|^not found$/);
  }
});

test("a name with a script in it stands in a case as text", async () => {
  const { facts } = await caseOf("scrap-mechanic");
  const name = '</script><script>alert("x")</script><!--';
  const odd = { ...facts, player: { ...facts.player, name } };
  const { factsText, writeCase } = await import("./case-file.ts");
  const { recording, maps } = await caseOf("scrap-mechanic");
  const html = await writeCase({ facts: await factsText(odd), recording, maps, viewer, signature: undefined });
  expect(html).not.toContain('alert("x")</script>');
  const file = await readCase(html);
  expect([file.damage, file.facts.player.name]).toEqual([[], name]);
});

test("what was done about a verdict stands in its case in sentences: nobody's notes and names, and words that the player was told", async () => {
  const { recording, verdict } = await playedOf("scrap-mechanic");
  const actions = [
    { action: "warn", atMs: Date.UTC(2026, 0, 2, 10), reason: "walk, please", untilMs: null },
    { action: "ban", atMs: Date.UTC(2026, 0, 2, 11), reason: "", untilMs: Date.UTC(2026, 0, 9, 11) },
  ];
  const { html } = await makeCase(recording, verdict.id, { ...options, actions });
  const { facts, damage } = await readCase(html);
  expect([facts.actions, damage]).toEqual([actions, []]);
  const done = facts.story.find((text) => text.includes("operator"));
  expect(done).toContain(
    "On 2026-01-02 at 10:00:00 UTC an operator warned the player. The player was told: “walk, please”.",
  );
  expect(done).toContain(
    "On 2026-01-02 at 11:00:00 UTC an operator banned the player until 2026-01-09 at 11:00:00 UTC.",
  );
  const odd = html.replace(/"untilMs":null/, '"untilMs":[]');
  await expect(readCase(odd)).rejects.toThrow("its facts are damaged: actions");
});
