/** Player info in other languages, by those compilers that are installed here. The whole proof is `npm run proof -- languages`. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { exportFormats } from "wirewalk/export";
import { protocols } from "wirewalk/protocols";
import { languages } from "../../packages/wirewalk/src/compile/languages.ts";
import { passesLanguages } from "../../packages/wirewalk/src/export/player-info/player-info.ts";
import { playerInfoDialect } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/dialect.ts";
import { namedRevisions } from "../../packages/wirewalk/src/protocols/osrs/player-info/wire/masks/named-revisions.ts";
import { buildPlayerInfo, type PlayerInfoSubject, provePlayerInfo } from "./prove-player-info.ts";
import { isInstalled, toolchains } from "./toolchains.ts";

/** A program for a revision and a dialect. */
async function subjectFor(name: string, revision: string, dialect: string): Promise<PlayerInfoSubject> {
  const [language, passes, toolchain] = [languages[name], passesLanguages[name], toolchains[name]];
  const blocks = namedRevisions[revision];
  if (language === undefined || passes === undefined || toolchain === undefined || blocks === undefined)
    throw new RangeError(`There is no player info of ${revision} in ${name}`);
  const [subject] = await buildPlayerInfo(language, passes, toolchain, [{ revision: blocks, dialect }]);
  if (subject === undefined) throw new Error("Cannot happen: a subject for each kind");
  return subject;
}

for (const name of Object.keys(passesLanguages)) {
  const toolchain = toolchains[name];
  // Where its compiler is missing, nothing can be said of a language.
  describe.skipIf(toolchain === undefined || !isInstalled(toolchain))(`player info in ${name}`, () => {
    it.each([
      ["206", "client"],
      ["240", "documented"],
    ])(
      "of revision %s, dialect %s, writes, reads and refuses what the library does",
      async (revision, dialect) => {
        if (toolchain === undefined) return;
        const subject = await subjectFor(name, revision, dialect);
        const result = await provePlayerInfo(toolchain, subject, { seed: 1, ticks: 40, players: 60, turnedBits: 1 });
        expect(result.examples).toEqual([]);
        expect(result.written).toBeGreaterThan(1000);
        expect(result.read).toBeGreaterThan(200);
        expect(result.refused).toBeGreaterThan(200);
      },
      300_000,
    );

    it("lets masks wait where a packet is full, as the library does", async () => {
      if (toolchain === undefined) return;
      const subject = await subjectFor(name, "206", "client");
      const options = { seed: 2, ticks: 8, players: 1200, scenes: ["full"] as const };
      const result = await provePlayerInfo(toolchain, subject, options);
      expect(result.examples).toEqual([]);
      expect(result.waited).toBeGreaterThan(100);
    }, 300_000);

    it("as it is exported passes its own test", async () => {
      if (toolchain === undefined || protocols.osrs === undefined) return;
      const scope = { protocol: protocols.osrs, dialects: ["client"], stream: "player-info", revision: "206" };
      const files = exportFormats[name]?.files(scope) ?? [];
      const folder = mkdtempSync(join(tmpdir(), "wirewalk-exported-"));
      try {
        for (const file of files) writeFileSync(join(folder, file.name), file.text);
        const program = (files[1]?.name ?? "").replace(/\.[^.]*$/, "");
        await toolchain.test({ name: program, folder, files: files.map((file) => file.name) });
      } finally {
        rmSync(folder, { recursive: true });
      }
    }, 300_000);

    it("is compared: a program of another dialect differs", async () => {
      if (toolchain === undefined) return;
      const { program, source } = await subjectFor(name, "240", "documented");
      const other = { program, source: { ...source, passes: playerInfoDialect("client") } };
      const result = await provePlayerInfo(toolchain, other, { seed: 1, ticks: 5, players: 20, turnedBits: 0 });
      expect(result.differences).toBeGreaterThan(0);
    }, 300_000);
  });
}

it("other languages and streams are refused with words", () => {
  const osrs = protocols.osrs;
  if (osrs === undefined) return;
  const files = (name: string, more: object) => () =>
    exportFormats[name]?.files({ protocol: osrs, dialects: ["client"], stream: "player-info", ...more });
  expect(files("python", { revision: "206" })).toThrow(
    "python has no osrs/player-info: java and rust have osrs/player-info",
  );
  expect(files("java", { stream: "mouse" })).toThrow("java has no osrs/mouse");
  expect(files("java", {})).toThrow("osrs/player-info needs --revision, one of 206, 223");
  expect(files("java", { revision: "positions" })).toThrow("; got positions");
});
