/**
 * What needs Node: TCP, threads for player info, and clusters for worker threads.
 *
 * @module
 */
export { type NodePacketThreads, type PacketThreadWork, packetThreads } from "./packet-threads.ts";
export { connectCluster, serveCluster } from "./port-cluster.ts";
export { RawClient, type RawClientOptions } from "./raw-client.ts";
export { connectTcp, type TcpAddress, tcpTransport } from "./tcp.ts";
