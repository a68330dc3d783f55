/** A PostgreSQL server of a test's own: in a folder of its own, on a Unix socket, without a port. */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";

/** Debian's place, by version. */
const FOLDERS = "/usr/lib/postgresql/*/bin";
/** PostgreSQL refuses to run as root: then this user runs it, Debian's `nobody`. */
const NOBODY = 65_534;

/** The folder of PostgreSQL's programs; undefined where it is not installed. */
export function postgresPrograms(): string | undefined {
  return globSync(FOLDERS)
    .filter((folder) => existsSync(join(folder, "initdb")))
    .sort()
    .at(-1);
}

export class PostgresServer {
  readonly #folder: string;
  readonly #programs: string;
  readonly #user: { readonly uid: number; readonly gid: number } | Record<string, never>;
  #process: ChildProcess | undefined;

  constructor(programs: string) {
    this.#programs = programs;
    this.#user = process.getuid?.() === 0 ? { uid: NOBODY, gid: NOBODY } : {};
    this.#folder = mkdtempSync(join(tmpdir(), "wirewalk-postgres-"));
    if (this.#user.uid !== undefined) chownSync(this.#folder, NOBODY, NOBODY);
    const flags = ["-D", join(this.#folder, "data"), "-A", "trust", "-U", "wirewalk", "--no-sync", "-E", "UTF8"];
    execFileSync(join(programs, "initdb"), [...flags, "--locale=C"], {
      ...this.#user,
      cwd: this.#folder,
      stdio: "ignore",
    });
  }

  /** The address for `postgresStore`. */
  get url(): string {
    return `postgres://wirewalk@${encodeURIComponent(this.#folder)}/postgres`;
  }

  async start(): Promise<void> {
    const flags = ["-D", join(this.#folder, "data"), "-k", this.#folder, "-c", "listen_addresses=", "-c", "fsync=off"];
    this.#process = spawn(join(this.#programs, "postgres"), flags, {
      ...this.#user,
      cwd: this.#folder,
      stdio: "ignore",
    });
    for (let tries = 0; ; tries += 1) {
      const client = new pg.Client(this.url);
      try {
        await client.connect();
        await client.end();
        return;
      } catch (error) {
        if (tries === 200) throw error;
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
  }

  /** Ends it as a crash would: connections break at once. */
  async stop(): Promise<void> {
    const running = this.#process;
    if (running === undefined) return;
    this.#process = undefined;
    const ended = once(running, "exit");
    // Immediate shutdown: the processes of its connections end with it.
    running.kill("SIGQUIT");
    await ended;
  }

  async query(text: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const client = new pg.Client(this.url);
    await client.connect();
    const { rows } = await client.query(text);
    await client.end();
    return rows;
  }

  /** The process that serves the connection of a store, by its schema. */
  async backendOf(schema: string): Promise<number> {
    const rows = await this.query(`SELECT pid FROM pg_stat_activity WHERE application_name = 'wirewalk ${schema}'`);
    return Number(rows[0]?.pid);
  }

  async remove(): Promise<void> {
    await this.stop();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
