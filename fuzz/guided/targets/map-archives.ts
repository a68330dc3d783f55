/** Archives of maps: `.nx` and `.wz` files of any bytes. */
import type { MapFiles } from "wirewalk/protocol";
import type { Run, Target } from "../target.ts";
import { src } from "./sources.ts";

/** The longest that one input may take: a bound of nodes or entries is reached within it. */
const MAX_MS = 2000;

function archiveTarget(form: "nx" | "wz"): Target {
  return {
    name: `maplestory maps, .${form}`,
    summary: `a .${form} file: refused by a MapError, or maps of a bounded size; the same where its reads are answered from memory that is used again`,
    cover: new RegExp(
      `${src}protocols/maplestory/maps/(?:${form}-|archives|file-bytes|image-node|map-of).*(?<!\\.test)\\.ts$`,
    ),
    maxBytes: 900,
    async open() {
      const { MapError, memoryFiles } = await import("wirewalk/protocol");
      const { nxForm, wzForm } = await import("../../../packages/wirewalk/src/protocols/maplestory/maps/forms.ts");
      const { mapOf } = await import("../../../packages/wirewalk/src/protocols/maplestory/maps/map-of.ts");
      const { digestOfMap } = await import("../../../packages/wirewalk/src/protocols/maplestory/maps/maple-maps.ts");
      const { writeNx } = await import("../../../packages/wirewalk/src/protocols/maplestory/maps/testing/write-nx.ts");
      const { writeWz } = await import("../../../packages/wirewalk/src/protocols/maplestory/maps/testing/write-wz.ts");
      const { folder, values } = await import(
        "../../../packages/wirewalk/src/protocols/maplestory/maps/testing/made-images.ts"
      );
      const path = `Map.${form}`;
      const mapForm = form === "nx" ? nxForm : wzForm;
      /** The file, each answer in the memory of the one before: it is the reader's until the next call only. */
      const reusing = (file: Uint8Array): MapFiles => {
        const memory = new Uint8Array(file.length);
        const read = (offset: number, length: number): Uint8Array => {
          const bytes = file.subarray(offset, offset + length);
          memory.fill(0xee).set(bytes);
          return memory.subarray(0, bytes.length);
        };
        return {
          name: "client",
          paths: () => [path],
          open: (wanted) => (wanted === path ? { name: path, size: file.length, read } : undefined),
        };
      };
      /** All that a file gives, in words. */
      const read = (file: Uint8Array, isReused: boolean): string => {
        const lines: string[] = [];
        const step = (what: () => string): void => {
          try {
            lines.push(what());
          } catch (error) {
            if (!(error instanceof MapError)) throw error;
            if (!error.message.startsWith(path) && !error.message.startsWith("Map ")) {
              throw new Error(`names no file: ${error.message}`);
            }
            lines.push(error.message);
          }
        };
        step(() => {
          const source = mapForm.open(isReused ? reusing(file) : memoryFiles("client", new Map([[path, file]])));
          if (source === undefined) return "none";
          step(() => String(source.image("Physics.img", new Set(["walkForce"]))?.children.length));
          for (const id of source.maps()) {
            step(() => {
              const tree = source.map(id);
              return tree === undefined ? "no map" : `${id} ${digestOfMap(mapOf(tree, id))}`;
            });
          }
          return "read";
        });
        return lines.join("\n");
      };
      const run: Run = (input) => {
        const from = performance.now();
        const file = input;
        const first = read(file, false);
        const ms = performance.now() - from;
        if (ms > MAX_MS) throw new Error(`${ms} ms for ${input.length} bytes`);
        if (first !== read(file, true)) throw new Error("read otherwise where memory is used again");
      };
      const small = new Map([
        ["Physics.img", [values("walkForce", { a: "b" })]],
        [
          "Map/Map1/100000000.img",
          [
            { name: "info", kind: "folder", children: [{ name: "fs", kind: "float", value: 0.2 }] } as const,
            folder("foothold", folder("0", folder("0", values(1, { x1: 0, y1: 5, x2: 500, y2: -5 })))),
            folder("seat", { name: "0", kind: "vector", value: { x: 1, y: 2 } }),
          ],
        ],
      ]);
      const files =
        form === "nx"
          ? [writeNx(small)]
          : (["gms", "ems", "none"] as const).map((key) => writeWz(small, { version: 83, key }));
      return { run, seeds: files };
    },
  };
}

export const nxFiles: Target = archiveTarget("nx");
export const wzFiles: Target = archiveTarget("wz");
