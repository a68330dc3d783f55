/** The world of the fake protocol: a line of chat goes to the other players in the room, and steps go along a line. */
import { createRandom, type PlayerId, type Track, type Verdict } from "../../motion/index.ts";
import type { Following } from "../following.ts";
import type { Effect, Joining, Refusal, SavedWorld, World, WorldOptions } from "../world.ts";
import {
  checkSaved,
  copyState,
  digestOf,
  EffectQueue,
  list,
  mapOf,
  number,
  optionalMember,
  PlayerTable,
  plainData,
  RoomTable,
  type SavedOutline,
  type StateOf,
  savedOptions,
  savedWorld,
  state,
  text,
  tuple,
} from "../world-kit/index.ts";
import { UsedMaps } from "../world-kit/used-maps.ts";
import { type FakeClientMessage, type FakeServerMessage, fakeCodec } from "./fake-codec.ts";
import { type FakeMaps, isFakeMaps } from "./fake-maps.ts";

/** A step that goes further is refused, and one that goes much further is corrected. */
const MAX_STEP = 16;
const FAR_STEP = 1500;
/** So many refused steps within a minute end in a ban. */
const MAX_LEAPS = 3;
const LEAPS_MS = 60_000;
/** What is said with `/later` is said after this time. */
const LATER_MS = 500;
const CAPACITY = 2000;
const SCHEMA = 1;

const savedPlayer = state({
  id: number,
  joining: state({ account: text, name: text, room: optionalMember(text) }),
  room: text,
  x: number,
  /** When its steps were refused. */
  leaps: list(number),
  later: list(state({ dueMs: number, text })),
  /** The rooms that it is shown in. */
  shownIn: plainData<Set<string>>(),
});
type Player = StateOf<typeof savedPlayer>;

interface Room {
  readonly players: Set<Player>;
}

const savedState = state({
  players: list(savedPlayer),
  rooms: list(tuple(text, list(number))),
  followed: list(number),
  random: number,
  effects: list(plainData<Effect<FakeServerMessage>>()),
  used: mapOf(text, text),
});

/**
 * Words that do something: `/fail` throws, `/ban` bans, `/kick` closes, `/verdict` gives one, `/show` an observation, `/look` one
 * for followers, `/appear` and `/vanish` show and hide in room `mirror`, `/room N` moves, `/news text` sends what newer
 * news replace, `/later text` says it at a later tick, `/roll` draws a number. Names that do something: `unwanted` is
 * closed, `join-fails` and `leave-fails` throw.
 */
export class FakeWorld implements World<FakeClientMessage, FakeServerMessage> {
  readonly following: Following = this;
  readonly tickMs = 50;
  readonly capacity = CAPACITY;
  readonly #outline: SavedOutline;
  readonly #enforcement: "enforce" | "log";
  readonly #random;
  readonly #maps: FakeMaps | undefined;
  #used = new UsedMaps();
  #players = new PlayerTable<Player>(CAPACITY);
  #rooms = new RoomTable<string, Room>();
  #followed = new Set<PlayerId>();
  #effects = new EffectQueue<FakeServerMessage>();

  /** Throws `RangeError` for an unknown dialect, and `TypeError` for maps of another game. */
  constructor({ dialect, seed, enforcement = "enforce", maps }: WorldOptions) {
    fakeCodec(dialect);
    const options = savedOptions({ enforcement, ...(maps === undefined ? {} : { maps: "given" }) });
    if (maps !== undefined && !isFakeMaps(maps)) throw new TypeError(`maps must be those of fake, got ${maps.game}`);
    this.#maps = maps;
    this.#outline = { schema: SCHEMA, world: `fake/${dialect}`, options };
    this.#enforcement = enforcement;
    this.#random = createRandom(seed);
  }

  /** Followed players. */
  get followed(): ReadonlySet<PlayerId> {
    return this.#followed;
  }

  refuses({ room = "1" }: Joining): Refusal | undefined {
    if (!/^[1-9]\d{0,3}$/.test(room)) return "bad-room";
    return this.#players.isFull ? "full" : undefined;
  }

  join(id: PlayerId, joining: Joining): void {
    this.#players.checkJoin(id, this.refuses(joining));
    const player: Player = { id, joining, room: "", x: 0, leaps: [], later: [], shownIn: new Set() };
    this.#players.add(id, player);
    this.#enter(player, joining.room ?? "1");
    this.#effects.send(id, { message: "welcome", value: { text: String(id) } });
    if (joining.name === "unwanted") this.#effects.close(id, "unwanted");
    if (joining.name === "join-fails") throw new Error("this join fails");
  }

  leave(id: PlayerId): void {
    const player = this.#players.remove(id);
    if (player === undefined) return;
    this.#exit(player);
    for (const room of player.shownIn) this.#effects.hide(id, room);
    this.#followed.delete(id);
    if (player.joining.name === "leave-fails") throw new Error("this leave fails");
  }

  receive(id: PlayerId, message: FakeClientMessage, payload: Uint8Array, nowMs: number): void {
    const player = this.#players.get(id);
    if (player === undefined) return;
    if (message.message === "step") this.#step(player, message.value.x, payload, nowMs);
    else if (message.message === "count") this.#effects.send(id, { message: "counted", value: message.value });
    else if (message.message === "say") this.#say(player, message.value.text, payload, nowMs);
  }

  tick(nowMs: number): void {
    for (const player of this.#players.values()) {
      for (let next = player.later[0]; next !== undefined && next.dueMs <= nowMs; next = player.later[0]) {
        player.later.shift();
        this.#broadcast(player, next.text);
      }
    }
  }

  refresh(id: PlayerId): void {
    if (this.#players.has(id)) this.#effects.send(id, { message: "state", value: { text: "fresh" } });
  }

  follow(id: PlayerId): void {
    const player = this.#players.get(id);
    if (player === undefined) return;
    this.#followed.add(id);
    this.#effects.observe({ player: id, room: player.room, what: "start", data: {}, toFollowers: true });
  }

  unfollow(id: PlayerId): void {
    this.#followed.delete(id);
  }

  takeEffects(): readonly Effect<FakeServerMessage>[] {
    return this.#effects.take();
  }

  tracks(atMs: number, room?: string): readonly Track[] {
    const players = [...this.#players.values()].filter((each) => room === undefined || each.room === room);
    return players.map(({ id, room: place, x }) => ({
      player: id,
      room: place,
      atMs,
      position: { x: id + x, y: 0 },
      velocity: { x: 0, y: 0 },
      facingTurns: 0,
      stance: "stand",
      source: "claimed",
    }));
  }

  rooms(): ReadonlyMap<string, number> {
    const counts = new Map(this.#rooms.counts());
    for (const { shownIn } of this.#players.values()) {
      for (const room of shownIn) counts.set(room, (counts.get(room) ?? 0) + 1);
    }
    return counts;
  }

  usedMaps(): ReadonlyMap<string, string> {
    return this.#used.digests;
  }

  save(): SavedWorld {
    const rooms = Array.from(this.#rooms.entries(), ([name, { players }]) => {
      return [name, Array.from(players, ({ id }) => id)] as const;
    });
    const parts = { players: this.#players.values(), rooms, followed: this.#followed };
    return savedWorld(
      this.#outline,
      copyState(savedState, {
        ...parts,
        random: this.#random.save(),
        effects: this.#effects,
        used: this.#used.digests,
      }),
    );
  }

  restore(saved: SavedWorld): void {
    const state = checkSaved(saved, this.#outline, savedState);
    const players = new PlayerTable<Player>(
      CAPACITY,
      state.players.map((player) => [player.id, copyState(savedPlayer, player)]),
    );
    const rooms = new RoomTable<string, Room>({
      rooms: state.rooms.map(([name, ids]) => [name, { players: new Set(ids.map((id) => players.need(id))) }]),
    });
    const followed = new Set(state.followed);
    const used = new UsedMaps(state.used);
    used.mustBeIn(this.#maps);
    const effects = new EffectQueue(state.effects);
    this.#players = players;
    this.#rooms = rooms;
    this.#used = used;
    this.#followed = followed;
    this.#random.restore(state.random);
    this.#effects = effects;
  }

  digest(): bigint {
    return digestOf(this.save());
  }

  #enter(player: Player, room: string): void {
    player.room = room;
    this.#rooms.obtain(room, () => ({ players: new Set() })).players.add(player);
    this.#used.note(room, () => this.#maps?.digest(room));
    this.#effects.enter(player.id, room);
  }

  #exit(player: Player): void {
    this.#rooms.get(player.room)?.players.delete(player);
    this.#rooms.dropIfUnused(player.room);
    this.#effects.exit(player.id, player.room);
  }

  #step(player: Player, x: number, payload: Uint8Array, nowMs: number): void {
    const measured = Math.abs(x - player.x);
    if (measured > MAX_STEP) {
      const isLog = this.#enforcement === "log";
      const isFar = measured > FAR_STEP;
      const verdict = this.#effects.verdict({
        ...this.#verdict(player, payload, nowMs),
        kind: isLog ? "flag" : isFar ? "correct" : "reject",
        rule: "leap",
        reason: "Steps too far",
        measured,
        allowed: MAX_STEP,
        unit: "steps",
      });
      if (!isLog) {
        if (isFar) this.#effects.send(player.id, stepped(player));
        this.#countLeap(player, verdict, nowMs);
        return;
      }
    }
    if (x > (this.#maps?.width(player.room) ?? Number.POSITIVE_INFINITY)) {
      this.#effects.verdict({
        ...this.#verdict(player, payload, nowMs),
        kind: "flag",
        rule: "outside",
        reason: "The room ends before",
        measured: x,
        allowed: this.#maps?.width(player.room) ?? 0,
        unit: "steps",
      });
    }
    player.x = x;
    this.#effects.broadcast(player.room, player.id, stepped(player));
  }

  #countLeap(player: Player, verdict: Verdict, nowMs: number): void {
    const { id, leaps, joining } = player;
    leaps.push(nowMs);
    while ((leaps[0] ?? nowMs) < nowMs - LEAPS_MS) leaps.shift();
    if (leaps.length < MAX_LEAPS) return;
    leaps.length = 0;
    const { account } = joining;
    this.#effects.ban({ player: id, account, reason: "leap", durationMs: LEAPS_MS, evidence: [verdict] });
    this.#effects.close(id, "banned");
  }

  #say(player: Player, said: string, payload: Uint8Array, nowMs: number): void {
    const { id, room, joining } = player;
    const [word = "", ...rest] = said.split(" ");
    const words = rest.join(" ");
    switch (word) {
      case "/fail":
        throw new Error("this message fails");
      case "/show":
        this.#effects.observe({ player: id, room, what: "gesture", data: { hands: 2 } });
        break;
      case "/verdict":
        this.#effects.verdict(this.#verdict(player, payload, nowMs));
        break;
      case "/ban": {
        // A defect on purpose: it asks for a ban though it only logs.
        const reason = this.#enforcement === "log" ? "defect" : "manners";
        const evidence = [{ ...this.#verdict(player, payload, nowMs), message: payload.slice() }];
        this.#effects.ban({ player: id, account: joining.account, reason, durationMs: 86_400_000, evidence });
        break;
      }
      case "/kick":
        this.#effects.close(id, "kicked");
        break;
      case "/appear":
        if (!player.shownIn.has("mirror")) this.#effects.show(id, "mirror");
        player.shownIn.add("mirror");
        break;
      case "/vanish":
        if (player.shownIn.delete("mirror")) this.#effects.hide(id, "mirror");
        break;
      case "/look":
        if (!this.#followed.has(id)) break;
        this.#effects.observe({ player: id, room, what: "closer", data: { eyes: 2 }, toFollowers: true });
        break;
      case "/room":
        this.#exit(player);
        this.#enter(player, words);
        break;
      case "/news":
        for (const { id: other } of this.#rooms.get(room)?.players ?? []) {
          if (other !== id) this.#effects.send(other, { message: "state", value: { text: words } }, "unreliable");
        }
        break;
      case "/later":
        player.later.push({ dueMs: nowMs + LATER_MS, text: words });
        break;
      case "/roll":
        this.#effects.send(id, { message: "state", value: { text: String(this.#random.integer(1, 1000)) } });
        break;
      default:
        if (!said.startsWith("/")) this.#broadcast(player, said);
    }
  }

  #broadcast({ id, room }: Player, said: string): void {
    this.#effects.broadcast(room, id, { message: "said", value: { text: `${id}:${said}` } });
  }

  /** The verdict on bad manners, with the caller's bytes. */
  #verdict({ id, room }: Player, message: Uint8Array, atMs: number): Verdict {
    return {
      kind: "reject",
      rule: "manners",
      reason: "Nobody says this",
      player: id,
      room,
      atMs,
      measured: 1,
      allowed: 0,
      unit: "words",
      message,
      stateBefore: { room },
    };
  }
}

function stepped({ id, x }: Player): FakeServerMessage {
  return { message: "stepped", value: { player: id & 0xff, x } };
}
