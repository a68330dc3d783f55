/**
 * What the page knows: the feed's messages as signals that the parts of the page read. No drawing, no sockets of games.
 */
import { batch, computed, type ReadonlySignal, signal } from "@preact/signals";
import type {
  FeedBan,
  FeedBudget,
  FeedMark,
  FeedMessage,
  FeedMoment,
  FeedPlayback,
  FeedPlayer,
  FeedRates,
  FeedRequest,
  FeedRoom,
  FeedVerdict,
  PlaybackRequest,
  ServedWorld,
} from "@wirewalk/server/feed";
import type { PlayerId, Track, TrackSnapshot } from "wirewalk/motion";
import type { Cancel, Clock } from "wirewalk/net";
import { type JsonObject, parseHex } from "wirewalk/wire";
import type { SceneFigure } from "../draw/scene-figure.ts";
import type { Connection } from "../feed/feed-client.ts";
import { playerNames } from "../feed/player-names.ts";
import { TrackBuffer } from "../feed/track-buffer.ts";
import { VerdictBook, type VerdictGroup } from "../feed/verdict-book.ts";
import { WireLog } from "../feed/wire-log.ts";
import type { ReceivedPlayback } from "../playback/position.ts";
import { SceneClock } from "../playback/scene-clock.ts";
import { ObservationLog, type Observer } from "../timeline/observation-log.ts";
import { ViewClock } from "../timeline/view-clock.ts";
import type { Address, VerdictFilter } from "./address.ts";
import { type Inspected, isSame, playerOf } from "./inspected.ts";
import { Places } from "./places.ts";

/** Seconds of rates in a sparkline. */
export const RATE_SECONDS = 60;

/** The lists follow this often at most: a cheating flock makes hundreds of verdicts a second, and nobody reads faster. */
const SHOW_VERDICTS_EVERY_MS = 200;

/** The list of players follows the tracks this often: twenty times a second is for drawing, not for reading. */
const ROSTER_EVERY_MS = 250;

/** The followed player changes this often at most: after fast changes in the list only the last is sent. */
const FOLLOW_EVERY_MS = 250;

/** Names kept of players of other rooms, and of those that left. */
const MAX_NAMES = 4_000;

/** Until something is chosen, the newest message is open: another one this often at most, or it could not be read. */
const OPEN_NEWEST_EVERY_MS = 3_000;

export type { FeedObservation } from "../timeline/observation-log.ts";

/** A player of the watched room with its newest track, for the list. */
export interface RosterRow {
  readonly player: FeedPlayer;
  readonly track: Track | undefined;
}

export interface StudioOptions {
  readonly clock: Clock;
  readonly send: (request: FeedRequest) => void;
  /** Where to look first, from the page's address. */
  readonly start: Address | undefined;
  /** Rooms of a game to offer even while nobody is in them. When they change, call `refreshRooms`. */
  readonly standingRooms: (protocol: string, hasDemo: boolean) => readonly string[];
  /** Default: no place is known. */
  readonly places?: Places;
  /** Shows a verdict of a live world in its seconds. Default: none are shown. */
  readonly showMoment?: (verdict: SoughtVerdict) => void;
}

/** A verdict of a live world: what of it an address has, and its rule where it is known. */
export interface SoughtVerdict {
  readonly world: string;
  readonly player: PlayerId;
  /** Of the world's clock, in whole milliseconds. */
  readonly atMs: number;
  readonly rule: string | undefined;
}

/** The page's state. `apply` takes what the feed says; the rest is for reading. */
export class Studio {
  readonly connection = signal<Connection>({ state: "connecting" });
  readonly worlds = signal<readonly ServedWorld[]>([]);
  readonly world = signal<ServedWorld | undefined>(undefined);
  /** The name of a game or world that an address has, and this server has not. */
  readonly unknown = signal<string | undefined>(undefined);
  readonly rooms = signal<readonly FeedRoom[]>([]);
  readonly room = signal<string | undefined>(undefined);
  readonly players = signal<ReadonlyMap<PlayerId, FeedPlayer>>(new Map());
  readonly roster = signal<readonly RosterRow[]>([]);
  readonly rates = signal<readonly FeedRates[]>([]);
  readonly verdicts = signal<readonly VerdictGroup[]>([]);
  readonly bans = signal<readonly FeedBan[]>([]);
  readonly self = signal<{ readonly player: PlayerId; readonly room: string } | undefined>(undefined);
  /** The player of the watched room that is looked at closely. */
  readonly followed = signal<PlayerId | undefined>(undefined);
  readonly inspected = signal<Inspected | undefined>(undefined);
  /** How the recording stands that this feed plays; undefined on a live feed. */
  readonly playback = signal<ReceivedPlayback | undefined>(undefined);
  /** The verdicts of that recording. */
  readonly marks = signal<readonly FeedMark[]>([]);
  /** The verdict whose seconds are played again and again. */
  readonly moment = signal<FeedMoment | undefined>(undefined);
  /** Why the verdict that was opened is not shown in its seconds, or not yet, in a sentence. */
  readonly momentNotice = signal<string | undefined>(undefined);
  /** Counts how often these seconds have begun again. */
  readonly rounds = signal(0);
  /** Which verdicts are listed. */
  readonly filter = signal<VerdictFilter>({});
  /** Another number follows each jump of the playback: what was drawn before is of another time. */
  readonly jump = signal(0);
  /** What the drawing measures, for the tour. */
  readonly figures = signal<readonly SceneFigure[]>([]);
  /** The time of what is drawn. */
  readonly sceneClock = new SceneClock();
  /** Whether the newest message is opened by itself: until something is chosen. */
  readonly opensNewest = signal(true);
  /** Whose newest message that is. */
  newestOf: "client" | "server" = "client";
  /** The time that the drawing and the lists show. */
  readonly view = new ViewClock();
  /** True once the first snapshot of the watched room is here. */
  readonly live = signal(false);
  readonly tracks = new TrackBuffer();
  readonly wire: WireLog;
  readonly #options: StudioOptions;
  readonly observations: ObservationLog;
  /** Maps and rooms, for those who draw them. */
  readonly places: Places;
  /** How much the followed player has used of the limits that add up. */
  readonly budgets = signal<{ readonly player: PlayerId; readonly budgets: readonly FeedBudget[] } | undefined>(
    undefined,
  );
  /** What to call each player of the watched room. */
  readonly names: ReadonlySignal<ReadonlyMap<PlayerId, string>> = computed(() =>
    playerNames(this.players.value.values()),
  );
  /** Names that were seen in this world, also of players of other rooms. */
  readonly #seenNames = new Map<PlayerId, string>();
  /** When the feed was lost last, of the page's clock. */
  lostAtMs: number | undefined;
  readonly #token = signal<string | undefined>(undefined);
  #book = new VerdictBook();
  /** As the feed sent them last for the watched world. */
  #fedRooms: readonly FeedRoom[] | undefined;
  #showingVerdicts = false;
  #rosterAtMs = Number.NEGATIVE_INFINITY;
  #followedAtMs = Number.NEGATIVE_INFINITY;
  #watchedSinceMs = Number.NEGATIVE_INFINITY;
  #openedAtMs = Number.NEGATIVE_INFINITY;
  /** The person at the page wants no player of this room to be followed. */
  #followsNone = false;
  #cancelFollowing: Cancel | undefined;
  /** What an address names that has not been found yet. */
  #sought: Pick<Address, "player" | "verdictMs" | "atMs"> = {};
  /** The recording was asked to go to the moment of the address. */
  #hasJumped = false;
  /** Of the last state of the playback. */
  #playbackJump = 0;
  /** The playback has gone to the moment, and begins it again from now on. */
  #isInMoment = false;
  /** The feed has sent what it has about the watched world: what an address names and was not among it is older. */
  #hasAll = false;
  #hasAskedOlder = false;

  constructor(options: StudioOptions) {
    this.#options = options;
    this.#sought = soughtIn(options.start);
    this.filter.value = options.start?.filter ?? {};
    this.wire = new WireLog(options.clock);
    this.observations = new ObservationLog();
    this.places = options.places ?? new Places();
    this.wire.shown.subscribe(() => this.#openNewest());
    let wasOpen = false;
    this.connection.subscribe(({ state }) => {
      if (wasOpen && state === "lost") this.lostAtMs = options.clock.now();
      // Tries that fail are of the same loss.
      if (state === "open" || state === "lost") wasOpen = state === "open";
    });
  }

  /** The last verdicts of all rooms, newest first, without waiting for the list to be shown. */
  get recentVerdicts(): readonly FeedVerdict[] {
    return this.#book.recent;
  }

  /** Ties a game's socket to this feed; undefined until the server has said hello. */
  get token(): ReadonlySignal<string | undefined> {
    return this.#token;
  }

  /** Goes to what an address names. A game that this server does not have is named by `unknown`. */
  open(address: Address): void {
    const world = this.#worldNamed(address.world);
    if (world === undefined) {
      this.#leaveFor(address.world);
      return;
    }
    const isSamePlace =
      world.name === this.world.peek()?.name && (address.room ?? this.room.peek()) === this.room.peek();
    this.#sought = soughtIn(address);
    this.#hasJumped = false;
    this.#hasAskedOlder = false;
    // At once: in between the address would be that of another place, and the way forward in the browser's history would be lost.
    batch(() => {
      this.filter.value = address.filter ?? {};
      this.momentNotice.value = undefined;
      if (!isSamePlace) this.watch(world, address.room);
      else this.#seek();
    });
  }

  /** The world of a name, or the first one of the game of that name. */
  #worldNamed(name: string): ServedWorld | undefined {
    const worlds = this.worlds.peek();
    return worlds.find((each) => each.name === name) ?? worlds.find(({ protocol }) => protocol === name);
  }

  /** Nothing is watched but an address that leads nowhere. */
  #leaveFor(name: string): void {
    batch(() => {
      this.unknown.value = name;
      this.world.value = undefined;
      this.room.value = undefined;
      this.inspected.value = undefined;
    });
  }

  /** Follows and selects what the address names, as far as it is here. */
  #seek(): void {
    const { player, verdictMs, atMs } = this.#sought;
    const { playback } = this.world.peek() ?? {};
    const momentMs =
      atMs ?? (verdictMs === undefined || playback === undefined ? undefined : verdictMs - playback.startMs);
    if (playback !== undefined && this.playback.peek() !== undefined && momentMs !== undefined && !this.#hasJumped) {
      this.#hasJumped = true;
      this.#sought = { player, verdictMs };
      if (player !== undefined && verdictMs !== undefined) {
        this.#sought = {};
        this.control({ type: "moment", player, atMs: verdictMs });
        return;
      }
      this.control({ type: "seek", atMs: Math.min(Math.max(momentMs, playback.firstMs), playback.lastMs) });
    }
    if (player === undefined) return;
    if (this.players.peek().has(player) && this.followed.peek() !== player) this.follow(player);
    if (verdictMs === undefined) {
      if (!this.players.peek().has(player)) return;
      this.#sought = {};
      this.select({ kind: "player", player });
      return;
    }
    const found = this.recentVerdicts.find((each) => each.player === player && Math.floor(each.atMs) === verdictMs);
    if (found === undefined) return;
    this.#sought = {};
    this.#hasAskedOlder = false;
    this.select({ kind: "verdict", verdict: found });
  }

  /** A verdict of the address that is not among the last ones: the server may still have its seconds. */
  #seekOlder(): void {
    const { player, verdictMs: atMs } = this.#sought;
    const world = this.world.peek();
    if (world === undefined || !this.#hasAll || this.#hasAskedOlder || player === undefined || atMs === undefined)
      return;
    this.#hasAskedOlder = true;
    if (canBeJoined(world)) this.#options.showMoment?.({ world: world.name, player, atMs, rule: undefined });
    else this.momentNotice.value = "This verdict is not among the last 100 that the page was sent.";
  }

  /** What is looked at, as an address. Undefined while nothing is. */
  get address(): Address | undefined {
    const [world, room, inspected] = [this.world.value, this.room.value, this.inspected.value];
    if (world === undefined || room === undefined) return undefined;
    const cut = this.filter.value;
    const filter = Object.values(cut).some((each) => each !== undefined) ? cut : undefined;
    // Until it is found, the address stays what it was.
    if (Object.values(this.#sought).some((each) => each !== undefined))
      return { world: world.name, room, ...this.#sought, filter };
    const isChosen = !this.opensNewest.value;
    const player = isChosen ? playerOf(inspected) : undefined;
    const verdictMs = inspected?.kind === "verdict" ? Math.floor(inspected.verdict.atMs) : undefined;
    const entryMs = isChosen && inspected?.kind === "entry" ? inspected.entry.recordedMs : undefined;
    return {
      world: world.name,
      room,
      player,
      verdictMs,
      atMs: entryMs === undefined ? undefined : Math.floor(entryMs),
      filter,
    };
  }

  /** Looks at one room; undefined: at the world's rooms only. */
  watch(world: ServedWorld, room: string | undefined): void {
    batch(() => {
      const isOther = world.name !== this.world.peek()?.name;
      // Back in the same room after a loss, the same player is followed.
      if (isOther || room !== this.room.peek()) {
        this.followed.value = undefined;
        this.#followsNone = false;
        // What was selected belongs to the room before.
        if (this.inspected.peek()?.kind !== "verdict" || isOther) this.inspected.value = undefined;
        this.opensNewest.value = true;
        this.#watchedSinceMs = this.#options.clock.now();
      }
      this.unknown.value = undefined;
      this.world.value = world;
      this.room.value = room;
      this.players.value = new Map();
      this.roster.value = [];
      this.verdicts.value = [];
      this.live.value = false;
      this.tracks.clear();
      this.observations.clear();
      this.view.live();
      if (isOther) {
        // Bytes of one world mean nothing in the next.
        this.wire.clear();
        this.#seenNames.clear();
        this.#fedRooms = undefined;
        this.momentNotice.value = undefined;
        this.#hasAll = false;
        this.rooms.value = this.#withStandingRooms([]);
        this.rates.value = [];
        this.bans.value = [];
      }
    });
    this.#ask();
  }

  /** Looks at one player of the watched room closely, and at no other; undefined: at nobody. */
  follow(player: PlayerId | undefined): void {
    if (player === this.followed.peek()) return;
    this.followed.value = player;
    this.#followsNone = player === undefined;
    const waitMs = this.#followedAtMs + FOLLOW_EVERY_MS - this.#options.clock.now();
    if (waitMs <= 0) this.#ask();
    else this.#cancelFollowing ??= this.#options.clock.after(waitMs, () => this.#ask());
  }

  /** Selects it everywhere: its player is followed. A second time: selects nothing. */
  select(inspected: Inspected): void {
    batch(() => {
      this.opensNewest.value = false;
      this.inspected.value = inspected;
      const player = playerOf(inspected);
      if (player !== undefined && this.players.peek().has(player)) this.follow(player);
      this.momentNotice.value = undefined;
    });
    // A page that plays itself stays in the game.
    if (inspected.kind === "verdict" && this.self.peek() === undefined) this.showMoment(inspected.verdict);
  }

  /** Shows a verdict in its seconds, unless it is shown so. */
  showMoment({ player, atMs, rule }: FeedVerdict): void {
    const world = this.world.peek();
    const { verdict } = this.moment.peek() ?? {};
    if (world === undefined || (verdict?.player === player && verdict.atMs === atMs && verdict.rule === rule)) return;
    const sought = { player, atMs: Math.floor(atMs), rule };
    if (world.playback !== undefined) this.control({ type: "moment", ...sought });
    else if (canBeJoined(world)) this.#options.showMoment?.({ world: world.name, ...sought });
  }

  /** A player's name, also of one that has left or is in another room. */
  nameOf(player: PlayerId): string {
    return this.names.value.get(player) ?? this.#seenNames.get(player) ?? `player ${player}`;
  }

  /** The time of what is drawn: the page's own, or that of a recording. */
  get #nowMs(): number {
    return this.sceneClock.at(this.#options.clock.now());
  }

  /** How long ago a time of the world's clock is, in milliseconds; undefined before the first snapshot. */
  agoOf(atMs: number): number | undefined {
    const pageMs = this.tracks.pageTime(atMs);
    return pageMs === undefined ? undefined : this.#nowMs - pageMs;
  }

  /** The own player has left: another one is followed. */
  left(): void {
    this.self.value = undefined;
    this.#followsNone = false;
    this.#followSomebody();
  }

  /** Whether it is what is selected. */
  isSelected(inspected: Inspected): boolean {
    return isSame(this.inspected.value, inspected);
  }

  /** Opens the newest message from now on. */
  openNewest(): void {
    this.opensNewest.value = true;
    this.momentNotice.value = undefined;
    this.#openedAtMs = Number.NEGATIVE_INFINITY;
    this.#openNewest();
  }

  #openNewest(): void {
    const nowMs = this.#options.clock.now();
    if (!this.opensNewest.peek() || nowMs - this.#openedAtMs < OPEN_NEWEST_EVERY_MS) return;
    const entry = this.wire.newest(this.newestOf) ?? this.wire.newest();
    if (entry === undefined || entry.atMs < this.#watchedSinceMs || !this.view.isLive) return;
    this.#openedAtMs = nowMs;
    this.inspected.value = { kind: "entry", entry };
  }

  /** What the server's last snapshot says of a player, for the effect of its messages. */
  #stateOf(player: PlayerId): JsonObject | undefined {
    const track = this.tracks.latest.get(player);
    if (track === undefined) return undefined;
    const { position, stance, details } = track;
    const round = (value: number): number => Math.round(value * 100) / 100;
    const { x, y, z } = position;
    return {
      x: round(x),
      y: round(y),
      ...(z === undefined ? {} : { z: round(z) }),
      stance,
      ...(details ?? {}),
    };
  }

  #see(player: PlayerId, name: string | null): void {
    if (name === null || name === "") return;
    this.#seenNames.set(player, name);
    const [oldest] = this.#seenNames.keys();
    if (this.#seenNames.size > MAX_NAMES && oldest !== undefined) this.#seenNames.delete(oldest);
  }

  /** Somebody to follow in a room that is watched for the first time, so that there is something to see. */
  #followSomebody(): void {
    if (this.#followsNone || !canBeJoined(this.world.peek())) return;
    const players = this.players.peek();
    const followed = this.followed.peek();
    if (followed !== undefined && players.has(followed)) return;
    const honest = [...players.values()].find(({ name }) => name.startsWith("bot"));
    const [first] = players.keys();
    const next = honest?.player ?? first;
    if (next !== undefined && next !== followed) this.follow(next);
  }

  /** Sends the server the rooms and players to observe. */
  #ask(): void {
    this.#cancelFollowing?.();
    this.#cancelFollowing = undefined;
    const world = this.world.peek();
    if (world === undefined) return;
    this.#followedAtMs = this.#options.clock.now();
    // The server repeats the last hundred after every `watch`.
    this.#book = new VerdictBook();
    const player = this.followed.peek();
    const whom = player === undefined ? {} : { player };
    this.#options.send({ type: "watch", world: world.name, room: this.room.peek() ?? null, ...whom });
  }

  /** Calls for everything that the game shows of the watched room, until taken back. */
  onObservation(listener: Observer): () => void {
    return this.observations.listen(listener);
  }

  apply(message: FeedMessage): void {
    batch(() => this.#apply(message));
  }

  /** Takes the tracks of the watched room; those of another room are ignored. */
  applyTracks(snapshot: TrackSnapshot): void {
    if (snapshot.world !== this.world.peek()?.name || snapshot.room !== this.room.peek()) return;
    batch(() => {
      this.tracks.push(snapshot, this.#nowMs);
      if (this.view.isLive) this.wire.settle((player) => this.#stateOf(player));
      this.live.value = true;
      this.#showRoster(false);
    });
  }

  #apply(message: FeedMessage): void {
    if (message.type === "hello") {
      this.#greet(message.token, message.worlds);
      return;
    }
    if (message.world !== this.world.peek()?.name) return;
    const room = this.room.peek();
    switch (message.type) {
      case "rooms":
        this.#fedRooms = message.rooms;
        this.refreshRooms();
        return;
      case "players":
        if (message.room !== room) return;
        this.players.value = new Map(message.players.map((player) => [player.player, player]));
        for (const { player, name } of message.players) this.#see(player, name);
        this.#showRoster(true);
        this.#followSomebody();
        this.#seek();
        return;
      case "join": {
        if (message.player.room !== room) return;
        this.players.value = new Map(this.players.peek()).set(message.player.player, message.player);
        this.#see(message.player.player, message.player.name);
        this.#showRoster(true);
        this.#followSomebody();
        return;
      }
      case "leave": {
        if (message.room !== room) return;
        const players = new Map(this.players.peek());
        players.delete(message.player);
        this.players.value = players;
        this.#showRoster(true);
        this.#followSomebody();
        return;
      }
      case "verdict":
        this.#see(message.verdict.player, message.verdict.name);
        this.#book.add(message.verdict);
        this.#showVerdictsSoon();
        this.#seek();
        this.wire.judge(message.verdict, message.verdict.player === this.self.peek()?.player);
        return;
      case "wire":
        // They are in the list since the moment began.
        if (this.moment.peek() !== undefined) return;
        for (const { sender, player, name, payload, atMs } of message.records) {
          this.#see(player, name ?? null);
          // Those of the own player are in the log as the page sent and received them.
          if (player === this.self.peek()?.player) continue;
          const before = sender === "client" ? this.#stateOf(player) : undefined;
          const record = { sender, player, payload: parseHex(payload), ...(before === undefined ? {} : { before }) };
          const nowMs = this.#nowMs;
          const { playback } = this.world.peek() ?? {};
          const recordedMs = playback === undefined ? undefined : atMs - playback.startMs;
          this.wire.addFed(record, Math.min(nowMs, this.tracks.pageTime(atMs) ?? nowMs), recordedMs);
        }
        return;
      case "budgets":
        this.budgets.value = { player: message.player, budgets: message.budgets };
        return;
      case "observation":
        if (message.room === room) this.observations.add(message, this.#nowMs, this.view.isLive);
        return;
      case "bans":
        // The last verdicts come with it.
        this.#hasAll = true;
        this.bans.value = message.bans;
        return;
      case "rates":
        this.#seekOlder();
        this.rates.value = [...this.rates.peek(), message.rates].slice(-RATE_SECONDS);
        return;
      case "self":
        this.self.value = { player: message.player, room: message.room };
        // A page that plays itself no longer looks for what its address named.
        this.#sought = {};
        this.momentNotice.value = undefined;
        if (message.room === room) this.follow(message.player);
        return;
      case "playback":
        this.#applyPlayback(message.playback);
        return;
      case "moment":
        this.#applyMoment(message.moment ?? undefined, message.problem ?? undefined);
        return;
      case "marks":
        this.marks.value = message.marks;
        return;
    }
  }

  /** Controls the playback, for all pages that watch it. */
  control(request: PlaybackRequest): void {
    this.#options.send(request);
  }

  #applyPlayback(playback: FeedPlayback): void {
    const nowMs = this.#options.clock.now();
    this.playback.value = { ...playback, receivedMs: nowMs };
    this.#setRate(playback.isPlaying && !playback.isHeld && !playback.isSeeking ? playback.speed : 0);
    const world = this.world.peek();
    if (playback.jump === this.#playbackJump) {
      this.#seek();
      return;
    }
    this.#playbackJump = playback.jump;
    if (this.#isInMoment) {
      // The same seconds again: the drawing stays, and so do the lists.
      this.tracks.clear();
      this.observations.clear();
      this.rounds.value += 1;
      this.#ask();
      return;
    }
    this.jump.value = playback.jump;
    if (this.moment.peek() === undefined) this.wire.clear();
    else this.#isInMoment = true;
    if (world !== undefined) this.watch(world, this.room.peek());
  }

  #applyMoment(moment: FeedMoment | undefined, problem: string | undefined): void {
    const world = this.world.peek();
    this.#isInMoment = false;
    this.moment.value = moment;
    this.momentNotice.value = problem;
    if (moment === undefined || world === undefined) return;
    const { verdict, messages } = moment;
    if (verdict.room !== this.room.peek()) this.watch(world, verdict.room);
    this.opensNewest.value = false;
    this.inspected.value = { kind: "verdict", verdict };
    this.#see(verdict.player, verdict.name);
    this.wire.clear();
    const nowMs = this.#nowMs;
    const { startMs = 0 } = world.playback ?? {};
    for (const { sender, player, payload, atMs } of messages) {
      this.wire.addFed({ sender, player, payload: parseHex(payload) }, nowMs, atMs - startMs);
    }
    this.wire.judge(verdict, false, verdict.atMs - startMs);
    if (this.players.peek().has(verdict.player)) this.follow(verdict.player);
  }

  #setRate(rate: number): void {
    if (rate === this.sceneClock.rate) return;
    this.sceneClock.setRate(rate, this.#options.clock.now());
    this.tracks.setRate(rate);
  }

  /** The standing rooms of the watched world may be others than before. */
  refreshRooms(): void {
    this.rooms.value = this.#withStandingRooms(this.#fedRooms ?? []);
    // Before the feed has sent any, the fullest is not known.
    if (this.#fedRooms !== undefined && this.room.peek() === undefined) this.#enterFirstRoom();
  }

  #greet(token: string, worlds: readonly ServedWorld[]): void {
    this.#token.value = token;
    this.worlds.value = worlds;
    // This feed's own follow. A live one has none.
    this.playback.value = undefined;
    this.marks.value = [];
    this.jump.value = 0;
    this.#playbackJump = 0;
    this.#isInMoment = false;
    this.moment.value = undefined;
    this.#setRate(1);
    const watched = this.world.peek()?.name;
    const { start } = this.#options;
    if (watched === undefined && start !== undefined && worlds.length > 0) {
      this.open(start);
      return;
    }
    const world = worlds.find(({ name }) => name === watched) ?? worlds[0];
    if (world === undefined) return;
    this.watch(world, this.room.peek());
  }

  /** Enters the fullest room: it shows the most movement to a new visitor. */
  #enterFirstRoom(): void {
    const world = this.world.peek();
    const fullest = this.rooms
      .peek()
      .reduce<FeedRoom | undefined>(
        (best, room) => (best === undefined || room.players > best.players ? room : best),
        undefined,
      );
    if (world !== undefined && fullest !== undefined) this.watch(world, fullest.room);
  }

  #withStandingRooms(rooms: readonly FeedRoom[]): readonly FeedRoom[] {
    const named = new Map(rooms.map((room) => [room.room, room]));
    const watched = this.room.peek();
    const world = this.world.peek();
    const { protocol = "", demo = null } = world ?? {};
    // The places of dropped maps say themselves which there are.
    const standing = hasNoPlayers(world) ? [] : this.#options.standingRooms(protocol, demo !== null);
    for (const room of watched === undefined ? standing : [...standing, watched]) {
      if (!named.has(room)) named.set(room, { room, players: 0 });
    }
    return [...named.values()].sort((a, b) => a.room.localeCompare(b.room, "en", { numeric: true }));
  }

  #showVerdictsSoon(): void {
    if (this.#showingVerdicts) return;
    this.#showingVerdicts = true;
    this.#options.clock.after(SHOW_VERDICTS_EVERY_MS, () => {
      this.#showingVerdicts = false;
      this.verdicts.value = this.#book.groups;
    });
  }

  #showRoster(now: boolean): void {
    const nowMs = this.#options.clock.now();
    if (!now && nowMs - this.#rosterAtMs < ROSTER_EVERY_MS) return;
    this.#rosterAtMs = nowMs;
    const latest = this.tracks.latest;
    this.roster.value = [...this.players.peek().values()].map((player) => ({
      player,
      track: latest.get(player.player),
    }));
  }
}

/** What of an address has to be found in its room. */
function soughtIn({ player, verdictMs, atMs }: Partial<Address> = {}): Pick<Address, "player" | "verdictMs" | "atMs"> {
  return { player, verdictMs, atMs };
}

/** Whether it is the places of dropped maps alone: there is no server behind it. */
export function hasNoPlayers(world: ServedWorld | undefined): boolean {
  return world?.path === "" && world.relayTo === undefined && world.playback === undefined;
}

/** Whether one can play: a relay and a recording have no place for a player of the page. */
export function canBeJoined(world: ServedWorld | undefined): boolean {
  return world?.relayTo === undefined && world?.playback === undefined && !hasNoPlayers(world);
}
