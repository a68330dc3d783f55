/**
 * The server's answers to the login of a real client, as far as they must be known to read what follows them.
 *
 * First a code and 8 bytes. Then any number of questions, each of which the client answers, and at last one answer that ends the
 * login: a success, after which packets follow, or a refusal.
 *
 * Source: the public proxy blurite/rsprox (`ServerGameLoginDecoder`) and the public server library blurite/rsprot (`LoginServerProt`,
 * `OkLoginResponseEncoder`, revisions 223 to 240).
 */
import { cp1252Character, WireError } from "../../../wire/index.ts";
import { INIT_BYTES } from "../player-info/wire/initial-packet.ts";
import { loginRefusals } from "./login-refusals.ts";

/** What a login that succeeds says of what follows. */
export interface LoginEnd {
  /** Bytes of the server until its first packet. */
  readonly length: number;
  /** The observer's index. */
  readonly index?: number;
  /** Of a resumed session: the initialisation of player info. */
  readonly init?: Uint8Array;
  /** Numbers of the server's cipher that the login has used. */
  readonly usedNumbers: number;
}

/** The answer to the client's first byte: a code, and 8 bytes of which the client's login is made. */
const FIRST_ANSWER_BYTES = 9;
/** The code in it. */
const ACCEPTED = 0;
/** The login is over after these, whose bodies have their size before them: one byte, and two. */
const OK = 2;
const RECONNECTED = 15;
/** Refused, with three lines of text behind two bytes of size. */
const REFUSED_WITH_TEXT = 29;
/** Questions: a birthday (one byte), tokens (one byte of size, each byte enciphered), proof of work (two bytes of size). */
const BIRTHDAY = 61;
const TOKENS = 64;
const PROOF_OF_WORK = 69;
/** QUIRK: the size of an OK is always 37. Its body has 34 bytes; the client counts the opcode and the size of the first packet in. */
const OK_SIZE = 37;
const OK_BODY_BYTES = 34;
/** Where the observer's index lies in that body, and the first byte, which is 1 when an authenticator's code follows. */
const INDEX_AT = 7;
const AUTHENTICATOR_AT = 0;
/** Each byte of the code is hidden by a number of the server's cipher. */
const AUTHENTICATOR_NUMBERS = 4;

/** Longer ones are cut in errors. */
const MAX_TEXT = 200;

/** The three lines of a refusal with text; undefined while they are not complete. */
function refusalText(bytes: Uint8Array, sizeAt: number): string | undefined {
  const size = shortAt(bytes, sizeAt);
  if (size === undefined || bytes.length < sizeAt + 2 + size) return undefined;
  const lines = Array.from(bytes.subarray(sizeAt + 2, sizeAt + 2 + size), cp1252Character)
    .join("")
    .split("\0");
  const text = lines.filter((line) => line !== "").join(" / ");
  return text === "" ? "a text without words" : JSON.stringify(text.slice(0, MAX_TEXT));
}

/** The end of a login in the bytes of a server; undefined while it is not known. Throws `WireError` (`bad-value`) for a refusal. */
export function loginEnd(bytes: Uint8Array): LoginEnd | undefined {
  const [first] = bytes;
  if (first === undefined) return undefined;
  if (first !== ACCEPTED) {
    const why = loginRefusals.get(first);
    const shown = why === undefined ? "" : ` (as a refusal: ${why})`;
    throw refused(`the server answers the connection with code ${first}, expected ${ACCEPTED}${shown}`, 0);
  }
  let usedNumbers = 0;
  for (let at = FIRST_ANSWER_BYTES; ; ) {
    const code = bytes[at];
    if (code === undefined) return undefined;
    const sizeAt = at + 1;
    switch (code) {
      case OK:
        return okEnd(bytes, sizeAt, usedNumbers);
      case RECONNECTED:
        return reconnectedEnd(bytes, sizeAt, usedNumbers);
      case BIRTHDAY:
        at = sizeAt + 1;
        break;
      case TOKENS: {
        const size = bytes[sizeAt];
        if (size === undefined) return undefined;
        usedNumbers += size;
        at = sizeAt + 1 + size;
        break;
      }
      case PROOF_OF_WORK: {
        const size = shortAt(bytes, sizeAt);
        if (size === undefined) return undefined;
        at = sizeAt + 2 + size;
        break;
      }
      case REFUSED_WITH_TEXT: {
        const text = refusalText(bytes, sizeAt);
        if (text === undefined) return undefined;
        throw refused(`the server refuses the login: ${text} (code ${code})`, at);
      }
      default: {
        const why = loginRefusals.get(code);
        if (why !== undefined) throw refused(`the server refuses the login: ${why} (code ${code})`, at);
        throw refused(`the server answers with code ${code}, expected ${OK} or ${RECONNECTED}`, at);
      }
    }
  }
}

function okEnd(bytes: Uint8Array, sizeAt: number, before: number): LoginEnd | undefined {
  const size = bytes[sizeAt];
  if (size === undefined) return undefined;
  const at = sizeAt + 1;
  // A server that is not the game's own may have another body, of which nothing is known.
  if (size !== OK_SIZE) return { length: at + size, usedNumbers: before };
  const length = at + OK_BODY_BYTES;
  if (bytes.length < length) return undefined;
  const hasCode = bytes[at + AUTHENTICATOR_AT] === 1;
  const index = shortAt(bytes, at + INDEX_AT) as number;
  return { length, index, usedNumbers: before + (hasCode ? AUTHENTICATOR_NUMBERS : 0) };
}

function reconnectedEnd(bytes: Uint8Array, sizeAt: number, usedNumbers: number): LoginEnd | undefined {
  const size = shortAt(bytes, sizeAt);
  if (size === undefined) return undefined;
  const at = sizeAt + 2;
  const length = at + size;
  if (bytes.length < length) return undefined;
  return { length, usedNumbers, ...(size === INIT_BYTES ? { init: bytes.slice(at, length) } : {}) };
}

function shortAt(bytes: Uint8Array, at: number): number | undefined {
  const [high, low] = bytes.subarray(at, at + 2);
  return high === undefined || low === undefined ? undefined : (high << 8) | low;
}

function refused(why: string, at: number): WireError {
  return new WireError("bad-value", `Cannot read login: ${why} at byte ${at}`, at * 8);
}
