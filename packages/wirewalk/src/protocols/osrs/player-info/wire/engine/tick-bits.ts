/**
 * The bits of one player, which are the same for all observers and made once per tick: its movement, its add, its removal,
 * and its change of map quarter.
 *
 * Bits stand in words with the first bit the highest, so that they are appended by one shift.
 */
import {
  LEVELS,
  PLAYER_SLOTS,
  QUARTER_TILES,
  quarterOf,
  runX,
  runZ,
  SET_WORDS,
  WORLD_TILES,
  walkX,
  walkZ,
} from "../constants.ts";
import {
  ENTER,
  ENTER_MASKED,
  type EngineMemory,
  include,
  LEAVE,
  MOVE,
  MOVE_MASKED,
  MOVED,
  PLAYER_CODES,
  QUARTER,
  QUARTER_MOVED,
  RETURN,
  REUSED,
  SKIPS,
  TICK_SETS,
} from "./engine-memory.ts";

/** The mask bit of a local player's movement. */
const MASK_BIT = 0x4000_0000;

/** By (dz + 1) * 3 + dx + 1 and (dz + 2) * 5 + dx + 2; -1 where there is no such step. */
const walkDirections = directions(walkX, walkZ, 1);
const runDirections = directions(runX, runZ, 2);

function directions(stepX: readonly number[], stepZ: readonly number[], reach: number): Int8Array {
  const side = reach * 2 + 1;
  const table = new Int8Array(side * side).fill(-1);
  stepX.forEach((dx, direction) => {
    table[((stepZ[direction] as number) + reach) * side + dx + reach] = direction;
  });
  return table;
}

/** Makes the codes that never change: skips, and the removal with a following update. */
export function makeFixedCodes({ codeBits, codeLength }: EngineMemory): void {
  codeBits[RETURN] = 0b1000 << 28;
  codeLength[RETURN] = 4;
  for (let count = 1; count < PLAYER_SLOTS; count++) {
    // 0, two bits for the size of the number, and the number of players after the first.
    const more = count - 1;
    const size = more === 0 ? 0 : more < 1 << 5 ? 1 : more < 1 << 8 ? 2 : 3;
    const width = [0, 5, 8, 11][size] as number;
    codeLength[SKIPS + count] = 3 + width;
    codeBits[SKIPS + count] = ((size << width) | more) << (29 - width);
  }
}

/** 64 bits that are appended to. */
const joined = { high: 0, low: 0, length: 0 };

function start(): void {
  joined.high = 0;
  joined.low = 0;
  joined.length = 0;
}

/** Appends the low `width` bits, 1..32. */
function join(value: number, width: number): void {
  const aligned = value << (32 - width);
  const { length } = joined;
  if (length >= 32) {
    joined.low |= aligned >>> (length - 32);
  } else {
    joined.high |= aligned >>> length;
    // Two shifts, since a shift by 32 does nothing.
    if (length > 0) joined.low |= (aligned << (31 - length)) << 1;
  }
  joined.length = length + width;
}

/** Makes a code out of another by setting its last bit. */
function setLast(memory: EngineMemory, from: number, to: number): void {
  const { codeBits, codeLength, codeRest } = memory;
  const length = codeLength[from] as number;
  codeLength[to] = length;
  codeBits[to] = (codeBits[from] as number) | (length > 32 ? 0 : 1 << (32 - length));
  codeRest[to] = (codeRest[from] as number) | (length > 32 ? 1 << (64 - length) : 0);
}

function setCode({ codeBits, codeLength, codeRest }: EngineMemory, code: number): void {
  codeBits[code] = joined.high;
  codeRest[code] = joined.low;
  codeLength[code] = joined.length;
}

/**
 * Makes the codes of every player in the world, and the sets of players that move, of players whose quarter changes, and of slots
 * with a new player.
 */
export function makeTickCodes(memory: EngineMemory): void {
  const { x, z, level, sentX, sentZ, sentLevel, quarter, tick, moved, reused, present, teleported } = memory;
  for (let word = 0; word < SET_WORDS; word++) {
    tick[word * TICK_SETS + MOVED] = 0;
    tick[word * TICK_SETS + QUARTER_MOVED] = 0;
    tick[word * TICK_SETS + REUSED] = reused[word] as number;
  }
  for (let index = 1; index < PLAYER_SLOTS; index++) {
    const code = index * PLAYER_CODES;
    if (present[index] === 0) {
      // A removed player leaves the view. Its quarter stays the same.
      memory.codeBits[code + LEAVE] = 0b10000 << 27;
      memory.codeLength[code + LEAVE] = 5;
      continue;
    }
    const toX = x[index] as number;
    const toZ = z[index] as number;
    const toLevel = level[index] as number;
    const dx = toX - (sentX[index] as number);
    const dz = toZ - (sentZ[index] as number);
    const levels = (toLevel - (sentLevel[index] as number)) & (LEVELS - 1);
    const jumps = teleported[index] === 1;
    if (jumps || (dx | dz | levels) !== 0) include(tick, index, MOVED, TICK_SETS);
    makeMovement(memory, code, dx, dz, levels, jumps);

    const from = quarter[index] as number;
    const to = quarterOf(toLevel, toX, toZ);
    if (from !== to) include(tick, index, QUARTER_MOVED, TICK_SETS);
    makeQuarter(memory, code, from, to);
    makeEnter(memory, code, from !== to, toX, toZ);
  }
  for (let word = 0; word < SET_WORDS; word++) moved[word] = tick[word * TICK_SETS + MOVED] as number;
}

function makeMovement(
  memory: EngineMemory,
  code: number,
  dx: number,
  dz: number,
  levels: number,
  jumps: boolean,
): void {
  start();
  join(0b10, 2);
  const near = dx >= -2 && dx <= 2 && dz >= -2 && dz <= 2;
  const walk = dx >= -1 && dx <= 1 && dz >= -1 && dz <= 1;
  if (!jumps && levels === 0 && near) {
    if (walk) {
      const direction = walkDirections[(dz + 1) * 3 + dx + 1] as number;
      join(direction < 0 ? 0 : 1, 2);
      if (direction >= 0) join(direction, 3);
    } else {
      join(2, 2);
      join(runDirections[(dz + 2) * 5 + dx + 2] as number, 4);
    }
  } else if (dx >= -16 && dx <= 15 && dz >= -16 && dz <= 15) {
    join(0b110, 3);
    join((levels << 10) | ((dx & 31) << 5) | (dz & 31), 12);
  } else {
    join(0b111, 3);
    join(levels, 2);
    join(((dx & (WORLD_TILES - 1)) << 14) | (dz & (WORLD_TILES - 1)), 28);
  }
  setCode(memory, code + MOVE);
  joined.high |= MASK_BIT;
  setCode(memory, code + MOVE_MASKED);
}

function makeQuarter(memory: EngineMemory, code: number, from: number, to: number): void {
  const levels = ((to >> 28) - (from >> 28)) & (LEVELS - 1);
  const dx = ((to >> 14) & 0xff) - ((from >> 14) & 0xff);
  const dz = (to & 0xff) - (from & 0xff);
  start();
  join(1, 1);
  if (dx === 0 && dz === 0) {
    join(1, 2);
    join(levels, 2);
  } else if (dx >= -1 && dx <= 1 && dz >= -1 && dz <= 1) {
    join(2, 2);
    join((levels << 3) | (walkDirections[(dz + 1) * 3 + dx + 1] as number), 5);
  } else {
    join(3, 2);
    join((levels << 16) | ((dx & 0xff) << 8) | (dz & 0xff), 18);
  }
  setCode(memory, code + QUARTER);
  // A removal is 1000, and then an external's update or a 0.
  const moves = from !== to;
  memory.codeBits[code + LEAVE] = moves ? (0b1000 << 28) | (joined.high >>> 4) : 0b10000 << 27;
  memory.codeLength[code + LEAVE] = moves ? joined.length + 4 : 5;
}

function makeEnter(memory: EngineMemory, code: number, quarterMoves: boolean, x: number, z: number): void {
  const { codeBits, codeLength } = memory;
  start();
  join(0b100, 3);
  if (quarterMoves) {
    const length = codeLength[code + QUARTER] as number;
    join((codeBits[code + QUARTER] as number) >>> (32 - length), length);
  } else {
    join(0, 1);
  }
  join(x & (QUARTER_TILES - 1), 13);
  join(z & (QUARTER_TILES - 1), 13);
  join(0, 1);
  setCode(memory, code + ENTER);
  setLast(memory, code + ENTER, code + ENTER_MASKED);
}
