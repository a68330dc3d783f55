/** Rules of the `World` contract, but for saving: `saved-world-rules.ts`. */
import { createRandom, type PlayerId } from "../../motion/index.ts";
import type { Effect, World } from "../world.ts";
import { digestOf, findUnplain } from "../world-kit/index.ts";
import { checkPayload, readOrRefuse, somePayload } from "./payloads.ts";
import { equalBytes } from "./random-bytes.ts";
import { checkCorrections, checkRefusals } from "./refusal-rules.ts";
import { must, mustEqual, mustThrow, type RuleSet, show } from "./rule.ts";
import { perform, replay } from "./script.ts";
import { joiningOf, Subject, type WorldSubject } from "./subject.ts";

/** Throws unless the call changes nothing and says nothing. */
function mustDoNothing(world: World, call: () => void, what: () => string): void {
  const before = world.digest();
  call();
  const effects = world.takeEffects();
  must(effects.length === 0, () => `${what()} gives ${show(effects)}`);
  must(world.digest() === before, () => `${what()} changes the world`);
}

function checkIds(subject: WorldSubject): void {
  const world = subject.world();
  for (const id of [0, -0, -1, 65_536, 70_000, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    const join = (): void => world.join(id, joiningOf(1), 0);
    mustDoNothing(
      world,
      () => mustThrow(join, [RangeError], () => `join(${id})`),
      () => `join(${id})`,
    );
  }
  for (const id of [1, 65_535]) {
    world.join(id, joiningOf(id), 0);
    world.takeEffects();
    const again = (): void => world.join(id, joiningOf(2), 0);
    mustDoNothing(
      world,
      () => mustThrow(again, [RangeError], () => `a second join(${id})`),
      () => `a second join(${id})`,
    );
  }
  world.leave(1, 0);
  world.takeEffects();
  world.join(1, joiningOf(1), 0);
}

/** Rooms that a protocol may have by number, and its own choice: players are spread out, so that no room is full first. */
const someRooms = [...Array.from({ length: 40 }, (_, index) => String(index + 1)), undefined];

function checkCapacity(subject: WorldSubject): void {
  const world = subject.world();
  const { fillUpTo = 2100 } = subject.options;
  must(Number.isInteger(world.capacity) && world.capacity >= 1, () => `capacity is ${world.capacity}`);
  if (world.capacity > fillUpTo) return;
  for (let id = 1; id <= world.capacity; id++) {
    const rooms = [...someRooms.slice(id % 40), ...someRooms.slice(0, id % 40)];
    const room = rooms.find((each) => world.refuses(joiningOf(id, each)) === undefined);
    must(world.refuses(joiningOf(id, room)) === undefined, () => `player ${id} of ${world.capacity} is refused`);
    world.join(id, joiningOf(id, room), 0);
    world.takeEffects();
  }
  const late = world.capacity + 1;
  for (const room of someRooms) {
    const refusal = world.refuses(joiningOf(late, room));
    must(refusal !== undefined, () => `a full world takes one more, in room ${room}`);
    const join = (): void => world.join(late, joiningOf(late, room), 0);
    mustThrow(join, [RangeError], () => `join of a full world, in room ${room}`);
  }
  must(world.refuses(joiningOf(late)) === "full", () => `a full world answers ${world.refuses(joiningOf(late))}`);
}

function checkRefusedRooms(subject: WorldSubject): void {
  const world = subject.world();
  for (const room of ["", "no such room", "-1", "1e3", "\0", "__proto__", "9".repeat(30)]) {
    const joining = joiningOf(1, room);
    const refusal = world.refuses(joining);
    must(refusal !== undefined, () => `room ${show(room)} is let in`);
    const join = (): void => world.join(1, joining, 0);
    mustDoNothing(
      world,
      () => mustThrow(join, [RangeError], () => `join of room ${show(room)}`),
      () => `join of room ${show(room)}`,
    );
  }
}

function checkUnknownPlayers(subject: WorldSubject, seed: number): void {
  const world = subject.world();
  world.join(1, joiningOf(1), 0);
  world.takeEffects();
  const [payload] = subject.payloads(seed, "client");
  const calls: Readonly<Record<string, () => void>> = {
    leave: () => world.leave(2, 10),
    refresh: () => world.refresh(2, 10),
    follow: () => world.following?.follow(2, 10),
    unfollow: () => world.following?.unfollow(2),
    receive: () => {
      if (payload !== undefined) world.receive(2, subject.codec.read("client", payload), payload, 10);
    },
  };
  for (const [name, call] of Object.entries(calls)) mustDoNothing(world, call, () => `${name} of an unknown player`);
}

function checkDeterminism(subject: WorldSubject, seed: number): void {
  const script = subject.script(seed);
  replay(subject.protocol, script, subject.options);
  const other = new Subject(subject.protocol, subject.dialect, subject.options).script(seed);
  must(other.calls.length === script.calls.length, () => "bots and world with one seed play differently");
  other.calls.forEach((call, index) => {
    mustEqual(call, script.calls[index], () => `Call ${index} of a second play from the same seed`);
  });
}

function checkEffects(subject: WorldSubject, seed: number): void {
  const script = subject.script(seed);
  replay(subject.protocol, script, subject.options, {
    taken(world, effects, index) {
      const unplain = findUnplain(effects);
      must(unplain === undefined, () => `effects of call ${index} are not plain data: ${unplain}`);
      must(world.takeEffects().length === 0, () => `effects of call ${index} are given twice`);
    },
  });
  script.effects.forEach((effects, index) => {
    must(
      digestOf(effects) === script.digests[index],
      () => `effects of call ${index} were changed after they were taken`,
    );
  });
}

function checkOwnership(subject: WorldSubject, seed: number): void {
  replay(subject.protocol, subject.script(seed), subject.options, {
    perform(world, call, index) {
      if (call.call !== "receive") {
        perform(world, subject.codec, call, subject.options.gameCode);
        return;
      }
      const payload = call.payload.slice();
      const message = subject.codec.read("client", payload);
      const before = subject.codec.write("client", message);
      world.receive(call.player, message, payload, call.nowMs);
      const place = `receive (call ${index})`;
      must(equalBytes(payload, call.payload), () => `${place} changes the payload: ${show(payload)}`);
      const after = subject.codec.write("client", message);
      must(equalBytes(before, after), () => `${place} changes the message: ${show(message)}`);
      payload.fill(0xa5);
    },
  });
}

/** Who is in which room and shown in which others, by the effects of a world. */
class Ledger {
  readonly #joined = new Set<PlayerId>();
  readonly #room = new Map<PlayerId, string>();
  readonly #shown = new Map<PlayerId, Set<string>>();

  join(player: PlayerId): void {
    this.#joined.add(player);
  }

  leave(player: PlayerId): void {
    must(
      !this.#room.has(player),
      () => `no exit of player ${player} from room ${this.#room.get(player)} when it leaves`,
    );
    const shown = [...(this.#shown.get(player) ?? [])];
    must(shown.length === 0, () => `no hide of player ${player} in ${shown.join(", ")} when it leaves`);
    this.#joined.delete(player);
  }

  add(effect: Effect): void {
    switch (effect.effect) {
      case "enter":
        this.#mustBeHere(effect.player, "enter");
        must(!this.#room.has(effect.player), () => `player ${effect.player} enters ${effect.room} from within a room`);
        this.#room.set(effect.player, effect.room);
        break;
      case "exit":
        must(
          this.#room.get(effect.player) === effect.room,
          () => `player ${effect.player} exits ${effect.room} and is in ${this.#room.get(effect.player)}`,
        );
        this.#room.delete(effect.player);
        break;
      case "show":
        this.#mustBeHere(effect.player, "show");
        must(!this.#shownOf(effect.player).has(effect.room), () => `player ${effect.player} is shown twice`);
        this.#shownOf(effect.player).add(effect.room);
        break;
      case "hide":
        must(
          this.#shownOf(effect.player).delete(effect.room),
          () => `player ${effect.player} hides where it is not shown`,
        );
        break;
      case "send":
        this.#mustBeHere(effect.to, "send");
        break;
      case "close":
      case "ban":
        this.#mustBeHere(effect.player, effect.effect);
    }
  }

  /** What `World.rooms` must answer. */
  counts(): ReadonlyMap<string, number> {
    const counts = new Map<string, number>();
    const rooms = [...this.#room.values(), ...[...this.#shown.values()].flatMap((shown) => [...shown])];
    for (const room of rooms) counts.set(room, (counts.get(room) ?? 0) + 1);
    return counts;
  }

  isIn(player: PlayerId, room: string): boolean {
    return this.#room.get(player) === room || this.#shownOf(player).has(room);
  }

  #mustBeHere(player: PlayerId, what: string): void {
    must(this.#joined.has(player), () => `${what} of player ${player}, who is not there`);
  }

  #shownOf(player: PlayerId): Set<string> {
    const shown = this.#shown.get(player) ?? new Set();
    this.#shown.set(player, shown);
    return shown;
  }
}

function sorted(counts: ReadonlyMap<string, number>): unknown {
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1));
}

function checkRooms(subject: WorldSubject, seed: number): void {
  const ledger = new Ledger();
  const script = subject.script(seed);
  const world = replay(subject.protocol, script, subject.options, {
    taken(played, effects, index) {
      const call = script.calls[index];
      if (call?.call === "join") ledger.join(call.player);
      for (const effect of effects) ledger.add(effect);
      if (call?.call === "leave") ledger.leave(call.player);
      mustEqual(sorted(played.rooms()), sorted(ledger.counts()), () => `rooms() after call ${index} (${show(call)})`);
      if (!script.checkpoints.has(index)) return;
      for (const { player, room } of played.tracks(call?.nowMs ?? 0)) {
        must(ledger.isIn(player, room), () => `a track of player ${player} in ${room}, where it is not`);
      }
    },
  });
  const last = script.calls.at(-1)?.nowMs ?? 0;
  for (const room of world.rooms().keys()) {
    const wrong = world.tracks(last, room).find((track) => track.room !== room);
    must(wrong === undefined, () => `tracks of room ${room} are those of ${wrong?.room}`);
  }
  // Everybody leaves: nothing may stay.
  const players = new Set(script.calls.flatMap((call) => ("player" in call ? [call.player] : [])));
  for (const player of players) {
    world.leave(player, last);
    for (const effect of world.takeEffects()) ledger.add(effect);
    ledger.leave(player);
  }
  must(world.rooms().size === 0, () => `rooms of an empty world: ${[...world.rooms().keys()].join(", ")}`);
  must(world.tracks(last).length === 0, () => `tracks of an empty world: ${show(world.tracks(last))}`);
}

/** Asking changes nothing: neither tracks nor rooms nor what would be refused. */
function checkQuestions(subject: WorldSubject, seed: number): void {
  const random = createRandom(seed);
  const script = subject.script(seed);
  replay(subject.protocol, { ...script, checkpoints: new Map() }, subject.options, {
    before(world, index) {
      const nowMs = script.calls[index]?.nowMs ?? 0;
      if (random.chance(0.3)) world.tracks(nowMs);
      if (random.chance(0.1)) world.rooms();
      if (random.chance(0.1)) world.refuses(joiningOf(random.integer(1, 9)));
      return world;
    },
  });
}

/** Tracks without their times, by room. */
function timelessTracks(world: World, nowMs: number, room: string): bigint {
  return digestOf(world.tracks(nowMs, room).map(({ atMs: _, ...track }) => track));
}

/** While `tracksVersion` of a room stays, its tracks stay. A room is looked at for as long as it has players, and once after. */
function checkTracksVersion(subject: WorldSubject, seed: number): void {
  if (subject.world().tracksVersion === undefined) return;
  const random = createRandom(seed);
  const script = subject.script(seed);
  const known = new Map<string, { readonly version: number; readonly tracks: bigint }>();
  replay(subject.protocol, { ...script, checkpoints: new Map() }, subject.options, {
    taken(world, _effects, index) {
      const call = script.calls[index];
      if (call === undefined || !random.chance(0.3)) return;
      for (const room of new Set([...known.keys(), ...world.rooms().keys()])) {
        const version = world.tracksVersion?.(room);
        const before = known.get(room);
        known.delete(room);
        if (version === undefined) continue;
        const tracks = timelessTracks(world, call.nowMs, room);
        if (before?.version === version) {
          mustEqual(tracks, before.tracks, () => `Tracks of room ${room} with version ${version} after call ${index}`);
        }
        if (world.rooms().has(room)) known.set(room, { version, tracks });
      }
    },
  });
}

function checkEnforcement(subject: WorldSubject, seed: number): void {
  const verdictsOf = (enforcement: "enforce" | "log", kind: string): ReadonlySet<string> => {
    const effects = subject.script(seed, enforcement).effects.flat();
    const rules = effects.flatMap((effect) =>
      effect.effect === "verdict" && effect.verdict.kind === kind ? [effect.verdict.rule] : [],
    );
    return new Set(rules);
  };
  const ban = subject
    .script(seed, "log")
    .effects.flat()
    .find(({ effect }) => effect === "ban");
  must(ban === undefined, () => `enforcement log bans: ${show(ban)}`);
  const corrected = [...verdictsOf("log", "correct")];
  must(corrected.length === 0, () => `enforcement log corrects: ${corrected.join(", ")}`);
  const flagged = verdictsOf("log", "flag");
  // After the first correction the two plays part: a corrected player goes on from another place.
  const [rule] = verdictsOf("enforce", "correct");
  if (rule === undefined) return;
  must(flagged.has(rule), () => `${rule} corrects when it is enforced, and flags nothing with enforcement log`);
}

/** Whatever decodes may arrive, in any order and at any pace: nothing is thrown, and all that the world says can be written. */
function checkAnyOrder(subject: WorldSubject, seed: number): void {
  const random = createRandom(seed);
  const { codec, protocol, dialect } = subject;
  const valid = subject.payloads(seed, "client");
  for (let count = 0; count < ANY_ORDER_WORLDS; count++) {
    const enforcement = random.chance(0.5) ? "enforce" : "log";
    const world = protocol.createWorld({ dialect, seed: random.integer(0, 1000), enforcement });
    const players = new Set<PlayerId>();
    let nowMs = 0;
    for (let calls = 0; calls < 100; calls++) {
      nowMs += random.pick([0, 1, 16, 100, 5_000]);
      const player = random.integer(1, 5);
      const payload = somePayload(random, valid);
      const message = readOrRefuse(codec, "client", payload);
      if (random.chance(0.1)) world.tick(nowMs);
      if (random.chance(0.05)) world.refresh(player, nowMs);
      if (random.chance(0.05)) {
        world.leave(player, nowMs);
        players.delete(player);
      } else if (!players.has(player) && world.refuses(joiningOf(player)) === undefined) {
        world.join(player, joiningOf(player), nowMs);
        players.add(player);
      } else if (message !== undefined) world.receive(player, message, payload, nowMs);
      for (const effect of world.takeEffects()) {
        if (effect.effect !== "send" && effect.effect !== "broadcast") continue;
        checkPayload(codec, "server", codec.write("server", effect.message));
      }
      for (const track of world.tracks(nowMs)) {
        const { position, velocity } = track;
        const isPlaced = [position.x, position.y, velocity.x, velocity.y].every(Number.isFinite);
        must(isPlaced, () => `a track without a place: ${show(track)}`);
      }
    }
  }
}

const ANY_ORDER_WORLDS = 4;

export const worldRules: RuleSet<"createWorld", WorldSubject> = {
  needs: ["createWorld"],
  rules: [
    { name: "ids are integers from 1 to 65535, each used once", isFixed: true, check: checkIds },
    { name: "takes as many players as its capacity", isFixed: true, check: checkCapacity },
    { name: "refuses rooms that it does not have", isFixed: true, check: checkRefusedRooms },
    { name: "ignores unknown players", check: checkUnknownPlayers },
    { name: "follows from its seed and its calls", check: checkDeterminism },
    { name: "gives plain effects, once, and leaves them alone", check: checkEffects },
    { name: "copies the payload bytes that it keeps", check: checkOwnership },
    { name: "exits and hides what it entered and showed", check: checkRooms },
    { name: "changes nothing when it is asked", check: checkQuestions },
    { name: "keeps tracks while their version stays", check: checkTracksVersion },
    { name: "neither corrects nor bans with enforcement log", check: checkEnforcement },
    { name: "changes nothing when it refuses a message", check: checkRefusals },
    { name: "corrects to what it believed, whatever was claimed", check: checkCorrections },
    { name: "takes any message in any order", check: checkAnyOrder },
  ],
};
