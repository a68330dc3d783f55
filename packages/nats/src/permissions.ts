/**
 * What each role of a cluster may do at the broker, as users of `nats-server`'s configuration. A gateway has the sockets of players: what
 * breaks into one must not own worlds, change snapshots, speak as an owner or end other nodes.
 */
import { checkClusterName } from "wirewalk/net";

/** `observer`: `wirewalk cluster status` and `wirewalk drain`. */
export type NatsRole = "gateway" | "owner" | "spectator" | "observer";

export interface NatsUser {
  /** User name; of a node also its name in the cluster. */
  readonly name: string;
  /** A node with both roles is an `owner`. */
  readonly role: NatsRole;
  /** Default: what the environment variable `NAME_PASSWORD` of nats-server has, with the user's name in capitals. */
  readonly password?: string;
}

export interface NatsPermissions {
  readonly publish: readonly string[];
  readonly subscribe: readonly string[];
}

/** Subjects of a user. `prefix` is that of the cluster. Throws `RangeError` for an invalid name. */
export function natsPermissions({ name, role }: NatsUser, prefix = "wirewalk"): NatsPermissions {
  checkClusterName(name);
  const said = (...subjects: readonly string[]): string[] => subjects.map((each) => `${prefix}.s.${each}`);
  const [leases, snapshots] = [`${prefix}-leases`, `${prefix}-snapshots`];
  const members = `${prefix}.members`;
  // To read a bucket that is there: the library asks for it before it makes one.
  const reads = (bucket: string): string[] => [
    `$JS.API.STREAM.INFO.KV_${bucket}`,
    `$JS.API.DIRECT.GET.KV_${bucket}.>`,
    `$JS.API.STREAM.MSG.GET.KV_${bucket}`,
  ];
  const common = { publish: [members, "$JS.API.INFO"], subscribe: [members, `${inboxPrefix(name)}.>`] };
  switch (role) {
    case "gateway":
      return {
        publish: [
          ...common.publish,
          ...said("in.>", "history.>", "owner.>", "watched.>"),
          ...reads(leases),
          ...reads(snapshots),
          // Its place among the gateways, which gives the ids of its players. Never `world.>`.
          `$KV.${leases}.gateway.>`,
        ],
        // It may show worlds too.
        subscribe: [
          ...common.subscribe,
          ...said("out.>", "taken.>", "shown.>", "room.>", "player.>", `gateway.${name}`, `drain.${name}`),
        ],
      };
    case "spectator":
      return {
        publish: [...common.publish, ...said("watched.>", "owner.>"), ...reads(leases), ...reads(snapshots)],
        // A node with this role alone takes no batches.
        subscribe: [...common.subscribe, ...said("shown.>", "room.>", "player.>", `gateway.${name}`, `drain.${name}`)],
      };
    case "observer":
      return {
        publish: [
          ...common.publish,
          ...said("owner.>", "drain.>"),
          ...reads(leases),
          ...reads(snapshots),
          // To list the keys of the leases.
          `$JS.API.CONSUMER.*.KV_${leases}.>`,
          `$JS.API.CONSUMER.*.KV_${leases}`,
          "$JS.FC.>",
        ],
        subscribe: [...common.subscribe],
      };
    case "owner":
      return {
        publish: [`${prefix}.>`, "$JS.API.>", "$JS.FC.>", `$KV.${leases}.>`, `$KV.${snapshots}.>`],
        subscribe: [`${prefix}.>`, `${inboxPrefix(name)}.>`],
      };
  }
}

/** Where the answers to a member's requests come: other members may not read them. */
export function inboxPrefix(name: string): string {
  return `_INBOX_${name}`;
}

/** The part of a configuration of `nats-server` that names the users of a cluster. Throws `RangeError` for invalid or equal names. */
export function natsUsers(users: readonly NatsUser[], prefix = "wirewalk"): string {
  const names = new Set(users.map(({ name }) => name));
  if (names.size < users.length) throw new RangeError("Every user needs a name of its own");
  const list = (subjects: readonly string[]): string => `[${subjects.map((each) => JSON.stringify(each)).join(", ")}]`;
  const lines = users.map((user) => {
    const { publish, subscribe } = natsPermissions(user, prefix);
    const variable = `$${user.name.toUpperCase().replaceAll("-", "_")}_PASSWORD`;
    const password = user.password === undefined ? variable : JSON.stringify(user.password);
    // One answer to each request that was received.
    const permissions = `publish: ${list(publish)}, subscribe: ${list(subscribe)}, allow_responses: { max: 1, expires: "10s" }`;
    return `    { user: ${JSON.stringify(user.name)}, password: ${password}, permissions: { ${permissions} } }`;
  });
  return `authorization {\n  users: [\n${lines.join(",\n")}\n  ]\n}\n`;
}
