/**
 * The world of Slime Online 2: players, rooms, and what follows from each message.
 *
 * A message passes the checks in the order of the standard (docs/protocols/slime-online-2.md, standard 8.1): not banned,
 * landing, rate, teleport, transition, anti-cheat, change, relay. A message that is refused on the way changes nothing and
 * is not relayed.
 *
 * The world keeps two states of each player. The **known** state changes by messages alone and is what rules use. The
 * **ghost** plays on from it by the physics and is what is drawn and sent to newcomers.
 *
 * ```ts
 * import { moveMessage, SlimeWorld, slimeCodec } from "wirewalk/slime-online-2";
 *
 * const world = new SlimeWorld({ dialect: "documented", seed: 1 });
 * world.join(1, { account: "ann", name: "Ann" }, 0);
 * const press = moveMessage("rightPress", 448, 160);
 * world.receive(1, press, slimeCodec("documented").write("client", press), 20);
 * const [enter, broadcast] = world.takeEffects();
 * enter; // => { effect: "enter", player: 1, room: "1" }
 * broadcast.except; // => 1
 * broadcast.message; // => { message: "movePlayer", value: { playerId: 1, ...press.value } }
 * ```
 */
import { FairClock, type PlayerId, type Track } from "../../../motion/index.ts";
import type { PlayerBudget } from "../../player-budget.ts";
import { checkResponses, givenResponses } from "../../responses.ts";
import type { Effect, Joining, Refusal, SavedWorld, World } from "../../world.ts";
import {
  checkSaved,
  copyState,
  digestOf,
  EffectQueue,
  PlayerTable,
  RoomTable,
  type SavedOutline,
  savedWorld,
} from "../../world-kit/index.ts";
import { UsedMaps } from "../../world-kit/used-maps.ts";
import { demoSlimeMaps } from "../maps/demo-rooms.ts";
import type { SlimeRoom } from "../maps/room.ts";
import { isSlimeMaps, type SlimeMaps } from "../maps/slime-maps.ts";
import { toWireCoordinate } from "../movement/keys.ts";
import { type PlayerFactors, physicsConstants } from "../movement/physics-constants.ts";
import { SHOWN_SECONDS, shownX, startReach } from "../movement/reach.ts";
import type { SlimeClientMessage, SlimeServerMessage } from "../wire/codec.ts";
import { type DialectRules, dialectRules } from "../wire/dialect.ts";
import { type MovePlayer, movePlayer } from "../wire/move-player.ts";
import { Arrivals, noteStart, roomNumber } from "./arrivals.ts";
import {
  arrived,
  isEntrance,
  isStrange,
  judgeDoor,
  payForStrangeDoor,
  strangeDoorFinding,
  type WarpTarget,
} from "./doors.ts";
import { Enforcement } from "./enforcement.ts";
import { FRAME_MS, type Place } from "./ghost.ts";
import {
  anyPosition,
  chatRateFinding,
  type Finding,
  judgeKeys,
  judgePosition,
  loginTwiceFinding,
  type PositionContext,
  type PositionJudgement,
  payForChat,
  payForWarp,
  placedAt,
  positionBack,
  positionBy,
  rateFinding,
  startFinding,
  unwrapX,
  warpRateFinding,
} from "./judging.ts";
import { countTeleport, noteArrival, positionContext } from "./lateness.ts";
import { type SlimeRuleLimits, slimeRuleLimits } from "./limits.ts";
import { MovementVoice } from "./movement-voice.ts";
import { budgetsOf, trackOf } from "./observation.ts";
import { lineOf, noPings } from "./pings.ts";
import type { SavedPlaces } from "./places.ts";
import type { Player, PositionState, Room } from "./player.ts";
import { type Arrival, PlayerMotion } from "./player-motion.ts";
import { type SlimeRule, slimeRenamed, slimeResponses } from "./rules.ts";
import { liveOf, restorePlayer } from "./saved-player.ts";
import { restoreRooms, savedState, saveRooms } from "./saved-state.ts";
import { SessionVoice } from "./session-voice.ts";
import type { Move } from "./validation.ts";
import type { Voice, VoiceContext } from "./voice.ts";
import { DEFAULT_ROOM, outlineOf, type SlimeWorldOptions } from "./world-options.ts";

/** A tick every three frames: landings are found within 50 ms, and 20 ticks a second cost next to nothing. */
const TICK_MS = FRAME_MS * 3;
/** What a client sent before its correction reached it arrives within this time. */
const CORRECTION_MS = 1000;
/** Player ids are u16 and rooms of one world are drawn on one page: more than this needs a second world. */
const CAPACITY = 10_000;

export type { SlimeWorldOptions };

/** The rooms of one dialect and the players in them. */
export class SlimeWorld implements World<SlimeClientMessage, SlimeServerMessage> {
  readonly tickMs: number = TICK_MS;
  readonly capacity: number = CAPACITY;
  readonly #options: SlimeWorldOptions;
  readonly #dialect: DialectRules;
  readonly #outline: SavedOutline;
  readonly #motion: PlayerMotion;
  readonly #logOnly: boolean;
  readonly #policy: Pick<PositionContext, "logOnly" | "responses" | "rules">;
  readonly #rules: SlimeRuleLimits;
  readonly #strict: boolean;
  /** The given rooms, or those of the demo. */
  readonly #maps: SlimeMaps | undefined;
  #effects = new EffectQueue<SlimeServerMessage>();
  #enforcement: Enforcement;
  #voice: Voice;
  #players = new PlayerTable<Player>(CAPACITY);
  #rooms = new RoomTable<number, Room>();
  #fairClock = new FairClock({ tickMs: TICK_MS });
  #arrivals: Arrivals;
  /** Rooms of the given set, with their digests. */
  #used = new UsedMaps();

  constructor(options: SlimeWorldOptions) {
    this.#options = options;
    this.#dialect = dialectRules(options.dialect);
    const rules = slimeRuleLimits(options.limits, options.constants);
    this.#rules = rules;
    this.#outline = outlineOf(options, this.#dialect, rules);
    const { maps } = options;
    if (maps !== undefined && !isSlimeMaps(maps)) {
      throw new TypeError(`maps must be those of slime-online-2, got ${maps.game}`);
    }
    this.#maps = maps ?? (options.demo ? demoSlimeMaps : undefined);
    this.#motion = new PlayerMotion({
      geometry: (room) => this.#maps?.room(room)?.geometry,
      constants: options.constants ?? physicsConstants,
      landing: options.landing ?? "assumed",
      rules,
    });
    this.#logOnly = options.enforcement === "log";
    const { responses = {} } = options;
    checkResponses("slime-online-2", responses, slimeResponses, slimeRenamed);
    this.#policy = { logOnly: this.#logOnly, responses: givenResponses(options), rules };
    this.#strict = options.strict ?? false;
    this.#enforcement = new Enforcement(this.#effects, this.#logOnly, rules);
    this.#voice = this.#voiceInto(this.#effects);
    this.#arrivals = this.#newArrivals();
  }

  refuses(joining: Joining): Refusal | undefined {
    if (this.#players.isFull) return "full";
    if (joining.room !== undefined && roomNumber(joining.room) === undefined) return "bad-room";
    if (!this.#voice.hasLogin) return undefined;
    for (const player of this.#players.values()) if (player.account === joining.account) return "already-online";
    return undefined;
  }

  join(id: PlayerId, joining: Joining, nowMs: number): void {
    this.#players.checkJoin(id, this.refuses(joining));
    const player = this.#motion.create(id, joining, this.#arrivalOf(id, joining, nowMs), nowMs);
    this.#players.add(id, player);
    this.#voice.joined(player, nowMs);
    this.#enter(player, player.room);
    this.#voice.started(player, nowMs);
  }

  leave(id: PlayerId, nowMs: number): void {
    const player = this.#players.get(id);
    if (player === undefined) return;
    this.#voice.leaving(player, nowMs);
    this.#arrivals.keepPlace(player, this.#motion.possiblePlace(player, nowMs), nowMs);
    this.#exit(player);
    this.#players.remove(id);
    this.#enforcement.dismiss(player, nowMs);
    this.#voice.left(id);
  }

  receive(id: PlayerId, message: SlimeClientMessage, payload: Uint8Array, nowMs: number): void {
    const player = this.#players.get(id);
    if (player === undefined || player.banned) return;
    noteArrival(player, nowMs, this.#fairClock.stalledMs(nowMs), this.#rules);
    switch (message.message) {
      case "movePlayer":
        this.#receiveMove(player, message.value, payload, nowMs);
        return;
      case "playerStop":
        this.#receiveStop(player, message.value, payload, nowMs);
        return;
      case "warp":
        this.#receiveWarp(player, message.value, payload, nowMs);
        return;
      case "chat":
        this.#receiveChat(player, message.value.text, payload, nowMs);
        return;
      case "newPlayer":
        this.#receiveAnswer(player, message.value, nowMs);
        return;
      case "ping":
        this.#voice.pinged(player, nowMs);
        return;
      case "logout":
        this.#effects.close(id, "logout");
        return;
      case "login":
        this.#enforcement.report(player, loginTwiceFinding, payload, nowMs);
        return;
    }
  }

  tick(nowMs: number): void {
    this.#fairClock.tick(nowMs);
    for (const player of this.#players.values()) this.#motion.detectLanding(player, nowMs);
    this.#voice.tick(nowMs);
    this.#enforcement.tick(nowMs);
    this.#arrivals.tick(nowMs);
  }

  refresh(id: PlayerId, nowMs: number): void {
    const player = this.#players.get(id);
    if (player !== undefined) this.#voice.refresh(player, nowMs);
  }

  takeEffects(): readonly Effect<SlimeServerMessage>[] {
    return this.#effects.take();
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    const players =
      room === undefined ? this.#players.values() : (this.#rooms.get(roomNumber(room) ?? -1)?.players ?? []);
    return Array.from(players, (player) => {
      this.#motion.play(player, nowMs);
      return trackOf(player, nowMs);
    });
  }

  budgets(player: PlayerId, nowMs: number): readonly PlayerBudget[] {
    const known = this.#players.get(player);
    return known === undefined ? [] : budgetsOf(known, nowMs, this.#rules);
  }

  rooms(): ReadonlyMap<string, number> {
    return this.#rooms.counts();
  }

  usedMaps(): ReadonlyMap<string, string> {
    return this.#used.digests;
  }

  save(): SavedWorld {
    const state = {
      players: Array.from(this.#players.values(), liveOf),
      rooms: saveRooms(this.#rooms),
      departed: this.#enforcement,
      places: this.#arrivals,
      fairClock: this.#fairClock,
      effects: this.#effects,
      used: this.#used.digests,
    };
    return savedWorld(this.#outline, copyState(savedState, state));
  }

  restore(saved: SavedWorld): void {
    const state = checkSaved(saved, this.#outline, savedState);
    const used = new UsedMaps(state.used);
    used.mustBeIn(this.#options.maps);
    const restored = state.players.map((player) => [player.id, restorePlayer(player, this.#motion)] as const);
    const players = new PlayerTable<Player>(CAPACITY, restored);
    const rooms = restoreRooms(state.rooms, players);
    const effects = new EffectQueue(state.effects);
    const enforcement = new Enforcement(effects, this.#logOnly, this.#rules, state.departed);
    this.#arrivals = this.#newArrivals(state.places);
    this.#used = used;
    this.#players = players;
    this.#rooms = rooms;
    this.#effects = effects;
    this.#enforcement = enforcement;
    this.#fairClock = new FairClock({ tickMs: TICK_MS }, state.fairClock);
    this.#voice = this.#voiceInto(effects);
  }

  digest(): bigint {
    return digestOf(this.save());
  }

  /**
   * Sets what a player's sodas multiply; 1 and 1 is a player without. Larger limits hold at once, smaller ones when
   * no message can arrive any more that was sent under the larger ones (standard 8.10). Throws `RangeError` for factors
   * that are not positive, and for an unknown player.
   */
  setFactors(id: PlayerId, factors: PlayerFactors, nowMs: number): void {
    this.#motion.setFactors(this.#players.need(id), factors, nowMs);
  }

  /**
   * The player's next position may be anywhere: for a cannon, a moving platform, a warp within the room. Positions that
   * were sent before do not use it up (standard 8.10). Throws `RangeError` for an unknown player.
   */
  allowAnywhere(id: PlayerId, nowMs: number): void {
    const player = this.#players.need(id);
    player.position = { ...player.position, allowedAtMs: nowMs };
  }

  /**
   * Takes a player to another room, or elsewhere in its own, with all keys up: what game code may do, as a door does.
   * With `command` the player's client receives a message, in dialects that have one. Throws `RangeError` for a room or
   * position that is not a u16, and for an unknown player.
   */
  warp(id: PlayerId, room: number, x: number, y: number, nowMs: number, command = false): void {
    const player = this.#players.need(id);
    checkPlace({ room, x, y });
    if (command) this.#voice.commandWarp(id, room, { x, y });
    this.#move(player, room, { x, y }, nowMs);
    // What the client sent before this message reached it comes from where the player was.
    this.allowAnywhere(id, nowMs);
  }

  /**
   * Takes over where another server has placed a player who has just come in, and has sent nothing yet: for a world that only judges.
   * Throws like {@link warp}.
   */
  place(id: PlayerId, room: number, x: number, y: number, nowMs: number): void {
    const player = this.#players.need(id);
    checkPlace({ room, x, y });
    this.#move(player, room, { x, y }, nowMs);
    const { bounds } = player.limits;
    player.position = { ...placedAt({ x, y }, nowMs), reach: startReach(x, y, nowMs, 0, bounds) };
    // The client answers the pings of that server.
    player.pings = noPings(nowMs, true);
  }

  // --- Messages ------------------------------------------------------------------------------------------------------

  #receiveMove(player: Player, value: MovePlayer, payload: Uint8Array, nowMs: number): void {
    this.#motion.detectLanding(player, nowMs);
    if (!this.#withinRate(player, payload, nowMs)) return;
    const { direction, y } = value;
    const x = value.x === undefined ? undefined : this.#unwrapX(player, value.x);
    const move: Move = { direction, x, y };
    const resumed =
      player.returnedFrom === undefined
        ? undefined
        : this.#arrivals.resume(player, move, nowMs, (state) => this.#allows(player, state, move, nowMs));
    const from = resumed === undefined ? player : { ...player, position: resumed.position };
    if (this.#beginsElsewhere(from, move) && !this.#mayBegin(player, payload, nowMs)) return;
    const counted = positionBy(from, nowMs, this.#rules, direction);
    const playedTo = (): Place => this.#motion.possiblePlace(player, nowMs);
    const context = { ...this.#contextOf(player, nowMs), playedTo };
    let position = judgePosition(counted, move, context);
    const isBelieved = position.accepted && position.at === undefined;
    if (!isBelieved && this.#mayBePutElsewhere(player, nowMs)) {
      position = judgePosition(anyPosition(nowMs), move, context);
    }
    if (!position.accepted) {
      this.#refusePosition(player, position.finding, payload, nowMs);
      return;
    }
    const keys = judgeKeys(player, direction, this.#strict);
    if (!keys.accepted && position.at !== undefined && position.finding !== undefined) {
      this.#refusePosition(player, position.finding, payload, nowMs);
      return;
    }
    if (!keys.accepted) {
      // The client of a player that landed without a message has made this jump.
      if (keys.finding.kind === "benign") this.#motion.count(player, counted);
      this.#enforcement.report(player, keys.finding, payload, nowMs);
      return;
    }
    if (position.finding !== undefined) {
      if (position.at === undefined) this.#enforcement.report(player, position.finding, payload, nowMs);
      else this.#reportExcess(player, position.finding, payload, nowMs);
    }
    if (player.banned) return;
    if (keys.finding !== undefined) this.#enforcement.report(player, keys.finding, payload, nowMs);

    if (position.next === undefined) this.#motion.count(player, counted);
    this.#motion.accept(player, position.next, nowMs);
    if (resumed !== undefined) this.#arrivals.resumed(player, resumed, nowMs);
    const { at } = position;
    if (at === undefined) noteStart(player, { x, y });
    else this.#sayCorrection(player, at, nowMs);
    const shown = at === undefined ? this.#shownX(player, x, nowMs) : at.x;
    const believed = { x: shown, y: at === undefined || y === undefined ? y : at.y };
    this.#motion.move(player, { direction, ...believed }, keys.transition, nowMs);
    this.#effects.broadcast(String(player.room), player.id, {
      message: "movePlayer",
      value: { playerId: player.id, ...movePlayer(direction, shown === x ? value.x : shown, believed.y) },
    });
  }

  /** Where others see a player whose position was accepted. */
  #shownX(player: Player, x: number | undefined, nowMs: number): number | undefined {
    const { reach } = player.position;
    // The ghost of most is not needed.
    if (x === undefined || reach === undefined || reach.ahead <= SHOWN_SECONDS) return x;
    const from = this.#motion.placeOf(player, nowMs).x;
    const shown = shownX(reach, this.#unwrapX(player, from), lineOf(player.pings, nowMs), player.limits.bounds);
    return shown === x ? x : toWireCoordinate(shown);
  }

  /** Whether a client names a place to begin at, in a room whose entrances are known, that is none of them. */
  #beginsElsewhere(player: Player, { x, y }: Move): boolean {
    const { reach, allowedAtMs } = player.position;
    if (reach !== undefined || allowedAtMs !== undefined || x === undefined || player.hasStood) return false;
    const room = this.#roomOf(player);
    return room !== undefined && room.spawns.length > 0 && !isEntrance(room, { x, y });
  }

  /** Reports a beginning elsewhere. True where it is believed; else the client is sent to where players come in. */
  #mayBegin(player: Player, payload: Uint8Array, nowMs: number): boolean {
    const kind = this.#answerTo("unreachable");
    const finding = { ...startFinding, kind };
    if (kind === "flag") this.#enforcement.report(player, finding, payload, nowMs);
    else this.#refusePosition(player, finding, payload, nowMs);
    return kind === "flag";
  }

  /** What follows from a place that is not believed. */
  #answerTo(rule: SlimeRule): "flag" | "reject" | "correct" {
    const response = this.#policy.responses?.[rule];
    if (response === "drop") return "reject";
    return this.#logOnly || response === "relay" ? "flag" : "correct";
  }

  /** Whether a first position is where the player may have got from a place that its account left. */
  #allows(player: Player, position: PositionState, move: Move, nowMs: number): boolean {
    const counted = positionBy({ ...player, position }, nowMs, this.#rules, move.direction);
    const policy = { logOnly: false, responses: undefined };
    return judgePosition(counted, move, { ...this.#contextOf(player, nowMs), ...policy }).accepted;
  }

  #receiveStop(player: Player, claimed: Place, payload: Uint8Array, nowMs: number): void {
    this.#motion.detectLanding(player, nowMs);
    if (!this.#withinRate(player, payload, nowMs)) return;
    const at = { x: this.#unwrapX(player, claimed.x), y: claimed.y };
    const position = this.#judgeClaim(player, at, payload, nowMs);
    if (!position.accepted) return;
    this.#motion.accept(player, position.next, nowMs);
    noteStart(player, at);
    const x = this.#shownX(player, at.x, nowMs) ?? at.x;
    this.#motion.stand(player, { x, y: at.y }, nowMs);
    player.lastMoveMs = nowMs;
    this.#effects.broadcast(String(player.room), player.id, {
      message: "playerStop",
      value: { playerId: player.id, x: x === at.x ? claimed.x : x, y: claimed.y },
    });
  }

  #receiveChat(player: Player, text: string, payload: Uint8Array, nowMs: number): void {
    if (!this.#withinRate(player, payload, nowMs)) return;
    const paidMs = payForChat(player.chatPaidMs, text, nowMs, this.#rules);
    if (paidMs === undefined) {
      this.#enforcement.report(player, chatRateFinding, payload, nowMs);
      return;
    }
    player.chatPaidMs = paidMs;
    this.#effects.broadcast(String(player.room), undefined, { message: "chat", value: { playerId: player.id, text } });
  }

  #receiveWarp(player: Player, to: WarpTarget, payload: Uint8Array, nowMs: number): void {
    // Everything that is relayed counts for the rate, or a flood of warps would pass where moves do not.
    if (!this.#withinRate(player, payload, nowMs)) return;
    const paidMs = payForWarp(player.warpsPaidMs, nowMs, this.#rules);
    if (paidMs === undefined) {
      this.#enforcement.report(player, warpRateFinding, payload, nowMs);
      return;
    }
    const context = { ...this.#contextOf(player, nowMs), room: this.#roomOf(player), maps: this.#maps };
    const counted = positionBy(player, nowMs, this.#rules);
    const door = judgeDoor(counted, to, context);
    if (door.known && door.accepted) {
      player.warpsPaidMs = paidMs;
      this.#move(player, to.room, to, nowMs);
      this.#motion.accept(player, door.position, nowMs);
      return;
    }
    if (to.room !== player.room) {
      if (door.known && !this.#mayWarp(player, door.finding, payload, nowMs)) return;
      if (!this.#mayLeave(player, to, payload, nowMs)) return;
      player.warpsPaidMs = paidMs;
      const { room: fromRoom } = player;
      const from = this.#motion.placeOf(player, nowMs);
      this.#move(player, to.room, to, nowMs);
      player.entrance = { fromRoom, from, at: { x: to.x, y: to.y } };
      // Where game code allows any place, the client may be on its way to another one.
      if (counted.allowedAtMs === undefined) {
        this.#motion.accept(player, arrived(player.position, to, counted.reach, context), nowMs);
      }
      return;
    }
    // Within the room it is a claim of a position like any other, but for a door.
    const at = { x: this.#unwrapX(player, to.x), y: to.y };
    const position = this.#judgeClaim(player, at, payload, nowMs);
    if (!position.accepted) return;
    player.warpsPaidMs = paidMs;
    this.#move(player, to.room, to, nowMs);
    this.#motion.accept(player, position.next, nowMs);
  }

  /** Reports a warp without a door. True where it is believed; else the client is sent back. */
  #mayWarp(player: Player, finding: Finding, payload: Uint8Array, nowMs: number): boolean {
    const kind = this.#answerTo("no-door");
    this.#enforcement.report(player, { ...finding, kind }, payload, nowMs);
    if (kind !== "correct" || player.banned) return kind === "flag";
    const at = this.#motion.possiblePlace(player, nowMs);
    this.#putBack(player, at, nowMs);
    this.#voice.commandWarp(player.id, player.room, at);
    return false;
  }

  /** Whether a door that nobody knows may be there: a door leads back to where a player came from. */
  #mayLeave(player: Player, to: WarpTarget, payload: Uint8Array, nowMs: number): boolean {
    const isUnknown = this.#roomOf(player)?.doors === undefined && player.position.allowedAtMs === undefined;
    if (!isUnknown || !isStrange(player.entrance, this.#motion.placeOf(player, nowMs), to)) return true;
    const paidMs = payForStrangeDoor(player.strangeDoorsPaidMs, nowMs);
    if (paidMs === undefined) return this.#mayWarp(player, strangeDoorFinding, payload, nowMs);
    player.strangeDoorsPaidMs = paidMs;
    return true;
  }

  /** Whether a player that came through an unknown door was put elsewhere by the room's script: as rare as a strange door. */
  #mayBePutElsewhere(player: Player, nowMs: number): boolean {
    const { entrance, position } = player;
    const { reach } = position;
    const isNew = reach?.loose === true && reach.x === entrance?.at.x && reach.y === entrance.at.y;
    const paidMs = isNew ? payForStrangeDoor(player.strangeDoorsPaidMs, nowMs) : undefined;
    if (paidMs === undefined) return false;
    player.strangeDoorsPaidMs = paidMs;
    player.entrance = undefined;
    return true;
  }

  /** The answer to the announcement of a newcomer. Its place is a claim like any other. */
  #receiveAnswer(player: Player, answer: Place & { readonly playerId: PlayerId }, nowMs: number): void {
    const { playerId: newcomer, x, y } = answer;
    const move = { direction: "landing", x: this.#unwrapX(player, x), y } as const;
    // Somebody in the air answers too.
    const context = { ...this.#contextOf(player, nowMs), logOnly: false, responses: undefined, mayFly: true };
    const claim = judgePosition(positionBy(player, nowMs, this.#rules), move, context);
    this.#voice.introduced(player, newcomer, claim.accepted ? { x, y } : this.#motion.placeOf(player, nowMs));
  }

  #contextOf(player: Player, nowMs: number): PositionContext {
    const room = this.#roomOf(player);
    const policy = {
      ...this.#policy,
      room,
      mayFly: !player.hasStood,
      playedTo: undefined,
      isObeyed: this.#isObeyed,
      strict: this.#strict,
    };
    return positionContext(player, nowMs, policy);
  }

  #roomOf({ room }: Player): SlimeRoom | undefined {
    return this.#maps?.room(room);
  }

  /** A client of a dialect that tells it its id goes where the server puts it. */
  get #isObeyed(): boolean {
    return !this.#dialect.movementOnly;
  }

  /** Judges a position without a key, as that of a landing, and reports what was found. */
  #judgeClaim(player: Player, at: Place, payload: Uint8Array, nowMs: number): PositionJudgement {
    const move = { direction: "landing", ...at } as const;
    const judgement = judgePosition(positionBy(player, nowMs, this.#rules), move, this.#contextOf(player, nowMs));
    if (!judgement.accepted) this.#refusePosition(player, judgement.finding, payload, nowMs);
    else if (judgement.finding !== undefined) this.#enforcement.report(player, judgement.finding, payload, nowMs);
    return judgement;
  }

  #withinRate(player: Player, payload: Uint8Array, nowMs: number): boolean {
    if (player.rate.allow(nowMs, this.#strict ? 0 : player.pace.lateMs)) return true;
    this.#enforcement.report(player, rateFinding(player.rate.count(nowMs), this.#rules), payload, nowMs);
    return false;
  }

  #unwrapX({ position }: Player, x: number): number {
    return this.#dialect.signedJumpX ? unwrapX(x, position.baseline) : x;
  }

  /** A refused teleport is answered with a correction, unless it led to a ban. */
  #refusePosition(player: Player, finding: Finding, payload: Uint8Array, nowMs: number): void {
    if (finding.kind !== "correct") {
      this.#enforcement.report(player, finding, payload, nowMs);
      return;
    }
    this.#reportExcess(player, finding, payload, nowMs);
    if (player.banned) return;
    const at = this.#motion.possiblePlace(player, nowMs);
    this.#putBack(player, at, nowMs);
    this.#sayCorrection(player, at, nowMs);
  }

  /** The player is where it can have got to last. */
  #putBack(player: Player, at: Place, nowMs: number): void {
    const { reach, ...position } = positionBy(player, nowMs, this.#rules);
    this.#motion.correct(player, at, nowMs);
    if (reach !== undefined)
      this.#motion.count(player, positionBack({ ...position, reach }, at, this.#isObeyed, nowMs));
  }

  /** Sends a client its correction, and nothing more while what it sent before may still arrive. */
  #sayCorrection(player: Player, at: Place, nowMs: number): void {
    if (nowMs - player.correctedMs < CORRECTION_MS) return;
    player.correctedMs = nowMs;
    this.#voice.correct(player, at);
  }

  /** What one stall has delayed is counted once. */
  #reportExcess(player: Player, finding: Finding, payload: Uint8Array, nowMs: number): void {
    const { violation, ...uncounted } = finding;
    this.#enforcement.report(player, countTeleport(player, nowMs) ? finding : uncounted, payload, nowMs);
  }

  // --- Rooms ---------------------------------------------------------------------------------------------------------

  /** The voice of the dialect, which puts its messages into this queue. */
  #voiceInto(effects: EffectQueue<SlimeServerMessage>): Voice {
    const context: VoiceContext = {
      effects,
      players: () => this.#players.values(),
      playersIn: (room) => this.#rooms.get(room)?.players ?? [],
      placeOf: (player, nowMs) => this.#motion.placeOf(player, nowMs),
    };
    return this.#dialect.movementOnly
      ? new MovementVoice(context)
      : new SessionVoice(context, this.#options.motd ?? "");
  }

  #newArrivals(saved?: SavedPlaces): Arrivals {
    const { startRoom = DEFAULT_ROOM } = this.#options;
    const options = { maps: this.#maps, startRoom, hasLogin: this.#voice.hasLogin, rules: this.#rules };
    return new Arrivals(options, saved);
  }

  #arrivalOf(id: PlayerId, joining: Joining, nowMs: number): Arrival {
    const antiCheat = this.#enforcement.admit(joining.account);
    return { ...this.#arrivals.of(id, joining, nowMs), antiCheat, stalledMs: this.#fairClock.stalledMs(nowMs) };
  }

  /** To another room, or elsewhere in its own, with all keys up. Both rooms receive it. */
  #move(player: Player, room: number, { x, y }: Place, nowMs: number): void {
    this.#voice.leavingRoom(player, nowMs);
    this.#exit(player);
    this.#motion.stand(player, { x, y }, nowMs);
    player.placed = true;
    this.#arrivals.moved(player, room, { x, y }, nowMs);
    this.#enter(player, room);
    this.#voice.enteredRoom(player, { x, y }, nowMs);
  }

  #enter(player: Player, room: number): void {
    player.room = room;
    this.#rooms.obtain(room, () => ({ players: new Set() })).players.add(player);
    const { maps } = this.#options;
    if (maps !== undefined) this.#used.note(String(room), () => maps.digest(String(room)));
    this.#effects.enter(player.id, String(room));
  }

  /** Out of its room, without a place (standard 5.4). */
  #exit(player: Player): void {
    this.#effects.exit(player.id, String(player.room));
    this.#rooms.get(player.room)?.players.delete(player);
    this.#rooms.dropIfUnused(player.room);
    player.position = anyPosition(player.position.sinceMs);
  }
}

/** Throws `RangeError` for a number that is not a u16. */
function checkPlace(place: Place & { readonly room: number }): void {
  for (const [name, value] of Object.entries(place)) {
    if (!(Number.isInteger(value) && value >= 0 && value <= 0xffff))
      throw new RangeError(`${name} must be a u16, got ${value}`);
  }
}
