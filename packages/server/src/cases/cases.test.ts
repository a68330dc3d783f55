/** Verdicts of a server as files, from the seconds that it has in memory. */

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { judgeCase, listVerdicts, type RecordedVerdict, readCase } from "@wirewalk/recording";
import { nodeDecompress } from "@wirewalk/recording/node";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { systemClock } from "wirewalk/net";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { recordPlay } from "../../../recording/src/testing/record-play.ts";
import { type CaseAnswer, caseAnswer } from "./case-answers.ts";
import { CaseMaker, type CaseRequest, type CaseResult } from "./case-maker.ts";

describe("a case of the last seconds", () => {
  let bytes: Uint8Array;
  let found: RecordedVerdict;

  beforeAll(async () => {
    const protocol = protocols["slime-online-2"] as PlayableProtocol;
    const { sink } = await recordPlay({ protocol, bots: 6, durationMs: 12_000 });
    bytes = sink.bytes();
    const teleport = [...listVerdicts(sink.recording())].findLast(({ verdict: { rule } }) => rule === "teleport");
    if (teleport === undefined) throw new Error("no teleport");
    found = teleport;
  });

  const makerOf = (recent: () => Promise<readonly Uint8Array[] | undefined>, files?: readonly string[]): CaseMaker =>
    new CaseMaker({ clock: { ...systemClock, now: () => 1e9 }, recent, filesOf: () => files, mapsOf: () => undefined });
  const request = (changed: Partial<CaseRequest> = {}): CaseRequest => ({
    world: "slime-online-2",
    player: found.verdict.player,
    atMs: Math.floor(found.verdict.atMs),
    rule: "teleport",
    isForPage: true,
    ...changed,
  });

  it("is made in a thread of its own, and judged again as the verdict that was given", async () => {
    const maker = makerOf(async () => [bytes.slice()]);
    const made = await maker.make(request());
    await maker.close();
    if (!("html" in made)) throw new Error(made.reason);
    const file = await readCase(made.html);
    expect(file.damage).toEqual([]);
    expect(file.facts).toMatchObject({ verdict: { id: made.id, rule: "teleport" }, others: "names" });
    const { isFound, digest } = judgeCase(file, { protocols, decompress: nodeDecompress });
    expect([isFound, digest]).toEqual([true, file.facts.digest]);
  });

  it("is made out of the files of the recordings where memory has its seconds no more", async () => {
    const folder = mkdtempSync(join(tmpdir(), "wirewalk-cases-"));
    const file = join(folder, "play.mcap");
    writeFileSync(file, bytes);
    const maker = makerOf(async () => [], [file]);
    const made = await maker.make(request());
    if (!("html" in made)) throw new Error(made.reason);
    expect((await readCase(made.html)).facts.verdict).toMatchObject({ id: found.id });
    rmSync(folder, { recursive: true });
    expect(await maker.make(request())).toMatchObject({
      status: 404,
      reason: expect.stringContaining("do not have this verdict"),
    });
    await maker.close();
  });

  it("is refused with the reason: an unknown verdict, seconds that are gone, a world that is not recorded", async () => {
    const maker = makerOf(async () => [bytes.slice()]);
    expect(await maker.make(request({ player: 60_000 }))).toMatchObject({
      status: 404,
      reason: expect.stringContaining("no longer in the server's memory"),
    });
    const without = makerOf(async () => undefined);
    expect(await without.make(request())).toMatchObject({ status: 404, reason: expect.stringContaining("--data") });
    const broken = makerOf(async () => [Uint8Array.of(1, 2, 3)]);
    expect(await broken.make(request())).toMatchObject({ status: 422 });
    await Promise.all([maker.close(), broken.close()]);
  });
});

describe("GET /cases/WORLD/PLAYER/MS", () => {
  let server: Server | undefined;
  afterEach(() => new Promise<void>((resolve) => (server === undefined ? resolve() : server.close(() => resolve()))));

  async function listen(
    answer: CaseAnswer,
  ): Promise<(path: string) => Promise<{ status: number; type: string | null; text: string }>> {
    const own = createServer((asked, response) => {
      const [path = "/", search] = (asked.url ?? "/").split("?", 2);
      answer(path, asked, response, new URLSearchParams(search));
    });
    server = own;
    await new Promise<void>((resolve) => own.listen(0, "127.0.0.1", resolve));
    const { port } = own.address() as AddressInfo;
    return async (path) => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`);
      return { status: response.status, type: response.headers.get("content-type"), text: await response.text() };
    };
  }
  const answerOf = (make: (request: CaseRequest) => Promise<CaseResult>): CaseAnswer =>
    caseAnswer({ maker: { make }, isWorld: (name) => name === "slime", clientOf: () => "ann" });

  it("gives the file, or the reason: to the page as a text, since a browser complains of errors", async () => {
    const asked: CaseRequest[] = [];
    const get = await listen(
      answerOf(async (request) => {
        asked.push(request);
        return request.player === 7 ? { html: "<!doctype html>", id: "5-0" } : { status: 404, reason: "It is gone." };
      }),
    );
    expect(await get("/cases/slime/7/5?rule=teleport")).toEqual({
      status: 200,
      type: "text/html; charset=utf-8",
      text: "<!doctype html>",
    });
    expect(asked[0]).toEqual({ world: "slime", player: 7, atMs: 5, rule: "teleport", isForPage: false });
    expect(await get("/cases/slime/8/5")).toMatchObject({ status: 404, text: "It is gone." });
    expect(await get("/cases/slime/8/5?for=page")).toMatchObject({ status: 200, text: "It is gone." });
    for (const path of [
      "/cases/other/7/5",
      "/cases/slime/7",
      "/cases/slime/7/x",
      "/cases/slime/-7/5",
      "/cases/%zz/7/5",
    ]) {
      expect(await get(path), path).toMatchObject({ status: 404 });
    }
    expect(asked.length).toBe(3);
  });

  it("makes one file at a time for a client, beside one that it looks at", async () => {
    const done: (() => void)[] = [];
    const get = await listen(
      answerOf(() => new Promise((resolve) => done.push(() => resolve({ html: "made", id: "5-0" })))),
    );
    const first = get("/cases/slime/7/5");
    await expect.poll(() => done.length).toBe(1);
    expect(await get("/cases/slime/7/6")).toMatchObject({ status: 429 });
    const other = get("/cases/slime/7/6?for=page");
    await expect.poll(() => done.length).toBe(2);
    for (const finish of done) finish();
    expect([(await first).text, (await other).text]).toEqual(["made", "made"]);
  });

  it("without recordings says what would make them", async () => {
    const get = await listen(caseAnswer({ maker: undefined, isWorld: () => true, clientOf: () => "ann" }));
    expect((await get("/cases/slime/7/5")).text).toContain("start it with --data or --record");
  });
});
