/**
 * The login of revision 239 as blurite/rsprot reads it: `protocol/osrs-239/osrs-239-shared`, `GameLoginDecoder`, `GameReconnectDecoder` and
 * `LoginBlockDecoder`.
 */
import { constants, createPublicKey, generateKeyPairSync, privateDecrypt, publicEncrypt } from "node:crypto";
import { ByteWriter } from "./osrs-bytes.ts";
import { xtea } from "./osrs-xtea.ts";

export const REVISION = 239;
export const LOGIN = 16;
export const RECONNECT = 18;

/** Four words: the seeds of the client's cipher. Those of the server's cipher are 50 more each. */
export type Seeds = readonly [number, number, number, number];

const RSA_BYTES = 128;
const MARK = 1;
const NO_SECOND_FACTOR = 2;
const PASSWORD = 0;

/** A key of a test. Both halves are PEM. */
export interface RsaKeys {
  readonly publicKey: string;
  readonly privateKey: string;
}

export function makeRsaKeys(): RsaKeys {
  return generateKeyPairSync("rsa", {
    modulusLength: RSA_BYTES * 8,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
}

/** Modulus and exponent as hex, the form that private servers publish. */
export function rsaNumbers(publicKey: string): { readonly modulus: string; readonly exponent: string } {
  const { n = "", e = "" } = createPublicKey(publicKey).export({ format: "jwk" });
  return {
    modulus: Buffer.from(n, "base64url").toString("hex"),
    exponent: Buffer.from(e, "base64url").toString("hex"),
  };
}

export interface LoginRequest {
  readonly kind: "login" | "reconnect";
  readonly seeds: Seeds;
  readonly sessionId: Buffer;
  readonly user: string;
  /** Of a reconnect: the seeds of the session before. */
  readonly before?: Seeds | undefined;
}

/** Opcode, size, and the block: header, RSA part, XTEA part. */
export function writeLogin({ kind, seeds, sessionId, user, before }: LoginRequest, publicKey: string): Buffer {
  const secret = new ByteWriter().u8(MARK);
  for (const seed of seeds) secret.u32(seed);
  secret.bytes(sessionId);
  if (kind === "login") secret.u8(NO_SECOND_FACTOR).u32(0).u8(PASSWORD).text("not a secret");
  for (const seed of before ?? []) secret.u32(seed);
  const plain = Buffer.alloc(RSA_BYTES);
  secret.done().copy(plain, RSA_BYTES - secret.length);
  const rsa = publicEncrypt({ key: publicKey, padding: constants.RSA_NO_PADDING }, plain);
  const block = new ByteWriter().u32(REVISION).u32(1).u32(1).u8(5).u8(0).u8(0);
  block
    .u16(rsa.length)
    .bytes(rsa)
    .bytes(xtea("encipher", writeSettings(user), seeds));
  const body = block.done();
  return new ByteWriter()
    .u8(kind === "login" ? LOGIN : RECONNECT)
    .u16(body.length)
    .bytes(body)
    .done();
}

/** Throws when the block is not of this revision or not for this key. */
export function readLogin(opcode: number, block: Buffer, privateKey: string): LoginRequest {
  if (opcode !== LOGIN && opcode !== RECONNECT) throw new Error(`Login type ${opcode}`);
  if (block.readUInt32BE() !== REVISION) throw new Error(`Revision ${block.readUInt32BE()}`);
  const size = block.readUInt16BE(15);
  const secret = privateDecrypt({ key: privateKey, padding: constants.RSA_NO_PADDING }, block.subarray(17, 17 + size));
  const start = secret.indexOf(MARK);
  if (start < 0 || secret.subarray(0, start).some((byte) => byte !== 0)) throw new Error("Not for this RSA key");
  const words = (at: number): Seeds => [
    secret.readInt32BE(at),
    secret.readInt32BE(at + 4),
    secret.readInt32BE(at + 8),
    secret.readInt32BE(at + 12),
  ];
  const seeds = words(start + 1);
  const settings = xtea("decipher", block.subarray(17 + size), seeds);
  const kind = opcode === LOGIN ? "login" : "reconnect";
  return {
    kind,
    seeds,
    sessionId: secret.subarray(start + 17, start + 25),
    user: settings.subarray(0, settings.indexOf(0)).toString("latin1"),
    before: kind === "reconnect" ? words(start + 25) : undefined,
  };
}

/** The rest of the block, with a plausible machine and checksums of archives that say nothing. */
function writeSettings(user: string): Buffer {
  const bytes = new ByteWriter().text(user).u8(2).u16(1024).u16(768).bytes(new Array(24).fill(0x5a)).text("");
  bytes.u32(0).u8(0);
  bytes.u8(9).u8(1).u8(1).u16(11).u8(5).u8(17).u8(0).u8(9).u8(0).u16(4096).u8(4);
  bytes.bytes([0, 32, 0]).u16(3200);
  for (const text of ["", "made up", "", "1.0"]) bytes.u8(0).text(text);
  bytes.u8(6).u16(2025);
  for (const text of ["made up", "made up"]) bytes.u8(0).text(text);
  bytes.u8(4).u8(8).u32(1).u32(2).u32(3).u32(4);
  for (const text of ["made up", ""]) bytes.u8(0).text(text);
  bytes.u8(5).u32(0);
  for (let archive = 0; archive < 23; archive++) bytes.u32(0x1000 + archive);
  return bytes.done();
}
