/** The metrics of a node of a cluster, by world. */
import type { Clock } from "wirewalk/net";
import type { Metrics, Sample } from "../health/metrics.ts";
import type { ClusterNode } from "./cluster-node.ts";
import type { RemoteWorld } from "./remote-world.ts";
import type { SpectatedWorld } from "./spectated-world.ts";
import type { SpectatorRelay } from "./spectator-relay.ts";
import type { WorldOwner } from "./world-owner.ts";

export function addClusterMetrics(
  metrics: Metrics,
  node: ClusterNode,
  clock: Clock,
  relay: SpectatorRelay | undefined,
): void {
  const perGateway =
    (pick: (world: RemoteWorld) => number): (() => readonly Sample[]) =>
    () =>
      Array.from(node.gateways, ([world, of]) => ({ labels: { world }, value: pick(of) }));
  const perOwner =
    (pick: (owner: WorldOwner) => number): (() => readonly Sample[]) =>
    () =>
      Array.from(node.owners, ([world, of]) => ({ labels: { world }, value: pick(of) }));
  const { cluster } = node;
  metrics.gauge("wirewalk_cluster_connected", "1 while the broker is reached.", () => [
    { value: cluster.isConnected ? 1 : 0 },
  ]);
  metrics.gauge("wirewalk_cluster_members", "Members that this node hears, itself included.", () => [
    { value: cluster.members().length },
  ]);
  metrics.counter("wirewalk_cluster_failovers_total", "Worlds taken over from an owner that was gone.", () => [
    { value: node.failovers },
  ]);
  metrics.counter("wirewalk_cluster_rebalances_total", "Worlds handed over to a node with less load.", () => [
    { value: node.rebalances },
  ]);
  metrics.counter(
    "wirewalk_cluster_hand_overs_total",
    "Worlds handed over: `live` to a node that had followed them, `saved` from their snapshot.",
    () => Object.entries(node.handOvers).map(([way, value]) => ({ labels: { way }, value })),
  );
  metrics.gauge(
    "wirewalk_cluster_epoch",
    "Epoch of the last batch that the gateway took; 0 before the first.",
    perGateway(({ epoch }) => epoch),
  );
  metrics.gauge(
    "wirewalk_cluster_waiting_calls",
    "Calls of players that no batch has shown yet.",
    perGateway(({ waiting }) => waiting),
  );
  metrics.counter(
    "wirewalk_cluster_dropped_calls_total",
    "Messages of players that were dropped because no owner took them.",
    perGateway(({ counts }) => counts.dropped),
  );
  metrics.counter(
    "wirewalk_cluster_fenced_total",
    "Messages of a lower epoch, which were dropped.",
    perGateway(({ counts }) => counts.fenced),
  );
  metrics.counter(
    "wirewalk_cluster_refused_total",
    "Messages of the broker that no node would send: lengths, numbers or shapes are wrong.",
    () => [
      { labels: { role: "next" }, value: node.refused },
      ...Array.from(node.gateways, ([world, { counts }]) => ({
        labels: { world, role: "gateway" },
        value: counts.refused,
      })),
      ...Array.from(node.owners, ([world, { measures, shown }]) => ({
        labels: { world, role: "owner" },
        value: measures.refused + (shown?.refused ?? 0),
      })),
      ...Array.from(relay?.worlds ?? [], ([world, { counts }]) => ({
        labels: { world, role: "spectator" },
        value: counts.refused,
      })),
    ],
  );
  metrics.counter(
    "wirewalk_cluster_takeovers_total",
    "Changes of the owner that the gateway has seen.",
    perGateway(({ counts }) => counts.takeovers),
  );
  metrics.counter(
    "wirewalk_cluster_diverged_players_total",
    "Players that were disconnected because the world went on without what they had seen.",
    perGateway(({ counts }) => counts.diverged),
  );
  metrics.counter(
    "wirewalk_cluster_batches_total",
    "Batches that this owner has sent.",
    perOwner(({ measures }) => measures.batches),
  );
  metrics.gauge(
    "wirewalk_cluster_snapshot_bytes",
    "Bytes of the last snapshot.",
    perOwner(({ measures }) => measures.snapshotBytes),
  );
  metrics.gauge(
    "wirewalk_cluster_snapshot_age_seconds",
    "Time since the last snapshot was kept.",
    perOwner(({ measures }) => (clock.now() - measures.snapshotAtMs) / 1000),
  );
  metrics.gauge(
    "wirewalk_cluster_snapshot_save_seconds",
    "Time for which the world stood still to be saved.",
    perOwner(({ measures }) => measures.snapshotSaveMs / 1000),
  );
  metrics.gauge(
    "wirewalk_cluster_shown_rooms",
    "Rooms that this owner sends to spectator relays.",
    perOwner(({ shown }) => shown?.rooms ?? 0),
  );
  metrics.counter(
    "wirewalk_cluster_shown_total",
    "Messages of rooms and players that this owner has sent to spectator relays, each to all of them.",
    perOwner(({ shown }) => shown?.messages ?? 0),
  );
  metrics.gauge(
    "wirewalk_cluster_shown_players",
    "Players whose messages this owner sends to spectator relays.",
    perOwner(({ shown }) => shown?.players ?? 0),
  );
  if (relay === undefined) return;
  const perSpectated =
    (pick: (world: SpectatedWorld) => number): (() => readonly Sample[]) =>
    () =>
      Array.from(relay.worlds, ([world, of]) => ({ labels: { world }, value: pick(of) }));
  metrics.gauge(
    "wirewalk_cluster_spectated_rooms",
    "Rooms that pages of this node watch: one subscription each.",
    perSpectated(({ watched }) => watched),
  );
  metrics.gauge(
    "wirewalk_cluster_spectated_players",
    "Players that pages of this node follow: one subscription each.",
    perSpectated(({ followed }) => followed),
  );
  metrics.counter(
    "wirewalk_cluster_spectated_gaps_total",
    "Lost messages of rooms, each of which was then asked for whole.",
    perSpectated(({ counts }) => counts.gaps),
  );
  metrics.counter(
    "wirewalk_cluster_spectated_fenced_total",
    "Messages of rooms with a lower epoch, which were dropped.",
    perSpectated(({ counts }) => counts.fenced),
  );
}
