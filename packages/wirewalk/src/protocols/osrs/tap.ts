/**
 * Connections of Old School RuneScape read from beside. A connection of the real client begins with a login, of which only its
 * two ends know the keys: who reads the packets behind it has the seeds of the cipher from one of them.
 */
import { parseHex, WireError } from "../../wire/index.ts";
import type { Channel, Side } from "../codec.ts";
import type { StreamOptionValues } from "../packet-stream.ts";
import { Tap, type TapEnd, type Tapping, type TapSetup } from "../tap.ts";
import { SEED_WORDS } from "./wire/isaac.ts";

/** Opens the end of a connection that `side` has; `seed` is that of the client's cipher. */
export type OpenSide = (side: Side, dialect: string, seed?: readonly number[]) => Channel<never, never>;

const WORD_BYTES = 4;
/** The server's answer to the client's first byte, 14: a code, and 8 bytes of which the client's login is made. */
const FIRST_ANSWER_BYTES = 9;
/** The code in it. */
const ACCEPTED = 0;
/** Codes of the answer to the login. The login is over after these, whose bodies have their size before them. */
const OK = 2;
const RECONNECTED = 15;
const CODE_BYTES = 1;
/** No login is longer: a tap holds no more. */
const MAX_LOGIN_BYTES = 16_384;

/** Capability `tap` of the game with its settings. */
export function osrsTap(openSide: OpenSide, streamOptions: StreamOptionValues): Tapping {
  return {
    streamOptions,
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
    ],
    open({ dialect, options }: TapSetup): Tap {
      const seed = seedIn(options.isaac);
      const length = loginLength(options);
      let isLoggedIn = length === undefined;
      const client: TapEnd = { open: () => openSide("server", dialect, seed) as Channel };
      const server: TapEnd = { open: () => openSide("client", dialect, seed) as Channel };
      if (length === undefined) return new Tap({ client, server });
      return new Tap({
        server: {
          ...server,
          lead: {
            what: "login",
            length(held) {
              const bytes = length(held);
              if (bytes !== undefined && bytes <= held.length) isLoggedIn = true;
              return bytes;
            },
          },
        },
        // A client sends no packet before it has the server's answer: all that it sent until then is its login.
        client: { ...client, lead: { what: "login", length: (held) => (isLoggedIn ? held.length : undefined) } },
      });
    },
  };
}

type Length = (held: Uint8Array) => number | undefined;

function loginLength({ skipLogin, loginBytes }: TapSetup["options"]): Length | undefined {
  if (loginBytes === undefined) return skipLogin === true ? answersLength : undefined;
  const bytes = Number(loginBytes);
  if (Number.isInteger(bytes) && bytes >= 1 && bytes <= MAX_LOGIN_BYTES) return () => bytes;
  throw new WireError(
    "bad-value",
    `Cannot read loginBytes: it must be a whole number from 1 to ${MAX_LOGIN_BYTES}`,
    0,
    "loginBytes",
  );
}

/** The length of the server's answers to a login that succeeds; undefined while it is not known. */
function answersLength(held: Uint8Array): number | undefined {
  const [first] = held;
  if (first === undefined) return undefined;
  if (first !== ACCEPTED)
    throw refused(`the server answers the connection with code ${first}, expected ${ACCEPTED}`, 0);
  const at = FIRST_ANSWER_BYTES;
  const code = held[at];
  if (code === undefined) return undefined;
  const sizeAt = at + CODE_BYTES;
  if (code === OK) {
    const size = held[sizeAt];
    return size === undefined ? undefined : sizeAt + 1 + size;
  }
  if (code === RECONNECTED) {
    const [high, low] = held.subarray(sizeAt);
    return high === undefined || low === undefined ? undefined : sizeAt + 2 + ((high << 8) | low);
  }
  throw refused(`the server answers with code ${code}, expected ${OK} or ${RECONNECTED}`, at);
}

function refused(why: string, at: number): WireError {
  return new WireError("bad-value", `Cannot read login: ${why} at byte ${at}`, at * 8);
}

function seedIn(hex: unknown): readonly number[] | undefined {
  if (hex === undefined) return undefined;
  let bytes: Uint8Array;
  try {
    bytes = parseHex(String(hex));
  } catch {
    throw new WireError("bad-value", "Cannot read isaac: it must be hex", 0, "isaac");
  }
  if (bytes.length !== SEED_WORDS * WORD_BYTES) {
    const why = `it must have ${SEED_WORDS * WORD_BYTES} bytes, got ${bytes.length}`;
    throw new WireError("bad-value", `Cannot read isaac: ${why}`, 0, "isaac");
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return Array.from({ length: SEED_WORDS }, (_, index) => view.getUint32(index * WORD_BYTES));
}
