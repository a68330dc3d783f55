import { recordedWorld } from "@wirewalk/recording";
import { expect, test } from "vitest";
import { pcapngHeader, type SessionFormat, SessionRecords } from "wirewalk/capture";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { sessionFile } from "../../../../packages/recording/src/testing/session-file.ts";
import { isPlayable, kindOf } from "./file-kind.ts";
import { openDropped } from "./open-dropped.ts";
import { playSession } from "./play-session.ts";
import { readSession } from "./read-session.ts";

const mcap = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a, 1, 2, 3);
const pcapng = new Blob([new Uint8Array(pcapngHeader({ application: "test", interfaceName: "test" }))]);
const msb = await sessionFile({
  protocol: protocols.maplestory as PlayableProtocol,
  protocols,
  format: "mapleshark",
  dialect: "v83",
  bots: 3,
  durationMs: 5_000,
});

async function formatOf(file: File): Promise<SessionFormat> {
  const dropped = await openDropped(file);
  if (dropped.kind !== "session") throw new Error(`${file.name} is a ${dropped.kind}`);
  return dropped.format;
}

async function play(bytes: Uint8Array<ArrayBuffer>, shares: number[] = []) {
  const file = new File([bytes], "play.msb");
  return playSession(file, { format: await formatOf(file), protocols, onProgress: (share) => shares.push(share) });
}

test("the kind of a file is decided by its content", async () => {
  expect(await kindOf(new File([mcap], "a.pcap"))).toEqual({ kind: "recording" });
  expect(await kindOf(pcapng)).toEqual({ kind: "capture" });
  expect(await kindOf(new File([msb], "a.mcap"))).toMatchObject({ kind: "session", format: { name: "mapleshark" } });
  expect(await kindOf(new File(["text"], "a.mcap"))).toBeUndefined();
  expect(await kindOf(new Blob())).toBeUndefined();
});

test("recordings and sessions are played, captures are not", async () => {
  const kinds = await Promise.all(
    [new File([mcap], "a"), new File([msb], "a"), pcapng, new Blob(["text"])].map(kindOf),
  );
  expect(kinds.map(isPlayable)).toEqual([true, true, false, false]);
});

test("a recording is read as a whole, the others are left to their readers, and any other file is refused", async () => {
  expect(await openDropped(new Blob([mcap]))).toEqual({ kind: "recording", bytes: mcap });
  expect(await openDropped(pcapng)).toEqual({ kind: "capture" });
  await expect(openDropped(new Blob(["text"]))).rejects.toThrow(RangeError);
  const huge = { slice: () => new Blob([mcap]), size: 513 * 2 ** 20 } as unknown as Blob;
  await expect(openDropped(huge)).rejects.toThrow("more than 512 MiB");
});

test("a session becomes a recording with its head, and says how far it is", async () => {
  const shares: number[] = [];
  const { recording, damage } = await play(msb, shares);
  expect(damage).toBeUndefined();
  expect(shares.at(-1)).toBe(1);
  expect(recordedWorld(recording)).toMatchObject({ protocol: "maplestory", dialect: "v83", shadow: true });
  expect(recordedWorld(recording).session).toContain('"mapleshark"');
});

test("a session that is cut plays to its last whole message, and says where it is cut", async () => {
  const whole = (await play(msb)).recording.chunks.at(-1)?.endTime ?? 0n;
  const { recording, damage } = await play(msb.slice(0, msb.length >> 1));
  expect(damage).toMatch(/^Cannot read record \d+: .+ at byte \d+\. What stands before it is played\.$/);
  const end = recording.chunks.at(-1)?.endTime ?? 0n;
  expect(end).toBeGreaterThan(recording.chunks[0]?.startTime ?? 0n);
  expect(end).toBeLessThan(whole);
});

test("a session that is too large for memory is refused before it is read", async () => {
  const huge = { size: 33 * 2 ** 20, name: "a.msb" } as unknown as File;
  const format = await formatOf(new File([msb], "a.msb"));
  await expect(playSession(huge, { format, protocols, onProgress: () => {} })).rejects.toThrow("more than 32 MiB");
});

test("a session is read in pieces of 64 KiB, whose end is no end of a message", async () => {
  const many = await sessionFile({
    protocol: protocols.maplestory as PlayableProtocol,
    protocols,
    format: "mapleshark",
    dialect: "v83",
    bots: 8,
    durationMs: 30_000,
  });
  const file = new File([many], "many.msb");
  const read: number[] = [];
  const names = new Set<string>();
  const sink = new SessionRecords({
    protocols,
    record: (record) => record.kind === "message" && names.add(`${record.direction} ${record.message}`),
    fault: (error) => {
      throw error;
    },
  });
  for await (const bytes of readSession(file, { format: await formatOf(file), protocols, sink })) read.push(bytes);
  expect(read.length).toBe(Math.ceil(many.length / 65_536));
  expect(read.length).toBeGreaterThan(1);
  expect(names).toContain("client movePlayer");
  expect(names).toContain("server movePlayer");
});
