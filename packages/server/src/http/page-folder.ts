import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Beside `src/` and `dist/`: the workspace builds the page here, and the published package contains it. */
const PAGE_FOLDER = fileURLToPath(new URL("../../page", import.meta.url));

/** Beside it: the scripts of cases, by game. */
const CASES_FOLDER = fileURLToPath(new URL("../../cases", import.meta.url));

/**
 * The folder of the documentation, for the option `docsFolder`: the package `@wirewalk/docs`, which is installed with `@wirewalk/cli`. In a
 * clone it is where the site is, or will be, built. Undefined where the package is not installed.
 */
export function docsFolder(): string | undefined {
  try {
    return fileURLToPath(new URL("dist", import.meta.resolve("@wirewalk/docs/package.json")));
  } catch {
    return undefined;
  }
}

/** The folder of the page, for the option `studioFolder`. Undefined in a clone whose page is not built. */
export function pageFolder(): string | undefined {
  return existsSync(`${PAGE_FOLDER}/index.html`) ? PAGE_FOLDER : undefined;
}

/** The folder of the scripts of cases, `<game>.js`. Undefined in a clone whose page is not built. */
export function casesFolder(): string | undefined {
  return existsSync(CASES_FOLDER) ? CASES_FOLDER : undefined;
}
