/**
 * The load client of one large map of MapleStory v62: every player walks to and fro on the ground of the first demo map, a
 * movement of 90 ms ten times a second, as an honest client may. Frames of all are counted by their headers, without
 * deciphering; some clients decipher what they receive and know by its place when a movement was sent.
 */
import { connect, type Socket } from "node:net";
import { Fragment, type MapleServerMessage, openMapleChannel, type Point } from "wirewalk/maplestory";
import { demoMap } from "wirewalk/maplestory/maps";
import { playerRecording } from "wirewalk/maplestory/movement";
import { ByteReader } from "wirewalk/wire";
import { contestantTask, endWhenAsked, tell } from "../harness.ts";
import { type LoadTask, MESSAGES_PER_SECOND, runOn, tellLoad } from "./workload.ts";

endWhenAsked();
const task = contestantTask<LoadTask>();
runOn(task.core);

/** Every 125th client deciphers: 4 of 500, 20,000 messages a second. */
const SAMPLE_EVERY = 125;
const HEADER_BYTES = 4;
/** The hello: its length, then the version, an empty patch name, two IVs and a locale. */
const HELLO_BYTES = 15;
/** Steps of the client's clock in a movement: as many as fit into a tenth of a second. */
const MOVE_STEPS = 3;
const MOVE_MS = MOVE_STEPS * playerRecording.stepMs;
/** A walk is 125 px a second. */
const STEP_PX = 10;
/** Steps in one direction. */
const STEPS = 20;
const dialect = "v62";

let measuring = false;
let sent = 0;
let delivered = 0;
let closed = 0;
let missed = 0;
const latenciesMs: number[] = [];

/** A place on the ground. */
interface Stand extends Point {
  readonly foothold: number;
}

/** Places on flat ground beside a portal, a step from each other, on the right of it or else on the left. */
function flatWay(mapId: number, spawnPoint: number): readonly Stand[] {
  const map = demoMap(mapId);
  const portal = map?.portals[spawnPoint];
  if (map === undefined || portal === undefined) throw new Error(`Map ${mapId} has no portal ${spawnPoint}`);
  for (const side of [1, -1]) {
    const way: Stand[] = [];
    for (let step = 0; step <= STEPS; step += 1) {
      const x = portal.x + side * step * STEP_PX;
      const ground = map.below(x, portal.y);
      if (ground?.y === portal.y) way.push({ x, y: portal.y, foothold: ground.foothold.id });
    }
    if (way.length > STEPS) return way;
  }
  throw new Error(`Portal ${spawnPoint} of map ${mapId} has no flat ground beside it`);
}

/** Steps from the start after so many movements: up and down again. */
const stepsAfter = (moves: number): number => STEPS - Math.abs((moves % (2 * STEPS)) - STEPS);

class Walker {
  readonly characterId: number;
  readonly #isSampled: boolean;
  readonly #channel = openMapleChannel({ side: "client", dialect, carrier: "stream" });
  /** Of every other player, how many movements this one has received. */
  readonly #received = new Map<number, number>();
  #left = HELLO_BYTES;
  #head = 0;
  #headBytes = 0;
  /** Where it walks: from where it enters over flat ground. */
  #way: readonly Stand[] = [];
  #fieldKey = 0;
  moves = 0;
  /** Whether the server's hello has arrived, and whether this player is on the map. */
  isGreeted = false;
  isIn = false;
  socket: Socket | undefined;
  readonly sentMs: number[] = [];

  constructor(index: number) {
    this.characterId = index + 1;
    this.#isSampled = index % SAMPLE_EVERY === 0;
  }

  push(bytes: Uint8Array): void {
    this.#count(bytes);
    if (this.isIn && !this.#isSampled) return;
    this.#channel.push(bytes);
    for (let next = this.#channel.next(); next !== undefined; next = this.#channel.next()) {
      if (next.message !== undefined) this.#take(next.message, next.payload);
    }
  }

  login(): void {
    this.#write(
      this.#channel.write({ message: "playerLoggedIn", value: { characterId: this.characterId, reserved: 0 } }),
    );
  }

  move(): void {
    const start = this.#at(this.moves);
    this.moves += 1;
    const end = this.#at(this.moves);
    const vx = Math.round(((end.x - start.x) * 1000) / MOVE_MS);
    const node = { type: 0, ...end, vx, state: vx > 0 ? 2 : 3, durationMs: MOVE_MS };
    const box = { left: Math.min(start.x, end.x), top: start.y, right: Math.max(start.x, end.x), bottom: start.y };
    const keypad = Array<number>(MOVE_STEPS).fill(4);
    const path = { start, fragments: [Fragment.of("absolute", node)], keypad };
    this.sentMs[this.moves] = performance.now();
    if (measuring) sent += 1;
    this.#write(this.#channel.write({ message: "movePlayer", value: { fieldKey: this.#fieldKey, ...path, box } }));
  }

  #at(moves: number): Stand {
    return this.#way[stepsAfter(moves)] as Stand;
  }

  #write(bytes: Uint8Array): void {
    this.socket?.write(bytes);
  }

  /** Counts whole frames: the halves of a header differ by the length. */
  #count(bytes: Uint8Array): void {
    let at = 0;
    while (at < bytes.length) {
      if (this.#left > 0) {
        const take = Math.min(this.#left, bytes.length - at);
        this.#left -= take;
        if (this.#left === 0) this.isGreeted = true;
        at += take;
        continue;
      }
      this.#head |= (bytes[at] as number) << (8 * this.#headBytes);
      this.#headBytes += 1;
      at += 1;
      if (this.#headBytes < HEADER_BYTES) continue;
      this.#left = (this.#head ^ (this.#head >>> 16)) & 0xffff;
      this.#head = 0;
      this.#headBytes = 0;
      if (measuring) delivered += 1;
    }
  }

  #take(message: MapleServerMessage, payload: Uint8Array): void {
    if (message.message === "changeMap") {
      const { target, fieldKey } = message.value;
      if (this.isIn) throw new Error(`Player ${this.characterId} was corrected: its movements are not honest`);
      if (target?.content !== "map") throw new Error(`Player ${this.characterId} was sent to no map`);
      this.#way = flatWay(target.mapId, target.spawnPoint);
      this.#fieldKey = fieldKey;
      this.isIn = true;
    } else if (message.message === "movePlayer" && this.#isSampled) {
      this.#moved(message.value.characterId, payload);
    }
  }

  /** The path's first and last place say which movement it is, within a period of four seconds. */
  #moved(characterId: number, payload: Uint8Array): void {
    const walker = walkers[characterId - 1];
    if (walker === undefined) return;
    const reader = new ByteReader(payload);
    // Opcode and id; then the start, a count of one, and the fragment's type and place.
    reader.skip(2 + 4);
    const startX = reader.i16le();
    reader.skip(2 + 1 + 1);
    const endX = reader.i16le();
    let move = (this.#received.get(characterId) ?? 0) + 1;
    const fits = (): boolean => walker.#at(move - 1).x === startX && walker.#at(move).x === endX;
    for (; !fits() && move <= walker.moves; move += 1) if (measuring) missed += 1;
    this.#received.set(characterId, move);
    const sentMs = walker.sentMs[move];
    if (measuring && sentMs !== undefined) latenciesMs.push(performance.now() - sentMs);
  }
}

const walkers: Walker[] = [];
const readBuffer = Buffer.alloc(1 << 16);

function open(index: number): Promise<void> {
  const walker = new Walker(index);
  walkers.push(walker);
  return new Promise((resolve, reject) => {
    walker.socket = connect({
      host: "127.0.0.1",
      port: task.port,
      noDelay: true,
      onread: {
        buffer: readBuffer,
        callback: (length) => {
          const wasIn = walker.isIn;
          const wasGreeted = walker.isGreeted;
          walker.push(readBuffer.subarray(0, length));
          if (!wasGreeted && walker.isGreeted) walker.login();
          if (!wasIn && walker.isIn) resolve();
          return true;
        },
      },
    });
    walker.socket.on("error", reject);
    walker.socket.on("close", () => {
      closed += 1;
      reject(new Error(`Player ${index} was disconnected`));
    });
  });
}

for (let index = 0; index < task.sockets; index += 1) await open(index);
tell("connected");

/** Sends what is due by now: late timers are made up for, so that the pace holds. */
const startMs = performance.now();
let turn = 0;
const pace = setInterval(() => {
  const due = ((performance.now() - startMs) / 1000) * MESSAGES_PER_SECOND * walkers.length;
  for (; turn < due; turn += 1) walkers[turn % walkers.length]?.move();
}, 1);

await tellLoad(task, {
  begin() {
    measuring = true;
  },
  end() {
    measuring = false;
    if (missed > 0) console.log(`${missed} of ${latenciesMs.length + missed} movements did not arrive`);
    const counts = { sent, delivered, closed, latenciesMs: latenciesMs.slice() };
    sent = 0;
    delivered = 0;
    missed = 0;
    latenciesMs.length = 0;
    return counts;
  },
  stop: () => clearInterval(pace),
});
