/** Logins of the real client of Old School RuneScape, as a tap reads them. */
import type { Side } from "wirewalk/protocol";
import type { Target } from "../target.ts";
import { piecesOf, SCRIPT_BYTES, scriptOf } from "./script.ts";
import { src } from "./sources.ts";

const isaac = "00000001fffffff00000000300000004";
/** An answer to the login that has the initialisation of player info: code, size. The body is too long for an input. */
const RESUMED = [15, 0x12, 0x00];
const INIT_BYTES = 0x1200;

/** Bytes of a server, with the initialisation behind `RESUMED` at their end. */
function withInit(bytes: Uint8Array): Uint8Array {
  const end = bytes.subarray(-RESUMED.length);
  return end.join() === RESUMED.join() ? Uint8Array.of(...bytes, ...new Uint8Array(INIT_BYTES)) : bytes;
}

const session = [0, 1, 1, 1, 1, 1, 1, 1, 1];
const ok = (authenticator: number): readonly number[] => [
  2,
  37,
  authenticator,
  0,
  0,
  0,
  0,
  0,
  0,
  1,
  243,
  ...new Uint8Array(25),
];
/** Answers of a server, each a whole login. */
const answers: readonly (readonly number[])[] = [
  [...session, ...ok(0)],
  [...session, 69, 0, 1, 7, 64, 2, 1, 2, 61, 9, ...ok(1)],
  [...session, 2, 3, 1, 2, 3],
  [...session, 15, 0, 2, 1, 2],
  [...session, ...RESUMED],
  [...session, 29, 0, 2, 65, 0],
  [...session, 3],
  [5],
];

export const osrsLogins: Target = {
  name: "osrs logins",
  summary: "a server's answers to a login: every start of them says the same of its end, or nothing yet",
  cover: new RegExp(`${src}protocols/osrs/wire/login\\.ts$`),
  maxBytes: 200,
  async open() {
    const { loginEnd } = await import("../../../packages/wirewalk/src/protocols/osrs/wire/login.ts");
    const { WireError } = await import("wirewalk/wire");
    const say = (bytes: Uint8Array): { readonly error?: string; readonly length?: number; readonly all?: string } => {
      try {
        const end = loginEnd(bytes);
        if (end === undefined) return {};
        const { init, ...plain } = end;
        return { length: end.length, all: JSON.stringify({ ...plain, init: init?.length }) };
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        return { error: error.message };
      }
    };
    return {
      seeds: answers.map((bytes) => Uint8Array.from(bytes)),
      run(input) {
        const bytes = withInit(input);
        const whole = say(bytes);
        for (let cut = 0; cut < bytes.length; cut += cut < input.length ? 1 : 997) {
          const part = say(bytes.subarray(0, cut));
          const isSame = part.error === whole.error && part.length === whole.length;
          const isNothing = part.error === undefined && part.length === undefined;
          if (!isSame && !isNothing)
            throw new Error(`${cut} bytes say ${JSON.stringify(part)}, all ${JSON.stringify(whole)}`);
          const isEnded = part.length !== undefined && part.length <= cut;
          if (isEnded && part.all !== whole.all) throw new Error(`A login that has ended at ${cut} goes on`);
        }
        if (whole.length !== undefined && whole.length > bytes.length + 0xff) {
          throw new Error(`A login of ${whole.length} bytes is announced by ${bytes.length}`);
        }
      },
    };
  },
};

/** Bits of the first byte of a script's first piece. */
const HIDDEN = 1;
const SKIP_LOGIN = 2;
const LOGIN_BYTES = 4;
const LOCAL = 8;

export const osrsTaps: Target = {
  name: "osrs taps",
  summary:
    "both directions of a connection, with its options: the same whole and byte by byte, and framed anew the bytes that were carried",
  cover: new RegExp(`${src}protocols/(?:tap|osrs/(?:tap|wire/(?:login|stream-framer|framing)))\\.ts$`),
  maxBytes: SCRIPT_BYTES,
  async open() {
    const { openTap } = await import("wirewalk/protocol");
    const { osrs, revisionTable, tableRevisions, frameOsrs } = await import("wirewalk/osrs");
    const { OpcodeCipher } = await import("../../../packages/wirewalk/src/protocols/osrs/wire/isaac.ts");
    const { WireError } = await import("wirewalk/wire");
    const words = [1, 0xffff_fff0, 3, 4];
    type Options = Record<string, string | number | boolean>;
    const games = tableRevisions.map((revision) => osrs.capabilities?.settings?.configure({ revision }));
    const gameOf = (revision = 0) => games[revision % games.length] as never;
    const optionsOf = ([flags = 0, , login = 0]: Uint8Array): Options => ({
      ...((flags & HIDDEN) === 0 ? {} : { isaac }),
      ...((flags & SKIP_LOGIN) === 0 ? {} : { skipLogin: true }),
      ...((flags & LOGIN_BYTES) === 0 ? {} : { loginBytes: login }),
      ...((flags & LOCAL) === 0 ? {} : { local: login * 9 }),
    });
    /** What is read of each direction, and what is carried anew. */
    const play = (game: never, options: Options, pieces: readonly Uint8Array[], step: number) => {
      const read = { client: [] as string[], server: [] as string[] };
      const carried = { client: [] as number[], server: [] as number[] };
      const pushed = { client: [] as number[], server: [] as number[] };
      const ended = new Set<Side>();
      const guarded = (sender: Side, work: () => void): void => {
        try {
          work();
        } catch (error) {
          if (!(error instanceof WireError)) throw error;
          read[sender].push(`${error.code} ${error.bitOffset}`);
          ended.add(sender);
        }
      };
      const tap = openTap(game, { dialect: "client", options });
      const takeAll = (sender: Side): void => {
        for (let tapped = tap.next(sender); tapped !== undefined; tapped = tap.next(sender)) {
          read[sender].push((tapped.payload ?? tapped.unframed).join(" "));
          carried[sender].push(...(tapped.payload === undefined ? tapped.unframed : tap.frame(sender, tapped.payload)));
        }
      };
      for (const piece of pieces) {
        const sender: Side = ((piece[0] ?? 0) & 1) === 0 ? "client" : "server";
        const bytes = sender === "server" ? withInit(piece.subarray(1)) : piece.subarray(1);
        for (let at = 0; at < bytes.length && !ended.has(sender); at += step) {
          const part = bytes.subarray(at, at + step);
          pushed[sender].push(...part);
          guarded(sender, () => tap.push(sender, part));
          guarded(sender, () => takeAll(sender));
        }
        const other: Side = sender === "client" ? "server" : "client";
        if (!ended.has(other)) guarded(other, () => takeAll(other));
      }
      for (const sender of ["client", "server"] as const) {
        if (!ended.has(sender) && carried[sender].length + tap.pendingBytes(sender) !== pushed[sender].length) {
          throw new Error(`${sender}: ${pushed[sender].length} bytes are carried anew as ${carried[sender].length}`);
        }
        const start = pushed[sender].slice(0, carried[sender].length);
        if (carried[sender].join() !== start.join()) throw new Error(`${sender}: other bytes are carried anew`);
        tap.save(sender);
      }
      return `${read.client.join("; ")} | ${read.server.join("; ")}`;
    };
    const seeds: Uint8Array[] = [];
    for (const [at, bytes] of answers.entries()) {
      const table = revisionTable(tableRevisions[at] ?? 239);
      if (table === undefined) continue;
      for (const isHidden of [true, false]) {
        const frames = (side: Side, skipped: number): Uint8Array => {
          const cipher = isHidden ? new OpcodeCipher(side, words) : undefined;
          cipher?.skip(skipped);
          const sizes = new Map([...table[side]].map(([opcode, { size }]) => [opcode, size]));
          const isRare = (opcode: number): boolean => /^(?:LOGOUT|URL_OPEN)/.test(table[side].get(opcode)?.name ?? "");
          const small = [...sizes].filter(([, size]) => typeof size !== "number" || size < 12);
          const few = [...small.slice(0, 4), ...small.filter(([opcode]) => isRare(opcode))];
          return Uint8Array.from(
            few.flatMap(([opcode, size]) => {
              const payload = Uint8Array.of(opcode, ...new Uint8Array(typeof size === "number" ? size : 3));
              return [...frameOsrs(sizes, payload, { cipher, isSmart: side === "server" })];
            }),
          );
        };
        const flags = (isHidden ? HIDDEN : 0) | SKIP_LOGIN | (at % 2 === 0 ? LOCAL : 0);
        seeds.push(
          scriptOf([
            Uint8Array.of(flags, at, 7),
            Uint8Array.of(0, 14),
            Uint8Array.of(1, ...bytes),
            Uint8Array.of(0, ...frames("client", 0)),
            Uint8Array.of(1, ...frames("server", at === 1 ? 6 : 0)),
          ]),
        );
      }
    }
    seeds.push(scriptOf([Uint8Array.of(LOGIN_BYTES, 3, 2), Uint8Array.of(1, 9, 9), Uint8Array.of(0, 9)]));
    seeds.push(scriptOf([Uint8Array.of(LOGIN_BYTES, 3, 0)]), scriptOf([Uint8Array.of(SKIP_LOGIN | LOCAL, 3, 0)]));
    return {
      seeds: seeds.filter(({ length }) => length < SCRIPT_BYTES),
      run(script) {
        const [control = new Uint8Array(), ...pieces] = piecesOf(script);
        const game = gameOf(control[1]);
        const options = optionsOf(control);
        try {
          openTap(game, { dialect: "client", options });
        } catch (error) {
          if (error instanceof WireError) return;
          throw error;
        }
        const whole = play(game, options, pieces, SCRIPT_BYTES + INIT_BYTES);
        const split = play(game, options, pieces, 1);
        if (whole !== split) throw new Error(`Whole: ${whole}; byte by byte: ${split}`);
      },
    };
  },
};
