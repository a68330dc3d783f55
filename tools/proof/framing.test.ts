/** Frames in other languages: streams must be taken apart, and payloads framed, as the deframers of the library do. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import type { MessageSize, Protocol, Side, StreamFraming } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { languages } from "../../packages/wirewalk/src/compile/languages.ts";
import { languageSource } from "../../packages/wirewalk/src/export/languages/languages.ts";
import { gameOf } from "../../packages/wirewalk/src/export/testing/odd-game.ts";
import { dialectNodes } from "../../packages/wirewalk/src/export/typescript/typescript.ts";
import { createRandom, type Random } from "../../packages/wirewalk/src/motion/index.ts";
import { carrierFramer, framerOptions } from "../../packages/wirewalk/src/protocols/framed-channel.ts";
import { frameOsrs, OsrsDeframer } from "../../packages/wirewalk/src/protocols/osrs/wire/framing.ts";
import { scale, scaled } from "../../packages/wirewalk/src/testing/scale.ts";
import { formatHex, struct, u8, WireError } from "../../packages/wirewalk/src/wire/index.ts";
import { frameDrivers } from "./frame-drivers.ts";
import { buildPrograms, programOf } from "./prove-language.ts";
import { isInstalled, toolchains } from "./toolchains.ts";

const sides: readonly Side[] = ["client", "server"];
const hex = (bytes: Uint8Array): string => formatHex(bytes, { separator: "" });

/** A game of one message, with these frames: its codec compiles in no time. */
function gameWith(framing: StreamFraming): Protocol {
  return { ...gameOf(["plain"], { step: struct({ x: u8 }) }), capabilities: { framing: () => framing } };
}

const random = createRandom(11);
const someSizes = (): ReadonlyMap<number, MessageSize> =>
  new Map(
    Array.from({ length: 90 }, () => [
      random.integer(0, 255),
      random.pick<MessageSize>([random.integer(0, 9), "varByte", "varShort"]),
    ]),
  );

/** What takes a compiler long, or says little more. */
function long(): readonly FramedGame[] {
  const revision = protocols.osrs?.capabilities?.settings?.configure({ revision: 240 });
  const framing = { is: "length", order: "le", limits: { client: 300, server: 300 } } as const;
  return [
    ["lengths, low byte first", gameWith(framing), "plain"],
    ...(revision === undefined ? [] : [["revision 240", revision, "client"] as const]),
  ];
}

type FramedGame = readonly [name: string, protocol: Protocol, dialect: string];

const games: readonly FramedGame[] = [
  [
    "opcodes, those of a server in up to two bytes",
    gameWith({
      is: "opcode",
      sizes: { client: someSizes(), server: someSizes() },
      bodyLimit: 40_000,
      isSmart: { client: false, server: true },
    }),
    "plain",
  ],
  ["lengths, high byte first", gameWith({ is: "length", order: "be", limits: { client: 300, server: 5000 } }), "plain"],
  ...(scale < 1 ? [] : long()),
];

/** What the library makes of a stream, in the form of the programs. */
function takenApart(framing: StreamFraming, side: Side, stream: Uint8Array): string {
  const isSmart = framing.is === "opcode" && framing.isSmart[side];
  const deframer =
    framing.is === "opcode"
      ? new OsrsDeframer(framing.sizes[side], { isSmart })
      : carrierFramer("stream", framerOptions(framing, side === "client" ? "server" : "client"));
  let out = "";
  let problem: unknown;
  try {
    deframer.push(stream);
  } catch (error) {
    problem = error;
  }
  try {
    for (let payload = deframer.next(); payload !== undefined; payload = deframer.next()) out += `${hex(payload)}=`;
    if (problem === undefined) return `${out}.${deframer.pending}`;
  } catch (error) {
    problem ??= error;
  }
  if (!(problem instanceof WireError)) throw problem;
  return `${out}${problem.code} ${problem.path} ${problem.bitOffset}`;
}

function framed(framing: StreamFraming, side: Side, payload: Uint8Array): string {
  try {
    if (framing.is === "opcode")
      return hex(frameOsrs(framing.sizes[side], payload, { isSmart: framing.isSmart[side] }));
    return hex(carrierFramer("stream", framerOptions(framing, side)).frame(payload));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return "unfit";
  }
}

function somePayload(framing: StreamFraming, side: Side, random: Random): Uint8Array {
  const bytes = (length: number): number[] => Array.from({ length }, () => random.integer(0, 255));
  if (framing.is === "length") return Uint8Array.from(bytes(random.integer(0, random.chance(0.1) ? 400 : 20)));
  const [opcode, size] = random.pick([...framing.sizes[side]]);
  const isOther = random.chance(0.1);
  const length = typeof size === "number" && !isOther ? size : random.integer(0, random.chance(0.1) ? 600 : 20);
  return Uint8Array.of(opcode, ...bytes(length));
}

/** Lines for a program, and what it should print. */
function session(framing: StreamFraming, count: number): { readonly lines: string[]; readonly expected: string[] } {
  const random = createRandom(7);
  const [lines, expected]: [string[], string[]] = [[], []];
  for (let index = 0; index < count; index++) {
    const side = random.pick(sides);
    const letter = side === "client" ? "c" : "s";
    const payloads = Array.from({ length: random.integer(1, 5) }, () => somePayload(framing, side, random));
    for (const payload of payloads) {
      lines.push(`${letter.toUpperCase()} ${hex(payload)}`);
      expected.push(framed(framing, side, payload));
    }
    const texts = payloads.map((payload) => framed(framing, side, payload)).filter((text) => text !== "unfit");
    const whole = Uint8Array.from(Buffer.from(texts.join(""), "hex"));
    const stream = whole.slice(0, random.chance(0.5) ? whole.length : random.integer(0, whole.length));
    // A byte that is wrong moves all frames behind it.
    if (random.chance(0.4) && stream.length > 0) stream[random.integer(0, stream.length - 1)] = random.integer(0, 255);
    lines.push(`${letter} ${hex(stream)}`);
    expected.push(takenApart(framing, side, stream));
  }
  return { lines, expected };
}

it("has a driver for every language", () => {
  expect(Object.keys(frameDrivers).sort()).toEqual(Object.keys(languages).sort());
});

for (const [name, driver] of Object.entries(frameDrivers)) {
  const [language, toolchain] = [languages[name], toolchains[name]];
  describe.skipIf(toolchain === undefined || !isInstalled(toolchain))(`frames in ${name}`, () => {
    it.each(games)(
      "%s",
      async (_name, protocol, dialect) => {
        const [node] = dialectNodes({ protocol, dialects: [dialect] });
        const framing = protocol.capabilities?.framing?.(dialect);
        if (language === undefined || toolchain === undefined || node === undefined || framing === undefined) return;
        const codec = language.codec(languageSource(language, { protocol, dialects: [dialect] }, node));
        const program = programOf(toolchain, [codec, driver(codec.name.replace(/\.[^.]*$/, ""))]);
        await buildPrograms(toolchain, [program]);
        const { lines, expected } = session(framing, scaled(20_000, 400));
        const [command, ...args] = toolchain.command(program);
        const input = `${lines.join("\n")}\n`;
        const found = execFileSync(command, args, { input, encoding: "utf8", maxBuffer: 1 << 28 }).split("\n");
        const wrong = expected.findIndex((line, index) => line !== found[index]?.trimEnd());
        expect(wrong < 0 ? "" : `${lines[wrong]}: ${found[wrong]}, not ${expected[wrong]}`).toBe("");
        // All that can happen has happened.
        for (const kind of [/=\.0$/, /\.[1-9]/, /^unfit$/, /limit/])
          expect(expected.some((line) => kind.test(line))).toBe(true);
        if (framing.is === "opcode")
          for (const kind of [/unknown-message opcode/, /bad-value opcode/])
            expect(expected.some((line) => kind.test(line))).toBe(true);
      },
      300_000,
    );
  });
}
