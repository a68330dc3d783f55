/**
 * A **node** of a cluster: for each world a gateway, and where its role says so a candidate that becomes the owner when there is
 * none, or when the one there was does not answer.
 */
import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import {
  type Cancel,
  type Clock,
  type Cluster,
  ClusterError,
  type ClusterMessage,
  type Lease,
  type Store,
} from "wirewalk/net";
import type { PayloadCodec, Protocol, World, WorldMaps } from "wirewalk/protocol";
import type { OwnedWorldRecords, UnrecordedWorlds } from "../worlds/owned-records.ts";
import { isObject, isTime } from "./batch.ts";
import { mapsDifference, type SaidMaps, saidMaps } from "./cluster-maps.ts";
import { EpochFloors } from "./epoch-floors.ts";
import { AT_ONCE, decodeAsk, encodeHandOver, type HandOverAnswer, oneByOne } from "./hand-over.ts";
import { candidatesOf, LEAST_COST, moveFrom, type PlacementNode } from "./placement.ts";
import { PlayedWorld } from "./played-world.ts";
import { RemoteWorld } from "./remote-world.ts";
import { drainSubject, gatewaySubject, nextSubject, worldSubjects } from "./subjects.ts";
import { WorldFollower } from "./world-follower.ts";
import { type HandOverWay, WorldOwner, type WorldOwnerOptions } from "./world-owner.ts";

/** How often a candidate asks the owner whether it is there. */
const WATCH_MS = 100;
const ASK_MS = 1_000;
/** A candidate waits so long for each one before it, which has less load, until it claims a world that nobody has. */
const PER_CANDIDATE_MS = 80;
/** How often a node says what load it has. */
const ANNOUNCE_MS = 1_000;
/** A node hands over at most one world in this time. */
const REBALANCE_MS = 5_000;
/** For how many times of a lease a node leaves a world to others that it was not able to take. */
const LEFT_LEASES = 2;
/** A node that ends waits so long for the owners of worlds to take the last calls of its sessions. */
const SETTLE_MS = 1_000;
/** Ids of players are 1..65535: so many gateways share them. */
export const MAX_GATEWAYS = 15;
const IDS_PER_GATEWAY = Math.floor(65_535 / MAX_GATEWAYS);

export type ClusterRole = "gateway" | "owner" | "spectator";

export interface ClusterNodeOptions {
  readonly cluster: Cluster;
  readonly clock: Clock;
  readonly epochNow: () => number;
  readonly roles: readonly ClusterRole[];
  readonly log: Logger;
  /** Keeps the greatest epochs. Default: only nodes remember them. */
  readonly store?: Store | undefined;
  /** How often it looks whether to hand over a world to a node with less load. Default 5,000. */
  readonly rebalanceMs?: number;
}

export interface ClusterWorldOptions {
  /** No other world of the cluster has it. */
  readonly name: string;
  readonly protocol: Protocol;
  readonly dialect: string;
  readonly createWorld: () => World;
  /** Of the world while this node owns it. Default: it is not recorded. */
  readonly records?: OwnedWorldRecords | undefined;
  /** The maps of the world: those of every node. Default: none. */
  readonly maps?: WorldMaps | undefined;
}

interface CandidateWorld {
  readonly name: string;
  readonly gateway: RemoteWorld;
  readonly codec: PayloadCodec;
  readonly createWorld: () => World;
  readonly records: OwnedWorldRecords | undefined;
  /** The world that this node will own. */
  spare: World | undefined;
  owner: WorldOwner | undefined;
  /** It follows the owner, which is about to hand the world over to this node. */
  follower: WorldFollower | undefined;
  beginning: Promise<void> | undefined;
  /** The lease at the last look. */
  seen: Lease | undefined;
  /** Since when the world has no owner. */
  freeSinceMs: number | undefined;
  /** Since when nobody answers for its owner. */
  goneSinceMs: number | undefined;
  /** This node was not able to take it, and leaves it to others until then. */
  leftUntilMs: number;
  /** The share of a core that it took at the last look, when this node owns it. */
  cost: number;
  busyMs: number;
}

/** The ids that a gateway gives to its players. */
export interface PlayerIds {
  readonly first: number;
  readonly last: number;
}

export class ClusterNode {
  readonly #options: ClusterNodeOptions;
  readonly #floors: EpochFloors;
  readonly #worlds = new Map<string, CandidateWorld>();
  readonly #cancels: Cancel[] = [];
  readonly #maps = new Map<string, SaidMaps | null>();
  /** Nodes with other maps at the last look. */
  #others: ReadonlySet<string> = new Set();
  readonly #run = randomBytes(6).readUIntBE(0, 6);
  #slot: Lease | undefined;
  #isDraining = false;
  #reconnects = 0;
  /** When the broker was found again. */
  #foundMs: number | undefined;
  #drain: () => void = () => {};
  /** Worlds that this node took over from another. */
  failovers = 0;
  /** Worlds that this node handed over to one with less load. */
  rebalances = 0;
  /** Worlds that this node handed over, for less load or at its end. */
  readonly handOvers: Record<HandOverWay, number> = { live: 0, saved: 0 };
  /** Messages that no owner would send. */
  refused = 0;
  /** The worlds of this node that should be recorded and are not. Default: none. */
  ownUnrecorded: () => UnrecordedWorlds = () => ({ worlds: [], closed: [] });
  #announcedMs = 0;

  constructor(options: ClusterNodeOptions) {
    this.#options = options;
    const { store, clock, log } = options;
    this.#floors = new EpochFloors({ store, clock, log });
  }

  get cluster(): Cluster {
    return this.#options.cluster;
  }

  /** The gateways' worlds, by name. */
  get gateways(): ReadonlyMap<string, RemoteWorld> {
    return new Map(Array.from(this.#worlds, ([name, { gateway }]) => [name, gateway]));
  }

  /** The worlds that this node owns, by name. */
  get owners(): ReadonlyMap<string, WorldOwner> {
    const found = [...this.#worlds].flatMap(([name, { owner }]): [string, WorldOwner][] =>
      owner === undefined ? [] : [[name, owner]],
    );
    return new Map(found);
  }

  /** Takes the ids of this gateway's players. Call it before worlds are added. Rejects when all gateways' ids are taken. */
  async takeIds(): Promise<PlayerIds> {
    const { cluster, clock } = this.#options;
    for (let slot = 0; slot < MAX_GATEWAYS; slot += 1) {
      const lease = await cluster.claim(`gateway.${slot}`);
      if (lease === undefined) continue;
      this.#slot = lease;
      this.#cancels.push(clock.every(cluster.leaseMs / 4, () => void this.#keepIds()));
      return { first: 1 + slot * IDS_PER_GATEWAY, last: (slot + 1) * IDS_PER_GATEWAY };
    }
    throw new Error(`Cannot join the cluster: it has ${MAX_GATEWAYS} gateways`);
  }

  /** A node that stood still may find that another gateway has its ids: it must not give them to players, and ends. */
  async #keepIds(): Promise<void> {
    const { cluster, log } = this.#options;
    const lease = this.#slot;
    if (lease === undefined || !cluster.isConnected) return;
    try {
      if (await cluster.renew(lease)) return;
      const again = await cluster.claim(lease.name);
      if (again !== undefined) {
        this.#slot = again;
        return;
      }
      log.error({ ids: lease.name }, "another gateway has the ids of this one's players: the node ends");
      this.#slot = undefined;
      this.#drain();
    } catch {
      // The broker is lost: nobody can claim them.
    }
  }

  /** Adds a world, before `start`. */
  add({ name, protocol, dialect, createWorld, records, maps }: ClusterWorldOptions): RemoteWorld {
    this.#maps.set(name, maps === undefined ? null : saidMaps(maps));
    const { cluster, clock, roles } = this.#options;
    const codec = protocol.codec(dialect);
    // Before a lease is claimed: the world of a game takes up to a second to make.
    const spare = createWorld();
    const admission = protocol.capabilities?.login?.admission(dialect);
    const gateway = new RemoteWorld({
      cluster,
      clock,
      name,
      codec,
      admission,
      capacity: spare.capacity,
      run: this.#run,
      hasSessions: roles.includes("gateway"),
      takesBatches: roles.includes("gateway") || roles.includes("owner"),
    });
    this.#worlds.set(name, {
      name,
      gateway,
      codec,
      createWorld,
      records,
      spare,
      owner: undefined,
      follower: undefined,
      beginning: undefined,
      seen: undefined,
      freeSinceMs: undefined,
      goneSinceMs: undefined,
      leftUntilMs: 0,
      cost: LEAST_COST,
      busyMs: 0,
    });
    return gateway;
  }

  /**
   * Begins to watch the worlds. `drain` is called when this node is asked to hand over its worlds and end. Throws `Error` when a node of
   * the cluster has other maps.
   */
  start(drain: () => void): void {
    const { cluster, clock, roles, rebalanceMs = REBALANCE_MS } = this.#options;
    const [difference] = this.#otherMaps();
    if (difference !== undefined) throw new Error(`Cannot join the cluster: ${difference.why}`);
    this.#drain = drain;
    this.#cancels.push(
      cluster.subscribe(drainSubject(cluster.name), (message) => {
        message.reply(new TextEncoder().encode("draining"));
        drain();
      }),
    );
    this.#cancels.push(cluster.subscribe(gatewaySubject(cluster.name), (message) => message.reply(new Uint8Array(0))));
    for (const { name, gateway } of this.#worlds.values()) {
      const { lease } = worldSubjects(name);
      void this.#floors.read(lease).then((epoch) => gateway.raiseFloor(epoch));
    }
    this.#announce();
    this.#cancels.push(clock.every(ANNOUNCE_MS, () => this.#announce()));
    if (!roles.includes("owner")) return;
    this.#cancels.push(
      clock.every(rebalanceMs, () => this.#rebalance()),
      cluster.subscribe(nextSubject(cluster.name), (message) => void this.#asked(message)),
    );
    for (const world of this.#worlds.values()) {
      this.#cancels.push(
        clock.every(WATCH_MS, () => void this.#watch(world)),
        cluster.subscribe(worldSubjects(world.name).free, ({ bytes }) => this.#freed(world, bytes)),
      );
      void this.#watch(world);
    }
  }

  /** Hands all worlds over and claims no more. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    this.#announce();
    // Their owners name another node then. A world whose lease may be on its way is handed over when it is here.
    for (const { follower } of this.#worlds.values()) if (follower?.isCompared === false) follower.end();
    // A world that is just begun is handed over when it has begun.
    await Promise.all([...this.#worlds.values()].map(async ({ beginning }) => beginning));
    const nodes = this.#owners().filter(({ name }) => name !== this.#options.cluster.name);
    const owned = [...this.#worlds.values()].flatMap(({ name, owner, cost }) =>
      owner === undefined || owner.isHandingOver ? [] : [{ name, owner, cost }],
    );
    const inTurn = oneByOne(owned.length);
    const handingOver = [...this.owners.values()].filter((owner) => owner.isHandingOver);
    await Promise.all([
      ...handingOver.map((owner) => owner.handOver()),
      ...owned.map(async ({ name, owner, cost }) => {
        // Named, so that none of them waits for another: each knows the others' loads of up to a second ago.
        const to = candidatesOf(name, nodes)[0];
        if (to !== undefined) nodes.splice(nodes.indexOf(to), 1, { ...to, load: to.load + cost });
        await this.#handOver(owner, to?.name, inTurn);
      }),
    ]);
  }

  async close(): Promise<void> {
    await this.drain();
    const { cluster } = this.#options;
    const gateways = [...this.gateways.values()];
    const isAlone = this.#owners().every(({ name }) => name === cluster.name);
    if (cluster.isConnected && !isAlone) await Promise.all(gateways.map((gateway) => gateway.settle(SETTLE_MS)));
    for (const cancel of this.#cancels) cancel();
    for (const { follower } of this.#worlds.values()) follower?.end();
    for (const gateway of gateways) gateway.end();
    if (this.#slot !== undefined && cluster.isConnected) await cluster.release(this.#slot).catch(() => {});
    await cluster.close();
  }

  /** Measures the cost of each world, and says it. */
  #announce(): void {
    const { clock } = this.#options;
    const passedMs = clock.now() - this.#announcedMs;
    this.#announcedMs = clock.now();
    for (const world of this.#worlds.values()) {
      const busyMs = world.owner?.measures.busyMs ?? 0;
      const share = Math.max(0, busyMs - world.busyMs) / Math.max(1, passedMs);
      world.busyMs = busyMs;
      // Half of it is of before: one second of many players moves no world.
      world.cost = world.owner === undefined ? LEAST_COST : Math.max(LEAST_COST, (world.cost + share) / 2);
    }
    this.#say();
    // Nodes that join at the same time do not see each other.
    const others = this.#otherMaps();
    for (const { node, why } of others) {
      if (this.#others.has(node)) continue;
      this.#options.log.error({ node, why }, "a node has other maps: it cannot go on with worlds of this one");
    }
    this.#others = new Set(others.map(({ node }) => node));
  }

  #otherMaps(): readonly { readonly node: string; readonly why: string }[] {
    const { cluster } = this.#options;
    return cluster.members().flatMap((member) => {
      const why = member.name === cluster.name ? undefined : mapsDifference(this.#maps, member);
      return why === undefined ? [] : [{ node: member.name, why }];
    });
  }

  /** What this node says of itself: its roles, and the load of its worlds. */
  #say(): void {
    const { cluster, roles } = this.#options;
    const load = Math.round(this.#load * 1_000) / 1_000;
    const isOwner = roles.includes("owner") && !this.#isDraining;
    const [isGateway, isSpectator] = [roles.includes("gateway"), roles.includes("spectator")];
    const maps = Object.fromEntries(this.#maps);
    const { worlds, closed } = this.ownUnrecorded();
    const unrecorded = { worlds: [...worlds], closed: [...closed] };
    cluster.setInfo({ isGateway, isOwner, isSpectator, load, worlds: this.owners.size, maps, unrecorded });
  }

  /** The worlds that their owners should record and do not, as all nodes have said in the last seconds. */
  get unrecorded(): UnrecordedWorlds {
    const { cluster } = this.#options;
    const others = cluster.members().filter(({ name }) => name !== cluster.name);
    const said: readonly unknown[] = [this.ownUnrecorded(), ...others.map(({ info }) => info.unrecorded)];
    const all = said.filter(isObject);
    const named = (lists: readonly unknown[]): readonly string[] => {
      const names = new Set<unknown>(lists.flatMap((list) => (Array.isArray(list) ? list : [])));
      return [...this.#worlds.keys()].filter((name) => names.has(name));
    };
    return { worlds: named(all.map(({ worlds }) => worlds)), closed: named(all.map(({ closed }) => closed)) };
  }

  /** The cost of the worlds that this node has or is about to have. */
  get #load(): number {
    let load = 0;
    for (const { owner, beginning, cost } of this.#worlds.values()) {
      if (owner !== undefined || beginning !== undefined) load += cost;
    }
    return load;
  }

  /** The nodes that may own worlds, by what they say; `gone` is known not to be there. */
  #owners(gone?: string): readonly PlacementNode[] {
    const { cluster } = this.#options;
    const others = cluster.members().flatMap(({ name, info }): PlacementNode[] => {
      if (info.isOwner !== true || name === cluster.name || name === gone || this.#others.has(name)) return [];
      return [{ name, load: isTime(info.load) ? info.load : 0 }];
    });
    return [...others, { name: cluster.name, load: this.#load }];
  }

  /** Hands a world over when another node has so much less load that it pays. */
  #rebalance(): void {
    const { cluster, log } = this.#options;
    if (this.#isDraining || !cluster.isConnected) return;
    const own = [...this.#worlds.values()].filter(({ owner }) => owner !== undefined);
    const costs = new Map(own.map(({ name, cost }) => [name, cost]));
    const move = moveFrom({ name: cluster.name, load: this.#load }, costs, this.#owners());
    if (move === undefined) return;
    log.info({ world: move.world, to: move.to }, "hands a world over to a node with less load");
    this.rebalances += 1;
    const owner = this.#worlds.get(move.world)?.owner;
    if (owner?.isHandingOver === false) void this.#handOver(owner, move.to);
  }

  async #handOver(owner: WorldOwner, to: string | undefined, inTurn = AT_ONCE): Promise<void> {
    const way = await owner.handOver(to, inTurn);
    if (way !== undefined) this.handOvers[way] += 1;
  }

  /** The owner of a world has named this node as the next one. */
  async #asked(message: ClusterMessage): Promise<void> {
    const ask = decodeAsk(message.bytes);
    const world = ask && this.#worlds.get(ask.world);
    if (ask === undefined || world === undefined) {
      this.refused += 1;
      return;
    }
    if (ask.ask === "take") {
      if (world.follower?.epoch === ask.epoch) await this.#goOn(world, ask.given);
      return;
    }
    const answer = (ask.ask === "follow" ? this.#follow(world, ask) : this.#compare(world, ask)).catch(
      (error: unknown): HandOverAnswer => ({ is: "refused", why: error instanceof Error ? error.message : "" }),
    );
    message.reply(encodeHandOver(await answer));
  }

  async #follow(
    world: CandidateWorld,
    { epoch, batch }: { readonly epoch: number; readonly batch: number },
  ): Promise<HandOverAnswer> {
    const { cluster, clock } = this.#options;
    const { name, codec, gateway, createWorld } = world;
    if (this.#isDraining) throw new Error("the node is draining");
    if (world.owner !== undefined || world.beginning !== undefined) throw new Error("the node has the world");
    world.follower?.end();
    const played = new PlayedWorld(world.spare ?? createWorld(), codec);
    world.spare = undefined;
    const ended = (): void => {
      if (world.follower === follower) world.follower = undefined;
    };
    const follower = new WorldFollower({ cluster, clock, name, epoch, played, gateway, ended });
    world.follower = follower;
    try {
      await follower.follow(batch);
    } catch (error) {
      follower.end();
      throw error;
    }
    return { is: "following" };
  }

  async #compare(
    { follower }: CandidateWorld,
    { epoch, batch, worldMs }: { readonly epoch: number; readonly batch: number; readonly worldMs: number },
  ): Promise<HandOverAnswer> {
    if (follower?.epoch !== epoch) throw new Error("the node does not follow the world");
    return { is: "compared", digest: await follower.digestAt(batch, worldMs) };
  }

  /** The last owner has given the lease to this node. */
  async #goOn(world: CandidateWorld, epoch: number): Promise<void> {
    if (world.owner !== undefined || world.beginning !== undefined || world.follower?.isCompared !== true) return;
    const { follower } = world;
    const begin = async (): Promise<void> => {
      const { cluster } = this.#options;
      const lease: Lease = { name: worldSubjects(world.name).lease, owner: cluster.name, epoch };
      // Before anything is sent under it.
      await this.#floors.keep(lease.name, epoch);
      const followed = follower.followed();
      this.#owns(world, WorldOwner.goOn(lease, this.#ownerOptions(world, followed.played), followed));
    };
    await this.#beginning(world, begin());
    // Also when it did not begin: then it is taken over as any world.
    follower.end();
    world.follower = undefined;
  }

  /** The last owner has given a world back, and may have named the node that is to take it. */
  #freed(world: CandidateWorld, bytes: Uint8Array): void {
    const { cluster } = this.#options;
    const to = new TextDecoder().decode(bytes);
    world.freeSinceMs ??= this.#options.clock.now();
    const isFirst =
      to === "" ? candidatesOf(world.name, this.#owners())[0]?.name === cluster.name : to === cluster.name;
    if (isFirst) void this.#begin(world, undefined);
  }

  async #watch(world: CandidateWorld): Promise<void> {
    const { cluster, clock } = this.#options;
    if (world.owner !== undefined || world.beginning !== undefined || this.#isDraining || !cluster.isConnected) return;
    if (clock.now() < world.leftUntilMs) return;
    const { lease: leaseName, owner } = worldSubjects(world.name);
    if (cluster.reconnects !== this.#reconnects) {
      this.#reconnects = cluster.reconnects;
      this.#foundMs = clock.now();
    }
    const rank = candidatesOf(
      world.name,
      this.#owners(world.goneSinceMs === undefined ? undefined : world.seen?.owner),
    ).findIndex(({ name }) => name === cluster.name);
    if (rank < 0) return;
    try {
      // Before the question: an owner that begins after it is not taken for the one that is gone.
      const held = await cluster.holder(leaseName);
      if (held !== undefined) {
        world.seen = held;
        world.freeSinceMs = undefined;
        const { follower } = world;
        if (follower?.isCompared === true && held.owner === cluster.name && held.epoch > follower.epoch) {
          // The last owner ended before it was able to say so.
          await this.#goOn(world, held.epoch);
          return;
        }
        await cluster.request(owner, new Uint8Array(0), ASK_MS);
        world.goneSinceMs = undefined;
        return;
      }
      world.freeSinceMs ??= clock.now();
      const waitedMs = clock.now() - world.freeSinceMs;
      // A broker that was started again has no leases: owners are given the time to take theirs back.
      const isEarly = this.#foundMs !== undefined && clock.now() - this.#foundMs < cluster.leaseMs;
      if (isEarly || waitedMs < rank * PER_CANDIDATE_MS) return;
      await this.#begin(world, undefined);
    } catch (error) {
      // Nobody is subscribed: its process has ended. One that stands still keeps its subscription, until its lease lapses.
      if (!(error instanceof ClusterError) || error.problem !== "no-responders") return;
      // The candidates before this one have the first turns; the owner itself, which is gone, is none of them.
      world.goneSinceMs ??= clock.now();
      const left = candidatesOf(world.name, this.#owners(world.seen?.owner));
      const turn = left.findIndex(({ name }) => name === cluster.name);
      if (turn >= 0 && clock.now() - world.goneSinceMs >= turn * PER_CANDIDATE_MS) await this.#begin(world, world.seen);
    }
  }

  async #begin(world: CandidateWorld, over: Lease | undefined): Promise<void> {
    if (world.owner !== undefined || world.beginning !== undefined || this.#isDraining) return;
    // Its owner is gone, or has saved the world.
    world.follower?.end();
    await this.#beginning(world, this.#takeOver(world, over));
  }

  async #beginning(world: CandidateWorld, work: Promise<void>): Promise<void> {
    world.beginning = work.catch((error: unknown) => {
      this.#options.log.error({ world: world.name, err: error }, "the world was not taken over");
    });
    await world.beginning;
    world.beginning = undefined;
  }

  async #takeOver(world: CandidateWorld, over: Lease | undefined): Promise<void> {
    const { cluster } = this.#options;
    const { name, codec, createWorld } = world;
    const spare = world.spare ?? createWorld();
    world.spare = spare;
    const { lease: leaseName, owner: ownerSubject } = worldSubjects(name);
    // Before the lease: a node that sees the lease and asks its owner must not find nobody.
    const cancel = cluster.subscribe(ownerSubject, () => {});
    try {
      cluster.raiseFloor(leaseName, await this.#floors.read(leaseName));
      const lease = await cluster.claim(leaseName, over);
      if (lease === undefined) return;
      // Before anything is sent under it.
      await this.#floors.keep(leaseName, lease.epoch);
      world.spare = undefined;
      if (over !== undefined) this.failovers += 1;
      const played = new PlayedWorld(spare, codec);
      try {
        this.#owns(world, await WorldOwner.begin(lease, this.#ownerOptions(world, played), over?.owner));
      } catch (error) {
        // Another node may be able to: its maps may be others.
        world.leftUntilMs = this.#options.clock.now() + LEFT_LEASES * cluster.leaseMs;
        await cluster.release(lease);
        throw error;
      }
    } finally {
      cancel();
    }
  }

  #ownerOptions(world: CandidateWorld, played: PlayedWorld): WorldOwnerOptions {
    const { cluster, clock, epochNow, log, store } = this.#options;
    const { name, gateway, records } = world;
    const { lease } = worldSubjects(name);
    return {
      cluster,
      clock,
      epochNow,
      name,
      played,
      log,
      records,
      storedEpoch: store === undefined ? undefined : () => this.#floors.find(lease),
      seenEpoch: () => gateway.epoch,
      ended: (isCutOff) => {
        world.owner = undefined;
        if (isCutOff) gateway.cutOff();
        this.#say();
      },
    };
  }

  #owns(world: CandidateWorld, owner: WorldOwner): void {
    world.freeSinceMs = undefined;
    world.goneSinceMs = undefined;
    if (owner.isOver) return;
    world.owner = owner;
    world.busyMs = owner.measures.busyMs;
    this.#say();
  }
}
