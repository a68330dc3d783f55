/** What an import costs: a bundle as a page makes it, by bytes, and the files in it. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = "packages/wirewalk/src/";

export interface Bundle {
  /** Minified and compressed. */
  readonly gzipBytes: number;
  readonly minifiedBytes: number;
  /** Files of the library with code in the bundle, from `src/` on. */
  readonly files: readonly string[];
}

/** A bundle of one module that exports a name of a subpath. */
export async function bundleOf(names: string, specifier: string): Promise<Bundle> {
  const entry = "\0entry";
  const build = await rolldown({
    input: entry,
    cwd: `${root}packages/cli`,
    logLevel: "silent",
    resolve: { conditionNames: ["wirewalk-source", "import"] },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? `export { ${names} } from "${specifier}"` : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const [chunk] = output;
  const files = Object.entries(chunk.modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .flatMap(([file]) => (file.includes(sources) ? [file.slice(file.indexOf(sources) + sources.length)] : []));
  return { gzipBytes: gzipSync(chunk.code, { level: 9 }).length, minifiedBytes: Buffer.byteLength(chunk.code), files };
}

/** The codec of each game alone, and of each dialect of MapleStory: the name that a subpath of `wirewalk` exports. */
export const codecNames: readonly (readonly [name: string, subpath: string])[] = [
  ["mapleV62", "maplestory/codec/v62"],
  ["mapleV83", "maplestory/codec/v83"],
  ["mapleV95", "maplestory/codec/v95"],
  ["mapleDocumented", "maplestory/codec/documented"],
  ["mapleMessages", "maplestory/codec"],
  ["slimeMessages", "slime-online-2/codec"],
  ["scrapMessages", "scrap-mechanic/codec"],
  ["osrsMessages", "osrs/codec"],
];
