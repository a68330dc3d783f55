import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";
import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { scale } from "./packages/wirewalk/src/testing/scale.ts";

// Tests run from the sources, as every command of the workspace does before a build.
const conditions = ["wirewalk-source", ...defaultServerConditions];

/** The tests of the page begin, because they take longest and have to be alone as far as that is possible. */
class PagesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isOfPage = ({ project }: TestSpecification): boolean => project.name === "page";
    return [...sorted.filter(isOfPage), ...sorted.filter((file) => !isOfPage(file))];
  }
}

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    // A run at full size has a time limit of its own.
    testTimeout: scale < 1 ? 30_000 : 0,
    // Files share the modules of their worker: loading them anew for each file takes 1 s. No module keeps what a test changed.
    isolate: false,
    sequence: { sequencer: PagesFirst },
    // One more than there are cores: many tests wait for sockets, clocks and the browser. Equal for all, so that both projects run
    // beside each other.
    maxWorkers: availableParallelism() + 1,
    setupFiles: ["vitest.setup.ts"],
    projects: [
      {
        extends: true,
        test: {
          // One project: tests that wait for sockets and tests that compute run beside each other.
          name: "code",
          include: ["packages/*/src/**/*.test.ts", "apps/studio/src/**/*.test.ts", "tools/**/*.test.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "page",
          include: ["apps/studio/test/**/*.test.ts"],
          globalSetup: "apps/studio/test/page-setup.ts",
          // A browser's start, and everything that has to be drawn, on a machine that is busy with something else.
          testTimeout: 120_000,
          hookTimeout: 120_000,
          // Some compare what is drawn with what arrives, frame by frame: other work on the cores can part the two for once.
          retry: 1,
        },
      },
    ],
  },
});
