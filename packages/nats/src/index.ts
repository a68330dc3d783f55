/**
 * The cluster port over NATS: servers on several machines, or several processes of one.
 *
 * ```ts
 * import { natsCluster } from "@wirewalk/nats";
 *
 * const cluster = await natsCluster({ url: "nats://127.0.0.1:4222", name: "a" });
 * const lease = await cluster.claim("world.slime-online-2");
 * ```
 *
 * @module
 */
export { type NatsClusterOptions, natsCluster } from "./nats-cluster.ts";
export { findNatsServer, type RunningNats, startNatsServer } from "./nats-server.ts";
export { type NatsPermissions, type NatsRole, type NatsUser, natsPermissions, natsUsers } from "./permissions.ts";
