/** The metrics of several threads as one text of Prometheus. */

interface Family {
  /** `# HELP` and `# TYPE`. */
  readonly head: readonly string[];
  readonly samples: string[];
}

/** Of the process: each thread says the same. */
const OF_PROCESS: ReadonlySet<string> = new Set(["process_resident_memory_bytes"]);

/**
 * Merges the metrics of all threads. `texts` has one text for each thread, that of the main thread first. A sample without the label
 * `world` or `listener`, and a sample of the page, gets the label `thread`: its index in `texts`. Samples of the process appear once.
 */
export function mergeMetrics(texts: readonly string[]): string {
  const families = new Map<string, Family>();
  for (const [thread, text] of texts.entries()) {
    let family: Family | undefined;
    let head: string[] = [];
    for (const line of text.split("\n")) {
      if (line.startsWith("# HELP ")) head = [line];
      else if (line.startsWith("# TYPE ")) {
        const name = line.split(" ")[2] ?? "";
        family = families.get(name) ?? { head: [...head, line], samples: [] };
        families.set(name, family);
        if (thread > 0 && OF_PROCESS.has(name)) family = undefined;
      } else if (line !== "") family?.samples.push(labelled(line, thread));
    }
  }
  return [...families.values()].map(({ head, samples }) => `${[...head, ...samples].join("\n")}\n`).join("");
}

function labelled(line: string, thread: number): string {
  const brace = line.indexOf("{");
  if (/^[a-z_]+\{[^}]*(?:world|listener)="(?!studio")/.test(line) || line.startsWith("process_")) return line;
  if (brace === -1) return line.replace(/^(\S+) /, `$1{thread="${thread}"} `);
  return `${line.slice(0, brace + 1)}thread="${thread}",${line.slice(brace + 1)}`;
}
