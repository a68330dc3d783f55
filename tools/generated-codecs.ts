/** The readers and writers of every game's messages as TypeScript, out of their descriptions. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ModuleSource, typescriptModule } from "../packages/wirewalk/src/compile/typescript/module.ts";
import { dialectNodes, wholeScope } from "../packages/wirewalk/src/export/typescript/typescript.ts";
import { pathParts } from "../packages/wirewalk/src/protocols/maplestory/wire/path-parts.ts";
import type { Protocol } from "../packages/wirewalk/src/protocols/protocol.ts";
import {
  movementBody,
  movementPacketLayout,
} from "../packages/wirewalk/src/protocols/scrap-mechanic/wire/player-movement.ts";
import { updateBody, updatePacket } from "../packages/wirewalk/src/protocols/scrap-mechanic/wire/unreliable-update.ts";
import type { LayoutNode } from "../packages/wirewalk/src/wire/describe/node.ts";

const root = fileURLToPath(new URL("../", import.meta.url));
const runtime = "../../../../wire/compiled/index.ts";
const madeBy = "npm run build:codecs";

/**
 * Descriptions that are no messages of a dialect, by game, file and exported name. They have files of their own, so that the codec
 * of a game does not carry them.
 */
const others: Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, LayoutNode>>>>>> = {
  maplestory: { fragments: pathParts },
  "scrap-mechanic": {
    variants: {
      movementBody: movementBody("strict").node,
      lenientMovementBody: movementBody("lenient").node,
      movementPacket: movementPacketLayout("strict").node,
      lenientMovementPacket: movementPacketLayout("lenient").node,
      updateBody: updateBody().node,
      lenientUpdateBody: updateBody({ lenient: true }).node,
      countlessUpdateBody: updateBody({ countByte: false }).node,
      lenientCountlessUpdateBody: updateBody({ lenient: true, countByte: false }).node,
      lenientUpdatePacket: updatePacket({ lenient: true }).node,
      countlessUpdatePacket: updatePacket({ countByte: false }).node,
      lenientCountlessUpdatePacket: updatePacket({ lenient: true, countByte: false }).node,
    },
  },
};

/** The text of every generated file, by its path. */
export function generatedCodecs(protocols: readonly Protocol[]): ReadonlyMap<string, string> {
  return new Map(
    protocols.flatMap((protocol) => {
      const file = (name: string, parts: Pick<ModuleSource, "dialects" | "others">): [string, string] => [
        `packages/wirewalk/src/protocols/${protocol.name}/wire/generated/${name}.ts`,
        typescriptModule({
          title: protocol.title,
          runtime,
          madeBy,
          ...parts,
        }),
      ];
      return [
        file("messages", { dialects: dialectNodes(wholeScope(protocol)) }),
        ...Object.entries(others[protocol.name] ?? {}).map(([name, nodes]) =>
          file(name, { dialects: [], others: nodes }),
        ),
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
