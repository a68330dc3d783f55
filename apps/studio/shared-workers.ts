/**
 * Makes the page's workers entries of its own build: they load the chunks that the page has, and each other's. Vite builds each of them as a
 * whole of its own, with all games in it.
 */
import type { Plugin } from "vite";

const WORKER = /\bnew Worker\(\s*new URL\(\s*"(?<path>[^"]+)",\s*import\.meta\.url\s*\)/g;

export function sharedWorkersPlugin(): Plugin {
  return {
    name: "wirewalk-shared-workers",
    apply: "build",
    // Before Vite's own plugin, which then sees no worker.
    enforce: "pre",
    async transform(code, id) {
      const found = [...code.matchAll(WORKER)];
      if (found.length === 0) return null;
      let changed = code;
      for (const { 0: text, groups = {} } of found) {
        const resolved = await this.resolve(groups.path ?? "", id);
        if (resolved === null) throw new Error(`${id} names a worker that is not there: ${groups.path}`);
        const name = resolved.id
          .replace(/\.[a-z]+$/, "")
          .split("/")
          .slice(-2)
          .join("-");
        const file = this.emitFile({ type: "chunk", id: resolved.id, name });
        changed = changed.replace(text, () => `new Worker(import.meta.ROLLUP_FILE_URL_${file}`);
      }
      return { code: changed, map: null };
    },
  };
}
