import { fileURLToPath } from "node:url";
import { defaultServerConditions } from "vite";
import { defineConfig } from "vitest/config";

// Tests run from the sources, as every command of the workspace does before a build.
const conditions = ["wirewalk-source", ...defaultServerConditions];

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  resolve: { conditions },
  ssr: { resolve: { conditions } },
  test: {
    include: ["packages/*/src/**/*.test.ts", "apps/studio/{src,test}/**/*.test.ts", "tools/**/*.test.ts"],
    testTimeout: 30_000,
  },
});
