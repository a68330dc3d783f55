/** The memory of the mouse stream in other languages: it must say of every record what the tracker of the library says. */
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { protocols } from "wirewalk/protocols";
import { languages } from "../../packages/wirewalk/src/compile/languages.ts";
import { languageSource } from "../../packages/wirewalk/src/export/languages/languages.ts";
import { dialectNodes } from "../../packages/wirewalk/src/export/typescript/typescript.ts";
import { createRandom } from "../../packages/wirewalk/src/motion/index.ts";
import { type MousePoint, MouseTracker } from "../../packages/wirewalk/src/protocols/osrs/mouse/movement/tracker.ts";
import { generate } from "../../packages/wirewalk/src/wire/describe/generate.ts";
import { formatHex, WireError } from "../../packages/wirewalk/src/wire/index.ts";
import { mouseDrivers } from "./mouse-drivers.ts";
import { buildPrograms, programOf } from "./prove-language.ts";
import { isInstalled, toolchains } from "./toolchains.ts";

const PACKETS = 3000;
const suspicions = ["none", "possible", "certain"];

/** Payloads of one session with the times of their arrival, and what the library says of them. */
function session(dialect: string): { readonly lines: string[]; readonly expected: string[]; readonly points: number } {
  const osrs = protocols.osrs;
  const [node] = osrs === undefined ? [] : dialectNodes({ protocol: osrs, dialects: [dialect] });
  const message = node?.messages.find((each) => each.message === "mouseMove");
  if (node === undefined || message === undefined) throw new RangeError(`osrs ${dialect} has no mouseMove`);
  const random = createRandom(5);
  const tracker = new MouseTracker({ dialect });
  const [lines, expected]: [string[], string[]] = [[], []];
  let arrived = 0;
  let points = 0;
  for (let packet = 0; packet < PACKETS; packet++) {
    const made = generate(message.node, (low, high) => random.integer(low, high));
    const body = made.slice(0, random.chance(0.2) ? random.integer(0, made.length) : made.length);
    // A client's process begins, and time stands still between packets or does not.
    if (random.chance(0.1) && body.length > 3) body.set([0xff, 0xff], 2);
    arrived += random.pick([0, 600, 30_000, 200_000, 700_000]);
    const at = random.chance(0.6) ? arrived : undefined;
    lines.push(`${formatHex(Uint8Array.of(message.id, ...body), { separator: "" })} ${at ?? -1}`);
    const shown: string[] = [];
    try {
      tracker.read(body, (point) => shown.push(textOf(point)), at);
      points += shown.length;
      expected.push(shown.join(""));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      expected.push("refused");
    }
  }
  return { lines, expected, points };
}

function textOf({ x, y, known, outside, atMs, sinceMs, first, pause, drift }: MousePoint): string {
  const places = [x, y, known, outside, atMs, sinceMs, first].join(" ");
  return `${places} ${suspicions.indexOf(pause)} ${suspicions.indexOf(drift)};`;
}

it("has a driver for every language", () => {
  expect(Object.keys(mouseDrivers).sort()).toEqual(Object.keys(languages).sort());
});

for (const [name, driver] of Object.entries(mouseDrivers)) {
  const [language, toolchain] = [languages[name], toolchains[name]];
  describe.skipIf(toolchain === undefined || !isInstalled(toolchain))(`the mouse tracker in ${name}`, () => {
    it.each(["client", "native", "documented"])(
      "says of dialect %s what the library does",
      async (dialect) => {
        const osrs = protocols.osrs;
        const scope = osrs === undefined ? undefined : { protocol: osrs, dialects: [dialect] };
        const [node] = scope === undefined ? [] : dialectNodes(scope);
        if (language === undefined || toolchain === undefined || scope === undefined || node === undefined) return;
        const codec = language.codec(languageSource(language, scope, node));
        const program = programOf(toolchain, [codec, driver(codec.name.replace(/\.[^.]*$/, ""))]);
        await buildPrograms(toolchain, [program]);
        const { lines, expected, points } = session(dialect);
        const [command, ...args] = toolchain.command(program);
        const found = execFileSync(command, args, {
          input: `${lines.join("\n")}\n`,
          encoding: "utf8",
          maxBuffer: 1 << 28,
        });
        const all = found.split("\n");
        const wrong = expected.findIndex((line, index) => line !== all[index]?.trimEnd());
        expect(wrong < 0 ? "" : `${lines[wrong]}: ${all[wrong]}, not ${expected[wrong]}`).toBe("");
        expect(points).toBeGreaterThan(3000);
      },
      300_000,
    );
  });
}
