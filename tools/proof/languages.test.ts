/** Codecs in other languages, by those compilers that are installed here. The whole proof is `npm run proof -- languages`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportFormats } from "wirewalk/export";
import { protocols } from "wirewalk/protocols";
import { languages } from "../../packages/wirewalk/src/compile/languages.ts";
import { typedDialect } from "../../packages/wirewalk/src/compile/typed/program.ts";
import { gameOf, oddLayouts } from "../../packages/wirewalk/src/export/testing/odd-game.ts";
import { dialectNodes } from "../../packages/wirewalk/src/export/typescript/typescript.ts";
import { f32be, float32, parseHex, struct } from "../../packages/wirewalk/src/wire/index.ts";
import { fuzzLanguage } from "./fuzz-language.ts";
import { madeUpGame } from "./made-up-game.ts";
import { buildSubjects, proveLanguage } from "./prove-language.ts";
import { isInstalled, type Toolchain, toolchains } from "./toolchains.ts";

/** One dialect of each game: those with most of its messages. */
const dialects = ["slime-online-2/v0106", "osrs/native", "maplestory/v83", "scrap-mechanic/documented"].map((name) => {
  const [game = "", dialect = ""] = name.split("/");
  const protocol = protocols[game];
  if (protocol === undefined) throw new RangeError(`There is no game ${game}`);
  return { protocol, dialect };
});

/** Names that are hard to print. */
const odd = { protocol: gameOf(["plain"], oddLayouts), dialect: "plain" };

/** A float that may be anything, and one that is finite. */
const floats = {
  protocol: gameOf(["plain"], { floats: struct({ any: f32be, finite: float32({ order: "be", finite: true }) }) }),
  dialect: "plain",
};
/** 0, -0, the least, the greatest, infinity, and what is no number: quiet and not. */
const edges = [
  "00000000",
  "80000000",
  "00000001",
  "80000001",
  "7f7fffff",
  "7f800000",
  "ff800000",
  "7fc00000",
  "7f800001",
];
const floatPayloads = edges.flatMap((any) => edges.map((finite) => parseHex(`00${any}${finite}`)));

it("every language has a compiler in the proof", () => {
  expect(Object.keys(toolchains).sort()).toEqual(Object.keys(languages).sort());
});

for (const [name, toolchain] of Object.entries(toolchains)) {
  const language = languages[name];
  // Where its compiler is missing, nothing can be said of a language.
  describe.skipIf(language === undefined || !isInstalled(toolchain))(`codecs in ${name}`, () => {
    it("of messages made up of every kind of description do what the library does", async () => {
      if (language === undefined) return;
      const { protocol } = madeUpGame(language, 4, 40);
      const [subject] = await buildSubjects(language, toolchain, [{ protocol, dialect: "plain" }]);
      if (subject === undefined) throw new Error("Cannot happen: a subject for each dialect");
      const result = await proveLanguage(toolchain, subject, { seed: 4, messages: 2000, playMs: 0 });
      expect(result.examples).toEqual([]);
      expect(result.read).toBeGreaterThan(200);
    }, 300_000);

    it("as they are exported pass their own test of vectors", async () => {
      const [{ protocol } = odd] = dialects;
      const files = exportFormats[name]?.files({ protocol, dialects: ["v0106"] }) ?? [];
      const folder = mkdtempSync(join(tmpdir(), "wirewalk-exported-"));
      try {
        for (const file of files) writeFileSync(join(folder, file.name), file.text);
        const program = (files[1]?.name ?? "").replace(/\.[^.]*$/, "");
        await toolchain.test({ name: program, folder, files: files.map((file) => file.name) });
      } finally {
        rmSync(folder, { recursive: true });
      }
    }, 300_000);

    it("of names that are words of languages compile, and do the same", async () => {
      if (language === undefined) return;
      const [subject] = await buildSubjects(language, toolchain, [odd]);
      if (subject === undefined) throw new Error("Cannot happen: a subject for each dialect");
      const result = await proveLanguage(toolchain, subject, { seed: 1, messages: 300, playMs: 0 });
      expect(result).toMatchObject({ examples: [], messages: 300 });
    }, 300_000);

    it("of floats at their edges do the same", async () => {
      if (language === undefined) return;
      const [subject] = await buildSubjects(language, toolchain, [floats]);
      if (subject === undefined) throw new Error("Cannot happen: a subject for each dialect");
      const options = { seed: 1, messages: 100, playMs: 0, first: floatPayloads };
      const { examples, messages } = await proveLanguage(toolchain, subject, options);
      expect({ examples, messages }).toEqual({ examples: [], messages: 100 + floatPayloads.length });
    }, 300_000);

    it.each(dialects)(
      "of $protocol.name $dialect read, write and refuse what the library does",
      async (dialect) => {
        if (language === undefined) return;
        const [subject] = await buildSubjects(language, toolchain, [dialect]);
        if (subject === undefined) throw new Error("Cannot happen: a subject for each dialect");
        const result = await proveLanguage(toolchain, subject, { seed: 1, messages: 1250, playMs: 2000 });
        expect(result.examples).toEqual([]);
        expect(result.read).toBeGreaterThan(50);
        expect(result.refused).toBeGreaterThan(50);
      },
      300_000,
    );
  });
}

describe("the proof itself", () => {
  const [name, toolchain] = Object.entries(toolchains).find(([, each]) => isInstalled(each)) ?? [];
  it.skipIf(toolchain === undefined)(
    "finds a program that reads another value, or refuses elsewhere",
    async () => {
      const language = languages[name ?? ""];
      const [dialect] = dialects;
      if (language === undefined || toolchain === undefined || dialect === undefined) return;
      const [subject] = await buildSubjects(language, toolchain, [dialect]);
      if (subject === undefined) throw new Error("Cannot happen: a subject for each dialect");
      // What is compared is another dialect than what was compiled: its numbers have the other byte order.
      const { source } =
        (await buildSubjects(language, toolchain, [{ ...dialect, dialect: "documented" }]))[0] ?? subject;
      const result = await proveLanguage(toolchain, { ...subject, source }, { seed: 1, messages: 200, playMs: 500 });
      expect(result.differences).toBeGreaterThan(0);
      expect(result.examples.length).toBeGreaterThan(0);
    },
    300_000,
  );

  const answering = (answer: string): Toolchain => ({
    language: "none",
    isCompiled: true,
    packages: "",
    probe: ["node"],
    build: async () => undefined,
    test: async () => undefined,
    // Answers what it is given, or ends.
    command: () => [process.execPath, "-e", `process.stdin.on("data", () => ${answer})`],
  });

  it.each([
    ["fails otherwise", `process.stdout.write(Buffer.from([0, 0, 0, 4, 2, 111, 104, 33]))`, "oh!"],
    ["ends", "process.exit(3)", "exit code 3"],
  ])(
    "says so when a program that is fuzzed %s",
    async (_, answer, words) => {
      const [dialect] = dialects;
      if (dialect === undefined) throw new Error("Cannot happen: there are dialects");
      const [node] = dialectNodes({ protocol: dialect.protocol, dialects: [dialect.dialect] });
      if (node === undefined) throw new Error("Cannot happen: the dialect is there");
      const source = { game: "any", dialect: typedDialect(node, []), header: [] };
      const subject = { protocol: dialect.protocol, source, program: { name: "", folder: "", files: [] } };
      let batches = 0;
      const options = { seed: 1, playMs: 0, batch: 1, isOver: () => batches++ > 0 };
      const result = await fuzzLanguage(answering(answer), subject, options);
      expect(result.failures).toBe(1);
      expect(result.examples[0]).toContain(words);
    },
    60_000,
  );
});
