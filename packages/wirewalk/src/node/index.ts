/**
 * What needs Node: TCP.
 *
 * @module
 */
export { connectTcp, type TcpAddress, tcpTransport } from "./tcp.ts";
