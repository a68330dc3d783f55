import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkExpectations, openRecording } from "@wirewalk/recording";
import { nodeDecompress } from "@wirewalk/recording/node";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { Verdict } from "wirewalk/motion";
import { memoryStore } from "wirewalk/net";
import { moveMessage, slimeOnline2 } from "wirewalk/slime-online-2";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { actionsOf, type RunningServer, type ServerOptions, type ShownVerdict, startServer } from "../index.ts";
import { until, WebClient } from "../testing/clients.ts";
import { VerdictBook } from "./verdict-book.ts";

const TOKEN = "a token of operators".replaceAll(" ", "-");
const dismissedFolder = mkdtempSync(join(tmpdir(), "wirewalk-dismissed-"));
afterAll(() => rmSync(dismissedFolder, { recursive: true, force: true }));

let server: RunningServer | undefined;
afterEach(async () => {
  await server?.close({ graceMs: 0 });
  server = undefined;
});

async function start(options: Partial<ServerOptions> = {}): Promise<RunningServer> {
  server = await startServer({
    http: 0,
    adminToken: TOKEN,
    listeners: [{ protocol: fakeProtocol, port: 0, banAddress: "soft" }],
    banLoopback: true,
    ...options,
  });
  return server;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** As a program that has the token does. */
function ask(path: string, { body, headers = {} }: { body?: unknown; headers?: Record<string, string> } = {}) {
  const { host, port } = server?.httpAddress ?? { host: "", port: 0 };
  const text = body === undefined ? undefined : JSON.stringify(body);
  const asked = { authorization: `Bearer ${TOKEN}`, "content-type": "application/json", ...headers };
  return new Promise<Answer>((resolve, reject) => {
    const sent = request(
      { host, port, path, agent: false, method: text === undefined ? "GET" : "POST", headers: asked },
      (response) => {
        let answer = "";
        response.setEncoding("utf8").on("data", (part: string) => {
          answer += part;
        });
        response.on("end", () => {
          const json = answer.startsWith("{") ? (JSON.parse(answer) as Record<string, unknown>) : { text: answer };
          resolve({ status: response.statusCode ?? 0, body: json });
        });
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}

const verdictsOf = async (search = ""): Promise<readonly ShownVerdict[]> =>
  (await ask(`/verdicts${search}`)).body.verdicts as readonly ShownVerdict[];

/** A player whose message the rules of the game refuse. */
async function flagged(): Promise<{ readonly client: WebClient; readonly verdict: ShownVerdict }> {
  const client = await WebClient.to(server?.httpAddress, "/ws/fake");
  client.sendText("s/verdict");
  await until("the verdict", () => (server?.verdicts.list({}, 1) ?? []).length > 0);
  const [verdict] = await verdictsOf();
  if (verdict === undefined) throw new Error("no verdict");
  return { client, verdict };
}

describe("over HTTP", () => {
  test("the last verdicts are listed with an id, by world, player and rule", async () => {
    await start();
    const { verdict } = await flagged();
    expect(verdict.id).toMatch(/^\d+-[0-9a-f]{8}$/);
    expect(verdict).toMatchObject({ world: "fake", protocol: "fake", holdsOn: "address", actions: [] });
    expect(await verdictsOf(`?player=${verdict.player}&rule=${verdict.rule}&world=fake`)).toHaveLength(1);
    expect(await verdictsOf(`?player=${verdict.player + 1}`)).toEqual([]);
    expect(await ask(`/verdicts/${verdict.id}`)).toMatchObject({ status: 200, body: { id: verdict.id } });
    expect(await ask(`/verdicts/${verdict.id.split("-")[0]}`)).toMatchObject({ status: 200, body: { id: verdict.id } });
    expect(await ask("/verdicts/1-00000000")).toMatchObject({ status: 404 });
  });

  test("a note is kept in the store with who and why, and is shown with the verdict", async () => {
    const store = memoryStore();
    await start({ store, epochNow: () => 1_000 });
    const { verdict } = await flagged();
    const note = { action: "note", by: "ann", reason: "asked him, looks honest" };
    const done = await ask(`/verdicts/${verdict.id}/actions`, { body: note });
    const kept = { ...note, atMs: 1_000, result: "done", detail: null };
    expect(done).toMatchObject({ status: 201, body: { id: verdict.id, actions: [kept] } });
    expect(actionsOf(store, "fake", verdict.id)).toEqual([kept]);
    expect((await verdictsOf())[0]?.actions).toEqual([kept]);
  });

  test("a kick ends the session; a second one says that the player has left", async () => {
    await start();
    const { client, verdict } = await flagged();
    const path = `/verdicts/${verdict.id}/actions?world=fake`;
    expect(await ask(path, { body: { action: "kick", by: "ann" } })).toMatchObject({ status: 201 });
    await client.closes();
    const { body } = await ask(path, { body: { action: "kick", by: "ann" } });
    expect((body.actions as object[])[1]).toMatchObject({ result: "failed", detail: "the player has left" });
  });

  test("a ban of an operator ends the session, is listed with its reason, and is lifted", async () => {
    await start();
    const { client, verdict } = await flagged();
    const path = `/verdicts/${verdict.id}/actions`;
    const ban = { action: "ban", by: "ann", reason: "third time", forMs: 60_000 };
    expect(await ask(path, { body: ban })).toMatchObject({ status: 201 });
    await client.closes();
    expect(server?.bans.list()).toMatchObject([{ key: "address:127.0.0.1", reason: "By ann: third time" }]);
    expect(await ask(path, { body: { action: "lift", by: "bob" } })).toMatchObject({ status: 201 });
    expect(server?.bans.list()).toEqual([]);
  });

  test("a verdict that is called false takes its points back", async () => {
    await start();
    const { verdict } = await flagged();
    expect(server?.ledger.list()).toHaveLength(1);
    const dismissal = { action: "dismiss", by: "ann", reason: "lag of the line" };
    expect(await ask(`/verdicts/${verdict.id}/actions`, { body: dismissal })).toMatchObject({ status: 201 });
    const scores = server?.ledger.list().flatMap((account) => account.scores) ?? [];
    expect(scores.every(({ score }) => score === 0)).toBe(true);
  });

  test.each([
    ["an unknown action", { action: "shame", by: "ann" }, 400],
    ["a note without a word", { action: "note", by: "ann" }, 400],
    ["a length of what has none", { action: "kick", by: "ann", forMs: 5_000 }, 400],
    ["a ban for ever", { action: "ban", by: "ann", forMs: 1e15 }, 400],
    ["a member that is unknown", { action: "note", by: "ann", reason: "x", to: "bob" }, 400],
    ["a list", [], 400],
  ])("%s is refused, and nothing is kept", async (_what, body, status) => {
    const store = memoryStore();
    await start({ store });
    const { verdict } = await flagged();
    expect(await ask(`/verdicts/${verdict.id}/actions`, { body })).toMatchObject({ status });
    expect(store.list("verdict-actions")).toEqual([]);
  });

  test("without the token nothing is told or done, and no page of another site acts with a cookie", async () => {
    await start();
    const { verdict } = await flagged();
    const path = `/verdicts/${verdict.id}/actions`;
    const body = { action: "kick", by: "ann" };
    expect(await ask("/verdicts", { headers: { authorization: "" } })).toMatchObject({ status: 401 });
    expect(await ask(path, { body, headers: { authorization: "" } })).toMatchObject({ status: 401 });
    expect(await ask(path, { body, headers: { origin: "https://other.example" } })).toMatchObject({ status: 403 });
    expect(await ask(path, { body, headers: { "content-type": "text/plain" } })).toMatchObject({ status: 400 });
  });

  test("a server without a token lists verdicts to this machine, and takes no actions", async () => {
    server = await startServer({ http: 0, listeners: [{ protocol: fakeProtocol }] });
    const { verdict } = await flagged();
    const answer = await ask(`/verdicts/${verdict.id}/actions`, { body: { action: "kick", by: "ann" } });
    expect(answer).toMatchObject({ status: 403 });
    expect(String(answer.body.error)).toContain("admin token");
  });
});

describe("in a game with a recording", () => {
  async function cheat(): Promise<{ readonly client: WebClient; readonly verdict: ShownVerdict }> {
    await start({
      listeners: [{ protocol: slimeOnline2, dialect: "documented" }],
      evidence: true,
      dismissedFolder,
    });
    const client = await WebClient.to(server?.httpAddress, "/ws/slime-online-2?account=ann");
    const codec = slimeOnline2.codec("documented");
    // A stride, and then one that no player can make.
    for (const x of [100, 900]) client.socket.send(codec.write("client", moveMessage("rightPress", x, 160)));
    await until("the verdict", () => (server?.verdicts.list({}, 1) ?? []).length > 0);
    const [verdict] = await verdictsOf();
    if (verdict === undefined) throw new Error("no verdict");
    return { client, verdict };
  }

  test("a dismissed verdict becomes a recording in which its rule must not find the player", async () => {
    const { verdict } = await cheat();
    const dismissal = { action: "dismiss", by: "ann", reason: "a door that the map lacks" };
    const { body } = await ask(`/verdicts/${verdict.id}/actions`, { body: dismissal });
    const [action] = body.actions as readonly { readonly detail: string }[];
    expect(action?.detail).toContain(`slime-online-2-${verdict.id}.mcap`);
    const names = readdirSync(dismissedFolder).sort();
    expect(names).toEqual([`slime-online-2-${verdict.id}.expect.json`, `slime-online-2-${verdict.id}.mcap`]);
    const expectations = checkExpectations(JSON.parse(readFileSync(join(dismissedFolder, names[0] ?? ""), "utf8")));
    expect(expectations.expectations).toEqual([{ expect: "must-not-flag", rule: verdict.rule, player: "ann" }]);
    const bytes = readFileSync(join(dismissedFolder, names[1] ?? ""));
    expect(openRecording(bytes, { decompress: nodeDecompress }).chunks.length).toBeGreaterThan(0);
  });

  test("a game without a message for it says that the player cannot be warned", async () => {
    const { verdict } = await cheat();
    const { body } = await ask(`/verdicts/${verdict.id}/actions`, {
      body: { action: "warn", by: "ann", reason: "walk, please" },
    });
    expect((body.actions as object[])[0]).toMatchObject({
      result: "failed",
      detail: "Slime Online 2 has no message for it in dialect documented",
    });
  });
});

describe("the book", () => {
  const verdict = (player: number, atMs: number): Verdict => ({
    kind: "flag",
    rule: "speed",
    reason: "",
    player,
    room: "1",
    atMs,
    stateBefore: {},
    message: Uint8Array.of(1),
  });
  const world = { name: "w", protocol: "p" };
  const booked = (player: number, atMs: number) => {
    return { world, verdict: verdict(player, atMs), key: `login:${player}`, name: "", epochMs: atMs } as const;
  };

  test("one player's verdicts leave those of others in place, and the oldest players give way", () => {
    const book = new VerdictBook();
    book.add(booked(1, 5));
    for (let at = 0; at < 5_000; at += 1) book.add(booked(2, at));
    expect(book.find({ player: 1 })).toHaveLength(1);
    expect(book.find({ player: 2 })).toHaveLength(20);
    for (let player = 3; player < 2_500; player += 1) book.add(booked(player, player));
    expect(book.size).toBe(2_000);
    expect(book.find({ player: 1 })).toEqual([]);
  });

  test("equal verdicts of one millisecond are numbered, as in recordings", () => {
    const book = new VerdictBook();
    book.add(booked(1, 5));
    book.add(booked(1, 5));
    const ids = book.find({}).map(({ id }) => id);
    expect(ids.sort()).toEqual([ids[0], `${ids[0]}.2`]);
    expect(book.find({ id: ids[0] ?? "" })).toHaveLength(1);
    expect(book.find({ id: "5" })).toHaveLength(2);
  });
});
