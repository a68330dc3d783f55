/** Outputs and what receives them, over real sockets. */
import { execFileSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { createSocket } from "node:dgram";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import { type AddressInfo, createServer as createTcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { until } from "../testing/clients.ts";
import type { OutputEvent } from "./output-events.ts";
import { type OutputTarget, outputTarget, type WebhookTarget } from "./output-targets.ts";
import { Outputs } from "./outputs.ts";
import { syslogMessage } from "./syslog.ts";
import { checkTemplate, defaultTemplates, textOf } from "./template.ts";
import { Webhook } from "./webhook.ts";

const folder = mkdtempSync(join(tmpdir(), "wirewalk-outputs-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const event: OutputEvent = {
  event: "penalty",
  epochMs: Date.UTC(2026, 10, 22, 12),
  protocol: "slime-online-2",
  world: "slime-online-2",
  verdict: "13250-1a2b3c4d",
  player: 7,
  name: "ann",
  rule: "teleport",
  kind: "correct",
  reason: "Moved 900 px",
  measured: 900,
  allowed: 40,
  unit: "px",
  atMs: 13_250,
  action: "kick",
  score: 20,
  limit: 20,
  by: null,
};
const log = { isLevelEnabled: () => false, info() {}, warn() {}, error() {} };

interface Got {
  readonly headers: IncomingMessage["headers"];
  readonly body: string;
}

let receiver: Server | undefined;
let outputs: Outputs | undefined;
afterEach(async () => {
  receiver?.closeAllConnections();
  receiver?.close();
  receiver = undefined;
});

/** A receiver that answers as told, and what it got. */
async function receive(
  answer: (number: number) => { readonly status: number; readonly headers?: Record<string, string> } | undefined,
): Promise<{ readonly url: string; readonly got: Got[] }> {
  const got: Got[] = [];
  receiver = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (part: string) => {
      body += part;
    });
    request.on("end", () => {
      got.push({ headers: request.headers, body });
      const said = answer(got.length);
      if (said !== undefined) response.writeHead(said.status, said.headers).end("ok");
    });
  });
  await new Promise<void>((resolve) => void receiver?.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`, got };
}

/** Time that only passes where something rests; a receiver that does not answer in `answerMs` of the real time is late. */
function times(answerMs = 60_000) {
  let nowMs = 0;
  const rests: number[] = [];
  return {
    rests,
    nowMs: () => nowMs,
    answerMs,
    rest: async (ms: number) => {
      rests.push(ms);
      nowMs += ms;
    },
  };
}

const hook = (url: string, options = {}): WebhookTarget =>
  outputTarget("webhook", url, "webhook", options) as WebhookTarget;

describe("a webhook", () => {
  test("is signed as Standard Webhooks are, so that a receiver knows the sender, the time and every byte", async () => {
    const { url, got } = await receive(() => ({ status: 204 }));
    const secret = "a secret of sixteen letters";
    const webhook = new Webhook(hook(url, { secret }), { ...times(), nowMs: () => 1_700_000_000_000 });
    await webhook.send(event);
    webhook.close();
    const [{ headers, body } = { headers: {}, body: "" }] = got;
    expect(headers["webhook-timestamp"]).toBe("1700000000");
    const signed = `${String(headers["webhook-id"])}.1700000000.${body}`;
    expect(headers["webhook-signature"]).toBe(`v1,${createHmac("sha256", secret).update(signed).digest("base64")}`);
    expect(JSON.parse(body)).toMatchObject({ type: "wirewalk.penalty", data: event });
  });

  test("is tried again with growing rests, by the same id, and rests as long as the receiver asks", async () => {
    const answers = [{ status: 500 }, { status: 429, headers: { "retry-after": "7" } }, { status: 200 }];
    const { url, got } = await receive((number) => answers[number - 1]);
    const clock = times();
    const webhook = new Webhook(hook(url), clock);
    await webhook.send(event);
    webhook.close();
    expect(clock.rests).toEqual([1_000, 7_000]);
    expect(new Set(got.map(({ headers }) => headers["webhook-id"])).size).toBe(1);
  });

  test.each<[string, Parameters<typeof receive>[0], number, RegExp, number?]>([
    ["sends elsewhere", () => ({ status: 302, headers: { location: "http://127.0.0.1:1/" } }), 1, /status 302/],
    ["does not want it", () => ({ status: 404 }), 1, /status 404/],
    ["asks to come back in a year", () => ({ status: 503, headers: { "retry-after": "31536000" } }), 5, /status 503/],
    ["never answers", () => undefined, 5, /no answer in time/, 100],
  ])("a receiver that %s is given up", async (_what, answer, tries, why, answerMs) => {
    const { url, got } = await receive(answer);
    const clock = times(answerMs);
    const webhook = new Webhook(hook(url), clock);
    await expect(webhook.send(event)).rejects.toThrow(why);
    webhook.close();
    expect(got).toHaveLength(tries);
    expect(Math.max(0, ...clock.rests)).toBeLessThanOrEqual(60_000);
  });

  test("rests until the date that a receiver names, and cuts an answer that never ends", async () => {
    const endless = createServer((request, response) => {
      request.resume();
      // Says that it is short, and stays open.
      response.writeHead(200, { "content-length": 10 }).write("x");
    });
    await new Promise<void>((resolve) => void endless.listen(0, "127.0.0.1", resolve));
    const webhook = new Webhook(hook(`http://127.0.0.1:${(endless.address() as AddressInfo).port}/`), times(500));
    // The second one waits for the connection of the first.
    await webhook.send(event);
    await webhook.send(event);
    webhook.close();
    endless.closeAllConnections();
    endless.close();
    const date = new Date(9_000).toUTCString();
    const { url } = await receive((number) =>
      number === 1 ? { status: 429, headers: { "retry-after": date } } : { status: 200 },
    );
    const clock = times();
    const later = new Webhook(hook(url), clock);
    await later.send(event);
    later.close();
    expect(clock.rests).toEqual([9_000]);
  });

  test("sends no more in a minute than it may", async () => {
    const { url, got } = await receive(() => ({ status: 200 }));
    const clock = times();
    const webhook = new Webhook(hook(url, { perMinute: 2 }), clock);
    for (let index = 0; index < 4; index += 1) await webhook.send(event);
    webhook.close();
    expect(got).toHaveLength(4);
    expect(clock.rests).toEqual([60_000]);
  });

  test("in Discord's form calls nobody, whatever the player is called", async () => {
    const { url, got } = await receive(() => ({ status: 204 }));
    const target = outputTarget("discord", url, "discord") as WebhookTarget;
    const webhook = new Webhook(target, times());
    await webhook.send({ ...event, name: "@everyone [free](http://x)\n# big" });
    webhook.close();
    const { content, allowed_mentions } = JSON.parse(got[0]?.body ?? "{}") as Record<string, unknown>;
    expect(allowed_mentions).toEqual({ parse: [] });
    expect(content).toContain("\\@everyone \\[free\\]\\(http\\://x\\)?\\# big");
    expect(got[0]?.headers["webhook-signature"]).toBeUndefined();
  });
});

describe("the game's side", () => {
  const told = async (target: OutputTarget, count: number): Promise<Outputs> => {
    outputs = new Outputs({ targets: [target], log });
    for (let index = 0; index < count; index += 1) outputs.tell({ ...event, player: index });
    return outputs;
  };

  test("never waits: over a thousand events on their way are dropped and counted", async () => {
    const { url } = await receive(() => undefined);
    const { counts } = await told(hook(url), 1_500);
    expect(counts).toEqual([{ target: "webhook", told: 0, failed: 0, dropped: 500, waiting: 1_000 }]);
    receiver?.closeAllConnections();
  });

  test("a file has a line of JSON for each", async () => {
    const path = join(folder, "verdicts.jsonl");
    const running = await told(outputTarget("file", path, "file"), 3);
    await until("all are told", () => running.counts[0]?.told === 3);
    await running.close();
    const lines = readFileSync(path, "utf8").trim().split("\n");
    expect(lines.map((line) => (JSON.parse(line) as OutputEvent).player)).toEqual([0, 1, 2]);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({ time: "2026-11-22T12:00:00.000Z", rule: "teleport" });
    expect(running.counts[0]).toMatchObject({ told: 3, failed: 0, dropped: 0, waiting: 0 });
  });

  test("a file that cannot be written is counted, and nothing else happens", async () => {
    const running = await told(outputTarget("file", join(folder, "no", "such", "folder"), "file"), 2);
    await until("both have failed", () => running.counts[0]?.failed === 2);
    await running.close();
    expect(running.counts[0]).toMatchObject({ told: 0, failed: 2 });
  });

  test("a pipe that nobody reads, and one whose reader stands still, stop neither the end nor another output", async () => {
    const [idle, stuck, file] = ["idle.pipe", "stuck.pipe", "beside.jsonl"].map((name) => join(folder, name));
    if (idle === undefined || stuck === undefined || file === undefined) throw new Error("no paths");
    execFileSync("mkfifo", [idle, stuck]);
    // Keeps the pipe open at both ends, and never reads.
    const fd = openSync(stuck, constants.O_RDWR);
    const targets = [idle, stuck, file].map((path, index) => outputTarget("file", path, `file-${index}`));
    const running = new Outputs({ targets, log });
    // A pipe takes 64 KiB.
    for (let index = 0; index < 900; index += 1) running.tell(event);
    await until("the file has all", () => running.counts[2]?.told === 900);
    await until("the idle one has failed", () => running.counts[0]?.failed === 900);
    await until("the pipe is full", () => (running.counts[1]?.told ?? 0) > 50);
    await running.close();
    closeSync(fd);
    expect(running.counts[1]?.told).toBeLessThan(900);
  });

  test("single verdicts go where they are asked for, penalties everywhere", async () => {
    const [all, few] = [join(folder, "all.jsonl"), join(folder, "few.jsonl")];
    const targets = [outputTarget("file", all, "file"), outputTarget("file", few, "file-2", { what: "penalties" })];
    const running = new Outputs({ targets, log });
    running.tell({ ...event, event: "verdict" });
    running.tell(event);
    await until("all are told", () => running.counts.every(({ waiting }) => waiting === 0));
    await running.close();
    expect(running.counts.map((each) => each.told)).toEqual([2, 1]);
  });

  test("syslog over UDP and over TCP has one message for each", async () => {
    const udp = createSocket("udp4");
    const datagrams: string[] = [];
    udp.on("message", (bytes) => void datagrams.push(bytes.toString()));
    await new Promise<void>((resolve) => void udp.bind(0, "127.0.0.1", resolve));
    const first = await told(outputTarget("syslog", `udp://127.0.0.1:${udp.address().port}`, "syslog"), 2);
    await until("both came", () => datagrams.length === 2);
    expect(datagrams[0]).toMatch(/^<132>1 2026-11-22T12:00:00\.000Z \S+ wirewalk \d+ penalty - ann \(player 0\)/);
    await first.close();
    udp.close();
    let stream = "";
    const tcp = createTcpServer((socket) => {
      socket.on("data", (bytes: Buffer) => {
        stream += bytes.toString();
      });
      socket.on("error", () => {});
    });
    await new Promise<void>((resolve) => void tcp.listen(0, "127.0.0.1", resolve));
    const second = await told(
      outputTarget("syslog", `tcp://127.0.0.1:${(tcp.address() as AddressInfo).port}`, "syslog"),
      2,
    );
    await until("both came", () => stream.split("<132>1").length === 3);
    const [, length = ""] = /^(\d+) </.exec(stream) ?? [];
    expect(stream.slice(length.length + 1 + Number(length))).toMatch(/^\d+ <132>1/);
    await second.close();
    tcp.close();
  });

  test("rows need a store that takes them", () => {
    expect(() => new Outputs({ targets: [outputTarget("store", "", "store")], log })).toThrow(
      "a store that is a database",
    );
  });

  test("rows are written together, one insert at a time, and none is lost", async () => {
    const inserts: number[] = [];
    let finish = (): void => {};
    const remote = {
      addRows: (rows: readonly object[]) => {
        inserts.push(rows.length);
        return new Promise<void>((resolve) => {
          finish = resolve;
        });
      },
    } as unknown as NonNullable<ConstructorParameters<typeof Outputs>[0]["store"]>["remote"];
    const running = new Outputs({ targets: [outputTarget("store", "", "store")], store: { remote }, log });
    for (let index = 0; index < 3; index += 1) running.tell(event);
    await until("the first insert", () => inserts.length === 1);
    for (let index = 0; index < 4; index += 1) running.tell(event);
    finish();
    await until("the second insert", () => inserts.length === 2);
    finish();
    await until("all are told", () => running.counts[0]?.told === 7);
    expect(inserts).toEqual([3, 4]);
    await running.close();
  });
});

describe("words and places", () => {
  test("a template has the members of an event, a line stays one, and unknown members are refused", () => {
    const text = textOf(
      { ...event, name: "a\nb\u202ec" },
      { ...defaultTemplates, penalty: "{name}: {score}/{limit} {by}" },
    );
    expect(text).toBe("a?b?c: 20/20 none");
    const verdict = { ...event, event: "verdict" } as const;
    expect(textOf(verdict, defaultTemplates)).toContain("teleport, Moved 900 px (900 of 40 px) [13250-");
    // A rule that measures nothing, and a penalty for all rules.
    expect(textOf({ ...verdict, measured: null, allowed: null }, defaultTemplates)).toContain("Moved 900 px [13250-");
    expect(textOf({ ...event, rule: "*" }, defaultTemplates)).toContain(
      "kick by policy, all rules together at 20 points",
    );
    expect(textOf({ ...event, event: "action", by: "ann", reason: "" }, defaultTemplates)).toContain(
      "by ann, no reason",
    );
    expect(() => checkTemplate("{account}")).toThrow("{account} is no member");
    expect(syslogMessage(event, { ...defaultTemplates, penalty: "x".repeat(9_000) }).length).toBe(2_048);
  });

  test.each([
    ["webhook", "ftp://a.example", {}, /must begin with https/],
    ["webhook", "nonsense", {}, /is no address/],
    ["webhook", "https://a.example", { secret: "short" }, /at least 16 bytes/],
    ["webhook", "https://a.example", { secret: "whsec_?no?base64?at?all?" }, /goes on in base64/],
    ["webhook", "https://a.example", { secret: `whsec_${btoa("short")}` }, /this one has 5/],
    ["webhook", "", {}, /needs an address/],
    ["webhook", "https://a.example", { perMinute: 0 }, /within 1\.\.6000/],
    ["discord", "https://a.example", { secret: "0123456789abcdef" }, /checks no signature/],
    ["file", "", {}, /needs a path/],
    ["syslog", "http://a.example", {}, /is not as udp/],
    ["pigeon", "", {}, /unknown output pigeon/],
    ["file", "x", { what: "some" }, /what must be/],
    ["stdout", "x", {}, /takes no place/],
  ])("%s %s is refused", (kind, place, options, why) => {
    expect(() => outputTarget(kind, place, kind, options)).toThrow(why);
  });
});
