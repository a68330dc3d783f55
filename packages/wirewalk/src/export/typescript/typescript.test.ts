/** Modules of protocols: they compile by strict options, and read and write what the interpreter does. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { createRandom } from "../../motion/index.ts";
import type { Protocol } from "../../protocols/index.ts";
import { slimeOnline2 } from "../../protocols/slime-online-2/slime-online-2.ts";
import { protocols } from "../../protocols/table.ts";
import { outcomeOf, say } from "../../protocols/testing/codec-proof.ts";
import { generatedPayloads } from "../../protocols/testing/generated-payloads.ts";
import type { CompiledDialect } from "../../wire/compiled/index.ts";
import { struct, u8, u16le } from "../../wire/index.ts";
import { ExportError } from "../format.ts";
import { gameOf, oddLayouts } from "../testing/odd-game.ts";
import { typescript, typescriptCodec } from "./typescript.ts";

const root = fileURLToPath(new URL("../../../../../", import.meta.url));
const folder = mkdtempSync(join(tmpdir(), "wirewalk-typescript-"));
afterAll(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, "node_modules"));
symlinkSync(join(root, "packages/wirewalk"), join(folder, "node_modules/wirewalk"));
writeFileSync(join(folder, "package.json"), '{ "type": "module" }');

/** Throws with what the compiler finds. */
function compile(files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noUnusedLocals: true,
    noUnusedParameters: true,
    erasableSyntaxOnly: true,
    verbatimModuleSyntax: true,
    allowImportingTsExtensions: true,
    noEmit: true,
    module: "nodenext",
    target: "es2024",
    types: [],
    customConditions: ["wirewalk-source"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: Object.keys(files) }));
  try {
    execFileSync(join(root, "node_modules/.bin/tsc"), ["-p", folder], { encoding: "utf8", stdio: "pipe" });
  } catch (error) {
    throw new Error((error as { readonly stdout: string }).stdout);
  }
}

type Dialects = Readonly<Record<string, CompiledDialect>>;

async function load(name: string): Promise<Dialects> {
  return (await import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href)) as Dialects;
}

const wholeScope = (protocol: Protocol) => ({ protocol, dialects: protocol.dialects.map(({ name }) => name) });

const oddDialects = "my-dialect,1.0,1_0,default,read,readStep,u8,putU8,after,id,names,my dialect,é,v1,V1,client".split(
  ",",
);

describe("modules of protocols", () => {
  const odd = gameOf(oddDialects, oddLayouts);
  const single = gameOf(["my-dialect"], oddLayouts);

  it("compile by strict options, whatever the names of dialects, messages and fields", () => {
    const games = Object.fromEntries(
      Object.values(protocols).map((protocol) => [`${protocol.name}.ts`, typescriptCodec(wholeScope(protocol))]),
    );
    const files = {
      ...games,
      "odd.ts": typescriptCodec(wholeScope(odd)),
      "single.ts": typescriptCodec(wholeScope(single)),
    };
    compile(files);
  });

  it.each([
    ["slime-online-2.ts", slimeOnline2],
    ["odd.ts", odd],
    ["single.ts", single],
  ])("%s reads, writes and refuses what the codec does", async (file, protocol) => {
    const module = Object.values(await load(file)).filter((each) => typeof each === "object" && "dialect" in each);
    expect(module.map(({ dialect }) => dialect)).toEqual(expect.arrayContaining(wholeScope(protocol).dialects));
    const random = createRandom(7);
    for (const dialect of module) {
      const codec = protocol.codec(dialect.dialect);
      for (const sender of ["client", "server"] as const) {
        for (const payload of generatedPayloads(codec, sender, random, 40)) {
          const value = codec.read(sender, payload);
          expect(dialect.read(sender, payload)).toEqual(value);
          expect(dialect.write(sender, value as never)).toEqual(codec.write(sender, value));
          const cut = payload.subarray(0, payload.length - 1);
          expect(say(outcomeOf(() => dialect.read(sender, cut)))).toEqual(
            say(outcomeOf(() => codec.read(sender, cut))),
          );
        }
      }
    }
  });
});

describe("the format", () => {
  it("makes one file of a scope, and equal bytes of equal scopes", () => {
    const scope = { protocol: slimeOnline2, dialects: ["v0106"], sender: "client", message: "chat" } as const;
    expect(typescript.files(scope).map(({ name }) => name)).toEqual(["slime-online-2.ts"]);
    expect(typescript.files(scope)).toEqual(typescript.files({ ...scope }));
    const [{ text } = { text: "" }] = typescript.files(scope);
    expect(text).toContain("export type Chat = { text: string };");
    expect(text).not.toContain("PlayerStop");
  });

  it("makes no file of a scope without messages", () => {
    expect(typescript.files({ protocol: slimeOnline2, dialects: ["v0106"], message: "nothing" })).toEqual([]);
    expect(typescript.files(wholeScope(gameOf(["plain"], {})))).toEqual([]);
  });

  it("names dialect, message and field of a description that it does not have", () => {
    const game = gameOf(["plain"], { fine: struct({ x: u8 }), step: struct({ "a|b": u16le }) });
    expect(() => typescript.files(wholeScope(game))).toThrow(ExportError);
    expect(() => typescript.files(wholeScope(game))).toThrow(/^plain step: Cannot compile .*a\|b/);
  });
});
