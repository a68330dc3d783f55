/**
 * The dashboard, the alert rules, the units and the compose file of `docs/deploy/`: every metric and label that they name is one that a
 * running server exports, and every command line in them is one that the command understands. `UPDATE_DOCS=1` writes the dashboard and
 * the list of metrics anew.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { startServer } from "@wirewalk/server";
import { afterAll, describe, expect, test } from "vitest";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { parse } from "yaml";
import { flagErrors } from "./command-flags.ts";
import { dashboard } from "./dashboard.ts";

const docs = fileURLToPath(new URL("../docs/", import.meta.url));
const recordings = mkdtempSync(join(tmpdir(), "monitoring-"));
afterAll(() => rmSync(recordings, { recursive: true, force: true }));
const read = (name: string): string => readFileSync(docs + name, "utf8");

/** A server with everything that has metrics, one player that breaks a rule, and a session that has ended. */
async function exported(): Promise<string> {
  const server = await startServer({
    http: 0,
    listeners: [{ protocol: slimeOnline2, dialect: "documented", port: 0 }],
    recordings: { folder: recordings },
  });
  try {
    const { host, port } = server.httpAddress ?? { host: "", port: 0 };
    const socket = new WebSocket(`ws://${host}:${port}/ws/slime-online-2`);
    socket.binaryType = "arraybuffer";
    await new Promise((resolve) => socket.addEventListener("open", resolve));
    // A key that is pressed twice, which is refused.
    for (let times = 0; times < 2; times++) socket.send(Uint8Array.of(0, 8, 1, 0x60, 0x60, 0xa0, 0));
    const metrics = async (): Promise<string> => (await fetch(`http://${host}:${port}/metrics`)).text();
    const until = async (pattern: RegExp): Promise<string> => {
      for (let tries = 0; tries < 500; tries++) {
        const found = await metrics();
        if (pattern.test(found)) return found;
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      throw new Error(`No metric is ${pattern}`);
    };
    await until(/^wirewalk_verdicts_total\{/m);
    socket.close();
    return await until(/^wirewalk_disconnects_total\{/m);
  } finally {
    await server.close({ graceMs: 0 });
  }
}

const text = await exported();
const types = new Map(Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name = "", type = ""]) => [name, type]));
/** Names of the labels of each metric. */
const labels = new Map<string, Set<string>>();
for (const [, name = "", list = ""] of text.matchAll(/^(\w+)(?:\{(.*)\})? \S+$/gm)) {
  const names = Array.from(list.matchAll(/(\w+)="/g), ([, label = ""]) => label);
  labels.set(name, new Set([...(labels.get(name) ?? []), ...names]));
}

/** What is wrong with an expression of Prometheus: unknown metrics and labels, a rate of a gauge, a counter without a rate. */
function wrongIn(expression: string): string[] {
  const names = expression.match(/\b(?:wirewalk|process|nodejs)_\w+/g) ?? [];
  const wrong = names.filter((name) => !types.has(name)).map((name) => `${name} is not exported`);
  const used = [
    ...Array.from(expression.matchAll(/\bby \(([^)]*)\)/g), ([, list = ""]) => list.split(", ")).flat(),
    ...Array.from(expression.matchAll(/[{,]\s*(\w+)!?=/g), ([, label = ""]) => label),
  ];
  for (const label of used) {
    if (!names.every((name) => labels.get(name)?.has(label))) wrong.push(`${names} has no label ${label}`);
  }
  for (const name of names) {
    const isRate = new RegExp(`(?:rate|increase)\\(${name}\\b`).test(expression);
    if (isRate !== (types.get(name) === "counter")) wrong.push(`${name} is a ${types.get(name)}`);
  }
  return names.length === 0 ? [`${expression} has no metric`] : wrong;
}

test("a wrong expression is found", () => {
  expect(wrongIn("sum by (world) (wirewalk_players)")).toEqual([]);
  expect(wrongIn("wirewalk_player")).toEqual(["wirewalk_player is not exported"]);
  expect(wrongIn("sum by (room) (wirewalk_players)")).toEqual(["wirewalk_players has no label room"]);
  expect(wrongIn("rate(wirewalk_players[1m])")).toEqual(["wirewalk_players is a gauge"]);
  expect(wrongIn('wirewalk_verdicts_total{kind="flag"}')).toEqual(["wirewalk_verdicts_total is a counter"]);
});

test("the dashboard", () => {
  const file = "deploy/grafana-dashboard.json";
  if (process.env.UPDATE_DOCS !== undefined) writeFileSync(docs + file, dashboard());
  expect(read(file)).toBe(dashboard());
  const { panels } = JSON.parse(read(file)) as { panels: { targets: { expr: string }[] }[] };
  const expressions = panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(15);
  expect(expressions.flatMap(wrongIn)).toEqual([]);
});

interface Alerts {
  readonly groups: readonly {
    readonly rules: readonly {
      readonly alert: string;
      readonly expr: string;
      readonly annotations: { summary: string };
    }[];
  }[];
}

test("the alert rules", () => {
  const { groups } = parse(read("deploy/prometheus-alerts.yaml")) as Alerts;
  const rules = groups.flatMap((group) => group.rules);
  expect(rules.length).toBeGreaterThan(5);
  expect(rules.flatMap(({ expr }) => wrongIn(expr))).toEqual([]);
  for (const { alert, expr, annotations } of rules) {
    const used = Array.from(annotations.summary.matchAll(/\$labels\.(\w+)/g), ([, label = ""]) => label);
    const [name = ""] = expr.match(/wirewalk_\w+/) ?? [];
    for (const label of used) expect(labels.get(name)?.has(label), `${alert}: ${label}`).toBe(true);
  }
});

test("the list of metrics", () => {
  const rows = Array.from(
    text.matchAll(/^# HELP (\S+) (.*)$/gm),
    ([, name = "", help = ""]) =>
      `| \`${name}\` | ${types.get(name)} | ${[...(labels.get(name) ?? [])].join(", ")} | ${help} |`,
  );
  const page = read("monitoring.md");
  const [begin, end] = ["<!-- metrics: made by tools/monitoring.test.ts -->\n", "<!-- /metrics -->"];
  const table = ["| metric | type | labels | what |", "| --- | --- | --- | --- |", ...rows, ""].join("\n");
  const made = `${page.slice(0, page.indexOf(begin))}${begin}${table}${page.slice(page.indexOf(end))}`;
  if (process.env.UPDATE_DOCS !== undefined) writeFileSync(`${docs}monitoring.md`, made);
  expect(read("monitoring.md")).toBe(made);
});

describe("deploy", () => {
  const units = ["deploy/wirewalk.service", "deploy/wirewalk@.service"];

  test.each(units)("%s starts a command that exists", async (unit) => {
    const text = read(unit).replaceAll("\\\n", " ");
    const [, command = ""] = /^ExecStart=\S+ \S+wirewalk\.js (.*)$/m.exec(text) ?? [];
    const args = command.replace(/\$\{\w+\}|%i/g, "x").split(/\s+/);
    expect(args[0]).toBe("serve");
    expect(await flagErrors(args)).toEqual([]);
  });

  const analyze = hasSystemd();
  test.skipIf(!analyze).each(units)(
    `%s is a valid unit${analyze ? "" : " (systemd-analyze is not installed)"}`,
    (unit) => {
      // It also checks that the program of ExecStart is there.
      const copy = join(recordings, unit.slice("deploy/".length));
      writeFileSync(copy, read(unit).replace("/usr/bin/node", process.execPath));
      expect(execFileSync("systemd-analyze", ["verify", copy], { encoding: "utf8", stdio: "pipe" })).toBe("");
    },
  );

  test("Dockerfile starts a command that exists, of a package that a release has", async () => {
    const text = read("deploy/Dockerfile");
    const listOf = (word: string): readonly string[] =>
      JSON.parse(new RegExp(`^${word} (\\[.*\\])$`, "m").exec(text)?.[1] ?? "[]");
    expect(listOf("ENTRYPOINT")).toEqual(["node", "/opt/wirewalk/node_modules/@wirewalk/cli/bin/wirewalk.js"]);
    expect(listOf("CMD")[0]).toBe("serve");
    expect(await flagErrors(listOf("CMD"))).toEqual([]);
    // `npm run check:install` runs its steps in an empty folder.
    expect(text.match(/^RUN .*/gm)).toHaveLength(1);
  });

  test("compose.yaml starts commands that exist, of services that are there", async () => {
    const { services, volumes } = parse(read("deploy/compose.yaml"), { merge: true }) as {
      readonly services: Readonly<
        Record<string, { command?: readonly string[]; depends_on?: readonly string[]; volumes?: readonly string[] }>
      >;
      readonly volumes: Readonly<Record<string, unknown>>;
    };
    const commands = Object.entries(services).flatMap(([name, { command, depends_on = [], volumes: used = [] }]) => {
      for (const each of depends_on) expect(Object.keys(services), name).toContain(each);
      for (const each of used) if (/^\w/.test(each)) expect(Object.keys(volumes)).toContain(each.split(":")[0]);
      const line = command?.at(-1) ?? "";
      return line.includes("wirewalk.js ") ? [line] : [];
    });
    expect(commands.length).toBe(2);
    for (const line of commands) {
      const args = line
        .slice(line.indexOf("wirewalk.js ") + "wirewalk.js ".length)
        .replaceAll('"$$NODE_NAME"', "a")
        .split(/\s+/);
      expect(await flagErrors(args.filter((each) => each !== ""))).toEqual([]);
    }
  });
});

function hasSystemd(): boolean {
  try {
    execFileSync("systemd-analyze", ["--version"], { stdio: "pipe" });
    return true;
  } catch {
    return false;
  }
}
