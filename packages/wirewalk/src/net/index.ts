/**
 * Ports to the world outside, and what stands in for it in tests and simulations: clocks, transports, stores.
 *
 * @module
 */
export { type Cancel, type Clock, systemClock } from "./clock.ts";
export {
  type Cluster,
  ClusterError,
  type ClusterMessage,
  type ClusterProblem,
  checkClusterBytes,
  checkClusterName,
  type Lease,
  MAX_CLUSTER_MESSAGE_BYTES,
  MAX_SNAPSHOT_BYTES,
  type Member,
  type Snapshot,
} from "./cluster.ts";
export { type ClusterHub, type ClusterHubOptions, clusterHub } from "./cluster-hub.ts";
export { Inbox } from "./inbox.ts";
export { type MemoryNetwork, type MemoryPairOptions, memoryPair } from "./memory-pair.ts";
export {
  type Delivery,
  type LinkOptions,
  type LossConditions,
  type NetworkConditions,
  NetworkLink,
  type RandomSource,
  type StallConditions,
} from "./network-conditions.ts";
export { memoryStore, type RemoteStore, type Store } from "./store.ts";
export type { Transport, TransportEvents } from "./transport.ts";
export { VirtualClock } from "./virtual-clock.ts";
export { connectWebSocket, webSocketTransport } from "./websocket.ts";
