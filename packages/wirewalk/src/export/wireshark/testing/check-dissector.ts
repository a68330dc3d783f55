/** tshark with our dissectors beside our own readers. */

import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pcapngHeader, pcapngPacket } from "../../../capture/pcapng.ts";
import type { Random } from "../../../motion/index.ts";
import { joinBytes } from "../../../wire/index.ts";
import { wiresharkDissector, wiresharkName } from "../wireshark.ts";
import { differenceOf } from "./compare.ts";
import { type CheckedSession, makeSession } from "./made-session.ts";
import { messagesIn, type ShownMessage } from "./pdml.ts";
import { PlayerInfoSession } from "./player-info-sessions.ts";

/** Debian's package tshark. */
export const hasTshark: boolean = spawnSync("tshark", ["--version"]).status === 0;

export interface CheckResult {
  readonly messages: number;
  readonly refused: number;
  readonly differences: readonly string[];
  /** What tshark took, its start included. */
  readonly tsharkMs: number;
}

const START_NS = 1_700_000_000_000_000_000n;
const STEP_NS = 25_000_000n;

/** A capture file of some packets. */
export function captureOf(packets: readonly Uint8Array[]): Uint8Array {
  const header = pcapngHeader({ application: "wirewalk tests", interfaceName: "made" });
  return joinBytes([header, ...packets.map((frame, index) => pcapngPacket(START_NS + BigInt(index) * STEP_NS, frame))]);
}

/** Runs tshark and returns what it prints. Throws when Lua reports an error. */
export async function runTshark(args: readonly string[]): Promise<string> {
  const tshark = spawn("tshark", args, { stdio: ["ignore", "pipe", "pipe"] });
  const chunks: Buffer[] = [];
  let errors = "";
  tshark.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  tshark.stderr.on("data", (chunk: Buffer) => {
    errors += chunk.toString();
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    tshark.on("error", reject);
    tshark.on("close", resolve);
  });
  const text = Buffer.concat(chunks).toString("utf8");
  const lua = /Lua Error[^"\n]*/.exec(text + errors)?.[0];
  if (code !== 0 || lua !== undefined) throw new Error(lua ?? errors);
  return text;
}

export interface CheckOptions {
  /** Every packet is dissected twice, as in Wireshark, and the second time is compared. */
  readonly twice?: boolean;
  /** The dissectors find out dialects and servers: connections have other ports than the protocol's own. */
  readonly finds?: boolean;
  /** Payloads are messages of WebSockets. Connections have other ports, as with `finds`; the dialects are given. */
  readonly webSocket?: boolean;
}

/**
 * Compares the sessions in one run of tshark: one for each protocol at most, unless the dissectors find the dialect. `folder`: for the
 * files of this run.
 */
export async function checkDissectors(
  sessions: readonly CheckedSession[],
  random: Random,
  folder: string,
  options: CheckOptions = {},
): Promise<CheckResult> {
  const { twice = false, webSocket = false, finds = false } = options;
  const made = sessions.map((session, index) => ({
    ...session,
    ...(finds || webSocket
      ? makeSession(session, random, {
          cutOneOf: webSocket ? 10 : Number.POSITIVE_INFINITY,
          webSocket,
          client: 30_000 + index,
          server: 9000 + index,
        })
      : makeSession(session, random)),
  }));
  const capture = join(folder, "made.pcapng");
  writeFileSync(capture, captureOf(made.flatMap(({ packets }) => packets)));
  const dissectors = new Map(made.map(({ protocol, dialect }) => [protocol.name, { protocol, dialect }]));
  const args = [...dissectors.values()].flatMap(({ protocol, dialect }) => {
    const script = join(folder, `${protocol.name}.lua`);
    writeFileSync(script, wiresharkDissector({ protocol, dialects: protocol.dialects.map(({ name }) => name) }));
    return ["-X", `lua_script:${script}`, "-o", `${wiresharkName(protocol.name)}.dialect:${finds ? "auto" : dialect}`];
  });
  const names = [...dissectors.keys()].map(wiresharkName);
  const start = performance.now();
  const pdml = await runTshark([...(twice ? ["-2"] : []), ...args, "-r", capture, "-T", "pdml", "-J", names.join(" ")]);
  const tsharkMs = performance.now() - start;
  const differences: string[] = [];
  const counts = { messages: 0, refused: 0 };
  for (const { protocol, dialect, sent } of made) {
    const codec = protocol.codec(dialect);
    const shown = messagesIn(pdml, wiresharkName(protocol.name)).filter((each) => isOf(each, dialect));
    if (shown.length !== sent.length)
      differences.push(`${protocol.name} ${dialect}: ${shown.length} of ${sent.length}`);
    const memory = protocol.name === "osrs" ? new PlayerInfoSession(protocol, dialect) : undefined;
    for (const [index, { sender, payload }] of sent.entries()) {
      const more = memory?.read(sender, payload);
      const message = shown[index];
      if (message === undefined) break;
      counts.messages += 1;
      if (message.fields.some(({ path }) => path === "refusal.code")) counts.refused += 1;
      const difference = differenceOf(codec, sender, payload, message, more);
      if (difference !== undefined) differences.push(`${protocol.name} ${dialect}: ${difference}`);
    }
  }
  return { ...counts, differences, tsharkMs };
}

/** Whether a message is of a dialect, and no greeting. */
function isOf({ fields }: ShownMessage, dialect: string): boolean {
  return (
    fields.some(({ path, show }) => path === "dialect" && show === dialect) &&
    fields.every(({ path }) => path !== "greeting")
  );
}
