/**
 * Builds the inspector as one file, `dist-inspector/index.html`, which works from a folder and from any web server. Its policy allows its
 * own script and style alone, by their hashes, and no connection: what is opened in it cannot leave the browser.
 */
import { createHash } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { inScript } from "./in-script.ts";

const studio = fileURLToPath(new URL(".", import.meta.url));

/** Where the built file lies. */
export const staticInspector: string = join(studio, "dist-inspector", "index.html");

/** Rejects when the sources cannot be built. */
export async function buildInspector(): Promise<void> {
  const { build, mergeConfig, loadConfigFromFile } = await import("vite");
  const loaded = await loadConfigFromFile({ command: "build", mode: "production" }, join(studio, "vite.config.ts"));
  const { plugins: _, build: __, ...shared } = loaded?.config ?? {};
  const built = await build(
    mergeConfig(shared, {
      configFile: false,
      logLevel: "warn",
      publicDir: false,
      build: {
        write: false,
        target: "es2024",
        cssCodeSplit: false,
        modulePreload: false,
        rolldownOptions: {
          // The loader of chunks, which asks for `import.meta`, has nothing to load here.
          checks: { pluginTimings: false, emptyImportMeta: false },
          input: join(studio, "src/inspect/static.ts"),
          // One script, also for what the served page loads later.
          output: { format: "iife", codeSplitting: false },
        },
      },
    }),
  );
  const [output] = [built].flat();
  if (output === undefined || !("output" in output)) throw new Error("the build gave nothing");
  const files = output.output;
  const script = files.flatMap((file) => (file.type === "chunk" ? [file.code] : [])).join("\n");
  const style = files
    .flatMap((file) => (file.type === "asset" && file.fileName.endsWith(".css") ? [String(file.source)] : []))
    .join("\n");
  mkdirSync(join(studio, "dist-inspector"), { recursive: true });
  writeFileSync(staticInspector, pageOf(inScript(script), style));
}

function pageOf(script: string, style: string): string {
  const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
  const policy = [
    "default-src 'none'",
    `script-src ${hash(script)}`,
    `style-src ${hash(style)}`,
    "img-src data:",
    "worker-src blob:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="content-security-policy" content="${policy}" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="dark light" />
    <title>Wirewalk inspector</title>
    <link rel="icon" href="data:," />
    <style>${style}</style>
  </head>
  <body>
    <div id="studio"></div>
    <script>${script}</script>
  </body>
</html>
`;
}
