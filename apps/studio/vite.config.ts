import { fileURLToPath } from "node:url";
import { defaultClientConditions, defineConfig } from "vite";
import { precompressPlugin } from "./precompress.ts";
import { sharedWorkersPlugin } from "./shared-workers.ts";

/** Modules of the library that the page's first load and its workers share. */
const LIBRARY_BASE =
  /\/packages\/wirewalk\/src\/(?:wire\/(?:byte-reader|hex|latin1|wire-error)|motion\/track-snapshots|net\/clock|protocols\/rule-info)\.ts$/;

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The workspace's own packages come from their sources: no build before the page's.
  resolve: { conditions: ["wirewalk-source", ...defaultClientConditions] },
  plugins: [sharedWorkersPlugin(), precompressPlugin()],
  oxc: { jsx: { runtime: "automatic", importSource: "preact" } },
  build: {
    // The server's package ships the page.
    outDir: "../../packages/server/page",
    emptyOutDir: true,
    target: "es2024",
    // The page's policy allows no script and no image but the server's own files.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      checks: { pluginTimings: false },
      output: {
        // What everything begins with: as chunks of a few hundred bytes each, the first load would be larger and have twice the files.
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [
            { name: "base", test: LIBRARY_BASE },
            { name: "preact", test: /\/node_modules\/(?:@preact|preact)\/|vite\/preload-helper/ },
          ],
        },
        // Two chunks of a game: what the library has of it, which the inspector uses too, and its view.
        chunkFileNames: ({ name, moduleIds, isDynamicEntry }) => {
          const isLibrary = moduleIds.every((id) => id.includes("/packages/wirewalk/"));
          const isShared = !isDynamicEntry && !name.endsWith("-worker");
          return `assets/${isLibrary ? "library-" : isShared ? "shared-" : ""}${name}-[hash].js`;
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/ws": { target: "ws://127.0.0.1:7400", ws: true, changeOrigin: false } },
  },
});
