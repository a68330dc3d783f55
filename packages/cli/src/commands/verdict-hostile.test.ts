/** `wirewalk verdict check` with files that somebody made to deceive or to harm: their hashes are right, as anybody can make them. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { zstdCompressSync } from "node:zlib";
import { type CaseFile, listVerdicts, makeCase, openCase, readCase } from "@wirewalk/recording";
import { nodeDecompress, nodeMeans } from "@wirewalk/recording/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Verdict } from "wirewalk/motion";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { alteredBytes } from "../../../recording/src/testing/alter-recording.ts";
import { claimingChunks, type ForgedParts, forgeCase, nestedCbor } from "../../../recording/src/testing/forge-case.ts";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import { type Ran, startCommand } from "../testing/run-command.ts";

const slime = { "slime-online-2": protocols["slime-online-2"] as PlayableProtocol };
let folder: string;
let own: CaseFile;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-hostile-"));
  const { sink } = await recordPlay({ protocol: slime["slime-online-2"], bots: 4, durationMs: 8_000 });
  const found = [...listVerdicts(sink.recording())].find(({ verdict: { rule } }) => rule === "teleport");
  if (found === undefined) throw new Error("no teleport");
  const options = { protocols: slime, decompress: nodeDecompress, means: nodeMeans, viewer: "void 0;" };
  own = await readCase((await makeCase(sink.recording(), found.id, options)).html);
});
afterAll(() => rmSync(folder, { recursive: true }));

const forged = (parts: ForgedParts): Promise<string> => forgeCase(own, parts);

async function check(html: string): Promise<Ran> {
  const file = join(folder, "case.html");
  writeFileSync(file, html);
  return startCommand(["verdict", "check", file], "", slime).ended;
}

const isRecord = (schema: string | undefined, data: Uint8Array): boolean =>
  schema === "wirewalk.Record" && data.length > 11;

describe("a slice that was edited, with every hash made again", () => {
  it("as it is has the same verdict: the forger changes nothing by the hashes", async () => {
    expect(await check(await forged({}))).toMatchObject({ code: 0 });
  });

  it("without its verdicts contradicts its own words", async () => {
    const recording = alteredBytes(own.recording, ({ schema, data }) => {
      if (schema !== "wirewalk.Verdict") return undefined;
      return Buffer.from(JSON.stringify({ ...JSON.parse(Buffer.from(data).toString()), player: 9 }));
    });
    const { code, stdout } = await check(await forged({ recording }));
    expect([code, stdout]).toEqual([3, expect.stringContaining("its recording does not have the verdict")]);
  });

  it("with a larger measure in the verdict and in the facts is not found by the rules", async () => {
    const { measured, allowed } = own.facts.verdict;
    const { number: player } = own.facts.player;
    const more = (measured ?? 0) + 1_000;
    let id = "";
    const recording = alteredBytes(own.recording, ({ schema, data }) => {
      if (schema !== "wirewalk.Verdict") return undefined;
      const verdict = JSON.parse(Buffer.from(data).toString()) as Pick<Verdict, "measured" | "allowed" | "player">;
      const isIt = verdict.measured === measured && verdict.allowed === allowed && verdict.player === player;
      return isIt ? Buffer.from(JSON.stringify({ ...verdict, measured: more })) : undefined;
    });
    for (const found of listVerdicts(openCase({ recording }, nodeDecompress))) {
      if (found.verdict.measured === more) ({ id } = found);
    }
    const verdict = { ...own.facts.verdict, id, measured: more };
    const { code, stdout } = await check(await forged({ recording, facts: { verdict } }));
    expect([code, stdout]).toEqual([1, expect.stringContaining("the verdict is not found")]);
  });

  it("with a message that was never sent replays otherwise, and the verdict stands on it no more", async () => {
    // Every byte of every payload is another one.
    const recording = alteredBytes(own.recording, ({ schema, topic, data }) => {
      if (!isRecord(schema, data) || !topic.includes("/sessions/")) return undefined;
      return data.map((byte, at) => (at < 11 ? byte : byte ^ 0x55));
    });
    const { code } = await check(await forged({ recording }));
    expect(code).not.toBe(0);
  });

  it("whose times are ages ahead ends", async () => {
    const recording = alteredBytes(own.recording, ({ schema, data }) => {
      if (!isRecord(schema, data)) return undefined;
      const copy = Buffer.from(data);
      copy.writeDoubleLE(copy.readDoubleLE(3) + 1e15, 3);
      return copy;
    });
    expect((await check(await forged({ recording }))).code).not.toBe(0);
  });
});

describe("a file that claims much", () => {
  it("a chunk of 1 GB is not decompressed", async () => {
    const { code, stdout } = await check(
      await forged({ recording: claimingChunks(1, 1_000_000_000, zstdCompressSync(Buffer.alloc(1_000))) }),
    );
    expect([code, stdout]).toEqual([3, expect.stringContaining("claims 1000000000 bytes")]);
  });

  it("a chunk that is larger than it claims is refused where it has what it claims", async () => {
    const bomb = zstdCompressSync(Buffer.alloc(64 << 20));
    const { code, stdout } = await check(await forged({ recording: claimingChunks(1, 1_000, bomb) }));
    expect([code, stdout]).toEqual([3, expect.stringContaining("does not have the verdict")]);
  });

  it("many chunks that are large together are not decompressed", async () => {
    const chunk = zstdCompressSync(Buffer.alloc(16 << 20));
    const { code, stdout } = await check(await forged({ recording: claimingChunks(100, 16 << 20, chunk) }));
    expect([code, stdout]).toEqual([3, expect.stringContaining(`claims ${100 * (16 << 20)} bytes`)]);
  });

  it("a file of more than a case has is not read", async () => {
    const html = await forged({});
    const { code, stdout } = await check(html.replace("</main>", `${" ".repeat(9_000_000)}</main>`));
    expect([code, stdout]).toEqual([3, expect.stringContaining("it is larger than any case")]);
  });
});

describe("a file that is nested deeply", () => {
  const DEEP = 200_000;
  const deep = `${"[".repeat(DEEP)}${"]".repeat(DEEP)}`;

  it("in its facts", async () => {
    const html = (await forged({})).replace('"story":[', `"story":[${deep},`);
    const { code, stdout } = await check(html);
    expect([code, stdout]).toEqual([3, expect.stringContaining("edited or damaged")]);
  });

  it("in the places of its map", async () => {
    expect((await check(await forged({ maps: `{"rooms":${deep}}` }))).code).toBe(3);
  });

  it("in a key frame of its recording", async () => {
    const bytes = nestedCbor(DEEP);
    const recording = alteredBytes(own.recording, ({ topic }) => (topic.endsWith("/key-frames") ? bytes : undefined));
    expect((await check(await forged({ recording }))).code).toBe(3);
  });
});

describe("a name with a script in it", () => {
  const name = '</script><script>alert("x")</script><img src=x onerror=alert(1)>\u001b[31m';

  it("ends no script of the page, and no control character reaches a terminal", async () => {
    const html = await forged({ facts: { player: { ...own.facts.player, name } } });
    expect(html).not.toContain("<script>alert");
    const { code, stdout } = await check(html);
    expect(code).toBe(0);
    expect(stdout).not.toContain("\u001b");
  });

  it("as the name of a rule is shown without control characters, too", async () => {
    const html = await forged({ facts: { verdict: { ...own.facts.verdict, rule: name } } });
    const { code, stdout } = await check(html);
    expect(code).toBe(3);
    expect(stdout).not.toContain("\u001b");
  });

  it("as the name of a game or a dialect is none that this build has", async () => {
    for (const facts of [{ game: name }, { game: "__proto__" }, { game: "constructor" }, { dialect: name }]) {
      const { code, stdout } = await check(await forged({ facts }));
      expect([facts, code]).toEqual([facts, 3]);
      expect(stdout).not.toContain("\u001b");
    }
  });
});
