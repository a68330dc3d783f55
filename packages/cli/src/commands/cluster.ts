import { randomBytes } from "node:crypto";
import type { NatsRole } from "@wirewalk/nats";
import type { Command } from "commander";
import type { Cluster, Lease, Member } from "wirewalk/net";
import { escapeControls, type JsonObject } from "wirewalk/wire";
import { type CommandContext, FailedError, UsageError } from "../context.ts";
import { collect } from "../input/collect.ts";
import { write } from "../output/output.ts";

interface UserFlags {
  readonly gateway?: readonly string[];
  readonly owner?: readonly string[];
  readonly spectator?: readonly string[];
  readonly observer?: readonly string[];
}

interface ClusterFlags {
  readonly nats: string;
  readonly json?: boolean;
}

/** A world or a node answers within a round trip, unless it stands still. */
const ANSWER_MS = 2_000;
/** Members speak several times within a lease. */
const LISTEN_MS = 700;
const WORLD = "world.";

/** `wirewalk cluster`: the nodes and worlds of a cluster. */
export function addCluster(program: Command, context: CommandContext): void {
  const cluster = program
    .command("cluster")
    .summary("show the nodes and worlds of a cluster")
    .description("Shows the nodes of a cluster, which of them owns each world, and under which epoch.")
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk cluster status --nats nats://127.0.0.1:4222
  $ wirewalk cluster users --gateway g1 --gateway g2 --owner o1 --owner o2 --observer admin > users.conf
  $ wirewalk cluster status --nats nats://127.0.0.1:4222 --json`,
    );
  cluster
    .command("users")
    .option("--gateway <name>", "a node that has connections alone", collect)
    .option("--owner <name>", "a node that may own worlds", collect)
    .option("--spectator <name>", "a node that shows worlds to pages alone", collect)
    .option("--observer <name>", "a user of cluster status and drain", collect)
    .description("Prints users with the permissions of their roles, for the configuration of nats-server.")
    .action(async ({ gateway = [], owner = [], spectator = [], observer = [] }: UserFlags) => {
      const { natsUsers } = await import("@wirewalk/nats");
      const of = (role: NatsRole, names: readonly string[]) => names.map((name) => ({ name, role }));
      const users = [
        ...of("gateway", gateway),
        ...of("owner", owner),
        ...of("spectator", spectator),
        ...of("observer", observer),
      ];
      if (users.length === 0) throw new UsageError("name users with --gateway, --owner, --spectator or --observer");
      try {
        await write(context.stdout, natsUsers(users));
      } catch (error) {
        if (error instanceof RangeError) throw new UsageError(error.message);
        throw error;
      }
    });
  cluster
    .command("status")
    .requiredOption("--nats <url>", "the broker of the cluster")
    .option("--json", "one JSON object, as docs/scale.md describes")
    .description("Lists nodes and worlds.")
    .action((flags: ClusterFlags) => withCluster(flags, (member) => status(context, member, flags.json === true)));
}

/** `wirewalk drain`: a node hands over its worlds and ends. */
export function addDrain(program: Command, context: CommandContext): void {
  program
    .command("drain")
    .argument("<node>", "name of a node, as cluster status shows it")
    .requiredOption("--nats <url>", "the broker of the cluster")
    .summary("make a node of a cluster hand over its worlds and end")
    .description("A node hands its worlds over to other nodes, disconnects its sessions and ends, as after SIGTERM.")
    .addHelpText("after", "\nExamples:\n  $ wirewalk drain a --nats nats://127.0.0.1:4222")
    .action((node: string, flags: ClusterFlags) =>
      withCluster(flags, async (member) => {
        const { drainSubject } = await import("@wirewalk/server");
        try {
          await member.request(drainSubject(node), new Uint8Array(0), ANSWER_MS);
        } catch (error) {
          const why = error instanceof Error ? error.message : String(error);
          throw new FailedError(`node '${escapeControls(node)}' does not answer: ${why}`);
        }
        await write(context.stdout, `${escapeControls(node)} hands over its worlds and ends\n`);
      }),
    );
}

/** Throws `UsageError` for what is no address of a broker. */
export function checkBroker(url: string): void {
  if (/^(?:nats|tls):\/\/./.test(url) && URL.canParse(url)) return;
  // Without the value: it may hold a password.
  throw new UsageError(
    "--nats is not the address of a broker: it must look like nats://127.0.0.1:4222 or tls://user:password@host:4222",
  );
}

async function withCluster({ nats }: ClusterFlags, work: (member: Cluster) => Promise<void>): Promise<void> {
  checkBroker(nats);
  const { natsCluster } = await import("@wirewalk/nats");
  let member: Cluster;
  try {
    member = await natsCluster({
      url: nats,
      name: `cli-${randomBytes(6).toString("hex")}`,
      info: { isObserver: true },
    });
  } catch (error) {
    throw new FailedError(`Cannot reach the cluster: ${error instanceof Error ? error.message : String(error)}`);
  }
  try {
    await work(member);
  } finally {
    await member.close();
  }
}

async function status(context: CommandContext, member: Cluster, isJson: boolean): Promise<void> {
  const [leases] = await Promise.all([member.leases(), new Promise((resolve) => setTimeout(resolve, LISTEN_MS))]);
  const owned = leases.filter(({ name }) => name.startsWith(WORLD));
  const worlds = owned.map(({ name, owner, epoch }) => ({ world: name.slice(WORLD.length), node: owner, epoch }));
  const nodes = member
    .members()
    .flatMap(({ name, info }) => (info.isObserver === true ? [] : [{ node: name, ...info }]));
  if (isJson) {
    await write(context.stdout, `${JSON.stringify({ worlds, nodes })}\n`);
    return;
  }
  await write(context.stdout, lines(nodes, worlds));
}

function lines(
  nodes: readonly (JsonObject & { readonly node: string })[],
  worlds: readonly { readonly world: string; readonly node: Lease["owner"]; readonly epoch: number }[],
): string {
  const roles = ({ isGateway, isOwner, isSpectator }: Member["info"]): string =>
    Object.entries({ gateway: isGateway, owner: isOwner, spectator: isSpectator })
      .flatMap(([role, isSo]) => (isSo === true ? [role] : []))
      .join(", ");
  const all = [
    ...nodes.map((each) => `node   ${each.node}  ${roles(each)}`),
    ...worlds.map(({ world, node, epoch }) => `world  ${world}  owned by ${node}  epoch ${epoch}`),
  ];
  return all.length === 0 ? "There are no nodes.\n" : all.map((line) => `${escapeControls(line)}\n`).join("");
}
