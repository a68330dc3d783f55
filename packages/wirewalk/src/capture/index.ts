/**
 * Captures: writes connections as pcapng, which Wireshark opens. Pure: bytes out, no file.
 *
 * ```ts
 * import { pcapngHeader, pcapngPacket, TcpPackets } from "wirewalk/capture";
 *
 * const connection = new TcpPackets({
 *   client: { address: "127.0.0.1", port: 50000 },
 *   server: { address: "127.0.0.1", port: 5555 },
 * });
 * const packets = [...connection.open(), ...connection.data("client", new Uint8Array([3, 0, 2, 0, 10]))];
 * const header = pcapngHeader({ application: "example", interfaceName: "relay" });
 * const file = [header, ...packets.map((packet) => pcapngPacket(0n, packet))];
 * file.length; // => 5
 * ```
 *
 * @module
 */
export { type CaptureHeader, pcapngHeader, pcapngPacket } from "./pcapng.ts";
export { type CaptureEnd, TcpPackets } from "./tcp-packets.ts";
