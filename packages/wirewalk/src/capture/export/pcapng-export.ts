/**
 * Messages as a capture of their own, every payload in a frame of the game, one segment each. `plain` frames are those of the game's
 * dialect `documented`, without ciphers: a program that cannot decipher reads this capture instead. `own` frames are those of the
 * messages' dialect, after the greeting of our server where the dialect has one: such a capture is read like one of a network.
 */
import { type Channel, hasMembers, type Protocol, type Side } from "../../protocols/index.ts";
import { pcapngHeader, pcapngPacket } from "../pcapng.ts";
import type { CaptureRecord } from "../records.ts";
import { type CaptureEnd, TcpPackets } from "../tcp-packets.ts";

/** The dialect of every game whose frames have no cipher. */
const PLAIN = "documented";

/** Connections whose sequence numbers are kept. One that goes on after it was forgotten is opened again. */
const MAX_CONNECTIONS = 4096;

interface Connection {
  readonly packets: TcpPackets;
  readonly frames: Readonly<Record<Side, Channel>> | undefined;
  /** What the server sends first. */
  readonly greeting?: Uint8Array | undefined;
}

export class PcapngExport {
  readonly head: Uint8Array;
  readonly #protocols: Map<string, Protocol>;
  readonly #frames: "plain" | "own";
  readonly #connections = new Map<string, Connection>();

  constructor(protocols: readonly Protocol[], application: string, frames: "plain" | "own" = "plain") {
    this.#frames = frames;
    this.#protocols = new Map(protocols.map((protocol) => [protocol.name, protocol]));
    this.head = pcapngHeader({ application, interfaceName: "wirewalk" });
  }

  /** Later connections of this game have these settings. */
  configure(protocol: Protocol): void {
    this.#protocols.set(protocol.name, protocol);
  }

  /** The blocks of a record: of a connection's first one with its handshake. */
  blocks(record: CaptureRecord): readonly Uint8Array[] {
    const { flow, direction, time } = record;
    const timeNs = BigInt(time.seconds) * 1_000_000_000n + BigInt(time.nanoseconds);
    let connection = this.#connections.get(flow);
    const packets: Uint8Array[] = [];
    if (connection === undefined) {
      connection = this.#open(record);
      const [oldest] = this.#connections.keys();
      if (this.#connections.size >= MAX_CONNECTIONS && oldest !== undefined) this.#connections.delete(oldest);
      this.#connections.set(flow, connection);
      packets.push(...connection.packets.open());
      if (connection.greeting !== undefined) packets.push(...connection.packets.data("server", connection.greeting));
    }
    if (record.kind === "gap") connection.packets.skip(direction, record.gap);
    else if (record.kind === "message" && connection.frames !== undefined) {
      packets.push(...connection.packets.data(direction, connection.frames[direction].frame(record.payload)));
    }
    const comment = record.kind === "message" ? `${record.protocol}/${record.dialect} ${record.message}` : undefined;
    return packets.map((packet, index) =>
      pcapngPacket(timeNs, packet, index === packets.length - 1 ? comment : undefined),
    );
  }

  #open({ flow, protocol: name, dialect: own }: CaptureRecord): Connection {
    const protocol = this.#protocols.get(String(name));
    // A game that is made elsewhere need not have that dialect.
    const hasPlain = protocol?.dialects.some((each) => each.name === PLAIN) === true;
    const dialect = hasPlain && this.#frames === "plain" ? PLAIN : String(own);
    const [client = "", server = ""] = flow.split("-");
    const packets = new TcpPackets({ client: endOf(client), server: endOf(server) });
    if (protocol === undefined || !hasMembers(protocol, ["openChannel"])) return { packets, frames: undefined };
    const open = (side: Side): Channel =>
      protocol.openChannel({ side: side as "client", dialect, carrier: "stream" }) as Channel;
    const frames = { client: open("client"), server: open("server") };
    const greeting = frames.server.handshake?.greeting;
    if (greeting !== undefined) frames.client.push(greeting);
    return { packets, frames, greeting };
  }
}

/** `10.0.0.1:5555` or `[2001:db8::1]:5555`. */
function endOf(text: string): CaptureEnd {
  const colon = text.lastIndexOf(":");
  return { address: text.slice(0, colon).replaceAll(/[[\]]/g, ""), port: Number(text.slice(colon + 1)) };
}
