/** The server that is attacked: one of our own in a process of its own, or one that runs already. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Protocol } from "wirewalk/protocol";
import { chooseDialect } from "../commands/streams.ts";
import { FailedError } from "../context.ts";

export interface TargetGame {
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly port: number;
}

export interface Target {
  readonly host: string;
  /** Port of HTTP and WebSocket. */
  readonly http: number;
  readonly games: ReadonlyMap<string, TargetGame>;
  /** True for a server that was started with the flags of the attack. */
  readonly isOwn: boolean;
  stop(): Promise<void>;
}

const START_MS = 60_000;

const bin = fileURLToPath(new URL("../../bin/wirewalk.js", import.meta.url));

/** Starts `wirewalk serve` with these flags, on ports that are free, with an empty data folder. */
export async function startTarget(
  protocols: Readonly<Record<string, Protocol>>,
  flags: readonly string[],
): Promise<Target> {
  const all = Object.values(protocols);
  const data = await mkdtemp(join(tmpdir(), "wirewalk-attack-"));
  const listens = all.flatMap(({ name }) => ["--listen", `${name}=0`]);
  const args = [bin, "serve", "--http", "0", "--log-level", "silent", "--data", data, ...listens, ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
  const stop = async (): Promise<void> => {
    await endOf(child);
    await rm(data, { recursive: true, force: true });
  };
  let output = "";
  let errors = "";
  child.stdout.on("data", (bytes: Buffer) => {
    output += String(bytes);
  });
  child.stderr.on("data", (bytes: Buffer) => {
    errors += String(bytes);
  });
  const sinceMs = performance.now();
  // The last lines name the page.
  while (!output.includes("http://")) {
    if (child.exitCode !== null || performance.now() - sinceMs > START_MS) {
      await stop();
      throw new FailedError(`the server did not start: ${errors.trim() || output.trim() || "no output"}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const games = all.map((protocol) => {
    const [, dialect = protocol.defaultDialect, port] =
      new RegExp(`^${protocol.title}, dialect (\\w+)[^\\n]*\\n +TCP +\\S+:(\\d+)`, "m").exec(output) ?? [];
    return [protocol.name, { protocol, dialect, port: Number(port) }] as const;
  });
  const http = Number(/ws:\/\/[^/\s]+:(\d+)\/ws\//.exec(output)?.[1]);
  return { host: "127.0.0.1", http, games: new Map(games), isOwn: true, stop };
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** A server that runs already, with every game on its own port in the dialect that `wirewalk serve` chooses. */
export function runningTarget(
  protocols: Readonly<Record<string, Protocol>>,
  { host, port }: { readonly host: string; readonly port: number },
): Target {
  const games = Object.values(protocols).map((protocol) => {
    const game = { protocol, dialect: chooseDialect(protocol, undefined), port: protocol.defaultPort };
    return [protocol.name, game] as const;
  });
  return { host, http: port, games: new Map(games), isOwn: false, stop: async () => {} };
}
