/** Clients of all servers and relays: honest players, whose messages are timed to another client, and cheats. A process of its own. */
import { connect, type Socket } from "node:net";
import { moveMessage, slimeOnline2 } from "wirewalk/slime-online-2";
import { contestantTask, tell } from "../harness.ts";
import type { PlayersTask, Round, RoundTimes } from "./workload.ts";

const HONEST = 20;
const CHEATS = 5;
/** Messages in a second, of each. */
const HONEST_RATE = 10;
const CHEAT_RATE = 20;
const [X, FAR, Y] = [448, 30_000, 160];
const STEP_MS = 10;
/** Behind the last message of a round. */
const SETTLE_MS = 500;

const codec = slimeOnline2.codec("documented");
function frame(number: number, x: number): Buffer {
  const payload = codec.write("client", moveMessage(number % 2 === 0 ? "rightPress" : "rightRelease", x, Y));
  return Buffer.from([payload.length & 0xff, payload.length >> 8, ...payload]);
}

function open(port: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: "127.0.0.1", port, noDelay: true }, () => resolve(socket));
    socket.on("error", reject);
  });
}

/** What one client receives: places, by which a message is known. */
function watch(socket: Socket, seen: (x: number, atMs: number) => void): void {
  let rest = Buffer.alloc(0);
  socket.on("data", (bytes) => {
    const atMs = performance.now();
    rest = rest.length === 0 ? bytes : Buffer.concat([rest, bytes]);
    let at = 0;
    while (at + 2 <= rest.length && at + 2 + rest.readUInt16LE(at) <= rest.length) {
      const length = rest.readUInt16LE(at);
      // Behind the length: kind, player, direction, place.
      if (length >= 7) seen(rest.readUInt16LE(at + 7), atMs);
      at += 2 + length;
    }
    rest = rest.subarray(at);
  });
}

interface Room {
  readonly honest: readonly Socket[];
  readonly cheats: readonly Socket[];
  /** By the place that a message names, one of each honest player: when it was sent. */
  readonly sentMs: Map<number, number[]>;
  /** Messages of each honest player before this round: a key that is down is not pressed again. */
  turns: number;
  delaysMs: number[];
}

const rooms = new Map<string, Room>();
const { ports } = contestantTask<PlayersTask>();
for (const [kind, port] of Object.entries(ports)) {
  const sentMs = new Map<number, number[]>();
  const watcher = await open(port);
  const all: Socket[] = [];
  for (let number = 0; number < HONEST + CHEATS; number += 1) {
    const socket = await open(port);
    socket.resume();
    // A connection that sends nothing is closed.
    socket.write(frame(0, X + (number % HONEST)));
    all.push(socket);
  }
  watcher.write(frame(0, X));
  const room: Room = { honest: all.slice(0, HONEST), cheats: all.slice(HONEST), sentMs, turns: 1, delaysMs: [] };
  watch(watcher, (x, atMs) => {
    const at = sentMs.get(x)?.shift();
    if (at !== undefined) room.delaysMs.push(atMs - at);
  });
  rooms.set(kind, room);
}

function sendHonest({ honest, sentMs, turns }: Room, sent: number): void {
  const who = sent % HONEST;
  const times = sentMs.get(X + who) ?? [];
  sentMs.set(X + who, times);
  times.push(performance.now());
  honest[who]?.write(frame(turns + Math.floor(sent / HONEST), X + who));
}

async function play({ kind, measureMs }: Round): Promise<void> {
  const room = rooms.get(kind);
  if (room === undefined) throw new RangeError(`there is no ${kind}`);
  room.delaysMs = [];
  room.sentMs.clear();
  const startMs = performance.now();
  let [sent, cheated] = [0, 0];
  for (let passedMs = 0; passedMs < measureMs; passedMs = performance.now() - startMs) {
    for (; cheated < (passedMs / 1000) * CHEAT_RATE * CHEATS; cheated += 1) {
      const turn = Math.floor(cheated / CHEATS);
      room.cheats[cheated % CHEATS]?.write(frame(turn, turn % 2 === 0 ? 50 : FAR));
    }
    for (; sent < (passedMs / 1000) * HONEST_RATE * HONEST; sent += 1) sendHonest(room, sent);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
  // Whole turns: all have pressed as often.
  for (; sent % HONEST !== 0; sent += 1) sendHonest(room, sent);
  room.turns += sent / HONEST;
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
  tell({ delaysMs: room.delaysMs, sent, cheated } satisfies RoundTimes);
}

process.on("message", (message: Round | "end") => {
  if (message === "end") process.exit(0);
  void play(message);
});
process.on("disconnect", () => process.exit(0));
tell("playing");
