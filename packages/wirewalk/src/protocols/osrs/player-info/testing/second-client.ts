/**
 * A second client of player info, for tests: it reads one observer's packets. Written from the document
 * "Player Info" and docs/protocols/osrs-player-info.md alone. It imports nothing: no constant, table or codec of the engine
 * and the decoder is in it, so that a mistake in those cannot hide in both ends.
 *
 * It is simple on purpose, and knows the mask blocks of revision 206 or none. It throws `Error` for a packet that a client
 * could not read, and lists what it could not survive (standard 6.7).
 */

/** Fields of mask blocks by name, as the documentation names them. */
export type SecondBlocks = Record<string, Record<string, unknown>>;

export interface SecondPlayer {
  x: number;
  z: number;
  level: number;
}

export class SecondClient {
  /** Players in view, by index. */
  readonly locals = new Map<number, SecondPlayer>();
  /** Map quarters of players out of view, by index: level, x, z. */
  readonly quarters = new Map<number, readonly [level: number, x: number, z: number]>();
  /** Players whose appearance the client has: it keeps it for the index for ever. */
  readonly appearances = new Set<number>();
  /** What would have crashed the client in the last packet. */
  crashes: string[] = [];
  /** Indices that were skipped by the last packet. */
  inactive = new Set<number>();
  readonly #documented: boolean;
  readonly #hasBlocks: boolean;
  #self = 0;
  #bytes: Uint8Array = new Uint8Array(0);
  #bit = 0;
  #skippedNow = new Set<number>();
  #pending: number[] = [];

  constructor(dialect: "client" | "documented", revision: "206" | "none") {
    this.#documented = dialect === "documented";
    this.#hasBlocks = revision === "206";
  }

  /** The initialisation, which the login carries; `self` is the client's own index. */
  init(bytes: Uint8Array, self: number): void {
    this.#open(bytes);
    this.#self = self;
    this.locals.clear();
    this.quarters.clear();
    this.inactive = new Set();
    const level = this.#bits(2);
    this.locals.set(self, { level, x: this.#bits(14), z: this.#bits(14) });
    for (let index = 1; index < 2048; index++) {
      if (index !== self) this.quarters.set(index, [this.#bits(2), this.#bits(8), this.#bits(8)]);
    }
    this.#align();
    this.#end();
  }

  /** Reads one packet. Returns the mask blocks by player, in their order. */
  read(packet: Uint8Array): readonly (readonly [index: number, blocks: SecondBlocks])[] {
    this.#open(packet);
    this.crashes = [];
    this.#pending = [];
    this.#skippedNow = new Set();
    const locals = [...this.locals.keys()].sort((a, b) => a - b);
    const externals = [...this.quarters.keys()].sort((a, b) => a - b);
    const active = (index: number): boolean => !this.inactive.has(index);
    const inactive = (index: number): boolean => this.inactive.has(index);
    this.#pass(locals.filter(active), (index) => this.#local(index));
    this.#pass(locals.filter(inactive), (index) => this.#local(index));
    const external = (index: number): void => this.#external(index, this.#bits(2), true);
    if (this.#documented) {
      this.#pass(externals.filter(active), external);
      this.#pass(externals.filter(inactive), external);
    } else {
      this.#pass(externals.filter(inactive), external);
      this.#pass(externals.filter(active), external);
    }
    this.#align();
    this.inactive = this.#skippedNow;
    const masks = this.#pending.map((index) => {
      const blocks = this.#blocks();
      this.#survive(index, blocks);
      return [index, blocks] as const;
    });
    this.#end();
    return masks;
  }

  #pass(players: readonly number[], read: (index: number) => void): void {
    let toSkip = 0;
    for (const index of players) {
      if (toSkip > 0) {
        toSkip--;
        this.#skippedNow.add(index);
      } else if (this.#bits(1) === 1) {
        read(index);
      } else {
        const size = this.#bits(2);
        toSkip = size === 0 ? 0 : this.#bits(size === 1 ? 5 : size === 2 ? 8 : 11);
        this.#skippedNow.add(index);
      }
    }
    if (toSkip > 0) throw new Error(`A skip goes ${toSkip} players past the end of its pass`);
    if (!this.#documented) this.#align();
  }

  #local(index: number): void {
    const hasMask = this.#bits(1) === 1;
    if (hasMask) this.#pending.push(index);
    const player = this.locals.get(index);
    if (player === undefined) throw new Error(`Player ${index} is not in view`);
    const type = this.#bits(2);
    if (type === 0) {
      if (!hasMask) this.#remove(index, player);
    } else if (type === 1) {
      const [dx, dz] = walk(this.#bits(3));
      player.x += dx;
      player.z += dz;
    } else if (type === 2) {
      const [dx, dz] = run(this.#bits(4));
      player.x += dx;
      player.z += dz;
    } else if (this.#bits(1) === 0) {
      player.level = (player.level + this.#bits(2)) % 4;
      player.x += signed5(this.#bits(5));
      player.z += signed5(this.#bits(5));
    } else {
      player.level = (player.level + this.#bits(2)) % 4;
      player.x = (player.x + this.#bits(14)) % 16_384;
      player.z = (player.z + this.#bits(14)) % 16_384;
    }
  }

  #remove(index: number, { level, x, z }: SecondPlayer): void {
    if (index === this.#self) throw new Error("The observer itself is removed");
    this.locals.delete(index);
    this.quarters.set(index, [level, Math.floor(x / 8192), Math.floor(z / 8192)]);
    if (this.#bits(1) === 1) this.#external(index, this.#bits(2), false);
  }

  /** `counts`: in a pass of externals a player who is added counts as skipped, in the client. */
  #external(index: number, type: number, counts: boolean): void {
    if (type !== 0) {
      this.#quarter(index, type);
      return;
    }
    if (this.#bits(1) === 1) {
      const nested = this.#bits(2);
      if (nested === 0) throw new Error("An add in an add");
      this.#quarter(index, nested);
    }
    const [level, quarterX, quarterZ] = this.#quarterOf(index);
    this.locals.set(index, { level, x: quarterX * 8192 + this.#bits(13), z: quarterZ * 8192 + this.#bits(13) });
    this.quarters.delete(index);
    if (this.#bits(1) === 1) this.#pending.push(index);
    if (counts && !this.#documented) this.#skippedNow.add(index);
  }

  #quarter(index: number, type: number): void {
    const [level, x, z] = this.#quarterOf(index);
    const toLevel = (level + this.#bits(2)) % 4;
    if (type === 1) {
      this.quarters.set(index, [toLevel, x, z]);
    } else if (type === 2) {
      const [dx, dz] = walk(this.#bits(3));
      this.quarters.set(index, [toLevel, x + dx, z + dz]);
    } else {
      this.quarters.set(index, [toLevel, (x + this.#bits(8)) % 256, (z + this.#bits(8)) % 256]);
    }
  }

  #quarterOf(index: number): readonly [number, number, number] {
    const quarter = this.quarters.get(index);
    if (quarter === undefined) throw new Error(`Player ${index} has no map quarter`);
    return quarter;
  }

  /** The table of revision 206, in the client's order. */
  #blocks(): SecondBlocks {
    let flags = this.#u8();
    if ((flags & 0x80) !== 0) flags += this.#u8() * 256;
    const blocks: SecondBlocks = {};
    if ((flags & ~0x80) !== 0 && !this.#hasBlocks) throw new Error(`No revision, and flags 0x${flags.toString(16)}`);
    if ((flags & 0x9000) !== 0) throw new Error(`Unknown flags 0x${flags.toString(16)}`);
    const has = (flag: number): boolean => (flags & flag) !== 0;
    if (has(0x800)) {
      blocks.nameExtras = { beforeName: this.#text(), afterName: this.#text(), afterLevel: this.#text() };
    }
    if (has(0x4)) {
      const colourEffect = this.#u16();
      const [icon, auto] = [-this.#u8() & 255, -this.#u8() & 255];
      blocks.publicChat = { colourEffect, icon, auto, text: this.#bytesPlus128(this.#u8()) };
    }
    if (has(0x2000)) blocks.spotAnimation = { id: this.#u16LittlePlus(), heightDelay: this.#i32() };
    if (has(0x400)) {
      const dx1 = i8(128 - this.#u8());
      const dz1 = i8(this.#u8());
      const dx2 = i8(128 - this.#u8());
      const dz2 = i8(this.#u8() - 128);
      const start = this.#u16Little();
      const end = this.#u16LittlePlus();
      blocks.exactMove = { dx1, dz1, dx2, dz2, start, end, angle: this.#u16() };
    }
    if (has(0x8)) blocks.faceAngle = { angle: this.#u8() * 256 + ((this.#u8() - 128) & 255) };
    if (has(0x100)) blocks.moveSpeed = { speed: i8(128 - this.#u8()) };
    if (has(0x1)) blocks.say = { text: this.#text() };
    if (has(0x2)) blocks.sequence = { id: this.#u16(), delay: -this.#u8() & 255 };
    if (has(0x20)) {
      const hits = Array.from({ length: (128 - this.#u8()) & 255 }, () => this.#hit());
      blocks.hits = { hits, bars: Array.from({ length: (128 - this.#u8()) & 255 }, () => this.#bar()) };
    }
    if (has(0x40)) blocks.faceEntity = { target: this.#u16Little() };
    if (has(0x200)) {
      const start = this.#u16Little();
      const end = this.#u16LittlePlus();
      const hue = i8(-this.#u8());
      const saturation = i8(128 - this.#u8());
      const luminance = i8(-this.#u8());
      blocks.tinting = { start, end, hue, saturation, luminance, weight: this.#u8() };
    }
    if (has(0x4000)) blocks.temporaryMoveSpeed = { speed: i8(128 - this.#u8()) };
    if (has(0x10)) blocks.appearance = { data: this.#bytesPlus128(this.#u8()) };
    return blocks;
  }

  /** What revision 206 does with the blocks of one player, in its order: `say` comes before the appearance. */
  #survive(index: number, { say, moveSpeed, temporaryMoveSpeed, faceAngle, appearance }: SecondBlocks): void {
    const crash = (why: string): void => {
      this.crashes.push(`${why} of player ${index}`);
    };
    if (say !== undefined) {
      const text = say.text as string;
      if (text === "") crash("the first character of no text");
      const readsName = index === this.#self || text[0] === "~";
      if (readsName && !this.appearances.has(index)) crash("the name in the missing appearance");
    }
    for (const speed of [moveSpeed?.speed, temporaryMoveSpeed?.speed]) {
      if (speed !== undefined && ![-1, 0, 1, 2, 127].includes(speed as number)) crash(`speed ${speed}`);
    }
    if (moveSpeed?.speed === 127) crash("a kept speed of 127");
    if (faceAngle !== undefined && (faceAngle.angle as number) > 2047) crash(`angle ${faceAngle.angle}`);
    if (appearance === undefined) return;
    // 3 bytes, 2 of an NPC, 5 colours, 7 animations, an empty name, level, skill level, hidden.
    if ((appearance.data as Uint8Array).length < 3 + 2 + 2 + 5 + 14 + 1 + 1 + 2 + 1) crash("the end of the appearance");
    this.appearances.add(index);
  }

  #hit(): object {
    const type = this.#smart();
    if (type === 32_766) return { delay: this.#smart() };
    if (type !== 32_767) return { type, value: this.#smart(), delay: this.#smart() };
    return {
      type: this.#smart(),
      value: this.#smart(),
      soakType: this.#smart(),
      soakValue: this.#smart(),
      delay: this.#smart(),
    };
  }

  #bar(): object {
    const id = this.#smart();
    const endTime = this.#smart();
    if (endTime === 32_767) return { id, endTime };
    const bar = { id, endTime, startTime: this.#smart(), startFill: -this.#u8() & 255 };
    return endTime > 0 ? { ...bar, endFill: -this.#u8() & 255 } : bar;
  }

  #open(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#bit = 0;
  }

  /** A client throws unless it has read the packet to its last byte. */
  #end(): void {
    const left = this.#bytes.length * 8 - this.#bit;
    if (left !== 0) throw new Error(`${left} bits are left`);
  }

  #bits(width: number): number {
    let value = 0;
    for (let left = width; left > 0; ) {
      const byte = this.#bytes[this.#bit >> 3];
      if (byte === undefined) throw new Error(`The packet ends at bit ${this.#bit}`);
      const inByte = 8 - (this.#bit & 7);
      const taken = Math.min(inByte, left);
      value = value * 2 ** taken + ((byte >> (inByte - taken)) & (2 ** taken - 1));
      this.#bit += taken;
      left -= taken;
    }
    return value;
  }

  #align(): void {
    this.#bit = Math.ceil(this.#bit / 8) * 8;
  }

  #u8(): number {
    return this.#bits(8);
  }

  #u16(): number {
    return this.#bits(16);
  }

  #u16Little(): number {
    return this.#u8() + this.#u8() * 256;
  }

  /** Low byte first, plus 128. */
  #u16LittlePlus(): number {
    return ((this.#u8() - 128) & 255) + this.#u8() * 256;
  }

  #i32(): number {
    return this.#bits(32) | 0;
  }

  /** One byte under 128, otherwise two with the highest bit set. */
  #smart(): number {
    const first = this.#u8();
    return first < 128 ? first : (first - 128) * 256 + this.#u8();
  }

  #bytesPlus128(length: number): Uint8Array {
    return Uint8Array.from({ length }, () => (this.#u8() - 128) & 255);
  }

  #text(): string {
    const bytes: number[] = [];
    for (let byte = this.#u8(); byte !== 0; byte = this.#u8()) bytes.push(byte);
    return windows1252.decode(Uint8Array.from(bytes));
  }
}

const windows1252 = new TextDecoder("windows-1252");

function signed5(value: number): number {
  return value > 15 ? value - 32 : value;
}

function i8(value: number): number {
  const byte = value & 255;
  return byte > 127 ? byte - 256 : byte;
}

/** South-west, south, south-east, west, east, north-west, north, north-east. */
function walk(direction: number): readonly [dx: number, dz: number] {
  switch (direction) {
    case 0:
      return [-1, -1];
    case 1:
      return [0, -1];
    case 2:
      return [1, -1];
    case 3:
      return [-1, 0];
    case 4:
      return [1, 0];
    case 5:
      return [-1, 1];
    case 6:
      return [0, 1];
    default:
      return [1, 1];
  }
}

/** The outer ring of a square of 5 x 5 tiles, row by row from south-west. */
function run(direction: number): readonly [dx: number, dz: number] {
  if (direction < 5) return [direction - 2, -2];
  if (direction >= 11) return [direction - 13, 2];
  const row = Math.floor((direction - 5) / 2);
  return [direction % 2 === 1 ? -2 : 2, row - 1];
}
