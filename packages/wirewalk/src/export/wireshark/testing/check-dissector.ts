/** tshark with our dissectors beside our own readers. */
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { joined, pcapngHeader, pcapngPacket } from "../../../capture/pcapng.ts";
import type { Random } from "../../../motion/index.ts";
import type { Protocol } from "../../../protocols/index.ts";
import { wiresharkDissector, wiresharkName } from "../wireshark.ts";
import { differenceOf } from "./compare.ts";
import { makeSession, type SentPayload } from "./made-session.ts";
import { messagesIn, type ShownMessage } from "./pdml.ts";

/** Debian's package tshark. */
export const hasTshark: boolean = spawnSync("tshark", ["--version"]).status === 0;

/** Payloads of one dialect of one protocol. */
export interface CheckedSession {
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly payloads: readonly SentPayload[];
}

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
  return joined([header, ...packets.map((frame, index) => pcapngPacket(START_NS + BigInt(index) * STEP_NS, frame))]);
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

/** Compares the sessions in one run of tshark: one for each protocol at most. `folder`: for the files of this run. */
export async function checkDissectors(
  sessions: readonly CheckedSession[],
  random: Random,
  folder: string,
): Promise<CheckResult> {
  const made = sessions.map((session) => ({
    ...session,
    ...makeSession(session.protocol, session.dialect, session.payloads, random),
  }));
  const capture = join(folder, "made.pcapng");
  writeFileSync(capture, captureOf(made.flatMap(({ packets }) => packets)));
  const options = made.flatMap(({ protocol, dialect }) => {
    const script = join(folder, `${protocol.name}.lua`);
    writeFileSync(script, wiresharkDissector({ protocol, dialects: protocol.dialects.map(({ name }) => name) }));
    return ["-X", `lua_script:${script}`, "-o", `${wiresharkName(protocol.name)}.dialect:${dialect}`];
  });
  const names = made.map(({ protocol }) => wiresharkName(protocol.name));
  const start = performance.now();
  const pdml = await runTshark([...options, "-r", capture, "-T", "pdml", "-J", names.join(" ")]);
  const tsharkMs = performance.now() - start;
  const differences: string[] = [];
  const counts = { messages: 0, refused: 0 };
  for (const { protocol, dialect, sent } of made) {
    const codec = protocol.codec(dialect);
    const shown = messagesIn(pdml, wiresharkName(protocol.name)).filter((each) => !isGreeting(each));
    if (shown.length !== sent.length)
      differences.push(`${protocol.name} ${dialect}: ${shown.length} of ${sent.length}`);
    for (const [index, { sender, payload }] of sent.entries()) {
      const message = shown[index];
      if (message === undefined) break;
      counts.messages += 1;
      if (message.fields.some(({ path }) => path === "refusal.code")) counts.refused += 1;
      const difference = differenceOf(codec, sender, payload, message);
      if (difference !== undefined) differences.push(`${protocol.name} ${dialect}: ${difference}`);
    }
  }
  return { ...counts, differences, tsharkMs };
}

function isGreeting({ fields }: ShownMessage): boolean {
  return fields.some(({ path }) => path === "greeting");
}
