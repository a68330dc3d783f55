import { fileURLToPath } from "node:url";
import { defaultClientConditions, defineConfig } from "vite";
import { precompressPlugin } from "./precompress.ts";

export default defineConfig({
  root: fileURLToPath(new URL(".", import.meta.url)),
  // The workspace's own packages come from their sources: no build before the page's.
  resolve: { conditions: ["wirewalk-source", ...defaultClientConditions] },
  plugins: [precompressPlugin()],
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
        // Two chunks of a game: what the library has of it, which the inspector uses too, and its view.
        chunkFileNames: ({ name, moduleIds }) => {
          const isLibrary = moduleIds.every((id) => id.includes("/packages/wirewalk/"));
          return `assets/${isLibrary ? "library-" : ""}${name}-[hash].js`;
        },
      },
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: { "/ws": { target: "ws://127.0.0.1:7400", ws: true, changeOrigin: false } },
  },
});
