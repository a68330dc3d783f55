/** Bytes that no frame begins with, after a greeting where there is one. */
import { TcpPackets } from "../../../capture/tcp-packets.ts";
import { defaultDialect, type PlayableProtocol } from "../../../protocols/index.ts";
import { parseHex, WireError } from "../../../wire/index.ts";

const invalid: Readonly<Record<string, string>> = {
  "slime-online-2": "01 20 ff ff",
  "scrap-mechanic": "ff ff 01 02",
  maplestory: "01 02 03 04 05 06 07 08",
  osrs: "63 01 02 03",
};

/** A connection of the default dialect whose client sends such bytes, and why our server's channel refuses them. */
export function refusedFrame(protocol: PlayableProtocol): {
  readonly packets: readonly Uint8Array[];
  readonly error: WireError;
} {
  const bytes = parseHex(invalid[protocol.name] ?? "");
  const server = protocol.openChannel({ side: "server", dialect: defaultDialect(protocol), carrier: "stream" });
  const tcp = new TcpPackets({
    client: { address: "10.0.0.7", port: 20_001 },
    server: { address: "10.0.0.1", port: protocol.defaultPort },
  });
  const greeting = server.handshake?.greeting;
  const packets = [
    ...tcp.open(),
    ...(greeting === undefined ? [] : tcp.data("server", greeting)),
    ...tcp.data("client", bytes),
  ];
  try {
    server.push(bytes);
    server.next();
  } catch (error) {
    if (error instanceof WireError) return { packets, error };
    throw error;
  }
  throw new Error(`${protocol.name} does not refuse ${invalid[protocol.name]}`);
}
