/**
 * What needs Node: TCP.
 *
 * @module
 */
export { RawClient, type RawClientOptions } from "./raw-client.ts";
export { connectTcp, type TcpAddress, tcpTransport } from "./tcp.ts";
