/** The metrics of this server. */

import type { MemoryUse } from "wirewalk/node";
import type { Accounts } from "../admission/accounts.ts";
import type { Places } from "../admission/places.ts";
import type { SessionCaptures } from "../capture/session-captures.ts";
import type { Stalls } from "../runtime/stalls.ts";
import type { HostedWorld, LinkTraffic } from "../worlds/hosted-world.ts";
import type { RunningRecording } from "../worlds/recordings.ts";
import type { MemoryBudget } from "./memory-budget.ts";
import { type CounterSet, type Labels, Metrics, type Sample } from "./metrics.ts";

export interface MetricsSources {
  readonly worlds: readonly HostedWorld[];
  readonly stalls: Stalls;
  readonly disconnects: CounterSet;
  readonly verdicts: CounterSet;
  /** Places of maps that could not be read. */
  readonly mapProblems: CounterSet;
  readonly places: Places;
  readonly accounts: Pick<Accounts, "waiting">;
  /** Names of the listeners: the worlds and the page. */
  readonly listeners: readonly string[];
  /** Undefined where nothing measures it. */
  readonly memory?: MemoryBudget | undefined;
  readonly isStoreFailing: () => boolean;
  readonly areLoginsFailing: () => boolean;
  /** By world. */
  readonly recordings: ReadonlyMap<string, RunningRecording>;
  readonly captures: Pick<SessionCaptures, "size" | "missedBytes">;
}

export function serverMetrics(sources: MetricsSources): Metrics {
  const { worlds, stalls, disconnects, verdicts, places, accounts, listeners, isStoreFailing, captures } = sources;
  const metrics = new Metrics();
  const perCarrier =
    (pick: (traffic: LinkTraffic) => number): (() => readonly Sample[]) =>
    () =>
      worlds.flatMap((world) =>
        (["tcp", "websocket"] as const).map((carrier) => ({
          labels: { ...labelsOf(world), carrier },
          value: pick(world.traffic[carrier]),
        })),
      );
  const perWorld =
    (pick: (world: HostedWorld) => number): (() => readonly Sample[]) =>
    () =>
      worlds.map((world) => ({ labels: labelsOf(world), value: pick(world) }));

  metrics.gauge("wirewalk_connections", "Open connections, feeds of the page included.", () => [
    { value: places.count },
  ]);
  const { memory } = sources;
  if (memory !== undefined) {
    const perKind = (pick: (use: MemoryUse) => number) => (): readonly Sample[] =>
      memory.uses.map((use) => ({ labels: { kind: use.kind }, value: pick(use) }));
    metrics.gauge(
      "wirewalk_memory_used_bytes",
      "Memory in use that has a limit, garbage included.",
      perKind(({ usedBytes }) => usedBytes),
    );
    metrics.gauge(
      "wirewalk_memory_limit_bytes",
      "The limit of this memory.",
      perKind(({ limitBytes }) => limitBytes),
    );
    metrics.gauge(
      "wirewalk_memory_short",
      "0 enough, 1 short: new connections are refused, 2 used up: it ends.",
      () => [{ value: memory.level }],
    );
  }
  metrics.gauge("wirewalk_waiting_logins", "Logins that wait for their password check.", () => [
    { value: accounts.waiting },
  ]);
  metrics.gauge("wirewalk_silent_connections", "Open connections that have sent no valid message.", () =>
    listeners.map((listener) => ({ labels: { listener }, value: places.silentOf(listener) })),
  );
  metrics.gauge(
    "wirewalk_sessions",
    "Open sessions of a world.",
    perCarrier((of) => of.sessions),
  );
  metrics.counter(
    "wirewalk_sessions_opened_total",
    "Sessions that were opened.",
    perCarrier((of) => of.opened),
  );
  metrics.gauge(
    "wirewalk_players",
    "Players in a world.",
    perWorld(({ host }) => host.players.size),
  );
  metrics.counter(
    "wirewalk_messages_in_total",
    "Payloads received.",
    perCarrier((of) => of.messagesIn),
  );
  metrics.counter(
    "wirewalk_bytes_in_total",
    "Bytes received, as carried.",
    perCarrier((of) => of.bytesIn),
  );
  metrics.counter(
    "wirewalk_bytes_out_total",
    "Bytes sent, as carried.",
    perCarrier((of) => of.bytesOut),
  );
  metrics.counter(
    "wirewalk_refused_payloads_total",
    "Payloads that could not be decoded.",
    perCarrier((of) => of.refusedPayloads),
  );
  metrics.counter(
    "wirewalk_broadcasts_total",
    "Messages to rooms.",
    perWorld(({ host }) => host.counts.broadcasts),
  );
  metrics.counter(
    "wirewalk_deliveries_total",
    "Messages sent: one recipient of one message is one.",
    perWorld(({ host }) => host.counts.deliveries),
  );
  metrics.counter(
    "wirewalk_writes_total",
    "Writes to sockets.",
    perWorld(({ host }) => host.counts.writes),
  );
  metrics.counter(
    "wirewalk_dropped_total",
    "Messages not sent to slow readers: broadcasts, and messages that a newer one replaces.",
    perWorld(({ host }) => host.counts.dropped),
  );
  metrics.gauge(
    "wirewalk_held_bytes",
    "Bytes held for players: waiting for a flush, once for a room, and queued for slow readers.",
    perWorld((world) => world.heldBytes),
  );
  metrics.gauge(
    "wirewalk_delivery_lag_seconds",
    "The longest that a message waited for its last recipient in the last 15 to 30 s, from when it was read.",
    perWorld((world) => world.worstLagMs / 1000),
  );
  metrics.counter("wirewalk_verdicts_total", "Verdicts of the worlds' rules.", () => verdicts.samples());
  metrics.gauge("wirewalk_maps_used", "Places of its maps that a world has used.", () =>
    worlds.flatMap((world) => {
      const used = world.host.world.usedMaps?.();
      return used === undefined ? [] : [{ labels: labelsOf(world), value: used.size }];
    }),
  );
  metrics.counter("wirewalk_map_problems_total", "Places of maps that could not be read: their rules are off.", () =>
    sources.mapProblems.samples(),
  );
  metrics.counter("wirewalk_disconnects_total", "Ended sessions by reason.", () => disconnects.samples());
  metrics.gauge("wirewalk_store_failing", "1 while the store cannot be used and bans are held in memory alone.", () => [
    { value: isStoreFailing() ? 1 : 0 },
  ]);
  metrics.gauge(
    "wirewalk_logins_failing",
    "1 while the store of accounts cannot be used and logins are refused.",
    () => [{ value: sources.areLoginsFailing() ? 1 : 0 }],
  );
  addRecordingMetrics(metrics, sources.recordings);
  metrics.gauge("wirewalk_captures", "Captures of sessions that are running.", () => [{ value: captures.size }]);
  metrics.counter(
    "wirewalk_capture_missed_bytes_total",
    "Bytes that captures are missing, because they could not be written fast enough.",
    () => [{ value: captures.missedBytes }],
  );
  addProcessMetrics(metrics, stalls);
  return metrics;
}

/** What is measured of any process. */
export function addProcessMetrics(metrics: Metrics, stalls: Pick<Stalls, "worstMs" | "stalledMs">): void {
  metrics.gauge("wirewalk_event_loop_lag_seconds", "The latest that a timer came in the last 15 to 30 s.", () => [
    { value: stalls.worstMs / 1000 },
  ]);
  metrics.counter("wirewalk_event_loop_stalled_seconds_total", "Time in which the process did not run.", () => [
    { value: stalls.stalledMs() / 1000 },
  ]);
  metrics.gauge("process_resident_memory_bytes", "Resident memory.", () => [{ value: process.memoryUsage.rss() }]);
  metrics.gauge("nodejs_heap_used_bytes", "Memory used by objects.", () => [{ value: process.memoryUsage().heapUsed }]);
  metrics.gauge("nodejs_external_memory_bytes", "Memory of buffers.", () => [
    { value: process.memoryUsage().external },
  ]);
}

function labelsOf({ name, protocol }: HostedWorld): Labels {
  return { protocol: protocol.name, world: name };
}

function addRecordingMetrics(metrics: Metrics, recordings: ReadonlyMap<string, RunningRecording>): void {
  const perRecording =
    (pick: (recording: RunningRecording["recording"]) => number): (() => readonly Sample[]) =>
    () =>
      Array.from(recordings, ([world, { protocol, recording }]) => ({
        labels: { protocol, world },
        value: pick(recording),
      }));
  metrics.counter(
    "wirewalk_recorded_total",
    "Inputs and effects that were recorded.",
    perRecording(({ counts }) => counts.records),
  );
  metrics.counter(
    "wirewalk_recording_lost_total",
    "Records that are in no file, because the disk failed or was too slow.",
    perRecording(({ counts }) => counts.lostRecords),
  );
  metrics.counter(
    "wirewalk_recording_bytes_total",
    "Bytes written to recordings.",
    perRecording(({ counts }) => counts.bytes),
  );
  metrics.counter(
    "wirewalk_recording_failures_total",
    "Recordings that could not be opened or written.",
    perRecording(({ counts }) => counts.failures),
  );
  metrics.gauge(
    "wirewalk_recording_losing",
    "1 while nothing is recorded.",
    perRecording(({ isLosing }) => (isLosing ? 1 : 0)),
  );
  metrics.gauge(
    "wirewalk_recording_pending_bytes",
    "Bytes of recordings that wait for the disk.",
    perRecording(({ pendingBytes }) => pendingBytes),
  );
}
