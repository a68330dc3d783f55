import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { systemClock } from "wirewalk/net";
import { until } from "../testing/clients.ts";
import { CaptureRecorder } from "./capture-recorder.ts";

const ends = { client: { address: "127.0.0.1", port: 50_000 }, server: { address: "::1", port: 5555 } };
const TIME_MS = 1_790_000_000_123.5;

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "wirewalk-recorder-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

test("what passes is in the file, each packet as a block of its own", async () => {
  const file = join(folder(), "a.pcapng");
  const recorder = new CaptureRecorder({ file, clock: systemClock, onFailed: () => {} });
  recorder.open(1, ends, TIME_MS);
  recorder.bytes(1, "client", Buffer.from("hello"), TIME_MS);
  recorder.bytes(1, "server", Buffer.alloc(130_000, 7), TIME_MS);
  recorder.end(1, "client", TIME_MS);
  recorder.reset(1, "server", TIME_MS);
  recorder.closed(1);
  // A connection that is over, or was never opened, writes nothing.
  recorder.bytes(1, "client", Buffer.from("late"), TIME_MS);
  await recorder.close();
  const bytes = readFileSync(file);
  const types: number[] = [];
  for (let at = 0; at < bytes.length; at += bytes.readUInt32LE(at + 4)) types.push(bytes.readUInt32LE(at));
  // Section, interface, handshake of 3, one packet, two for the long one, end, reset.
  expect(types).toEqual([0x0a0d0d0a, 1, 6, 6, 6, 6, 6, 6, 6, 6]);
  expect([bytes.includes("hello"), bytes.includes("late")]).toEqual([true, false]);
});

test.skipIf(!existsSync("/dev/full"))("a disk that is full is reported once, and nothing throws", async () => {
  const failures: string[] = [];
  const recorder = new CaptureRecorder({
    file: "/dev/full",
    clock: systemClock,
    onFailed: (error) => failures.push(error.message),
  });
  recorder.open(1, ends, TIME_MS);
  await until("it is reported", () => failures.length > 0);
  for (let times = 0; times < 10; times++) recorder.bytes(1, "client", Buffer.from("hello"), TIME_MS);
  await recorder.close();
  expect(failures).toEqual([expect.stringContaining("ENOSPC")]);
});
