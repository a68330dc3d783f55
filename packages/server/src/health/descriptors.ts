/**
 * **File descriptors**: every connection takes one. When none is left the system's library for events accepts a connection
 * and closes it at once, and nobody reads of it: no error, no event. So the server asks for fewer connections than the process
 * may have, and looks whether a descriptor is left.
 */
import { closeSync, openSync, readFileSync } from "node:fs";
import { devNull } from "node:os";
import type { Budgets } from "../session/budgets.ts";

/** For listeners, the database with its log and index, the page's files, and what Node itself holds: 25 in an idle server. */
const SPARE = 64;
/** The part of the rest that HTTP connections may take. */
const HTTP_SHARE = 1 / 8;

/** Files that this process may have open; undefined where the system does not say. */
export function openFileLimit(): number | undefined {
  try {
    const limit = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "latin1"))?.[1];
    return limit === undefined ? undefined : Number(limit);
  } catch {
    return undefined;
  }
}

/** The budgets with no more connections than fit into the limit. */
export function fitToDescriptors(budgets: Budgets, limit: number): Budgets {
  const rest = Math.max(2, limit - SPARE);
  if (budgets.sessions + budgets.httpConnections <= rest) return budgets;
  const httpConnections = Math.min(budgets.httpConnections, Math.max(1, Math.floor(rest * HTTP_SHARE)));
  return { ...budgets, httpConnections, sessions: Math.min(budgets.sessions, rest - httpConnections) };
}

/** Whether this process can open one more file. */
export function hasDescriptor(): boolean {
  try {
    closeSync(openSync(devNull, "r"));
    return true;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EMFILE" || code === "ENFILE") return false;
    throw error;
  }
}
