/**
 * The log of a server for people at a terminal: a line of words for each record, and one line a second for all who came and went.
 * Anything else than a terminal gets the records as pino writes them, a line of JSON each.
 *
 * Ours, since what is left out and added up here follows from the server's own records.
 */
import type { Writable } from "node:stream";
import { type Environment, painter } from "./colours.ts";

/** Where a logger writes its lines of JSON. */
export interface LogSink {
  readonly write: (line: string) => void;
}

export interface TerminalLog extends LogSink {
  /** The server is up and its own bots have come in: from now on it is said who comes and goes. */
  readonly begin: () => void;
  /** Writes what waits. */
  readonly end: () => void;
}

/** pino's numbers of levels from which on a line is marked. */
const marks: readonly (readonly [level: number, mark: string])[] = [
  [50, "error"],
  [40, "warning"],
];

/** Members that every record has, and those that a line says elsewhere. */
const saidElsewhere: ReadonlySet<string> = new Set(["level", "time", "pid", "hostname", "msg", "world", "err"]);

/** For how long arrivals and departures are added up. */
const TOGETHER_MS = 1000;

interface LogRecord extends Readonly<Record<string, unknown>> {
  readonly level?: unknown;
  readonly time?: unknown;
  readonly msg?: unknown;
  readonly world?: unknown;
  readonly err?: unknown;
}

export function terminalLog(output: Writable, env: Environment): TerminalLog {
  const paint = painter(output, env);
  const moved = new Map<string, { came: number; went: number }>();
  let hasBegun = false;
  let timer: NodeJS.Timeout | undefined;

  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    for (const [world, { came, went }] of moved) {
      const parts = [...(came > 0 ? [`${came} came in`] : []), ...(went > 0 ? [`${went} left`] : [])];
      output.write(`${paint("offset", clock(Date.now()))} ${world}: ${parts.join(", ")}\n`);
    }
    moved.clear();
  };

  const count = (world: string, member: "came" | "went"): void => {
    const row = moved.get(world) ?? { came: 0, went: 0 };
    row[member] += 1;
    moved.set(world, row);
    timer ??= setTimeout(flush, TOGETHER_MS).unref();
  };

  return {
    write(line) {
      const record = recordIn(line);
      // What is no record is written as it is: nothing of a log is lost.
      if (record === undefined) output.write(line);
      else if (record.msg === "joined" || record.msg === "session ended") {
        if (hasBegun) count(String(record.world), record.msg === "joined" ? "came" : "went");
      } else if (record.msg !== "listening") {
        // What happened before stands before.
        flush();
        const mark = marks.find(([level]) => Number(record.level) >= level)?.[1];
        const about = record.world === undefined ? "" : `${record.world}: `;
        const head = `${paint("offset", clock(Number(record.time)))} ${mark === undefined ? "" : `${paint("error", mark)} `}`;
        output.write(`${head}${about}${record.msg ?? ""}${paint("offset", details(record))}\n`);
      }
    },
    begin() {
      hasBegun = true;
    },
    end: flush,
  };
}

function recordIn(line: string): LogRecord | undefined {
  try {
    const record: unknown = JSON.parse(line);
    return typeof record === "object" && record !== null && !Array.isArray(record) ? (record as LogRecord) : undefined;
  } catch {
    return undefined;
  }
}

/** `15:04:05`, of this machine. */
function clock(ms: number): string {
  return Number.isFinite(ms) ? new Date(ms).toTimeString().slice(0, 8) : "--:--:--";
}

/** `, player 5, reason kick`; an error by its message, on a line of its own with its stack where it is a fault. */
function details(record: LogRecord): string {
  const rest = Object.entries(record)
    .filter(([name]) => !saidElsewhere.has(name))
    .map(([name, value]) => `, ${name} ${typeof value === "string" ? value : JSON.stringify(value)}`)
    .join("");
  const { err } = record;
  if (typeof err !== "object" || err === null) return rest;
  const { message, stack } = err as { readonly message?: unknown; readonly stack?: unknown };
  return `${rest}: ${Number(record.level) >= 50 && typeof stack === "string" ? `\n${stack}` : String(message)}`;
}
