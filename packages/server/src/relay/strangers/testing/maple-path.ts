/**
 * The path of MOVE_PLAYER: `AbstractMovementPacketHandler` of P0nk/Cosmic (v62, v83), `MovePath` and `UserHandler` of iw2d/kinoko (v95). These servers
 * do not read what comes after the nodes, keys and a box: it is in Chronicle20/atlas, notes on the clients' `CMovePath::Encode`.
 */
import { MapleReader, MapleWriter } from "./maple-bytes.ts";
import { type MapleVersion, OPCODES } from "./maple-versions.ts";
import { type Keys, STEP_MS, type Stance } from "./maple-walker.ts";

/** A packet is sent after so many steps: the first count of at least 500 ms. */
const STEPS = 17;

const ABSOLUTE = 0;
const IMPULSE = 1;

export type PathNode =
  | (Stance & { readonly kind: "absolute"; readonly ms: number })
  | { readonly kind: "impulse"; readonly vx: number; readonly vy: number; readonly state: number; readonly ms: number };

export interface MaplePath {
  readonly fieldKey: number;
  readonly start: { readonly x: number; readonly y: number };
  readonly nodes: readonly PathNode[];
  /** Low bits: 1 down, 2 up, 4 right, 8 left. One for each step. */
  readonly keys: readonly number[];
}

/** Where a path ends: at the last node that has a position. */
export function endOf({ start, nodes }: MaplePath): { readonly x: number; readonly y: number } {
  const last = nodes.findLast((node) => node.kind === "absolute");
  return last?.kind === "absolute" ? { x: last.x, y: last.y } : { x: start.x, y: start.y };
}

/** Collects the steps of a character. */
export class PathRecorder {
  #start: Stance;
  #nodes: PathNode[] = [];
  #keys: number[] = [];
  #last: Stance;

  constructor(start: Stance) {
    this.#start = start;
    this.#last = start;
  }

  /** The path when it is due. A character that stands still sends none. */
  add(
    stance: Stance,
    keys: Keys,
    jumped: { readonly vx: number; readonly vy: number } | undefined,
  ): Omit<MaplePath, "fieldKey"> | undefined {
    if (jumped !== undefined) this.#nodes.push({ kind: "impulse", ...jumped, state: stance.state, ms: 0 });
    const before = this.#nodes.at(-1);
    if (before?.kind === "absolute" && isAlike(before, stance)) {
      this.#nodes[this.#nodes.length - 1] = { ...stance, kind: "absolute", ms: before.ms + STEP_MS };
    } else this.#nodes.push({ ...stance, kind: "absolute", ms: STEP_MS });
    this.#keys.push((keys.right ? 4 : 0) | (keys.left ? 8 : 0));
    this.#last = stance;
    return this.#keys.length < STEPS ? undefined : this.#flush();
  }

  #flush(): Omit<MaplePath, "fieldKey"> | undefined {
    const { x, y, vx, vy } = this.#start;
    const path = { start: { x, y, vx, vy }, nodes: this.#nodes, keys: this.#keys };
    const isStill = this.#nodes.length === 1 && isSame(this.#start, this.#last);
    this.#start = this.#last;
    this.#nodes = [];
    this.#keys = [];
    return isStill ? undefined : path;
  }
}

const isSame = (a: Stance, b: Stance): boolean =>
  a.x === b.x && a.y === b.y && a.vx === b.vx && a.vy === b.vy && a.state === b.state && a.foothold === b.foothold;

const isAlike = (a: Stance, b: Stance): boolean =>
  a.foothold === b.foothold &&
  a.state === b.state &&
  Math.sign(a.vx) === Math.sign(b.vx) &&
  Math.sign(a.vy) === Math.sign(b.vy);

/** MOVE_PLAYER with its opcode. */
export function writeMove(
  version: MapleVersion,
  { fieldKey, start, nodes, keys }: MaplePath & { readonly start: { readonly vx?: number; readonly vy?: number } },
): Buffer {
  const bytes = new MapleWriter().u16(OPCODES[version].fromClient.movePlayer);
  if (version === 95) bytes.u32(0).u32(0);
  bytes.u8(fieldKey);
  if (version === 83) bytes.u32(FIELD_CHECK);
  if (version === 95) bytes.u32(0).u32(0).u32(FIELD_CHECK).u32(0).u32(FIELD_CHECK);
  bytes.u16(start.x).u16(start.y);
  if (version === 95) bytes.u16(start.vx ?? 0).u16(start.vy ?? 0);
  bytes.u8(nodes.length);
  for (const node of nodes) {
    if (node.kind === "impulse") bytes.u8(IMPULSE).u16(node.vx).u16(node.vy);
    else {
      bytes.u8(ABSOLUTE).u16(node.x).u16(node.y).u16(node.vx).u16(node.vy).u16(node.foothold);
      if (version === 95) bytes.u16(0).u16(0);
    }
    bytes.u8(node.state).u16(node.ms);
  }
  bytes.u8(keys.length);
  for (let at = 0; at < keys.length; at += 2) bytes.u8((keys[at] ?? 0) | ((keys[at + 1] ?? 0) << 4));
  const xs = [start.x, ...nodes.flatMap((node) => (node.kind === "absolute" ? [node.x] : []))];
  const ys = [start.y, ...nodes.flatMap((node) => (node.kind === "absolute" ? [node.y] : []))];
  return bytes
    .u16(Math.min(...xs))
    .u16(Math.min(...ys))
    .u16(Math.max(...xs))
    .u16(Math.max(...ys))
    .done();
}

/** A checksum of a map that nobody here has. */
const FIELD_CHECK = 0x1234_5678;

/** Throws when the message has another length, or a node that `writeMove` does not write. */
export function readMove(version: MapleVersion, message: Buffer): MaplePath {
  const bytes = new MapleReader(message, 2);
  if (version === 95) bytes.take(8);
  const fieldKey = bytes.u8();
  bytes.take(version === 62 ? 0 : version === 83 ? 4 : 20);
  const start = { x: bytes.i16(), y: bytes.i16() };
  if (version === 95) bytes.take(4);
  const nodes = Array.from({ length: bytes.u8() }, (): PathNode => {
    const type = bytes.u8();
    if (type === IMPULSE)
      return { kind: "impulse", vx: bytes.i16(), vy: bytes.i16(), state: bytes.u8(), ms: bytes.u16() };
    if (type !== ABSOLUTE) throw new Error(`A node of type ${type}`);
    const [x, y, vx, vy, foothold] = [bytes.i16(), bytes.i16(), bytes.i16(), bytes.i16(), bytes.i16()];
    if (version === 95) bytes.take(4);
    return { kind: "absolute", x, y, vx, vy, foothold, state: bytes.u8(), ms: bytes.u16() };
  });
  const count = bytes.u8();
  const packed = bytes.take(Math.ceil(count / 2));
  const keys = Array.from({ length: count }, (_, at) => (packed.readUInt8(at >> 1) >> ((at & 1) * 4)) & 15);
  bytes.take(8);
  if (bytes.left !== 0) throw new Error(`${bytes.left} bytes after a path`);
  return { fieldKey, start, nodes, keys };
}
