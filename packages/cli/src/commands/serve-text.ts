/** What `wirewalk serve` prints when the server runs. */
import type { RunningWorkers } from "@wirewalk/server";
import type { Paint } from "../output/colours.ts";
import type { Flock } from "../process/flock.ts";
import type { Listener } from "./serve-listeners.ts";
import { isLoopback, type WebFlags } from "./serve-web.ts";

export interface TextFlags extends WebFlags {
  readonly bots: number;
  readonly data?: string;
  readonly logOnly?: true;
  readonly banLoopback?: true;
  readonly record?: string;
}

type Address = RunningWorkers["httpAddress"];

/** `127.0.0.1:7400`: how this machine reaches a listener. */
export function reachable(address: Address): string {
  if (address === undefined) throw new Error("The server has no HTTP");
  const { host, port } = address;
  // A wildcard address cannot be connected to.
  const near = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `${near.includes(":") ? `[${near}]` : near}:${port}`;
}

/** What a running server prints: its addresses, and what is kept and enforced. */
export function describe(
  server: RunningWorkers,
  listeners: readonly Listener[],
  flags: TextFlags,
  { hasPage, flocks, paint }: { readonly hasPage: boolean; readonly flocks: readonly Flock[]; readonly paint: Paint },
): string {
  const secure = flags.tlsCert === undefined ? "" : "s";
  const web = reachable(server.httpAddress);
  const lines: string[] = [];
  for (const [index, { name, protocol, dialect, tickMs, threads = 1, maps }] of listeners.entries()) {
    const tick = tickMs === undefined ? "" : `, ${tickMs} ms a tick`;
    const together = threads > 1 ? `, ${threads} threads` : "";
    const world = name === protocol.name ? "" : `, world ${name}`;
    lines.push(`${paint("title", `${protocol.title}${world}`)}, dialect ${dialect}${tick}${together}`);
    for (const { host, port, room } of server.listeners.filter((each) => each.world === name)) {
      lines.push(`  TCP        ${host}:${port}${room === undefined ? "" : ` for room ${room}`}`);
    }
    lines.push(`  WebSocket  ws${secure}://${web}/ws/${name}`);
    if (maps !== undefined) lines.push(`  Maps       ${maps}`);
    const counts = flocks[index]?.counts();
    if (counts === undefined) continue;
    const failed = [...counts.reasons].map(([reason, times]) => `; ${times} x ${reason}`).join("");
    lines.push(`  Bots       ${counts.connected}${failed}`);
  }
  if (flags.data === undefined) lines.push("Bans and accounts are lost at the end: --data FOLDER keeps them.");
  else lines.push(`Bans and accounts are kept in ${flags.data}.`);
  if (flags.record !== undefined) lines.push(`Worlds are recorded in ${flags.record}.`);
  if (flags.logOnly === true) {
    lines.push("Cheats are only logged: no player is corrected or banned.");
  } else if (flags.banLoopback !== true) {
    const who = flags.bots > 0 ? "Players of the demo" : "Players of this machine";
    lines.push(`${who} are disconnected for cheating, not banned: --ban-loopback bans them.`);
  }
  const hasAdmin = server.adminAddress?.port !== server.httpAddress?.port;
  const page = `http${hasAdmin && isLoopback(server.adminAddress?.host ?? "") ? "" : secure}://${reachable(server.adminAddress)}/`;
  if (hasAdmin) lines.push("The games' address has neither the page nor its feed nor the metrics.");
  // Last, where one looks for it.
  lines.push(pageLine(paint("title", page), hasPage));
  return `${lines.join("\n")}\n`;
}

/** Where the page is. In a clone it has to be built first. */
export function pageLine(url: string, hasPage: boolean): string {
  return hasPage
    ? `The page is at ${url}`
    : `The page is not built (npm run build:studio builds it); all else is served at ${url}`;
}
