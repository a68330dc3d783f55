/**
 * Writes the demo's maps into the library.
 *
 *   npm run build:maps              writes maplestory/maps/demo-files.ts
 *   npm run build:maps -- --check   fails when the committed one is another
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { committedDemoFiles, demoFilesModule, demoFilesText } from "./demo-map-files.ts";

if (!process.argv.includes("--check")) {
  writeFileSync(fileURLToPath(new URL(`../${demoFilesModule}`, import.meta.url)), demoFilesText());
} else if (committedDemoFiles() !== demoFilesText()) {
  console.error(`${demoFilesModule} is not what the files make: run npm run build:maps`);
  process.exitCode = 1;
}
