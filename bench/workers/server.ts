/** The server of the benchmark of worker threads: two worlds that relay, on the main thread or in workers. */
import { startServer, startWorkers } from "@wirewalk/server";
import { memoryStore } from "wirewalk/net";
import { relay } from "../broadcast/relay.ts";
import { sharedNowMs } from "../broadcast/workload.ts";
import { contestantTask, endWhenAsked, tell } from "../harness.ts";
import { MAX_THREADS, type ThreadReading, threadUs, type WorkersReady, type WorkersTask } from "./task.ts";

const { workers, sockets } = contestantTask<WorkersTask>();
const READING_MS = 50;
const options = {
  http: 0,
  listeners: [
    { protocol: relay(), port: 0 },
    { protocol: relay(), port: 0 },
  ],
  budgets: { sessionsPerAddress: 2 * sockets, sessions: 20_000 },
};
/** Microseconds of each worker's thread. */
const usedUs = new Float64Array(new SharedArrayBuffer(8 * MAX_THREADS));
const server =
  workers === 0
    ? await startServer(options)
    : await startWorkers({
        ...options,
        workers,
        module: new URL("./worker.ts", import.meta.url),
        data: { sockets, usedUs },
        execArgv: ["-C", "wirewalk-source"],
        store: memoryStore(),
        writeLog: () => {},
        onFailed: (error) => {
          throw error;
        },
      });
tell({
  tcpPorts: server.listeners.map(({ port }) => port),
  webSocketPort: server.httpAddress?.port ?? 0,
  paths: ["/ws/relay", "/ws/relay-2"],
} satisfies WorkersReady);
setInterval(() => {
  const used = [...usedUs.subarray(0, workers)];
  tell({ atMs: sharedNowMs(), threadsUs: [threadUs(), ...used] } satisfies ThreadReading);
}, READING_MS);
endWhenAsked({ disconnects: () => server.stats().disconnects });
