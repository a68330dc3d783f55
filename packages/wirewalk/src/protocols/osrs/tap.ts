/**
 * Connections of Old School RuneScape read from beside. A connection of the real client begins with a login, of which only its
 * two ends know the keys: who reads the packets behind it has the seeds of the cipher from one of them.
 */
import { parseHex, WireError } from "../../wire/index.ts";
import type { Channel, Side } from "../codec.ts";
import type { StreamOptionValues } from "../packet-stream.ts";
import { Tap, type TapEnd, type Tapping, type TapSetup } from "../tap.ts";
import { type BodySize, type BodySizes, MAX_BODY_BYTES } from "./wire/framing.ts";
import { SEED_WORDS } from "./wire/isaac.ts";

/** What the bytes of a connection of a real client do not say. */
export interface TappedConnection {
  /** The seed of the client's cipher of opcodes; undefined: they are plain. */
  readonly seed: readonly number[] | undefined;
  /** Sizes of the bodies of messages that we do not have, by sender. */
  readonly otherSizes: Readonly<Record<Side, BodySizes>>;
}

/** Opens the end of a connection that `side` has. */
export type OpenSide = (side: Side, setup: TapSetup, connection: TappedConnection) => Channel<never, never>;

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
      {
        name: "sizes",
        kind: "document",
        names: [],
        summary:
          'sizes of the bodies of other opcodes, as {"client":{"12":"varByte"},"server":{"80":5,"81":"varShort"}}',
      },
    ],
    open(setup: TapSetup): Tap {
      const { options } = setup;
      const connection = { seed: seedIn(options.isaac), otherSizes: sizesIn(options.sizes) };
      const length = loginLength(options);
      let isLoggedIn = length === undefined;
      const client: TapEnd = { open: () => openSide("server", setup, connection) as Channel };
      const server: TapEnd = { open: () => openSide("client", setup, connection) as Channel };
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

function sizesIn(text: unknown): Readonly<Record<Side, BodySizes>> {
  if (text === undefined) return { client: new Map(), server: new Map() };
  const wrong = (why: string, path = "sizes"): WireError =>
    new WireError("bad-value", `Cannot read ${path}: ${why}`, 0, path);
  let json: unknown;
  try {
    json = JSON.parse(String(text));
  } catch {
    throw wrong("it must be JSON");
  }
  if (!isObject(json)) throw wrong("it must be an object with client and server");
  const unknown = Object.keys(json).find((name) => name !== "client" && name !== "server");
  if (unknown !== undefined) throw wrong(`unknown member '${unknown}', expected client and server`);
  const sizesOf = (sender: Side): BodySizes => {
    const given = json[sender] ?? {};
    if (!isObject(given)) throw wrong("it must be an object of sizes by opcode", `sizes.${sender}`);
    return new Map(
      Object.entries(given).map(([name, size]): [number, BodySize] => {
        const path = `sizes.${sender}.${name}`;
        if (!/^(?:0|[1-9]\d{0,2})$/.test(name) || Number(name) > 0xff) throw wrong("an opcode is 0 to 255", path);
        if (size === "varByte" || size === "varShort") return [Number(name), size];
        if (Number.isInteger(size) && (size as number) >= 0 && (size as number) <= MAX_BODY_BYTES) {
          return [Number(name), size as number];
        }
        throw wrong(`a size is varByte, varShort or a number from 0 to ${MAX_BODY_BYTES}`, path);
      }),
    );
  };
  return { client: sizesOf("client"), server: sizesOf("server") };
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
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
