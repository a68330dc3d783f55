import { expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { openRecording, type Recording } from "../reading/read-recording.ts";
import { recordedWorld } from "../reading/session-records.ts";
import { plainMeans } from "../writing/file-means.ts";
import { MemoryOutput } from "../writing/memory-output.ts";
import { gameTicks } from "./game-ticks.ts";
import { SessionRecording } from "./session-recording.ts";

const START_MS = Date.UTC(2026, 0, 1);
const REVISION = 241;
/** What a file of RSProx has between two ticks of 600 ms. */
const TICK_MS = 598;
const TICKS = 200;

/** A session in which the server does no more than end its ticks. */
async function record(format: "rsprox" | "recording", count = TICKS): Promise<Recording> {
  const table = protocols.osrs?.capabilities?.revisions?.table(REVISION);
  const [opcode = 0] = [...(table?.server ?? [])].find(([, { name }]) => name === "SERVER_TICK_END") ?? [];
  const header = {
    format,
    protocol: "osrs",
    dialect: "client",
    settings: { revision: REVISION },
    startMs: START_MS,
    observer: 1,
    flow: "client-server",
    fields: {},
  };
  const output = new MemoryOutput("test");
  const session = new SessionRecording({
    protocols,
    sink: { open: async () => output },
    means: plainMeans,
    chunkMs: 10_000,
    onProblem: (error) => {
      throw error;
    },
  });
  session.header(header);
  for (let number = 1; number <= count; number += 1) {
    const timeMs = START_MS + number * TICK_MS;
    session.record({ number, byteOffset: 0, timeMs, sender: "server", payload: Uint8Array.of(opcode) });
  }
  await session.close();
  return openRecording(output.bytes, { decompress: {} });
}

test("time by ticks is that of the game, where the file's clock runs slow", async () => {
  const recording = await record("rsprox");
  const ticks = gameTicks(recording, recordedWorld(recording), protocols);
  expect(ticks?.gameMs(0)).toBeUndefined();
  while (ticks?.isAll === false) ticks.read();
  expect(ticks?.gameMs(0)).toBe(0);
  expect(ticks?.gameMs(TICK_MS - 1)).toBe(0);
  expect(ticks?.gameMs(TICK_MS)).toBe(600);
  expect(ticks?.gameMs(150 * TICK_MS + 1)).toBe(90_000);
  expect(ticks?.gameMs(TICKS * TICK_MS)).toBe(TICKS * 600);
});

test("it is known up to the chunk that was read last, before the whole recording is read", async () => {
  const recording = await record("rsprox");
  const ticks = gameTicks(recording, recordedWorld(recording), protocols);
  while (ticks?.gameMs(5 * TICK_MS) === undefined) ticks?.read();
  expect(ticks.isAll).toBe(false);
  expect(ticks.gameMs(5 * TICK_MS)).toBe(3_000);
  expect(ticks.gameMs(TICKS * TICK_MS)).toBeUndefined();
});

test("a session without ends of ticks has no such time", async () => {
  const recording = await record("rsprox", 0);
  const ticks = gameTicks(recording, recordedWorld(recording), protocols);
  while (ticks?.isAll === false) ticks.read();
  expect(ticks?.gameMs(0)).toBeUndefined();
});

test("a recording of ours has one clock", async () => {
  const recording = await record("recording");
  expect(gameTicks(recording, recordedWorld(recording), protocols)).toBeUndefined();
});
