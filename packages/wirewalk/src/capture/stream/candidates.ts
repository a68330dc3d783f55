/** What a connection may be: protocols, dialects and carriers, in the order in which they are tried. */
import { defaultDialect, type ProtocolWith } from "../../protocols/index.ts";
import type { ConnectionInfo, End } from "../net/connections.ts";
import type { CarrierKind } from "./carried.ts";
import type { Reading } from "./connection-reader.ts";

/** A port, and what its connections are. */
export interface PortMapping {
  readonly port: number;
  readonly protocol: ProtocolWith<"openChannel">;
  /** Default: all dialects are tried. */
  readonly dialect?: string | undefined;
}

/** A reading, and which end is the client. */
export interface Candidate extends Reading {
  readonly client: End;
}

/** Candidates that are tried together; the next group only when none of these fits. */
export type CandidateGroups = readonly (readonly Candidate[])[];

/** What decides the candidates of a connection. */
export interface CandidateOptions {
  readonly protocols: readonly ProtocolWith<"openChannel">[];
  /** Given by the user: nothing else is tried on these ports. */
  readonly mappings: readonly PortMapping[];
}

/** What is known of the first bytes of a connection. */
export interface FirstBytes {
  readonly isHttp: boolean;
  /** Some of them are missing. */
  readonly hasGap: boolean;
}

/**
 * The candidates of a connection, by its first bytes. A connection without its start may be in the middle of the
 * frames of a game or of WebSocket, and either end may be the client: the likely ones are a group before the others.
 */
export function candidatesOf(
  { ends, opener, startsAt }: ConnectionInfo,
  { isHttp, hasGap }: FirstBytes,
  { protocols, mappings }: CandidateOptions,
): CandidateGroups {
  const clients: readonly End[] = opener === undefined ? likelyClients(ends) : [opener];
  const hasStart = startsAt[0] && startsAt[1] && !hasGap;
  const carriers: readonly CarrierKind[] = isHttp ? ["websocket"] : hasStart ? ["tcp"] : ["tcp", "websocket"];
  const portOf = (client: End): number => ends[client === 0 ? 1 : 0].port;
  const expand = (
    protocol: PortMapping["protocol"],
    dialects: readonly string[],
    client: End,
    carrier: CarrierKind,
  ): readonly Candidate[] => dialects.map((dialect) => ({ protocol, dialect, carrier, client }));

  for (const client of clients) {
    const mapping = mappings.find(({ port }) => port === portOf(client));
    if (mapping === undefined) continue;
    const { protocol, dialect } = mapping;
    const dialects = dialect === undefined ? dialectsOf(protocol) : [dialect];
    return [carriers.flatMap((carrier) => expand(protocol, dialects, client, carrier))];
  }
  return clients.flatMap((client) =>
    carriers.flatMap((carrier) => {
      const own = protocols.filter(({ defaultPort }) => defaultPort === portOf(client));
      const others = protocols.filter((protocol) => !own.includes(protocol));
      const groups = own.length === 0 ? [others] : [own, others];
      return groups.map((group) =>
        group.flatMap((protocol) => expand(protocol, dialectsOf(protocol), client, carrier)),
      );
    }),
  );
}

/** The dialect of the shipped client first: of several that fit equally well it is taken. */
function dialectsOf(protocol: PortMapping["protocol"]): readonly string[] {
  const first = defaultDialect(protocol);
  return [first, ...protocol.dialects.map(({ name }) => name).filter((name) => name !== first)];
}

/** Without a handshake the end with the higher port is more often the client. */
function likelyClients([first, second]: ConnectionInfo["ends"]): readonly End[] {
  return first.port >= second.port ? [0, 1] : [1, 0];
}
