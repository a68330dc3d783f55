/** The readers and writers of every game's messages as TypeScript, out of their descriptions. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { typescriptModule } from "../packages/wirewalk/src/compile/typescript/module.ts";
import { dialectNodes, wholeScope } from "../packages/wirewalk/src/export/typescript/typescript.ts";
import { pathParts } from "../packages/wirewalk/src/protocols/maplestory/wire/path-parts.ts";
import type { Protocol } from "../packages/wirewalk/src/protocols/protocol.ts";
import type { LayoutNode } from "../packages/wirewalk/src/wire/describe/node.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const runtime = "../../../../wire/compiled/index.ts";
const madeBy = "npm run build:codecs";

/** What a game reads and writes apart from whole messages: a file of its own, so that a codec alone does not carry it. */
interface Parts {
  readonly file: string;
  readonly title: string;
  readonly nodes: Readonly<Record<string, LayoutNode>>;
}

const parts: Readonly<Record<string, readonly Parts[]>> = {
  maplestory: [{ file: "fragments", title: "the paths of MapleStory", nodes: pathParts }],
};

/** The text of every generated file, by its path. */
export function generatedCodecs(protocols: readonly Protocol[]): ReadonlyMap<string, string> {
  return new Map(
    protocols.flatMap((protocol): [string, string][] => {
      const folder = `packages/wirewalk/src/protocols/${protocol.name}/wire/generated`;
      const dialects = dialectNodes(wholeScope(protocol));
      const own = (parts[protocol.name] ?? []).map(({ file, title, nodes }): [string, string] => {
        return [`${folder}/${file}.ts`, typescriptModule({ title, dialects: [], others: nodes, runtime, madeBy })];
      });
      return [
        [`${folder}/messages.ts`, typescriptModule({ title: protocol.title, dialects, runtime, madeBy })],
        ...own,
      ];
    }),
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
