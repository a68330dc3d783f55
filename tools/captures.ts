/** A large capture of bots of all games, read whole, damaged and cut: `npm run captures`. See docs/inspect.md. */
import { spawn } from "node:child_process";
import {
  closeSync,
  createReadStream,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { CaptureReader } from "wirewalk/capture";
import { createRandom } from "wirewalk/motion";
import { protocols } from "wirewalk/protocols";
import {
  allWorlds,
  captureBlock,
  captureHead,
  damagePackets,
  type MadePacket,
  makePackets,
} from "../packages/wirewalk/src/capture/testing/made-capture.ts";
import { checkKnown, checkWhole, parseOptions } from "./options.ts";

const usage = `npm run captures -- [--size BYTES] [--bots N] [--cuts N] [--seed N] [--folder DIR] [--stages LIST]

Makes a capture with bots of every game and dialect over TCP and WebSocket, reads it with wirewalk inspect --json and reports
rate, memory and exit code. Then 5 % of its packets are dropped, swapped or doubled, and a piece of up to 4,000 bytes is missing
at N random places of the file. It is read again. Last, a smaller capture with such packets is cut at N random places: each of
the N files is read to its end, compared with what the uncut one has up to there, and names the cut.

  --size BYTES   bytes of the capture, default 1000000000
  --cut-size BYTES  bytes of the smaller capture, default 1000000
  --bots N       bots of each world, default 40; of the smaller capture 2
  --cuts N       places at which pieces are missing, and at which the smaller file is cut; default 200
  --seed N       default 1
  --folder DIR   where whole.pcapng and damaged.pcapng are kept; default: a temporary folder that is removed
  --stages LIST  some of make,damage,whole,damaged,cuts; default: all. With --folder they can run one after the other
  --help         prints this

The exit code is 1 when reading fails, needs more than 300 MB, or ends with another exit code than 0 for the whole and 3 for the
damaged capture and each cut one, or when a cut one lacks a message; 2 for wrong usage.`;

const { values } = parseOptions(usage, {
  options: {
    size: { type: "string", default: "1000000000" },
    "cut-size": { type: "string", default: "1000000" },
    bots: { type: "string", default: "40" },
    cuts: { type: "string", default: "200" },
    seed: { type: "string", default: "1" },
    folder: { type: "string" },
    stages: { type: "string", default: "make,damage,whole,damaged,cuts" },
    help: { type: "boolean" },
  },
});

checkWhole(values, ["size", "cut-size", "bots", "cuts", "seed"]);

/** Memory that reading may need, in bytes: the promise of docs/inspect.md. */
const MEMORY_LIMIT = 300e6;
/** Bytes that are missing at a cut. */
const MAX_CUT_BYTES = 4000;
const DAMAGED_SHARE = 0.05;
/** Bytes that are written at once. */
const WRITE_BYTES = 4_000_000;
const POLL_MS = 100;

class FileWriter {
  readonly #file: number;
  #parts: Uint8Array[] = [];
  #bytes = 0;

  constructor(path: string) {
    this.#file = openSync(path, "w");
  }

  add(bytes: Uint8Array): void {
    this.#parts.push(bytes);
    this.#bytes += bytes.length;
    if (this.#bytes >= WRITE_BYTES) this.#flush();
  }

  close(): void {
    this.#flush();
    closeSync(this.#file);
  }

  #flush(): void {
    writeSync(this.#file, Buffer.concat(this.#parts));
    this.#parts = [];
    this.#bytes = 0;
  }
}

/** Bots of all worlds, until the file is large enough. */
function make(path: string, size: number, bots: number, seed: number): number {
  const file = new FileWriter(path);
  file.add(captureHead());
  let packets = 0;
  makePackets({
    worlds: allWorlds(Object.values(protocols), bots),
    seed,
    durationMs: Number.MAX_SAFE_INTEGER,
    enoughBytes: size,
    packet(packet) {
      packets += 1;
      file.add(captureBlock(packet));
    },
  });
  file.close();
  return packets;
}

/** The capture without, with swapped and with doubled packets, and then with pieces of the file missing. */
async function damage(from: string, to: string, cuts: number, seed: number): Promise<void> {
  const random = createRandom(seed);
  const packets = new FileWriter(`${to}.packets`);
  packets.add(captureHead());
  let batch: MadePacket[] = [];
  const write = (): void => {
    for (const packet of damagePackets(batch, DAMAGED_SHARE, random).packets) packets.add(captureBlock(packet));
    batch = [];
  };
  const reader = new CaptureReader({
    packet({ time, data }) {
      const timeNs = BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanoseconds);
      batch.push({ direction: "", bytes: 0, timeNs, frame: data.slice() });
      if (batch.length === 10_000) write();
    },
    fault: ({ text }) => {
      throw new Error(text);
    },
  });
  for await (const chunk of createReadStream(from, { highWaterMark: 1_000_000 })) reader.push(chunk as Uint8Array);
  reader.end();
  write();
  packets.close();

  const { size } = statSync(`${to}.packets`);
  const places = Array.from({ length: cuts }, () => captureHead().length + Math.floor(random.next() * size)).sort(
    (a, b) => a - b,
  );
  const source = openSync(`${to}.packets`, "r");
  const out = new FileWriter(to);
  let at = 0;
  for (const place of [...places, size]) {
    while (at < place) {
      const piece = new Uint8Array(Math.min(1_000_000, place - at));
      at += readSync(source, piece, 0, piece.length, at);
      out.add(piece);
    }
    at = Math.max(at, place + random.integer(1, MAX_CUT_BYTES));
  }
  out.close();
  closeSync(source);
  rmSync(`${to}.packets`);
}

interface Run {
  readonly text: string;
  readonly code: number;
  readonly seconds: number;
  readonly processorSeconds: number;
  readonly peakBytes: number;
  readonly lines: number;
  readonly errors: string;
}

/** `wirewalk inspect FILE --json`, with the most memory that the process had. `keepsText`: what it printed. */
async function inspect(path: string, keepsText = false): Promise<Run> {
  const startedMs = performance.now();
  const program = join(import.meta.dirname, "../packages/cli/src/main.ts");
  const child = spawn(process.execPath, ["-C", "wirewalk-source", program, "inspect", path, "--json"], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  let lines = 0;
  const text: Buffer[] = [];
  let errors = "";
  let peakBytes = 0;
  let processorSeconds = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    if (keepsText) text.push(chunk);
    for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, at + 1)) lines += 1;
  });
  child.stderr.on("data", (chunk: Buffer) => {
    if (errors.length < 2000) errors += chunk.toString();
  });
  const poll = setInterval(() => {
    const status = readProc(child.pid, "status");
    peakBytes = Math.max(peakBytes, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024);
    const [, , , , , , , , , , , user = "0", system = "0"] =
      readProc(child.pid, "stat").split(") ").at(-1)?.split(" ") ?? [];
    processorSeconds = Math.max(processorSeconds, (Number(user) + Number(system)) / 100);
  }, POLL_MS);
  const code = await new Promise<number>((resolve) => child.on("close", (exit) => resolve(exit ?? -1)));
  clearInterval(poll);
  const seconds = (performance.now() - startedMs) / 1000;
  return { text: Buffer.concat(text).toString(), code, seconds, processorSeconds, peakBytes, lines, errors };
}

/** Empty once the process has ended. */
function readProc(pid: number | undefined, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, "utf8");
  } catch {
    return "";
  }
}

async function report(name: string, path: string, wanted: number): Promise<boolean> {
  const { size } = statSync(path);
  const run = await inspect(path);
  const rate = size / 1e6 / run.processorSeconds;
  const isGood = run.code === wanted && run.peakBytes < MEMORY_LIMIT;
  const words = [`${(size / 1e6).toFixed(0)} MB`, `${run.lines} lines`, `${run.seconds.toFixed(1)} s`];
  const lineRate = (run.lines / run.processorSeconds / 1000).toFixed(1);
  words.push(
    `${run.processorSeconds.toFixed(1)} s of processor time: ${rate.toFixed(1)} MB/s, ${lineRate} thousand records/s`,
  );
  words.push(`peak memory ${(run.peakBytes / 1e6).toFixed(0)} MB`, `exit code ${run.code}, expected ${wanted}`);
  console.log(`${isGood ? "ok    " : "FAILED"} ${name}: ${words.join(", ")}`);
  if (run.errors !== "") console.log(run.errors.split("\n").slice(0, 5).join("\n"));
  return isGood;
}

/** Messages of a capture by connection and direction: what each is read as, and the lines in order. */
function messagesOf(
  text: string,
): ReadonlyMap<string, { readonly dialect: string; readonly lines: readonly string[] }> {
  const found = new Map<string, { dialect: string; lines: string[] }>();
  for (const line of text.split("\n")) {
    if (line === "") continue;
    const { flow, direction, dialect, message } = JSON.parse(line) as Readonly<Record<string, string | undefined>>;
    if (message === undefined || dialect === undefined) continue;
    const key = `${flow} ${direction}`;
    const of = found.get(key) ?? { dialect, lines: [] };
    of.lines.push(line);
    found.set(key, of);
  }
  return found;
}

const timeOf = (line: string): string => (JSON.parse(line) as { readonly time: string }).time;

/** A connection that is taken for another dialect when it is cut has fewer messages than this: it is not known yet. */
const UNKNOWN_MESSAGES = 64;

/** Cuts a damaged capture at random places, and compares each file with the uncut one. */
async function cutEverywhere(folder: string, size: number, cuts: number, seed: number): Promise<boolean> {
  const random = createRandom(seed);
  const [path, cutPath] = [join(folder, "small.pcapng"), join(folder, "cut.pcapng")];
  const packets: MadePacket[] = [];
  makePackets({
    worlds: allWorlds(Object.values(protocols), 2),
    seed,
    durationMs: Number.MAX_SAFE_INTEGER,
    enoughBytes: size,
    packet: (packet) => packets.push(packet),
  });
  const kept = damagePackets(packets, DAMAGED_SHARE, random).packets;
  const blocks = [captureHead(), ...kept.map(captureBlock)];
  const file = Buffer.concat(blocks);
  writeFileSync(path, file);
  const whole = messagesOf((await inspect(path, true)).text);
  /** Where packets end, and their times. */
  const ends: { readonly at: number; readonly time: string }[] = [];
  let at = 0;
  for (const [index, block] of blocks.entries()) {
    at += block.length;
    const { timeNs = 0n } = kept[index - 1] ?? {};
    ends.push({ at, time: `${timeNs / 1_000_000_000n}.${String(timeNs % 1_000_000_000n).padStart(9, "0")}` });
  }
  const totals = { messages: 0, missing: 0, others: 0, peakBytes: 0, faults: 0 };
  const problems: string[] = [];
  for (let count = 0; count < cuts; count++) {
    const cut = random.integer(captureHead().length + 1, file.length - 1);
    writeFileSync(cutPath, file.subarray(0, cut));
    const { text, code, errors, peakBytes } = await inspect(cutPath, true);
    const last = ends.findLastIndex((end) => end.at <= cut);
    const read = ends.slice(0, last + 1);
    const isWhole = read.at(-1)?.at === cut;
    if (code !== 3) problems.push(`cut at byte ${cut}: exit code ${code}, expected 3`);
    const isNamed = errors.includes(`byte ${read.at(-1)?.at}: `);
    if (!isWhole && !isNamed) problems.push(`cut at byte ${cut}: not named in ${JSON.stringify(errors.slice(0, 300))}`);
    totals.faults += isNamed ? 1 : 0;
    totals.peakBytes = Math.max(totals.peakBytes, peakBytes);
    const times = new Set(read.map(({ time }) => time));
    const found = messagesOf(text);
    for (const [key, { dialect, lines }] of whole) {
      const expected = lines.filter((line) => times.has(timeOf(line)));
      const own = found.get(key);
      if (own !== undefined && own.dialect === dialect) {
        const known = new Set(own.lines);
        const missing = expected.filter((line) => !known.has(line));
        totals.messages += own.lines.length;
        totals.missing += missing.length;
        if (missing.length > 0) problems.push(`cut at byte ${cut}: ${key} lacks ${missing[0]?.slice(0, 300)}`);
      } else if (expected.length > 0) {
        totals.others += 1;
        if (expected.length >= UNKNOWN_MESSAGES)
          problems.push(`cut at byte ${cut}: ${key} is taken for ${own?.dialect}`);
      }
    }
  }
  console.log(
    `${problems.length === 0 ? "ok    " : "FAILED"} cuts: ${cuts} files of up to ${(file.length / 1e6).toFixed(1)} MB, exit code 3 each, ` +
      `${totals.faults} name the packet that is cut, ${totals.messages} messages compared, ${totals.missing} missing, ` +
      `${totals.others} directions too short to be known, peak memory ${(totals.peakBytes / 1e6).toFixed(0)} MB`,
  );
  for (const problem of problems.slice(0, 5)) console.log(problem);
  return problems.length === 0;
}

const kept = values.folder;
if (kept !== undefined) mkdirSync(kept, { recursive: true });
const folder = kept ?? mkdtempSync(join(tmpdir(), "wirewalk-captures-"));
const whole = join(folder, "whole.pcapng");
const damaged = join(folder, "damaged.pcapng");
const stages: Readonly<Record<string, () => Promise<boolean>>> = {
  async make() {
    const startedMs = performance.now();
    const packets = make(whole, Number(values.size), Number(values.bots), Number(values.seed));
    console.log(`made ${packets} packets in ${((performance.now() - startedMs) / 1000).toFixed(0)} s`);
    return true;
  },
  async damage() {
    await damage(whole, damaged, Number(values.cuts), Number(values.seed));
    return true;
  },
  whole: () => report("whole", whole, 0),
  damaged: () => report("damaged", damaged, 3),
  cuts: () => cutEverywhere(folder, Number(values["cut-size"]), Number(values.cuts), Number(values.seed)),
};
checkKnown("stages", values.stages, Object.keys(stages));
const chosen = values.stages.split(",").map((name) => stages[name]);
try {
  for (const stage of chosen) if ((await stage?.()) === false) process.exitCode = 1;
} finally {
  if (kept === undefined) rmSync(folder, { recursive: true });
}
