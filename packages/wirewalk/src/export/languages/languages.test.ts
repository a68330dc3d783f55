/** Codecs in other languages as files: whatever the names are, and for games that a language does not have. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { languages } from "../../compile/languages.ts";
import { slimeOnline2 } from "../../protocols/slime-online-2/slime-online-2.ts";
import { protocols } from "../../protocols/table.ts";
import { struct, u8 } from "../../wire/index.ts";
import { ExportError } from "../format.ts";
import { gameOf } from "../testing/odd-game.ts";
import { dialectNodes, wholeScope } from "../typescript/typescript.ts";
import { languageFormats, vectorsOf, WIREWALK_VERSION } from "./languages.ts";

it("the version is that of the package", () => {
  const { version } = JSON.parse(readFileSync(new URL("../../../package.json", import.meta.url), "utf8")) as {
    version: string;
  };
  expect(WIREWALK_VERSION).toBe(version);
});

describe.each(languageFormats)("$name", (format) => {
  it("makes two files of each dialect, and equal bytes of equal scopes", () => {
    for (const protocol of Object.values(protocols)) {
      const files = format.files(wholeScope(protocol));
      expect(files.length).toBe(2 * protocol.dialects.length);
      expect(new Set(files.map(({ name }) => name)).size).toBe(files.length);
      expect(format.files(wholeScope(protocol))).toEqual(files);
    }
  });

  it("says version, dialect and how it is made again", () => {
    const [file] = format.files({ protocol: slimeOnline2, dialects: ["v0106"], sender: "client", message: "chat" });
    expect(file?.text).toContain(`Wirewalk ${WIREWALK_VERSION}`);
    expect(file?.text).toContain("dialect v0106");
    expect(file?.text).toContain(`npx wirewalk export ${format.name} slime-online-2 --dialect v0106`);
    expect(file?.text).toContain("--direction client --message chat");
  });

  it("makes no file of a scope without messages", () => {
    expect(format.files({ protocol: slimeOnline2, dialects: ["v0106"], message: "nothing" })).toEqual([]);
  });

  it("names dialect, message and field of a description that it does not have", () => {
    const scope = { ...wholeScope(gameOf(["plain"], { fine: struct({ x: u8 }), step: struct({ "a b": u8, c: u8 }) })) };
    expect(() => format.files(scope)).toThrow(ExportError);
    expect(() => format.files(scope)).toThrow(/^plain step: Cannot compile .*a b/);
  });
});

it("vectors hold what the library reads and refuses", () => {
  const scope = { protocol: slimeOnline2, dialects: ["v0106"] };
  const [node] = dialectNodes(scope);
  const vectors = node === undefined ? [] : vectorsOf(scope, node);
  expect(vectors.some(({ outcome }) => "written" in outcome)).toBe(true);
  expect(vectors.some(({ outcome }) => "code" in outcome)).toBe(true);
  expect(Object.keys(languages).length).toBe(languageFormats.length);
});
