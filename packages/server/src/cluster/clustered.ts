/** A server's part of a cluster. */
import { pino } from "pino";
import { systemClock } from "wirewalk/net";
import type { Protocol, World, WorldMaps } from "wirewalk/protocol";
import type { EvidenceMaker } from "../bans/evidence.ts";
import type { LogBudget } from "../runtime/log-budget.ts";
import type { ClusterMembership, ServerOptions } from "../server-options.ts";
import type { RemoteHosting } from "../worlds/hosted-world.ts";
import type { OwnedWorldRecords } from "../worlds/owned-records.ts";
import { ClusterNode, type PlayerIds } from "./cluster-node.ts";
import { OwnerEvidence } from "./owner-evidence.ts";

/** A node that only owns worlds has no players of its own. */
const NO_IDS: PlayerIds = { first: 1, last: 0 };

/** A node that has joined, with the ids that its players get. */
export interface Clustered {
  readonly node: ClusterNode;
  readonly ids: PlayerIds;
  readonly membership: ClusterMembership;
  /** Bans of this gateway's players carry what the owners of their worlds have recorded. */
  evidenceFrom(log: LogBudget): EvidenceMaker;
}

/** Takes the ids of this gateway's players. Rejects with `Error`, and leaves the cluster, when there are none. */
export async function joinCluster(
  membership: ClusterMembership,
  { clock = systemClock, epochNow = Date.now, logger, recordings, store }: ServerOptions,
): Promise<Clustered> {
  const { cluster, roles } = membership;
  if (recordings?.carried === true) {
    throw new RangeError("A node of a cluster records no carried bytes: the owner of a world has no sockets");
  }
  const log = logger ?? pino({ level: "silent" });
  const node = new ClusterNode({ cluster, clock, epochNow, roles, log, store });
  try {
    const ids = roles.includes("gateway") ? await node.takeIds() : NO_IDS;
    const evidenceFrom = (budget: LogBudget): EvidenceMaker => new OwnerEvidence({ cluster, clock, log: budget });
    return { node, ids, membership, evidenceFrom };
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
  readonly records?: OwnedWorldRecords | undefined;
  readonly maps?: WorldMaps | undefined;
}

/** The world of a cluster as a hosted world has it; undefined without a cluster. */
export function remoteHosting(clustered: Clustered | undefined, choice: RemoteWorldChoice): RemoteHosting | undefined {
  if (clustered === undefined) return undefined;
  const { node, ids } = clustered;
  const world = node.add(choice);
  return { world, codec: world.codec, ids, onEffects: (call) => world.onEffects(call) };
}
