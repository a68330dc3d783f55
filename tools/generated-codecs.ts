/** The readers and writers of every game's messages as TypeScript, out of their descriptions. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { typescriptModule } from "../packages/wirewalk/src/compile/typescript/module.ts";
import { dialectNodes, wholeScope } from "../packages/wirewalk/src/export/typescript/typescript.ts";
import type { Protocol } from "../packages/wirewalk/src/protocols/protocol.ts";

const root = fileURLToPath(new URL("../", import.meta.url));

/** The text of every generated file, by its path. */
export function generatedCodecs(protocols: readonly Protocol[]): ReadonlyMap<string, string> {
  return new Map(
    protocols.map((protocol) => [
      `packages/wirewalk/src/protocols/${protocol.name}/wire/generated/messages.ts`,
      typescriptModule({
        title: protocol.title,
        dialects: dialectNodes(wholeScope(protocol)),
        runtime: "../../../../wire/compiled/index.ts",
        madeBy: "npm run build:codecs",
      }),
    ]),
  );
}

/** The generated files that are not what the descriptions make. */
export function outdatedCodecs(protocols: readonly Protocol[]): readonly string[] {
  return [...generatedCodecs(protocols)].flatMap(([file, text]) => {
    try {
      return readFileSync(root + file, "utf8") === text ? [] : [file];
    } catch {
      return [file];
    }
  });
}
