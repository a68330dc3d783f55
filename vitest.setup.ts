import { flushCompileCache } from "node:module";
import { constants, setPriority } from "node:os";
import fc from "fast-check";
import { afterAll, inject } from "vitest";
import { caseSeed, propertyRuns } from "./packages/wirewalk/src/testing/scale.ts";

// Beside the tests of the page, which compare what is drawn with what arrives, all other tests take the time that they leave.
if (process.env.WIREWALK_BESIDE_PAGES !== undefined && inject("browser") === undefined) {
  setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
}

fc.configureGlobal({ numRuns: propertyRuns, ...(caseSeed === undefined ? {} : { seed: caseSeed }) });

// Threads and processes of this file's successors find compiled what this worker has loaded.
afterAll(() => flushCompileCache());
