/** A process of spectators: pages that watch one room over the feed and count what they are sent. */
import { TrackReader } from "wirewalk/motion";
import { WebSocket } from "ws";

export interface SpectatorsPlan {
  /** Ports of the nodes with pages: spectators go to each in turn. */
  readonly ports: readonly number[];
  readonly count: number;
  readonly world: string;
  readonly room: string;
}

/** Since the last report. */
export interface SpectatorsReport {
  readonly connected: number;
  /** Snapshots of tracks of each spectator. */
  readonly snapshots: readonly number[];
  readonly bytes: number;
  /** The longest time without a snapshot, of any spectator. */
  readonly longestGapMs: number;
  /** Of those that read what they are sent: players in the last snapshot, and snapshots that could not be read. */
  readonly players: readonly number[];
  readonly unreadable: number;
}

/** Every so many spectators read their snapshots: the others would make this process the one that is measured. */
const READS_EVERY = 50;
const OPENING_AT_ONCE = 20;

const plan = JSON.parse(process.argv[2] ?? "") as SpectatorsPlan;
const sockets: WebSocket[] = [];
const snapshots = new Array<number>(plan.count).fill(0);
const lastMs = new Array<number>(plan.count).fill(Number.NaN);
const players = new Map<number, number>();
let bytes = 0;
let longestGapMs = 0;
let unreadable = 0;

async function open(number: number): Promise<void> {
  const port = plan.ports[number % plan.ports.length] ?? 0;
  const socket = new WebSocket(`ws://127.0.0.1:${port}/ws/studio`, { perMessageDeflate: false });
  sockets.push(socket);
  const reader = number % READS_EVERY < plan.ports.length ? new TrackReader() : undefined;
  let isFirst = true;
  await new Promise<void>((resolve, reject) => {
    socket.on("error", reject);
    socket.on("open", () => {
      socket.send(JSON.stringify({ type: "watch", world: plan.world, room: plan.room }));
    });
    socket.on("message", (data: Buffer, isBinary) => {
      if (!isBinary) return;
      const nowMs = performance.now();
      if (isFirst) resolve();
      else longestGapMs = Math.max(longestGapMs, nowMs - (lastMs[number] ?? nowMs));
      isFirst = false;
      lastMs[number] = nowMs;
      snapshots[number] = (snapshots[number] ?? 0) + 1;
      bytes += data.length;
      if (reader === undefined) return;
      try {
        players.set(number, reader.read(data)?.tracks.size ?? -1);
      } catch {
        unreadable += 1;
      }
    });
  });
}

for (let first = 0; first < plan.count; first += OPENING_AT_ONCE) {
  const some = Math.min(OPENING_AT_ONCE, plan.count - first);
  await Promise.all(Array.from({ length: some }, (_, index) => open(first + index)));
}
process.send?.("connected");

process.on("message", (ask: "reset" | "report" | "stop") => {
  if (ask === "stop") process.exit(0);
  if (ask === "report") {
    const connected = sockets.filter(({ readyState }) => readyState === WebSocket.OPEN).length;
    const counts = { snapshots, bytes, longestGapMs, players: [...players.values()], unreadable };
    process.send?.({ connected, ...counts } satisfies SpectatorsReport);
  }
  snapshots.fill(0);
  [bytes, longestGapMs, unreadable] = [0, 0, 0];
});
process.on("disconnect", () => process.exit(0));
