/**
 * Builds the scripts of cases, `packages/server/cases/<game>.js`: one for each game, of a file that shows and judges a verdict without
 * network. `wirewalk verdict export` puts it into the file.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inScript } from "./in-script.ts";

const studio = fileURLToPath(new URL(".", import.meta.url));
/** Where the scripts lie. */
export const casesFolder: string = join(studio, "../../packages/server/cases");
const ENTRY = "\0case";

/** Rejects when the sources cannot be built. */
export async function buildCases(): Promise<void> {
  const { protocols } = await import("wirewalk/protocols");
  const { rolldown } = await import("rolldown");
  mkdirSync(casesFolder, { recursive: true });
  for (const game of Object.values(protocols)) {
    const subpath = `wirewalk/${game.name}`;
    const exported = Object.entries((await import(subpath)) as object).find(([, value]) => value === game);
    if (exported === undefined) throw new Error(`${subpath} does not export the game`);
    const [name] = exported;
    const build = await rolldown({
      input: ENTRY,
      cwd: studio,
      resolve: { conditionNames: ["wirewalk-source", "import"] },
      checks: { pluginTimings: false },
      plugins: [
        {
          name: "case",
          resolveId: (id) => (id === ENTRY ? id : undefined),
          load: (id) => {
            if (id !== ENTRY) return undefined;
            const page = JSON.stringify(join(studio, "src/cases/case-page.ts"));
            return `import { openCasePage } from ${page};\nimport { ${name} } from "${subpath}";\nopenCasePage(${name});\n`;
          },
        },
      ],
    });
    const { output } = await build.generate({ format: "iife", minify: true, codeSplitting: false });
    await build.close();
    writeFileSync(join(casesFolder, `${game.name}.js`), inScript(output[0].code).trim());
  }
}
