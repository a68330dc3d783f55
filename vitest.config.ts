import { availableParallelism } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defaultServerConditions } from "vite";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { scale } from "./packages/wirewalk/src/testing/scale.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

// What Node has compiled is kept, types stripped: processes and threads that tests start from the sources load in a third of the
// processor time (0.55 s instead of 1.5).
process.env.NODE_COMPILE_CACHE ??= join(root, "node_modules/.cache/compile");

// Tests run from the sources, as every command of the workspace does before a build.
const SOURCES = "wirewalk-source";
const conditions = [SOURCES, ...defaultServerConditions];

/** The one test outside `page` that imports JSX, which Node cannot read: the views of the games. */
const jsxTest = "apps/studio/src/games/table.test.ts";

/**
 * Node itself imports the files, as it does for every command: Vite's module runner transforms each of them and puts an object between
 * a module and everything that it imports, which takes a tenth of the processor time of all tests.
 */
const byNode = {
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ["-C", SOURCES],
};

/**
 * Files of `code` of 4 s and more. Vitest begins with the longest files, and takes the largest for those in a checkout that has not
 * run them yet. The contract suite is one of the smallest files and takes longest: last of all, one core would wait for it.
 */
const longFiles = [
  "protocols/testing/protocols.test.ts",
  "/simulation.test.ts",
  "engine/core.test.ts",
  "attacks/attacks.test.ts",
  "cli/src/bin.test.ts",
  "engine/saved-engine.test.ts",
  "server/src/session/budgets.test.ts",
  "tools/fuzz-corpus.test.ts",
  "commands/maplestory.test.ts",
  "tools/fairness/fairness.test.ts",
  "protocols/testing/codecs.test.ts",
  "world/saved-state.test.ts",
  "net/memory-pair.test.ts",
  "commands/hand-over.test.ts",
  "commands/cluster-recordings.test.ts",
  "commands/replay.test.ts",
  "commands/workers.test.ts",
  "commands/verdicts.test.ts",
  "cluster/hand-over.test.ts",
  "cluster/spectator-relay.test.ts",
  "cluster/owner-evidence.test.ts",
  "tools/guides.test.ts",
];

/** The tests of the page begin, because they take longest and have to be alone as far as that is possible; long files follow. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification): number => {
      if (project.name === "page") return 0;
      return longFiles.some((each) => moduleId.endsWith(each)) ? 1 : 2;
    };
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => rank(a) - rank(b));
  }
}

export default defineConfig({
  root,
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // They end a test that hangs, and bound nothing else: on a machine with other work the longest test of 4 s takes a minute. A run
    // at full size has a time limit of its own.
    testTimeout: scale < 1 ? 180_000 : 0,
    hookTimeout: 180_000,
    // Vitest waits 1 s for what a test polls for. A process that starts on a busy machine needs longer than that.
    expect: { poll: { timeout: 60_000 } },
    // Files share the modules of their worker: loading them anew for each file takes 1 s. No module keeps what a test changed.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // Two more than there are cores: many tests wait for sockets, clocks and the browser, and with one more a quarter of the time of the
    // page's tests passes idle. Equal for all, so that both projects run beside each other.
    maxWorkers: availableParallelism() + 2,
    setupFiles: ["vitest.setup.ts"],
    projects: [
      {
        extends: true,
        test: {
          // One project: tests that wait for sockets and tests that compute run beside each other.
          name: "code",
          include: ["packages/*/src/**/*.test.ts", "apps/studio/src/**/*.test.ts", "tools/**/*.test.ts"],
          exclude: [...configDefaults.exclude, jsxTest],
          ...byNode,
        },
      },
      { extends: true, test: { name: "views", include: [jsxTest] } },
      {
        extends: true,
        test: {
          name: "page",
          include: ["apps/studio/test/**/*.test.ts"],
          ...byNode,
          globalSetup: "apps/studio/test/page-setup.ts",
          // A browser's start, and everything that has to be drawn, on a machine that is busy with something else.
          testTimeout: 300_000,
          hookTimeout: 300_000,
          // Some compare what is drawn with what arrives, frame by frame: other work on the cores can part the two for once.
          retry: 1,
        },
      },
    ],
  },
});
