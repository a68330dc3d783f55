/** The server that is attacked: one of our own in a process of its own, or one that runs already. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultDialect, type ProtocolWith } from "wirewalk/protocol";
import { FailedError } from "../context.ts";
import { chooseDialect } from "../input/streams.ts";

/** A game that can be attacked: it is served, and honest and dishonest players play it. */
export type AttackedProtocol = ProtocolWith<"openChannel" | "createWorld" | "bots">;

export interface TargetGame {
  readonly protocol: AttackedProtocol;
  readonly dialect: string;
  /** Undefined where the game is served over WebSocket alone. */
  readonly port: number | undefined;
}

/** Where a server's HTTP and WebSockets are. */
export interface WebAddress {
  readonly host: string;
  readonly port: number;
}

export interface Target {
  readonly host: string;
  /** Port of HTTP and WebSocket. */
  readonly http: number;
  /** By name; a game that is not served is missing. */
  readonly games: ReadonlyMap<string, TargetGame>;
  stop(): Promise<void>;
}

const START_MS = 60_000;

const bin = fileURLToPath(new URL("../../bin/wirewalk.js", import.meta.url));

/** Starts `wirewalk serve` with these flags, on ports that are free, with an empty data folder. Throws when it is interrupted meanwhile. */
export async function startTarget(
  protocols: Readonly<Record<string, AttackedProtocol>>,
  flags: readonly string[],
  interrupted: AbortSignal,
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
    if (interrupted.aborted) {
      await stop();
      throw interrupted.reason;
    }
    if (child.exitCode !== null || performance.now() - sinceMs > START_MS) {
      await stop();
      throw new FailedError(`the server did not start: ${errors.trim() || output.trim() || "no output"}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  const games = all.map((protocol) => {
    const [, dialect = defaultDialect(protocol), port] =
      new RegExp(`^${protocol.title}, dialect (\\w+)[^\\n]*\\n +TCP +\\S+:(\\d+)`, "m").exec(output) ?? [];
    return [protocol.name, { protocol, dialect, port: Number(port) }] as const;
  });
  const http = Number(/ws:\/\/[^/\s]+:(\d+)\/ws\//.exec(output)?.[1]);
  return { host: "127.0.0.1", http, games: new Map(games), stop };
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGKILL");
  await exited;
}

/** How long a server may take to answer at all. */
const ANSWER_MS = 5_000;

/**
 * A server that runs already. Its feed names its games, their dialects and their ports. Where the feed is not at this address,
 * `assumed` is called and every game is taken to be on its own port, in the dialect that `wirewalk serve` chooses. Throws
 * `FailedError` when nothing answers there.
 */
export async function runningTarget(
  protocols: Readonly<Record<string, AttackedProtocol>>,
  address: WebAddress,
  assumed: () => void,
): Promise<Target> {
  const web = `http://${hostAndPort(address)}`;
  let status: number;
  try {
    ({ status } = await fetch(`${web}/livez`, { signal: AbortSignal.timeout(ANSWER_MS) }));
  } catch (error) {
    throw new FailedError(`no server answers at ${web}: ${causeOf(error)}`);
  }
  if (status !== 200) throw new FailedError(`no wirewalk server is at ${web}: it answers ${status} to /livez`);
  const served = await gamesOfFeed(address);
  if (served === undefined) assumed();
  const games = Object.values(protocols).flatMap((protocol): [string, TargetGame][] => {
    const { name, defaultPort } = protocol;
    if (served === undefined) {
      return [[name, { protocol, dialect: chooseDialect(protocol, undefined), port: defaultPort }]];
    }
    const found = served.find((each) => each.name === name);
    // A dialect that this version does not know is one that it cannot attack.
    if (found === undefined || !protocol.dialects.some((dialect) => dialect.name === found.dialect)) return [];
    const port = found.listen === null ? undefined : Number(found.listen.slice(found.listen.lastIndexOf(":") + 1));
    return [[name, { protocol, dialect: found.dialect, port }]];
  });
  return { host: address.host, http: address.port, games: new Map(games), stop: async () => {} };
}

/** `127.0.0.1:7400`, `[::1]:7400`. */
export function hostAndPort({ host, port }: WebAddress): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/** The first world of a game, which has the name of the game. */
interface ServedGame {
  readonly name: string;
  readonly dialect: string;
  /** `host:port` of its TCP port. */
  readonly listen: string | null;
}

/** The worlds that the page's feed names in its first message; undefined where there is no feed. */
async function gamesOfFeed(address: WebAddress): Promise<readonly ServedGame[] | undefined> {
  const socket = new WebSocket(`ws://${hostAndPort(address)}/ws/studio`);
  try {
    return await new Promise((resolve) => {
      const timer = setTimeout(() => resolve(undefined), ANSWER_MS);
      socket.addEventListener("message", ({ data }) => {
        clearTimeout(timer);
        resolve(gamesIn(String(data)));
      });
      socket.addEventListener("error", () => {});
      socket.addEventListener("close", () => {
        clearTimeout(timer);
        resolve(undefined);
      });
    });
  } finally {
    socket.close();
  }
}

function gamesIn(text: string): readonly ServedGame[] | undefined {
  try {
    const { type, worlds } = JSON.parse(text) as { readonly type?: unknown; readonly worlds?: unknown };
    return type === "hello" && Array.isArray(worlds) ? worlds.filter(isGame) : undefined;
  } catch {
    return undefined;
  }
}

function isGame(value: unknown): value is ServedGame {
  if (typeof value !== "object" || value === null) return false;
  const { name, dialect, listen } = value as Partial<ServedGame>;
  return typeof name === "string" && typeof dialect === "string" && (listen === null || typeof listen === "string");
}

/** `fetch` hides the system's code in the cause of its error. */
function causeOf(error: unknown): string {
  const { cause } = error as { readonly cause?: NodeJS.ErrnoException };
  return cause?.code ?? cause?.message ?? (error instanceof Error ? error.message : String(error));
}
