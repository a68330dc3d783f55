/** The flags of `wirewalk serve` that make it a node of a cluster. */
import type { ClusterMembership, ClusterRole } from "@wirewalk/server";
import { type Command, Option } from "commander";
import { FailedError, UsageError } from "../context.ts";
import { collect } from "../input/collect.ts";
import { wholeNumber } from "../input/numbers.ts";
import { checkBroker } from "./cluster.ts";

export interface ClusterFlags {
  readonly nats?: string;
  readonly node?: string;
  readonly role?: readonly string[];
  readonly leaseMs?: number;
}

const ROLES: readonly ClusterRole[] = ["gateway", "owner", "spectator"];
/** The time of a lease: the longest pause when a node stands still. */
const DEFAULT_LEASE_MS = 2_000;

export function addClusterFlags(command: Command): Command {
  return command
    .option("--nats <url>", "be a node of a cluster whose broker is at nats://user:password@host:4222")
    .option("--node <name>", "name of this node in its cluster")
    .addOption(
      new Option(
        "--role <role>",
        "what the node does: gateway has connections, owner may own worlds, spectator shows all worlds on its page (default: all)",
      )
        .choices(ROLES)
        .argParser(collect),
    )
    .option(
      "--lease-ms <number>",
      `milliseconds after which a node that does not answer loses its worlds (default: ${DEFAULT_LEASE_MS})`,
      wholeNumber(500, 60_000),
    );
}

/** Throws `UsageError` for flags that do not go together. */
export function checkClusterFlags({ nats, node, role, leaseMs }: ClusterFlags): void {
  if (nats === undefined) {
    const [first] = Object.entries({ "--node": node, "--role": role, "--lease-ms": leaseMs }).flatMap(
      ([flag, value]) => (value === undefined ? [] : [flag]),
    );
    if (first !== undefined) throw new UsageError(`${first} is for a node of a cluster: --nats is missing`);
    return;
  }
  checkBroker(nats);
  if (node === undefined) throw new UsageError("--nats needs --node, the name of this node in its cluster");
  if (!/^[a-z0-9_-]{1,64}$/i.test(node)) {
    throw new UsageError(`--node ${node} is no name: letters, digits, - and _, at most 64`);
  }
  for (const each of role ?? []) {
    if (!isRole(each)) throw new UsageError(`--role ${each} is unknown: it must be ${ROLES.join(", ")}`);
  }
}

/** Joins the cluster; undefined without one. */
export async function joinCluster(flags: ClusterFlags, onDrain: () => void): Promise<ClusterMembership | undefined> {
  const { nats, node, role, leaseMs = DEFAULT_LEASE_MS } = flags;
  if (nats === undefined || node === undefined) return undefined;
  const { natsCluster } = await import("@wirewalk/nats");
  try {
    const cluster = await natsCluster({ url: nats, name: node, leaseMs });
    return { cluster, roles: role?.filter(isRole) ?? ROLES, onDrain };
  } catch (error) {
    throw new FailedError(`Cannot join the cluster: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function isRole(text: string): text is ClusterRole {
  return (ROLES as readonly string[]).includes(text);
}
