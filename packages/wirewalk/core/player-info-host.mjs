/**
 * An example host of the player-info core: plain WebAssembly, nothing of Wirewalk but `player-info.wasm`. It is written to be read
 * beside docs/player-info-core.md and to be translated into other languages.
 *
 * As a program it plays the events of a file and prints every packet as hex:
 *
 *   node player-info-host.mjs player-info.wasm events.json
 */

const MASKS_BYTES = 1 << 20;
const PACKETS_BYTES = 16 << 20;
const PAGE_BYTES = 1 << 16;
/** Enough for the core's regions; {@link PlayerInfoHost} grows the memory for masks and packets. */
const FIRST_PAGES = 128;

// What makePackets returns.
const DONE = 0;
const NEEDS_MASKS = 1;
const TOO_LONG = 3;
const NO_ROOM = 4;

/** The dialects, as `setup` takes them. */
export const dialects = { client: 0x36, documented: 0x0a };

// The mask blocks of this host: a client's revision says which there are. Here all are a length and bytes.
const APPEARANCE = { flag: 1, keptKind: 0 };
const TITLE = { flag: 2 };
const SAY = { flag: 4 };
const blocks = [APPEARANCE, TITLE, SAY];
/** The bit of a combination for blocks that are sent whenever a player comes into view. */
const ENTERING = 16;

export class PlayerInfoHost {
  #core;
  #bytes;
  #words;
  #masks;
  #packets;
  #masksEnd = 0;
  #tick = 0;
  /** By player: its blocks of this tick, and those that it keeps, by flag. */
  #now = new Map();
  #kept = new Map();
  /** By observer: copies of packets that had to be taken out before the end of the tick. */
  #taken = new Map();

  /** `module`: the bytes of `player-info.wasm`. `packetsBytes`: room for the packets of a tick. */
  constructor(module, { dialect, viewDistance, maxLocals, packetsBytes = PACKETS_BYTES }) {
    const memory = new WebAssembly.Memory({ initial: FIRST_PAGES });
    const { exports } = new WebAssembly.Instance(new WebAssembly.Module(module), { env: { memory } });
    if (exports.version.value !== 1) throw new Error(`Version ${exports.version.value} of the core is unknown`);
    this.#core = exports;
    this.#masks = exports.free.value;
    this.#packets = this.#masks + MASKS_BYTES;
    const pages = Math.ceil((this.#packets + packetsBytes) / PAGE_BYTES);
    if (pages > FIRST_PAGES) memory.grow(pages - FIRST_PAGES);
    this.#bytes = new Uint8Array(memory.buffer);
    this.#words = new Uint32Array(memory.buffer);
    exports.setup(dialects[dialect], viewDistance, maxLocals, 1, this.#masks, this.#packets, packetsBytes);
  }

  add(index, level, x, z) {
    if (!this.#core.addPlayer(index, level, x, z)) throw new RangeError(`Cannot add player ${index}`);
  }

  remove(index) {
    if (!this.#core.removePlayer(index)) throw new RangeError(`Cannot remove player ${index}`);
    this.#now.delete(index);
    this.#kept.delete(index);
  }

  move(index, x, z) {
    if (!this.#core.movePlayer(index, x, z)) throw new RangeError(`Cannot move player ${index}`);
  }

  teleport(index, level, x, z) {
    if (!this.#core.teleportPlayer(index, level, x, z)) throw new RangeError(`Cannot move player ${index}`);
  }

  hide(index, isHidden) {
    this.#core.hidePlayer(index, isHidden ? 1 : 0);
  }

  stand(observer, index, standing) {
    this.#core.setStanding(observer, index, standing);
  }

  /** Sets a block of a player, by its flag, for the next tick's packets. */
  setBlock(index, flag, bytes) {
    setIn(this.#now, index, flag, bytes);
    if (flag === SAY.flag) return;
    setIn(this.#kept, index, flag, bytes);
    if (flag === APPEARANCE.flag) this.#core.setKept(index, APPEARANCE.keptKind);
    else this.#core.setEntering(index, 1);
  }

  /** A player begins to observe. Returns the initialisation. */
  observe(index) {
    // Between two ticks the room of the packets is free, but for packets that nobody has read yet.
    const to = this.#masks;
    if (!this.#core.writeInitialisation(index, to)) throw new RangeError(`Cannot observe ${index}`);
    this.#core.observe(index);
    this.#taken.delete(index);
    return this.#bytes.slice(to, to + 4608);
  }

  /** Makes the packets of all observers. */
  tick() {
    const core = this.#core;
    core.beginTick(++this.#tick);
    this.#taken.clear();
    this.#masksEnd = 0;
    for (const [index] of this.#now) {
      const start = this.#masksEnd;
      core.setMasks(index, start, this.#compose(index, 0));
    }
    for (let stop = core.makePackets(); stop !== DONE; stop = core.makePackets()) {
      if (stop === NEEDS_MASKS) this.#composeRequested();
      else if (stop === TOO_LONG) core.leaveOutMasks();
      else if (stop === NO_ROOM) this.#takePackets();
      else throw new Error(`The core stops with ${stop}`);
    }
    core.endTick();
    this.#now.clear();
  }

  /** The packet of an observer. */
  packet(observer) {
    const taken = this.#taken.get(observer);
    if (taken !== undefined) return taken;
    const start = this.#words[this.#core.packetStart.value / 4 + observer];
    const end = this.#words[this.#core.packetEnd.value / 4 + observer];
    return this.#bytes.slice(this.#packets + start, this.#packets + end);
  }

  /** Composes masks: the flags, and then the blocks in the order of the revision. Returns how many bytes. */
  #compose(index, combination) {
    const all = new Map(this.#now.get(index));
    const kept = this.#kept.get(index);
    for (const { flag, keptKind } of blocks) {
      const isWanted = keptKind === undefined ? combination & ENTERING : combination & (1 << keptKind);
      if (isWanted && kept?.has(flag)) all.set(flag, kept.get(flag));
    }
    let flags = 0;
    for (const flag of all.keys()) flags |= flag;
    let at = this.#masks + this.#masksEnd;
    const start = at;
    this.#bytes[at++] = flags;
    for (const { flag } of blocks) {
      const bytes = all.get(flag);
      if (bytes === undefined) continue;
      this.#bytes[at++] = bytes.length;
      this.#bytes.set(bytes, at);
      at += bytes.length;
    }
    this.#masksEnd += at - start;
    return at - start;
  }

  #composeRequested() {
    const core = this.#core;
    const requests = core.requests.value / 4;
    for (let at = 0; at < core.requestCount(); at++) {
      const request = this.#words[requests + at];
      const index = request & 2047;
      const combination = request >> 11;
      const place = index * 32 + combination;
      this.#words[core.variantStart.value / 4 + place] = this.#masksEnd;
      this.#words[core.variantLength.value / 4 + place] = this.#compose(index, combination);
      this.#words[core.variantTick.value / 4 + place] = this.#tick;
    }
  }

  /** There is no room for another packet: copies all that are made, so that the room can be used again. */
  #takePackets() {
    const core = this.#core;
    const stopped = core.stoppedAt();
    for (let observer = 1; observer < stopped; observer++) {
      if (this.#bytes[core.observing.value + observer] === 1 && !this.#taken.has(observer)) {
        this.#taken.set(observer, this.packet(observer));
      }
    }
    core.reusePackets();
  }
}

function setIn(players, index, flag, bytes) {
  const all = players.get(index) ?? new Map();
  players.set(index, all.set(flag, bytes));
}

/** Plays recorded events, tick by tick: `[method, ...arguments]`. Returns every packet as `tick observer hex`. */
export function play(module, { options, ticks }) {
  const host = new PlayerInfoHost(module, options);
  const observers = new Set();
  const lines = [];
  ticks.forEach((events, tick) => {
    for (const [method, ...args] of events) {
      if (method === "observe") observers.add(args[0]);
      if (method === "remove") observers.delete(args[0]);
      host[method](...args);
    }
    host.tick();
    for (const observer of observers) lines.push(`${tick} ${observer} ${hex(host.packet(observer))}`);
  });
  return lines;
}

function hex(bytes) {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const [, program, moduleFile, eventsFile] = globalThis.process?.argv ?? [];
if (program?.endsWith("player-info-host.mjs") && eventsFile !== undefined) {
  const { readFileSync } = await import("node:fs");
  const lines = play(readFileSync(moduleFile), JSON.parse(readFileSync(eventsFile, "utf8")));
  process.stdout.write(`${lines.join("\n")}\n`);
}
