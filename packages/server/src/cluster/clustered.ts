/** A server's part of a cluster. */
import { pino } from "pino";
import { systemClock } from "wirewalk/net";
import type { Protocol, World } from "wirewalk/protocol";
import type { RemoteHosting } from "../hosted-world.ts";
import type { ClusterMembership, ServerOptions } from "../server-options.ts";
import { ClusterNode, type PlayerIds } from "./cluster-node.ts";

/** A node that only owns worlds has no players of its own. */
const NO_IDS: PlayerIds = { first: 1, last: 0 };

/** A node that has joined, with the ids that its players get. */
export interface Clustered {
  readonly node: ClusterNode;
  readonly ids: PlayerIds;
  readonly membership: ClusterMembership;
}

/** Takes the ids of this gateway's players. Rejects with `Error`, and leaves the cluster, when there are none. */
export async function joinCluster(
  membership: ClusterMembership,
  { clock = systemClock, epochNow = Date.now, logger, recordings, evidence, store }: ServerOptions,
): Promise<Clustered> {
  const { cluster, roles } = membership;
  // Worlds that are recorded have pseudonyms in place of accounts, other ones on each node: no login could take over.
  if (recordings !== undefined || evidence === true) {
    throw new RangeError("A node of a cluster records no worlds: their owner has them");
  }
  const log = logger ?? pino({ level: "silent" });
  const node = new ClusterNode({ cluster, clock, epochNow, roles, log, store });
  try {
    return { node, ids: roles.includes("gateway") ? await node.takeIds() : NO_IDS, membership };
  } catch (error) {
    await cluster.close();
    throw error;
  }
}

export interface RemoteWorldChoice {
  readonly name: string;
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly createWorld: () => World;
}

/** The world of a cluster as a hosted world has it; undefined without a cluster. */
export function remoteHosting(clustered: Clustered | undefined, choice: RemoteWorldChoice): RemoteHosting | undefined {
  if (clustered === undefined) return undefined;
  const { node, ids } = clustered;
  const world = node.add(choice);
  return { world, codec: world.codec, ids, onEffects: (call) => world.onEffects(call) };
}
