/**
 * A cluster on this machine: a broker, three nodes and bots. `npm run cluster` prints the address of the page and stays until it is
 * stopped; `npm run --silent cluster -- --json --bots 0` prints one line of JSON when everything is ready, as docs/scale.md describes.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { findNatsServer, natsCluster, startNatsServer } from "@wirewalk/nats";
import { freePort } from "./cluster/free-port.ts";
import { checkWhole, parseOptions } from "./options.ts";

const NODES = ["a", "b", "c"];
/** Ports of the first node, where they are free. */
const HTTP_PORT = 7411;
const SLIME_PORT = 15_561;
const GAME = "slime-online-2";
const DEFAULT_BOTS = 24;
const STOP_MS = 12_000;
const READY_MS = 60_000;

const command = fileURLToPath(new URL("../packages/cli/bin/wirewalk.js", import.meta.url));

const usage = `npm run cluster -- [--json] [--bots ${DEFAULT_BOTS}] [--lease-ms 2000]

Starts nats-server ($NATS_SERVER, or the one on the path), three nodes and bots of each game.
With --json one line of JSON on the standard output says when all are ready.`;
const { values } = parseOptions(usage, {
  options: {
    json: { type: "boolean", default: false },
    bots: { type: "string", default: String(DEFAULT_BOTS) },
    "lease-ms": { type: "string", default: "2000" },
    help: { type: "boolean", default: false },
  },
});
checkWhole(values, ["bots"]);
const bots = Number(values.bots);

interface Node {
  readonly node: string;
  readonly pid: number;
  readonly http: number;
  readonly listen: Readonly<Record<string, number>>;
}

const program = findNatsServer();
if (program === undefined) {
  console.error("nats-server is missing: install Debian's package nats-server, or name the program in NATS_SERVER");
  process.exit(1);
}
const folder = mkdtempSync(join(tmpdir(), "wirewalk-cluster-"));
const nats = await startNatsServer({ program, folder });
const children: ChildProcess[] = [];
let isStopping = false;

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  const ends = children.filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null);
  for (const child of ends) child.kill("SIGTERM");
  const timer = setTimeout(() => {
    for (const child of ends) child.kill("SIGKILL");
  }, STOP_MS);
  await Promise.all(
    ends.map((child) => (child.exitCode === null && child.signalCode === null ? once(child, "exit") : undefined)),
  );
  clearTimeout(timer);
  await nats.stop();
  rmSync(folder, { recursive: true, force: true });
  process.exit(code);
}
process.on("SIGINT", () => void stop(0));
process.on("SIGTERM", () => void stop(0));
// npm that is killed tells its command nothing.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) void stop(0);
}, 500);

try {
  const nodes = await Promise.all(NODES.map((node, index) => startNode(node, index)));
  await worldsReady();
  if (values.json) {
    process.stdout.write(`${JSON.stringify({ nats: nats.url, nodes })}\n`);
  } else {
    console.log(`broker   ${nats.url}`);
    for (const { node, pid, http, listen } of nodes) {
      console.log(`node ${node}   process ${pid}   http://127.0.0.1:${http}/   ${GAME} on 127.0.0.1:${listen[GAME]}`);
    }
    console.log(
      `Try: npx wirewalk cluster status --nats ${nats.url}; kill -9 one of them; npx wirewalk drain b --nats ${nats.url}`,
    );
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  await stop(1);
}

async function startNode(node: string, index: number): Promise<Node> {
  const [http, slime] = await Promise.all([freePort(HTTP_PORT + index), freePort(SLIME_PORT + index)]);
  const own = ["--nats", nats.url, "--node", node, "--lease-ms", values["lease-ms"], "--http", String(http)];
  const game = ["--listen", `${GAME}=${slime}`, "--all", "--dialect", `${GAME}=documented`];
  const perNode = ["--bots", String(Math.ceil(bots / NODES.length))];
  const flags = [command, "serve", ...own, ...game, ...perNode, "--log-level", "info"];
  const child = spawn(process.execPath, flags, { stdio: ["ignore", "ignore", "pipe"] });
  children.push(child);
  child.once("exit", (code, signal) => {
    if (!isStopping) console.error(`node ${node} has ended with ${signal ?? `code ${code}`}`);
  });
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error(`node ${node} did not start`)));
    const lines = createInterface(child.stderr);
    lines.on("line", (line) => {
      const entry = parseLine(line);
      if (entry === undefined || (entry.level ?? 0) >= 50) console.error(`${node}: ${line}`);
      if (entry?.msg !== "listening" || entry.http === undefined) return;
      const listen = Object.fromEntries((entry.listeners ?? []).map(({ protocol, port }) => [protocol, port]));
      resolve({ node, pid: child.pid ?? 0, http: entry.http.port, listen });
    });
  });
}

interface LogLine {
  readonly level?: number;
  readonly msg?: string;
  readonly http?: { readonly port: number };
  readonly listeners?: readonly { readonly protocol: string; readonly port: number }[];
}

function parseLine(line: string): LogLine | undefined {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return undefined;
  }
}

/** Resolves when every world has an owner that answers. */
async function worldsReady(): Promise<void> {
  const { protocols } = await import("wirewalk/protocols");
  const names = Object.keys(protocols);
  const member = await natsCluster({ url: nats.url, name: "starter", info: { isObserver: true } });
  const untilMs = performance.now() + READY_MS;
  for (const name of names) {
    for (;;) {
      try {
        await member.request(`owner.${name}`, new Uint8Array(0), 1_000);
        break;
      } catch (error) {
        if (performance.now() > untilMs) throw new Error(`No node has taken the world ${name}`, { cause: error });
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }
  await member.close();
}
