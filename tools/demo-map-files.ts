/** The demo's maps, which are files as users have them, as a module: the library may not read files. */
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../", import.meta.url));
const folder = `${root}packages/wirewalk/maps/maplestory/`;

/** Where the module belongs, from the root of the repository. */
export const demoFilesModule = "packages/wirewalk/src/protocols/maplestory/maps/demo-files.ts";

/** The module's text, out of the files. */
export function demoFilesText(): string {
  const paths = globSync("**/*.xml", { cwd: folder }).sort();
  const entries = paths.map((path) => {
    const text = readFileSync(folder + path, "utf8");
    if (/[`\\$]|[^\n -~]/.test(text)) throw new Error(`${path}: only plain ASCII is embedded`);
    return `  "${path.replaceAll("\\", "/")}": \`${text}\`,\n`;
  });
  return `/** Made by \`npm run build:maps\` from packages/wirewalk/maps/maplestory: change those files. */
export const demoFiles: Readonly<Record<string, string>> = {\n${entries.join("")}};\n`;
}

/** The module's text as it is committed. */
export function committedDemoFiles(): string {
  return readFileSync(root + demoFilesModule, "utf8");
}
