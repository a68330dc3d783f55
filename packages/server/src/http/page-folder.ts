import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Beside `src/` and `dist/`: the workspace builds the page here, and the published package contains it. */
const PAGE_FOLDER = fileURLToPath(new URL("../../page", import.meta.url));

/** Beside it: the scripts of cases, by game. */
const CASES_FOLDER = fileURLToPath(new URL("../../cases", import.meta.url));

const DOCS_WORKSPACE = fileURLToPath(new URL("../../../../apps/docs", import.meta.url));

/** The folder of the documentation, for the option `docsFolder`: where a clone builds it. Undefined outside of a clone. */
export function docsFolder(): string | undefined {
  return existsSync(`${DOCS_WORKSPACE}/package.json`) ? `${DOCS_WORKSPACE}/dist` : undefined;
}

/** The folder of the page, for the option `studioFolder`. Undefined in a clone whose page is not built. */
export function pageFolder(): string | undefined {
  return existsSync(`${PAGE_FOLDER}/index.html`) ? PAGE_FOLDER : undefined;
}

/** The folder of the scripts of cases, `<game>.js`. Undefined in a clone whose page is not built. */
export function casesFolder(): string | undefined {
  return existsSync(CASES_FOLDER) ? CASES_FOLDER : undefined;
}
