/**
 * The players of another server, as its packets show them to the clients of our sessions: nobody walks here by itself, and nothing
 * is sent. A session has a track once the initialisation of its client is read, and with it everybody whom that client has in view.
 *
 * Spectators who follow a session receive what they do in `PlayerInfoWorld`: `player-info-start` and `player-info`, out of the
 * stream of the other server. Where that cannot be read, all spectators receive `player-info-unread` (`reason`): from there on nothing
 * of that client is shown until its next initialisation.
 *
 * With maps it also tells what the other server itself does that they do not allow, as `server-notice` (`ServerNotice`; and `index`, `level`,
 * `from` or `clicked`, `to`, `tick`): `wall-step`, a walk or run over an edge without a way, and `long-walk`, a walk of a client's own player that is
 * longer than the way to the tile that it clicked. Teleports and regions that are not known are never told.
 *
 * ```ts
 * const bodies = new ShadowBodies({ dialect: "client", seed: 1 });
 * bodies.join(7, { account: "a", name: "a" });
 * const engine = new PlayerInfoEngine({ dialect: "client" });
 * for (const index of [5, 6]) engine.add(index, { level: 0, x: 3200 + index, z: 3201 });
 * bodies.observe(7, { message: "playerIndex", value: { index: 5 } }, 0);
 * bodies.observe(7, { message: "playerInfoInit", value: { bytes: engine.observe(5) } }, 0);
 * engine.tick();
 * bodies.observe(7, { message: "playerInfo", value: { bytes: engine.packet(5) } }, 600);
 * bodies.tracks(600).map(({ player, position }) => [player, position.x]); // => [[7, 3205], [65529, 3206]]
 * ```
 */
import type { PlayerId, Track } from "../../../../motion/index.ts";
import type { WireMessage } from "../../../codec.ts";
import type { Gap } from "../../../shadow.ts";
import { checkTickMs } from "../../../tick.ts";
import type { Effect, Joining, Refusal, SavedWorld } from "../../../world.ts";
import {
  checkSaved,
  copyState,
  EffectQueue,
  list,
  MAX_PLAYER_ID,
  mapOf,
  number,
  type Observation,
  PlayerTable,
  plainData,
  type SavedOutline,
  savedOptions,
  savedWorld,
  state,
  text,
} from "../../../world-kit/index.ts";
import { UsedMaps } from "../../../world-kit/used-maps.ts";
import { Collision } from "../../maps/collision.ts";
import { type CollisionMaps, collisionMapsIn } from "../../maps/collision-maps.ts";
import { WayFinder } from "../movement/way-finder.ts";
import { MAX_PLAYER_INDEX, TICK_MS, type WorldTile } from "../wire/constants.ts";
import type { PlayerInfoDecoderOptions } from "../wire/decoder.ts";
import { playerInfoDialect, playerInfoDialectIn } from "../wire/dialect.ts";
import { noMasks } from "../wire/masks/mask-revision.ts";
import type { PlayerInfoServerMessage } from "../wire/message.ts";
import type { Bodies } from "./bodies.ts";
import { walkAfter, walkAfterUndescribed, walkOn } from "./clicked-walk.ts";
import { PLAYER_INFO_ROOM, packetOf, startOf } from "./observations.ts";
import { type ServerFinding, ServerNotices, savedServerNotices } from "./server-notices.ts";
import { ShadowClient, type Step, savedShadowClient } from "./shadow-client.ts";
import type { PlayerInfoWorldOptions } from "./world.ts";

/** What is read of a new region's message: the initialisation stands before it after a login, and otherwise not. */
interface RebuildNormal {
  readonly message: "rebuildNormal";
  readonly value: { readonly init?: Uint8Array | undefined };
}

/** Counts the changes of the shape of {@link savedState}. */
const SCHEMA = 2;

const savedState = state({
  clients: list(savedShadowClient),
  followed: list(number),
  effects: list(plainData<Effect<PlayerInfoServerMessage>>()),
  notices: savedServerNotices,
  /** Regions of the given maps, with their digests, in the order in which they were first used. */
  used: mapOf(text, text),
});

export interface ShadowBodiesOptions extends PlayerInfoWorldOptions {
  /** The name of a message of a client that has no description. Default: none has a name. */
  readonly undescribed?: (payload: Uint8Array) => string | undefined;
}

/** What steps are compared with. */
interface Ground {
  readonly maps: CollisionMaps;
  readonly collision: Collision;
  readonly finder: WayFinder;
}

/** Up to 2047 sessions. Pure: everything follows from the calls. */
export class ShadowBodies implements Bodies {
  readonly tickMs: number;
  /** What names its options in saved data. */
  readonly outline: SavedOutline;
  readonly #decoding: PlayerInfoDecoderOptions;
  readonly #undescribed: (payload: Uint8Array) => string | undefined;
  #clients = new PlayerTable<ShadowClient>(MAX_PLAYER_INDEX);
  #followed = new Set<PlayerId>();
  #effects = new EffectQueue<PlayerInfoServerMessage>();
  /** Undefined without maps. */
  readonly #ground: Ground | undefined;
  #notices = new ServerNotices();
  #used = new UsedMaps();
  #changes = 0;

  /** Throws `RangeError` for an unknown dialect or an invalid length of ticks, `TypeError` for maps of another game. */
  constructor(given: ShadowBodiesOptions) {
    const { dialect, revision = noMasks, tickMs = TICK_MS, undescribed = () => undefined } = given;
    this.#undescribed = undescribed;
    checkTickMs(tickMs);
    const maps = collisionMapsIn(given);
    if (maps !== undefined) {
      const collision = new Collision(maps, (place) => this.#used.note(place, () => maps.digest(place)));
      this.#ground = { maps, collision, finder: new WayFinder(collision) };
    }
    this.tickMs = tickMs;
    this.#decoding = { dialect: playerInfoDialect(playerInfoDialectIn(dialect)).name, revision };
    const options = savedOptions({
      shadow: true,
      revision: revision.name,
      maps: maps === undefined ? "none" : "given",
    });
    this.outline = { schema: SCHEMA, world: `osrs/player-info/${dialect}`, options };
  }

  refuses(joining: Joining): Refusal | undefined {
    if (this.#clients.isFull) return "full";
    return joining.room === undefined || joining.room === PLAYER_INFO_ROOM ? undefined : "bad-room";
  }

  join(player: PlayerId, joining: Joining): void {
    this.#clients.checkJoin(player, this.refuses(joining));
    this.#clients.add(player, new ShadowClient(player, joining.name, this.#decoding));
    this.#changes += 1;
    this.#effects.enter(player, PLAYER_INFO_ROOM);
  }

  leave(player: PlayerId): void {
    if (this.#clients.remove(player) === undefined) return;
    this.#changes += 1;
    this.#followed.delete(player);
    this.#effects.exit(player, PLAYER_INFO_ROOM);
  }

  /** The other server sent the player's client this message. Nothing happens for messages that are not about player info. */
  observe(player: PlayerId, message: WireMessage, nowMs: number): void {
    const client = this.#clients.get(player);
    if (client === undefined) return;
    // One state reads all packets, whichever world a message of the game has made the active one: so it did in a recording where
    // the active world changed twice in every tick.
    const sent = message as PlayerInfoServerMessage | RebuildNormal;
    switch (sent.message) {
      case "playerIndex":
        client.index = sent.value.index;
        break;
      case "playerInfoInit":
        this.#initialise(client, sent.value.bytes, nowMs);
        break;
      case "rebuildNormal":
        if (sent.value.init !== undefined) this.#initialise(client, sent.value.init, nowMs);
        break;
      case "playerInfo":
        this.#read(client, sent.value.bytes, nowMs);
        break;
      default:
    }
  }

  /** What the other server sends to the player is not read any further. */
  lost(player: PlayerId): void {
    const client = this.#clients.get(player);
    if (client === undefined) return;
    this.#changes += 1;
    const why = "what the server sends is not read any further";
    client.lose(why);
    this.#effects.observe(unreadOf(client.id, why));
  }

  #initialise(client: ShadowClient, bytes: Uint8Array, nowMs: number): void {
    this.#changes += 1;
    client.initialise(bytes, nowMs);
    if (client.index === undefined) this.#effects.observe({ ...unseen, player: client.id });
    if (client.fault !== undefined) this.#effects.observe(unreadOf(client.id, client.fault));
    else if (this.#followed.has(client.id)) this.#start(client);
  }

  #read(client: ShadowClient, packet: Uint8Array, nowMs: number): void {
    if (!client.read(packet, nowMs)) return;
    this.#changes += 1;
    // Also a packet that cannot be read: the decoder of a spectator then shows the place.
    if (this.#followed.has(client.id)) this.#effects.observe(packetOf(client.id, packet));
    if (client.fault !== undefined) this.#effects.observe(unreadOf(client.id, client.fault));
    else if (this.#ground !== undefined) this.#checkSteps(client, this.#ground, nowMs);
  }

  /** The client sent this message: where its player walks next may follow from it. */
  clicked(player: PlayerId, message: WireMessage): void {
    const client = this.#clients.get(player);
    if (this.#ground === undefined || client === undefined) return;
    const at = tileOf(client);
    client.walk = at && walkAfter(client.walk, message, at, this.#ground.finder);
  }

  /** A message of the client could not be read, or is not described. */
  missedClick(player: PlayerId, payload: Uint8Array): void {
    const client = this.#clients.get(player);
    if (client !== undefined) client.walk = walkAfterUndescribed(client.walk, this.#undescribed(payload));
  }

  /** Compares the steps of a packet with the map. */
  #checkSteps(client: ShadowClient, { collision, finder }: Ground, nowMs: number): void {
    const { decoder } = client;
    if (decoder === undefined) return;
    for (const { index, dx, dz, stance } of client.steps) {
      if (stance === "teleport") continue;
      const [level, x, z] = [decoder.level[index] as number, decoder.x[index] as number, decoder.z[index] as number];
      const [fromX, fromZ] = [x - dx, z - dz];
      if (collision.mayGo(level, fromX, fromZ, x, z) !== false) continue;
      const reason = `player ${index} goes from ${fromX}, ${fromZ} to ${x}, ${z} on level ${level}: no way in the given map`;
      const since = { from: [fromX, fromZ] } as const;
      this.#tell(client, { kind: "wall-step", index, since, to: { level, x, z }, tick: client.packets, reason }, nowMs);
    }
    this.#checkWalk(client, finder, nowMs);
  }

  /** Compares what the client's own player has gone since a click. */
  #checkWalk(client: ShadowClient, finder: WayFinder, nowMs: number): void {
    const { walk, decoder } = client;
    const at = tileOf(client);
    if (walk === undefined || decoder === undefined || at === undefined) return;
    const index = decoder.localIndex;
    const step = [...client.steps].find((each) => each.index === index);
    // Who has a target, such as one that attacks it, walks to that.
    const isLed = step?.stance === "teleport" || decoder.player(index)?.interacting !== -1;
    const next = isLed ? undefined : walkOn(walk, tilesOf(step), at, finder);
    client.walk = next;
    if (next === undefined || next.gone <= next.allowed) return;
    client.walk = undefined;
    const went = `player ${index} has gone ${next.gone} tiles since the click on ${next.x}, ${next.z}`;
    const reason = `${went}, to ${at.x}, ${at.z} on level ${at.level}: the way there has ${next.allowed}`;
    const since = { clicked: [next.x, next.z] } as const;
    this.#tell(client, { kind: "long-walk", index, since, to: at, tick: client.packets, reason }, nowMs);
  }

  #tell(client: ShadowClient, finding: ServerFinding, nowMs: number): void {
    const told = this.#notices.note(client.id, finding, nowMs);
    if (told !== undefined) this.#effects.observe(told);
  }

  /** The other server moves its players. */
  tick(): void {}

  /** Nothing is sent, so nobody has missed anything. */
  refresh(): void {}

  follow(player: PlayerId): void {
    const client = this.#clients.get(player);
    if (client === undefined) return;
    this.#followed.add(player);
    this.#start(client);
  }

  unfollow(player: PlayerId): void {
    this.#followed.delete(player);
  }

  /** What a spectator needs before the next packet. */
  #start({ id, decoder, fault = "the server has sent no initialisation yet" }: ShadowClient): void {
    if (decoder !== undefined) this.#effects.observe(startOf(id, decoder.clientState()));
    else this.#effects.observe({ ...unreadOf(id, fault), toFollowers: true });
  }

  takeEffects(): readonly Effect<PlayerInfoServerMessage>[] {
    return this.#effects.take();
  }

  /** Our sessions in the order in which they joined, and everybody else whom their clients have in view. */
  tracks(nowMs: number, room: string = PLAYER_INFO_ROOM): readonly Track[] {
    if (room !== PLAYER_INFO_ROOM) return [];
    const read = [...this.#clients.values()].flatMap((client) => {
      return client.decoder === undefined ? [] : [{ client, decoder: client.decoder }];
    });
    const own = new Set(read.map(({ decoder }) => decoder.localIndex));
    // Of what two clients have in view, the one whose packet came last knows more.
    const seenBy = new Map<number, ShadowClient>();
    for (const { client, decoder } of read.toSorted((a, b) => a.client.readMs - b.client.readMs)) {
      for (const index of decoder.locals) if (!own.has(index)) seenBy.set(index, client);
    }
    const tracks = read.map(({ client, decoder }) => client.trackOf(decoder.localIndex, client.id, nowMs));
    for (const [index, client] of seenBy) {
      const player = this.#strangerId(index);
      if (player !== undefined) tracks.push(client.trackOf(index, player, nowMs));
    }
    return tracks.filter((track) => track !== undefined);
  }

  /**
   * The number of a player without a session: from the highest number down, by its index at the other server, where no session has
   * that number. Each index has about 32 numbers of its own; undefined where sessions have all of them.
   */
  #strangerId(index: number): PlayerId | undefined {
    for (let id = MAX_PLAYER_ID - index; id > 0; id -= MAX_PLAYER_INDEX) if (!this.#clients.has(id)) return id;
    return undefined;
  }

  /** What is seen changes with what the other server sends alone. */
  tracksVersion(): number {
    return this.#changes;
  }

  /** Counts sessions. */
  rooms(): ReadonlyMap<string, number> {
    return this.#clients.size === 0 ? new Map() : new Map([[PLAYER_INFO_ROOM, this.#clients.size]]);
  }

  usedMaps(): ReadonlyMap<string, string> {
    return this.#used.digests;
  }

  close(): void {}

  save(): SavedWorld {
    const live = { clients: this.#clients.values(), followed: this.#followed, effects: this.#effects };
    const found = { notices: this.#notices, used: this.#used.digests };
    return savedWorld(this.outline, copyState(savedState, { ...live, ...found }));
  }

  /** Checks everything and returns the second half, which cannot fail. */
  prepareRestore(saved: SavedWorld): { readonly players: PlayerTable<ShadowClient>; commit(): void } {
    const state = checkSaved(saved, this.outline, savedState);
    const { clients, followed, effects } = state;
    const used = new UsedMaps(state.used);
    used.mustBeIn(this.#ground?.maps);
    const notices = new ServerNotices(state.notices);
    const restored = clients.map((client) => ShadowClient.restore(client, this.#decoding));
    const players = new PlayerTable(
      MAX_PLAYER_INDEX,
      restored.map((client) => [client.id, client] as const),
    );
    for (const player of followed) players.need(player);
    const waiting = new EffectQueue(effects);
    return {
      players,
      commit: () => {
        this.#clients = players;
        this.#followed = new Set(followed);
        this.#effects = waiting;
        this.#notices = notices;
        this.#used = used;
        this.#ground?.collision.forget();
        this.#changes += 1;
      },
    };
  }
}

/** A {@link Gap}. No rule is named: those of the mouse need no place. */
const withoutIndex = {
  reason: "the login has not said which player is its own, so that nobody is shown before the next one",
  rules: [],
} satisfies Gap;
const unseen = { room: PLAYER_INFO_ROOM, what: "unseen", data: withoutIndex };

/** Where a client's own player is, as far as its packets say. */
function tileOf({ decoder }: ShadowClient): WorldTile | undefined {
  const own = decoder?.player(decoder.localIndex);
  return own && { level: own.level, x: own.x, z: own.z };
}

/** Tiles that a step leads along the farther axis: a runner may have gone around a corner. */
function tilesOf(step: Step | undefined): number {
  return step === undefined ? 0 : Math.max(Math.abs(step.dx), Math.abs(step.dz));
}

/** `player-info-unread`. */
function unreadOf(player: PlayerId, reason: string): Observation {
  return { player, room: PLAYER_INFO_ROOM, what: "player-info-unread", data: { reason } };
}
