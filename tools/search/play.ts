/**
 * One player in a world with rules: what it sends, as its client would, on simulated time and without sockets. A line holds every message
 * back equally long. Equal options give equal results.
 */
import { createRandom, type Position, type Track, type Verdict } from "../../packages/wirewalk/src/motion/index.ts";
import { VirtualClock } from "../../packages/wirewalk/src/net/index.ts";
import type { Bot } from "../../packages/wirewalk/src/protocols/bot.ts";
import type { WireMessage } from "../../packages/wirewalk/src/protocols/codec.ts";
import type { WorldMaps } from "../../packages/wirewalk/src/protocols/maps.ts";
import type { PlayableProtocol } from "../../packages/wirewalk/src/protocols/protocol.ts";
import type { World } from "../../packages/wirewalk/src/protocols/world.ts";
import type { SearchGame } from "./games.ts";
import type { Gauge } from "./gauges.ts";

/** Milliseconds that every message takes. */
const LATENCY_MS = 40;
/** From the end of a connection to the beginning of the next. */
const RECONNECT_MS = 1000;
const ACCOUNT = { account: "searcher", name: "searcher" };

/** A message of the client, and when the server receives it. Undefined: the client disconnects and connects again. */
export interface Sent {
  readonly atMs: number;
  readonly message: WireMessage | undefined;
}

/** Where a player plays, and which honest play its stream comes from. Plain data. */
export interface Scene {
  readonly dialect: string;
  /** Seed of the world and of the honest bot. */
  readonly seed: number;
  /** Whether the world knows the shapes of its places. */
  readonly known: boolean;
  /** The room that is asked for, where rooms have numbers. */
  readonly room?: number;
  readonly seconds: number;
}

/** What the games and maps of a run are. */
export interface Stage {
  readonly game: SearchGame;
  /** The game, with settings of its own if there are some. */
  readonly protocol: PlayableProtocol;
  readonly maps?: WorldMaps | undefined;
}

/** What became of a stream. */
export interface Played {
  /** What the server received, in its order: payloads. */
  readonly received: readonly { readonly atMs: number; readonly payload: Uint8Array | undefined }[];
  /** What an honest bot sent; empty for a stream that was given. */
  readonly sent: readonly Sent[];
  /** The greatest gain of each measure until the first verdict above benign. */
  readonly gains: Readonly<Record<string, number>>;
  /** The first verdict above benign. */
  readonly found: Verdict | undefined;
  /** Rules with a benign verdict. */
  readonly benign: readonly string[];
}

/** What the player sends: what an honest bot does, a stream of messages, or the payloads of one that was saved. */
export type Play =
  | "honest"
  | { readonly stream: readonly Sent[] }
  | { readonly payloads: readonly { readonly atMs: number; readonly payload: Uint8Array | undefined }[] };

export function play(stage: Stage, scene: Scene, what: Play): Played {
  return new Session(stage, scene, what).run();
}

class Session {
  readonly #stage: Stage;
  readonly #scene: Scene;
  readonly #what: Play;
  readonly #clock = new VirtualClock();
  readonly #world: World;
  readonly #bot: Bot;
  readonly #gauges: Readonly<Record<string, Gauge>>;
  readonly #prepare: ReturnType<SearchGame["client"]>;
  readonly #received: { atMs: number; payload: Uint8Array | undefined }[] = [];
  readonly #sent: Sent[] = [];
  readonly #benign = new Set<string>();
  #player = 1;
  #isIn = false;
  #room = "";
  /** The last place that the player has claimed in this room. */
  #at: Position | undefined;
  #firstAt: Position | undefined;
  #found: Verdict | undefined;
  #isOver = false;

  constructor(stage: Stage, scene: Scene, what: Play) {
    this.#stage = stage;
    this.#scene = scene;
    this.#what = what;
    const { game, protocol, maps } = stage;
    const { dialect, seed, known, room } = scene;
    const withMaps = maps === undefined ? {} : { maps };
    this.#world = protocol.createWorld({ dialect, seed, demo: known, ...(known ? withMaps : {}) });
    const inRoom = room === undefined ? {} : { room };
    this.#bot = game.createBot(protocol, {
      dialect,
      random: createRandom(seed),
      number: 0,
      cheat: "none",
      ...withMaps,
      ...inRoom,
    });
    this.#gauges = game.gauges(scene, maps);
    this.#prepare = game.client(dialect);
  }

  run(): Played {
    const clock = this.#clock;
    const endMs = this.#scene.seconds * 1000;
    this.#world.tick(0);
    this.#join();
    if (this.#what === "honest") {
      this.#say(this.#start());
      clock.every(this.#bot.stepMs, () => this.#say(this.#bot.step(clock.now())));
    } else if ("stream" in this.#what) {
      this.#bot.start(0);
      for (const sent of this.#what.stream) {
        if (sent.atMs > endMs) continue;
        clock.after(sent.atMs, () => (sent.message === undefined ? this.#reconnect() : this.#receive(sent.message)));
      }
    } else {
      this.#bot.start(0);
      for (const { atMs, payload } of this.#what.payloads) {
        clock.after(atMs, () => (payload === undefined ? this.#reconnect() : this.#receivePayload(payload)));
      }
    }
    clock.every(this.#world.tickMs, () => this.#tick());
    while (!this.#isOver && clock.now() < endMs) clock.advanceTo(Math.min(endMs, clock.now() + 250));
    return {
      received: this.#received,
      sent: this.#sent,
      gains: Object.fromEntries(Object.entries(this.#gauges).map(([name, { greatest }]) => [name, greatest])),
      found: this.#found,
      benign: [...this.#benign],
    };
  }

  #join(): void {
    const room = this.#stage.game.roomName(this.#scene);
    this.#world.join(this.#player, { ...ACCOUNT, ...(room === undefined ? {} : { room }) }, this.#clock.now());
    this.#isIn = true;
    this.#apply();
  }

  /** What a client says first. A login was checked when the world was joined. */
  #start(): readonly WireMessage[] {
    const first = this.#bot.start(this.#clock.now());
    const login = this.#stage.protocol.capabilities?.login;
    return login?.admission(this.#scene.dialect) === undefined ? first : first.slice(1);
  }

  /** The honest bot's messages, which arrive later. */
  #say(messages: readonly WireMessage[]): void {
    for (const message of messages) {
      const atMs = this.#clock.now() + LATENCY_MS;
      if (!this.#stage.game.answers.has(message.message)) this.#sent.push({ atMs, message });
      this.#clock.after(LATENCY_MS, () => this.#receive(message));
    }
  }

  #receive(message: WireMessage): void {
    if (!this.#isIn || this.#isOver) return;
    const codec = this.#stage.protocol.codec(this.#scene.dialect);
    let payload: Uint8Array;
    try {
      payload = codec.write("client", this.#what === "honest" ? message : this.#prepare.send(message));
    } catch (error) {
      // What cannot be written no client can send.
      if (error instanceof RangeError || error instanceof TypeError) return;
      throw error;
    }
    if (!this.#stage.game.answers.has(message.message)) this.#received.push({ atMs: this.#clock.now(), payload });
    this.#world.receive(this.#player, codec.read("client", payload), payload, this.#clock.now());
    this.#apply();
  }

  #receivePayload(payload: Uint8Array): void {
    if (!this.#isIn || this.#isOver) return;
    const codec = this.#stage.protocol.codec(this.#scene.dialect);
    this.#world.receive(this.#player, codec.read("client", payload), payload, this.#clock.now());
    this.#apply();
  }

  #reconnect(): void {
    if (!this.#isIn || this.#isOver) return;
    this.#received.push({ atMs: this.#clock.now(), payload: undefined });
    this.#world.leave(this.#player, this.#clock.now());
    this.#isIn = false;
    this.#apply();
    this.#clock.after(RECONNECT_MS, () => {
      this.#player += 1;
      this.#firstAt = undefined;
      this.#join();
      // The messages of a session's beginning are not written down: a saved stream says them anew by itself.
      const codec = this.#stage.protocol.codec(this.#scene.dialect);
      for (const message of this.#start()) {
        this.#world.receive(this.#player, message, codec.write("client", message), this.#clock.now());
        this.#apply();
      }
    });
  }

  #tick(): void {
    if (this.#isOver) return;
    const nowMs = this.#clock.now();
    this.#world.tick(nowMs);
    this.#apply();
    if (this.#isOver) return;
    if (this.#stage.game.claimIn !== undefined) return;
    const track = this.#world.tracks(nowMs).find(({ player }: Track) => player === this.#player);
    if (track !== undefined) this.#measure(track);
  }

  #measure(track: Track): void {
    const isAnywhere = this.#stage.game.startsAnywhere(this.#scene);
    if (isAnywhere) {
      // Until its first message is accepted it is where the server has put it.
      this.#firstAt ??= track.position;
      if (track.position.x === this.#firstAt.x && track.position.y === this.#firstAt.y) return;
      this.#firstAt = { x: Number.NaN, y: Number.NaN };
    }
    // One that has to be where it was is measured on when it has connected again; others the server has put somewhere.
    const measured = isAnywhere ? { ...track, player: 1 } : track;
    for (const gauge of Object.values(this.#gauges)) gauge.add(measured, this.#world);
  }

  #apply(): void {
    for (const effect of this.#world.takeEffects()) {
      switch (effect.effect) {
        case "verdict":
          if (effect.verdict.kind === "benign") this.#benign.add(effect.verdict.rule);
          else if (effect.verdict.kind !== "accept") {
            this.#found ??= effect.verdict;
            this.#isOver = true;
          }
          break;
        case "enter":
          this.#room = effect.room;
          this.#at = undefined;
          break;
        case "broadcast":
          this.#claim(effect.message);
          break;
        case "send":
          if (effect.to === this.#player) this.#clock.after(LATENCY_MS, () => this.#hear(effect.message));
          break;
        case "ban":
        case "close":
          this.#isOver = true;
          break;
        default:
      }
    }
  }

  /** An accepted message that others receive: where it names a place, the player is there. */
  #claim(message: WireMessage): void {
    const claim = this.#stage.game.claimIn?.(message, this.#at);
    if (claim?.x === undefined) return;
    const { x = this.#at?.x, y = this.#at?.y } = claim;
    if (x === undefined || y === undefined) return;
    this.#at = { x, y };
    this.#measure({
      player: this.#player,
      room: this.#room,
      atMs: this.#clock.now(),
      position: this.#at,
      velocity: { x: 0, y: 0 },
      facingTurns: 0,
      stance: "",
      source: "claimed",
    });
  }

  /** The bot answers for the client; of a stream that was given only what a client answers by itself. */
  #hear(message: WireMessage): void {
    if (this.#isOver) return;
    this.#prepare.hear(message);
    const answers = this.#bot.receive(message, this.#clock.now());
    const { game } = this.#stage;
    this.#say(this.#what === "honest" ? answers : answers.filter((each) => game.answers.has(each.message)));
  }
}
