/**
 * What needs Node: TCP, and threads for player info.
 *
 * @module
 */
export { type NodePacketThreads, type PacketThreadWork, packetThreads } from "./packet-threads.ts";
export { RawClient, type RawClientOptions } from "./raw-client.ts";
export { connectTcp, type TcpAddress, tcpTransport } from "./tcp.ts";
