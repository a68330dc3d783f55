/** Payloads of one dialect as packets of a capture: a connection that carries them, cut as TCP may do it. */
import { TcpPackets } from "../../../capture/tcp-packets.ts";
import { httpHead, websocketFrames } from "../../../capture/testing/websocket-frames.ts";
import type { Random } from "../../../motion/index.ts";
import type { Channel, PlayableProtocol, Side } from "../../../protocols/index.ts";

/** A payload and its sender. */
export interface SentPayload {
  readonly sender: Side;
  readonly payload: Uint8Array;
}

/** Payloads of one dialect of one protocol. */
export interface CheckedSession {
  readonly protocol: PlayableProtocol;
  readonly dialect: string;
  readonly payloads: readonly SentPayload[];
}

export interface MadeSession {
  /** Ethernet frames. */
  readonly packets: readonly Uint8Array[];
  /** Those that can be framed, in their order. */
  readonly sent: readonly SentPayload[];
}

const CUT_ONE_OF = 10;

/** How a connection is carried. */
export interface SessionOptions {
  /** One of so many frames is cut into two packets. */
  readonly cutOneOf?: number;
  /** Ports; the server's is by default the protocol's own. */
  readonly client?: number;
  readonly server?: number;
  /** Payloads are messages of a WebSocket. */
  readonly webSocket?: boolean;
}

/** One connection. Payloads that cannot be framed are left out. */
export function makeSession(
  { protocol, dialect, payloads }: CheckedSession,
  random: Random,
  { cutOneOf = CUT_ONE_OF, client = 20_001, server = protocol.defaultPort, webSocket = false }: SessionOptions = {},
): MadeSession {
  const carrier = webSocket ? "message" : "stream";
  const open = (side: Side): Channel => protocol.openChannel({ side: side as "client", dialect, carrier }) as Channel;
  const channels = { client: open("client"), server: open("server") };
  const tcp = new TcpPackets({
    client: { address: "10.0.0.7", port: client },
    server: { address: "10.0.0.1", port: server },
  });
  const packets = [...tcp.open()];
  if (webSocket) {
    for (const side of ["client", "server"] as const) {
      packets.push(...tcp.data(side, httpHead(side, protocol.name, dialect)));
    }
  }
  const greeting = channels.server.handshake?.greeting;
  if (greeting !== undefined) {
    packets.push(...tcp.data("server", greeting));
    channels.client.push(greeting);
  }
  const sent: SentPayload[] = [];
  for (const each of payloads) {
    let frame: Uint8Array;
    try {
      frame = channels[each.sender].frame(each.payload);
    } catch (error) {
      if (error instanceof RangeError) continue;
      throw error;
    }
    sent.push(each);
    if (webSocket) frame = websocketFrames(each.sender, frame, random);
    const cut = random.chance(1 / cutOneOf) && frame.length > 1 ? random.integer(1, frame.length - 1) : 0;
    if (cut > 0) packets.push(...tcp.data(each.sender, frame.subarray(0, cut)));
    packets.push(...tcp.data(each.sender, frame.subarray(cut)));
  }
  return { packets, sent };
}
