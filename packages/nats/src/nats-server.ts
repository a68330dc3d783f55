/** Starts a `nats-server` of one's own: for tests, and to try a cluster on one machine. */
import { spawn } from "node:child_process";
import { accessSync, constants, existsSync, readdirSync, readFileSync } from "node:fs";
import { delimiter, join } from "node:path";

/** How long it may take to listen: 45 ms on a machine that is idle. */
const START_MS = 10_000;
const LOOK_EVERY_MS = 10;
/** A server that does not end by itself is killed after this time. */
const STOP_MS = 2_000;

export interface RunningNats {
  /** `nats://127.0.0.1:4222`. */
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface NatsServerOptions {
  /** The program: see {@link findNatsServer}. */
  readonly program: string;
  /** An existing folder for its files. */
  readonly folder: string;
  /** Default: any that is free. */
  readonly port?: number;
  /** A configuration file, such as one with users and their permissions. */
  readonly config?: string;
}

/** The program `nats-server`: what `$NATS_SERVER` names, or the one on the path or in Debian's places. Undefined where it is not installed. */
export function findNatsServer(env: NodeJS.ProcessEnv = process.env): string | undefined {
  if (env.NATS_SERVER !== undefined && env.NATS_SERVER !== "") return env.NATS_SERVER;
  const folders = [...(env.PATH ?? "").split(delimiter), "/usr/sbin", "/usr/local/sbin"];
  return folders.map((folder) => join(folder, "nats-server")).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Starts a server with JetStream on loopback. Rejects with `Error` when it does not listen in time. */
export async function startNatsServer({ program, folder, port = -1, config }: NatsServerOptions): Promise<RunningNats> {
  const flags = [
    "-a",
    "127.0.0.1",
    "-p",
    String(port),
    "-js",
    "-sd",
    join(folder, "store"),
    "--ports_file_dir",
    folder,
  ];
  if (config !== undefined) flags.push("-c", config);
  const child = spawn(program, flags, { stdio: "ignore" });
  let ended: string | undefined;
  const exit = new Promise<void>((resolve) => {
    child.once("error", (error) => {
      ended = error.message;
      resolve();
    });
    child.once("exit", (code, signal) => {
      ended ??= `it ended with ${signal ?? `code ${code}`}`;
      resolve();
    });
  });
  const stop = async (): Promise<void> => {
    if (ended !== undefined) return;
    child.kill("SIGTERM");
    const timer = setTimeout(() => child.kill("SIGKILL"), STOP_MS);
    await exit;
    clearTimeout(timer);
  };
  const untilMs = performance.now() + START_MS;
  while (ended === undefined && performance.now() < untilMs) {
    const url = readPorts(folder, child.pid);
    if (url !== undefined) return { url, pid: child.pid ?? 0, stop };
    await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
  }
  await stop();
  throw new Error(`Cannot start ${program}: ${ended ?? `it does not listen after ${START_MS} ms`}`);
}

/** The server writes its addresses to a file when it listens. */
function readPorts(folder: string, pid: number | undefined): string | undefined {
  if (!existsSync(folder)) return undefined;
  const name = readdirSync(folder).find((each) => each.endsWith(`_${pid}.ports`));
  if (name === undefined) return undefined;
  try {
    const { nats } = JSON.parse(readFileSync(join(folder, name), "utf8")) as { readonly nats?: readonly string[] };
    return nats?.[0];
  } catch {
    // It is writing.
    return undefined;
  }
}
