/** The server of the benchmark of recording: begins and ends a recording of its world when it is asked to, while clients play. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type HostRecording, RecordingFolder, recordHost } from "@wirewalk/recording/node";
import { limitMemory, startServer } from "@wirewalk/server";
import { systemClock } from "wirewalk/net";
import type { PlayableProtocol } from "wirewalk/protocol";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { contestantTask, endWhenAsked, tell } from "../harness.ts";
import type { ServerReady } from "./workload.ts";

/** What the server answers: counts since its start. */
export interface RecordingReading {
  /** User and system time of the whole process, those of compression on other threads included. */
  readonly cpuUs: number;
  readonly deliveries: number;
  /** Bytes in files, and records that were lost, of the running recording. */
  readonly bytes: number;
  readonly lost: number;
}

const { sockets } = contestantTask<{ readonly sockets: number }>();
const protocol = slimeOnline2 as unknown as PlayableProtocol;
const dialect = "documented";
const seed = 1;
const folder = mkdtempSync(join(tmpdir(), "wirewalk-bench-"));
process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
const server = await startServer({
  http: 0,
  demo: true,
  seed,
  listeners: [{ protocol, dialect, port: 0 }],
  budgets: { sessionsPerAddress: sockets },
});
limitMemory(systemClock, () => server.stats().sessions);
const host = server.worlds[0]?.host;
if (host === undefined) throw new Error("The server has no world");
const sink = new RecordingFolder({ folder }).sink(protocol.name);
let recording: HostRecording | undefined;

function reading(): RecordingReading {
  const { user, system } = process.cpuUsage();
  const { bytes = 0, lostRecords: lost = 0 } = recording?.counts ?? {};
  return { cpuUs: user + system, deliveries: host?.counts.deliveries ?? 0, bytes, lost };
}

tell({
  webSocketPort: server.httpAddress?.port ?? 0,
  tcpPort: null,
  path: `/ws/${protocol.name}`,
} satisfies ServerReady);
endWhenAsked({
  record() {
    recording ??= recordHost({ host, protocol, world: { dialect, seed, demo: true }, sink, nowMs: systemClock.now() });
    return reading();
  },
  async stop() {
    await recording?.close();
    recording = undefined;
    return reading();
  },
  reading,
});
