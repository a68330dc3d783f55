/**
 * Which part of a recording costs what: a host of its own, without sockets, with 500 players in virtual time, in one process. Each
 * part is left out in turn, in blocks of a few seconds of the play, which take turns.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  type HostRecording,
  RecentFiles,
  type RecordHostOptions,
  RecordingFolder,
  recordHost,
} from "@wirewalk/recording/node";
import { Host } from "wirewalk/host";
import { protocols } from "wirewalk/protocols";
import { MESSAGES_PER_SECOND, SOCKETS } from "./workload.ts";

export interface PartCost {
  readonly name: string;
  /** Microseconds of the processor for each message of a client, one value a block. */
  readonly cpuUsPerMessage: readonly number[];
}

type Part = Partial<RecordHostOptions> | "not recorded" | "no records";

const NEVER_MS = 1e9;
/** What is recorded in each row. */
const parts: Readonly<Record<string, Part>> = {
  "a host that is not recorded": "not recorded",
  "the calls of a recorder, which does nothing": "no records",
  "inputs and hashes of effects": { keyFrameMs: NEVER_MS, tracksMs: 0 },
  "with key frames": { tracksMs: 0 },
  "with tracks": { keyFrameMs: NEVER_MS },
  "all of it": {},
  "the last seconds in memory, as evidence for bans": {
    keyFrameMs: 10_000,
    tracksMs: 0,
    sink: new RecentFiles({ epochNow: () => performance.now() }),
  },
};

/** Virtual time of a block: two key frames. */
const BLOCK_MS = 10_000;

const rightPress = Uint8Array.of(0, 8, 2, 0xc0, 1, 0xa0, 0);
const rightRelease = Uint8Array.of(0, 8, 6, 0xc0, 1, 0xa0, 0);

export async function measureParts(blocks: number): Promise<readonly PartCost[]> {
  const protocol = protocols["slime-online-2"];
  if (protocol === undefined) throw new Error("There is no Slime Online 2");
  const options = { dialect: "documented", seed: 1, demo: true };
  const codec = protocol.codec(options.dialect);
  const host = new Host({ world: protocol.createWorld(options), codec });
  const recipient = { framing: { frame: (payload: Uint8Array) => payload }, deliver: () => true };
  let nowMs = 0;
  const players = Array.from({ length: SOCKETS }, (_, index) =>
    host.join(recipient, { account: `p${index}`, name: `p${index}` }, nowMs),
  );
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-bench-"));
  const sink = new RecordingFolder({ folder, keepBytes: 100e6 }).sink(protocol.name);
  let round = 0;
  const second = async (): Promise<void> => {
    const untilMs = nowMs + 1_000;
    while (nowMs < untilMs) {
      nowMs += host.world.tickMs;
      host.tick(nowMs);
      const share = Math.round((SOCKETS * MESSAGES_PER_SECOND * host.world.tickMs) / 1000);
      for (let sent = 0; sent < share; sent += 1) {
        const payload = Math.floor(round / SOCKETS) % 2 === 0 ? rightPress : rightRelease;
        host.receive(players[round % SOCKETS] as number, codec.read("client", payload), payload, nowMs);
        round += 1;
      }
      host.flush();
    }
    // The disk has its turn.
    await new Promise((resolve) => setImmediate(resolve));
  };
  const results = new Map(Object.keys(parts).map((name) => [name, [] as number[]]));
  try {
    for (let block = 0; block <= blocks; block += 1) {
      for (const [name, part] of Object.entries(parts)) {
        let recording: HostRecording | undefined;
        if (part === "no records") host.recorder = nothing;
        else if (part !== "not recorded") {
          recording = recordHost({ host, protocol, world: options, sink, nowMs, ...part });
          await recording.settled();
        }
        const before = process.cpuUsage();
        const first = round;
        for (const endMs = nowMs + BLOCK_MS; nowMs < endMs; ) {
          await second();
          await recording?.settled();
        }
        const { user, system } = process.cpuUsage(before);
        // The first block warms up.
        if (block > 0) results.get(name)?.push((user + system) / (round - first));
        host.recorder = undefined;
        await recording?.close();
      }
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return Array.from(results, ([name, cpuUsPerMessage]) => ({ name, cpuUsPerMessage }));
}

const ignore = (): void => {};
const nothing = {
  join: ignore,
  leave: ignore,
  receive: ignore,
  refresh: ignore,
  follow: ignore,
  unfollow: ignore,
  tick: ignore,
  effect: ignore,
};
