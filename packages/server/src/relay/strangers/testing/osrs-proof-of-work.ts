/** The server's riddle before a login, as blurite/rsprot has it: `Sha256Challenge`, `Sha256ChallengeVerifier`, `ProofOfWorkResponseEncoder`. */
import { createHash } from "node:crypto";
import { ByteWriter } from "./osrs-bytes.ts";

export const PROOF_OF_WORK = 69;
export const PROOF_REPLY = 19;

export interface Riddle {
  /** Bits at the front of the SHA-256 that have to be 0. */
  readonly difficulty: number;
  readonly salt: string;
}

const VERSION = 1;
const MOST_TRIES = 1 << 24;

/** Response code, size, kind of riddle (0), version, difficulty, salt. */
export function writeRiddle({ difficulty, salt }: Riddle): Buffer {
  const body = new ByteWriter().u8(0).u8(VERSION).u8(difficulty).text(salt).done();
  return new ByteWriter().u8(PROOF_OF_WORK).u16(body.length).bytes(body).done();
}

export function readRiddle(body: Buffer): Riddle {
  if (body.readUInt8() !== 0 || body.readUInt8(1) !== VERSION) throw new Error("A riddle of another kind");
  return { difficulty: body.readUInt8(2), salt: body.subarray(3, body.indexOf(0, 3)).toString("utf8") };
}

export function isSolution({ difficulty, salt }: Riddle, answer: number): boolean {
  const hash = createHash("sha256").update(
    `${VERSION.toString(16)}${difficulty.toString(16)}${salt}${answer.toString(16)}`,
  );
  return leadingZeros(hash.digest()) >= difficulty;
}

export function solve(riddle: Riddle): number {
  for (let answer = 0; answer < MOST_TRIES; answer++) if (isSolution(riddle, answer)) return answer;
  throw new Error(`No answer to difficulty ${riddle.difficulty} in ${MOST_TRIES} tries`);
}

/** Opcode, size, and the answer in 8 bytes. */
export function writeAnswer(answer: number): Buffer {
  return new ByteWriter().u8(PROOF_REPLY).u16(8).u32(0).u32(answer).done();
}

function leadingZeros(hash: Buffer): number {
  const whole = hash.findIndex((byte) => byte !== 0);
  return whole < 0 ? hash.length * 8 : whole * 8 + Math.clz32(hash.readUInt8(whole)) - 24;
}
