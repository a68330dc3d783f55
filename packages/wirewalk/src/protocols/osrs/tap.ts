/**
 * Connections of Old School RuneScape read from beside. A connection of the real client begins with a login, of which only its
 * two ends know the keys: who reads the packets behind it has the seeds of the cipher from one of them.
 */
import { countBytes, parseHex, WireError } from "../../wire/index.ts";
import type { Channel, Side } from "../codec.ts";
import type { StreamOptionValues } from "../packet-stream.ts";
import { Tap, type TapEnd, type Tapping, type TapSetup } from "../tap.ts";
import { MAX_PLAYER_INDEX } from "./player-info/wire/constants.ts";
import { SEED_WORDS } from "./wire/isaac.ts";
import { type LoginEnd, loginEnd } from "./wire/login.ts";

/** What the bytes of a connection of a real client do not say. */
export interface TappedConnection {
  /** The seed of the client's cipher of opcodes; undefined: they are plain. */
  readonly seed: readonly number[] | undefined;
  /** How the login ended. Undefined: there was none. */
  readonly login?: LoginEnd | undefined;
  /** Called when the server has sent a message that ends the session. */
  readonly loggedOut?: (() => void) | undefined;
}

/** Opens the end of a connection that `side` has. */
export type OpenSide = (side: Side, setup: TapSetup, connection: TappedConnection) => Channel<never, never>;

/** The client's first byte to a server of its cache. Source: blurite/rsprot, `LoginClientProtId`, 221 to 240. */
const CACHE_CONNECTION = 15;
const CACHE = `the client asks for its cache (JS5, first byte ${CACHE_CONNECTION}), which is not read`;
const WORD_BYTES = 4;
/** No login is longer: a tap holds no more. */
const MAX_LOGIN_BYTES = 16_384;

/** Capability `tap` of the game of a revision. */
export function osrsTap(openSide: OpenSide, revision: number): Tapping {
  return {
    streamOptions: { revision: revision === 0 ? "none" : String(revision) },
    options: [
      {
        name: "isaac",
        kind: "hex",
        bytes: SEED_WORDS * WORD_BYTES,
        summary: "opcodes are enciphered: the client's four seeds, each 4 bytes, high byte first",
      },
      {
        name: "skipLogin",
        kind: "switch",
        default: false,
        summary: "the connection begins with the login of the real client: packets follow it",
      },
      {
        name: "loginBytes",
        kind: "number",
        unit: "bytes",
        min: 1,
        max: MAX_LOGIN_BYTES,
        summary: "the login ends after so many bytes of the server, instead of where --skip-login finds its end",
      },
      {
        name: "local",
        kind: "number",
        unit: "index",
        min: 1,
        max: MAX_PLAYER_INDEX,
        summary: "the observer's index, for a login that resumes a session which was not seen before",
      },
    ],
    open(setup: TapSetup): Tap {
      const { options } = setup;
      checkRevision(options, revision);
      const connection = { seed: seedIn(options.isaac) };
      const end = loginReader(setup);
      if (end === undefined) {
        return new Tap({
          client: { open: () => openSide("server", setup, connection) as Channel },
          server: { open: () => openSide("client", setup, connection) as Channel },
        });
      }
      let index: number | undefined;
      const loggedOut = (): void => {
        index = undefined;
      };
      const ends = loginEnds(end, (side, login) => {
        index ??= login.index;
        return openSide(side, setup, { ...connection, login, loggedOut }) as Channel;
      });
      return new Tap(ends, () => index);
    },
  };
}

type ReadLogin = (held: Uint8Array) => LoginEnd | undefined;

/** Both directions of a connection with a login: the server's answers say where it ends. */
function loginEnds(
  read: ReadLogin,
  open: (side: Side, login: LoginEnd) => Channel,
): { readonly client: TapEnd; readonly server: TapEnd } {
  let login: LoginEnd | undefined;
  let failure: WireError | undefined;
  let isCache = false;
  return {
    server: {
      lead: {
        what: "login",
        length(held) {
          if (isCache) throw new WireError("bad-value", `Cannot read login: ${CACHE}`, 0);
          try {
            const end = read(held);
            if (end !== undefined && end.length <= held.length) login = end;
            return end?.length;
          } catch (error) {
            if (error instanceof WireError) failure = error;
            throw error;
          }
        },
      },
      open: () => (login === undefined ? undefined : open("client", login)),
    },
    client: {
      lead: {
        what: "login",
        // A client sends no packet before it has the server's answer: all that it sent until then is its login.
        length(held) {
          if (held[0] === CACHE_CONNECTION) {
            isCache = true;
            throw new WireError("bad-value", `Cannot read login: ${CACHE}`, 0);
          }
          if (failure !== undefined) {
            const why = `the server refused it, ${countBytes(held.length)} of the client after its start`;
            throw new WireError("bad-state", `Cannot read login: ${why}`, held.length * 8);
          }
          return login === undefined ? undefined : held.length;
        },
      },
      open: () => (login === undefined ? undefined : open("server", login)),
    },
  };
}

function loginReader({ options, resumed }: TapSetup): ReadLogin | undefined {
  const { skipLogin, loginBytes, local } = options;
  if (loginBytes === undefined) {
    if (skipLogin !== true) return undefined;
    const index = indexIn(local);
    return (held) => {
      const end = loginEnd(held);
      if (end?.init === undefined || end.length > held.length) return end;
      const before = index ?? resumed?.();
      return typeof before === "number" ? { ...end, index: before } : end;
    };
  }
  const bytes = Number(loginBytes);
  if (Number.isInteger(bytes) && bytes >= 1 && bytes <= MAX_LOGIN_BYTES) {
    return (held) => (held.length < bytes ? undefined : { length: bytes, usedNumbers: 0 });
  }
  throw wrong("loginBytes", `it must be a whole number from 1 to ${MAX_LOGIN_BYTES}`);
}

/** The observer's index, for a session that was resumed: its login does not have it. */
function indexIn(local: unknown): number | undefined {
  if (local === undefined) return undefined;
  const index = Number(local);
  if (Number.isInteger(index) && index >= 1 && index <= MAX_PLAYER_INDEX) return index;
  throw wrong("local", `it must be an index in 1..${MAX_PLAYER_INDEX}`);
}

/**
 * Frames, codec and world are those of the configured game: another revision among the options of its packet streams would be read by
 * none of them. Mask blocks that an option gives as JSON have no number.
 */
function checkRevision({ revision: asked }: StreamOptionValues, revision: number): void {
  if (asked === undefined || !/^\d+$/.test(String(asked)) || Number(asked) === revision) return;
  throw wrong("revision", `${String(asked)} is not that of the game, ${revision}: configure the game, osrs.revision`);
}

function seedIn(hex: unknown): readonly number[] | undefined {
  if (hex === undefined) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = parseHex(String(hex));
  } catch {
    throw wrong("isaac", "it must be hex");
  }
  if (bytes.length !== SEED_WORDS * WORD_BYTES) {
    throw wrong("isaac", `it must have ${SEED_WORDS * WORD_BYTES} bytes, got ${bytes.length}`);
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Array.from({ length: SEED_WORDS }, (_, index) => view.getUint32(index * WORD_BYTES));
}

function wrong(path: string, why: string): WireError {
  return new WireError("bad-value", `Cannot read ${path}: ${why}`, 0, path);
}
