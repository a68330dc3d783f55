/** The servers as they are published, or the relays before one, each with its own outputs: a process of its own. */
import { execFileSync } from "node:child_process";
import { constants, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresStore } from "@wirewalk/postgres";
import {
  type OutputTarget,
  outputTarget,
  type RunningRelay,
  type RunningServer,
  startRelay,
  startServer,
} from "@wirewalk/server";
import { type Store, systemClock } from "wirewalk/net";
import type { ServedProtocol } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { PostgresServer, postgresPrograms } from "../../packages/postgres/src/testing/postgres-server.ts";
import { contestantTask, endWhenAsked, tell, threadNs } from "../harness.ts";
import { type Kind, kinds, type RunningKind, type ServersTask, TOKEN, type Told } from "./workload.ts";

const { is, receivers, to } = contestantTask<ServersTask>();
const folder = mkdtempSync(join(tmpdir(), "wirewalk-outputs-"));
const DIALECT = "documented";
const ALL = { what: "all", perMinute: 6_000, secret: "a secret of a benchmark" } as const;
let database: PostgresServer | undefined;
const stopped: number[] = [];

/** Undefined: without one. */
function targetOf(output: Kind["output"]): OutputTarget | undefined {
  switch (output) {
    case "none":
      return undefined;
    case "full-file":
      return outputTarget("file", "/dev/full", output);
    case "stuck-pipe": {
      const path = join(folder, "pipe");
      execFileSync("mkfifo", [path]);
      // Open at both ends, and never read.
      openSync(path, constants.O_RDWR);
      return outputTarget("file", path, output);
    }
    case "stuck-syslog":
      return outputTarget("syslog", `tcp://127.0.0.1:${receivers[output]}`, output);
    case "hanging-database":
      return outputTarget("store", "", output);
    default:
      return outputTarget("webhook", `http://127.0.0.1:${receivers[output]}/hook`, output, ALL);
  }
}

/** A database that stands still from here on. Undefined where PostgreSQL is not installed. */
async function hangingStore(): Promise<Store | undefined> {
  const programs = postgresPrograms();
  if (programs === undefined) return undefined;
  database = new PostgresServer(programs);
  await database.start();
  return postgresStore(database.url);
}

/** The process that takes connections, and those that serve them. */
async function hang(): Promise<void> {
  const [asked] = (await database?.query("select pg_read_file('postmaster.pid') as file")) ?? [];
  if (asked === undefined) return;
  const main = Number(String(asked.file).split("\n")[0]);
  const children = readFileSync(`/proc/${main}/task/${main}/children`, "latin1").trim().split(" ").map(Number);
  for (const pid of [main, ...children]) {
    process.kill(pid, "SIGSTOP");
    stopped.push(pid);
  }
}

async function startOne({ output }: Kind): Promise<RunningServer | RunningRelay | undefined> {
  const store = output === "hanging-database" ? await hangingStore() : undefined;
  if (output === "hanging-database" && store === undefined) return undefined;
  const target = targetOf(output);
  const outputs = target === undefined ? [] : [target];
  if (is === "server") {
    return startServer({
      http: 0,
      listeners: [{ protocol: slimeOnline2, dialect: DIALECT, port: 0 }],
      enforcement: "log",
      evidence: true,
      adminToken: TOKEN,
      dismissedFolder: join(folder, "dismissed"),
      outputs,
      ...(store === undefined ? {} : { store }),
    });
  }
  return startRelay({
    protocol: slimeOnline2 as ServedProtocol,
    dialect: DIALECT,
    options: {},
    listen: { host: "127.0.0.1", port: 0 },
    to: { host: "127.0.0.1", port: to[running.size] ?? 0 },
    clock: systemClock,
    epochMs: Date.now,
    onEvent: () => {},
    shadow: { seed: 1, demo: false },
    page: { http: 0, studioFolder: undefined },
    outputs,
  });
}

const running = new Map<string, RunningServer | RunningRelay>();
const started: RunningKind[] = [];
for (const kind of kinds.filter((each) => each.is === is)) {
  const one = await startOne(kind);
  if (one === undefined) continue;
  running.set(kind.name, one);
  const isRelay = "pageAddress" in one;
  const port = isRelay ? one.address.port : (one.listeners[0]?.port ?? 0);
  started.push({ name: kind.name, port, http: (isRelay ? one.pageAddress : one.httpAddress)?.port ?? 0 });
}
await hang();

/** By the metrics, as an operator sees it. */
async function told(http: number): Promise<Told> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const text = await (await fetch(`http://127.0.0.1:${http}/metrics`, { headers })).text();
  const of = (name: string): number =>
    Number(new RegExp(`^wirewalk_outputs_${name}\\{.*\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
  return { told: of("told_total"), failed: of("failed_total"), dropped: of("dropped_total"), waiting: of("waiting") };
}

/** Under `end` too: a database that stands still would stay. */
function tidy(): void {
  for (const pid of stopped) {
    try {
      process.kill(pid, "SIGCONT");
    } catch {
      // It has ended.
    }
  }
  rmSync(folder, { recursive: true, force: true });
}
endWhenAsked({
  cpu: () => ({ ns: threadNs() }),
  told: async () =>
    Object.fromEntries(await Promise.all(started.map(async ({ name, http }) => [name, await told(http)] as const))),
  tidy: async () => {
    tidy();
    await database?.stop();
    database?.remove();
    return {};
  },
});
// Relays have servers of their own.
const behind: number[] = [];
for (const _ of is === "server" ? kinds.filter((each) => each.is === "relay") : []) {
  const server = await startServer({
    listeners: [{ protocol: slimeOnline2, dialect: DIALECT, port: 0 }],
    enforcement: "log",
  });
  behind.push(server.listeners[0]?.port ?? 0);
}
tell({ started, behind });
