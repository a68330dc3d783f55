/** `wirewalk verdict export` and `check` with files that are as they should be, and with others. `apps/studio/test/case.test.ts` exports with the page's script. */
import { generateKeyPairSync, sign } from "node:crypto";
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listVerdicts, type MakeCaseOptions, makeCase } from "@wirewalk/recording";
import { nodeDecompress, nodeMeans } from "@wirewalk/recording/node";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlayableProtocol, Protocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import { type Ran, startCommand } from "../testing/run-command.ts";

const slime = { "slime-online-2": protocols["slime-online-2"] as PlayableProtocol };
const run = (...args: string[]): Promise<Ran> => startCommand(args, "", slime).ended;

let folder: string;
let recording: string;
let id: string;
const { privateKey, publicKey } = generateKeyPairSync("ed25519");
const key = publicKey.export({ format: "der", type: "spki" }).subarray(-32).toString("base64");
const at = (name: string): string => join(folder, name);

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-verdict-"));
  const { sink } = await recordPlay({ protocol: slime["slime-online-2"], bots: 4, durationMs: 8_000 });
  recording = at("play.mcap");
  writeFileSync(recording, sink.bytes());
  const found = [...listVerdicts(sink.recording())].find(({ verdict: { rule } }) => rule === "teleport");
  if (found === undefined) throw new Error("no teleport");
  ({ id } = found);
  const options: MakeCaseOptions = {
    protocols: slime,
    decompress: nodeDecompress,
    means: nodeMeans,
    viewer: "void 0;",
  };
  const { html } = await makeCase(sink.recording(), id, options);
  writeFileSync(at("case.html"), html);
  const signing = (facts: Uint8Array) => ({ key, value: sign(null, facts, privateKey).toString("base64") });
  writeFileSync(at("signed.html"), (await makeCase(sink.recording(), id, { ...options, sign: signing })).html);
});
afterAll(() => rmSync(folder, { recursive: true }));

describe("verdict check", () => {
  it("the same verdict ends with 0, and says that an unsigned file may be anybody's", async () => {
    const { code, stdout, stderr } = await run("verdict", "check", at("case.html"));
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(
      new RegExp(`: the same verdict, ${id}, digest [0-9a-f]{16}; not signed: anybody could have made it\\n$`),
    );
  });

  it("a signed file names its key, and another key than the expected one ends with 3", async () => {
    expect((await run("verdict", "check", at("signed.html"), "--key", key)).stdout).toContain(
      `signed with the key ${key}`,
    );
    const other = await run("verdict", "check", at("signed.html"), "--key", "AAAA", "--json");
    expect(other.code).toBe(3);
    expect(JSON.parse(other.stdout)).toMatchObject({
      result: "edited",
      reasons: [`it is signed with another key, ${key}`],
    });
    expect(await run("verdict", "check", at("case.html"), "--key", key)).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("it is not signed"),
    });
  });

  it("rules that say otherwise end with 1 and are named", async () => {
    const game = slime["slime-online-2"];
    const settings = game.capabilities?.settings;
    if (settings === undefined) throw new Error("no settings");
    // A build whose own limit is another one: what it judges by today.
    const values = {
      ...settings.values,
      maxSpeed: { ...settings.values.maxSpeed, default: 40 },
    } as typeof settings.values;
    const changed = { ...game, capabilities: { ...game.capabilities, settings: { ...settings, values } } } as Protocol;
    const { code, stdout } = await startCommand(["verdict", "check", at("case.html")], "", { [game.name]: changed })
      .ended;
    expect(code).toBe(1);
    expect(stdout).toContain("the verdict is not found; maxSpeed was: 2.5 px/frame; now: 40 px/frame");
  });

  it("no case, a file that is far too large and one that is not there are refused with their reason", async () => {
    expect(await run("verdict", "check", recording)).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("it is no case of wirewalk verdict export"),
    });
    writeFileSync(at("large.html"), "");
    truncateSync(at("large.html"), 1_000_000_000);
    expect(await run("verdict", "check", at("large.html"))).toMatchObject({
      code: 3,
      stdout: expect.stringContaining("it is larger than any case"),
    });
    expect(await run("verdict", "check", at("nothing.html"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("no such file or folder"),
    });
  });
});

describe("verdict export", () => {
  it.each([
    [["export", "RECORDING", "abc"], 2, "'abc' is no id of a verdict"],
    [["export", "RECORDING", "1-00000000"], 1, "the recording has no such verdict"],
    [["export", "RECORDING", "ID", "--key", "RECORDING"], 2, "it is no private key in PEM"],
    [["export", "RECORDING", "ID", "--key", "nothing.pem"], 2, "no such file or folder"],
    [["export", "RECORDING"], 2, "missing required argument 'id'"],
  ])("%j is refused", async (args, code, words) => {
    const filled = args.map((arg) => (arg === "RECORDING" ? recording : arg === "ID" ? id : arg));
    const ran = await run("verdict", ...filled);
    expect(ran).toMatchObject({ code, stdout: "", stderr: expect.stringContaining(words) });
  });

  it("a key that does not sign as Ed25519 does is refused", async () => {
    const rsa = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;
    writeFileSync(at("rsa.pem"), rsa.export({ format: "pem", type: "pkcs8" }));
    const { code, stderr } = await run("verdict", "export", recording, id, "--key", at("rsa.pem"));
    expect([code, stderr]).toEqual([2, expect.stringContaining("it is no Ed25519 key")]);
  });
});

it("verdict FILE ID shows it, as verdict show FILE ID does", async () => {
  const [bare, named] = await Promise.all([run("verdict", recording, id), run("verdict", "show", recording, id)]);
  expect(bare).toEqual(named);
  expect(bare.stdout).toContain(`  id        ${id}`);
});
