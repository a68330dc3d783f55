/**
 * What needs Node: TCP, threads for player info, clusters for worker threads, and what a process has of memory.
 *
 * @module
 */
export { collectGarbage, type MemoryKind, type MemorySources, type MemoryUse, processMemory } from "./memory.ts";
export { type NodePacketThreads, type PacketThreadWork, packetThreads } from "./packet-threads.ts";
export { connectCluster, serveCluster } from "./port-cluster.ts";
export { RawClient, type RawClientOptions } from "./raw-client.ts";
export { connectTcp, type TcpAddress, tcpTransport } from "./tcp.ts";
