/** **Metrics** in the text format of Prometheus, version 0.0.4. */

export type Labels = Readonly<Record<string, string>>;

export interface Sample {
  readonly labels?: Labels;
  readonly value: number;
}

/** A counter by labels, which only grows. Values of labels come from this server's code alone, so they are few. */
export class CounterSet {
  readonly #values = new Map<string, { readonly labels: Labels; value: number }>();

  add(labels: Labels, count = 1): void {
    const key = JSON.stringify(labels);
    const entry = this.#values.get(key);
    if (entry === undefined) this.#values.set(key, { labels, value: count });
    else entry.value += count;
  }

  samples(): readonly Sample[] {
    return [...this.#values.values()];
  }
}

interface Metric {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly help: string;
  readonly read: () => readonly Sample[];
}

/** The text of `/metrics`: metrics in the order in which they were added, with values read at each call. */
export class Metrics {
  readonly #metrics: Metric[] = [];

  counter(name: string, help: string, read: () => readonly Sample[]): void {
    this.#metrics.push({ name, type: "counter", help, read });
  }

  gauge(name: string, help: string, read: () => readonly Sample[]): void {
    this.#metrics.push({ name, type: "gauge", help, read });
  }

  text(): string {
    let text = "";
    for (const { name, type, help, read } of this.#metrics) {
      text += `# HELP ${name} ${help.replaceAll("\\", "\\\\").replaceAll("\n", "\\n")}\n# TYPE ${name} ${type}\n`;
      for (const { labels, value } of read()) text += `${name}${labelText(labels)} ${value}\n`;
    }
    return text;
  }
}

function labelText(labels: Labels | undefined): string {
  if (labels === undefined) return "";
  const pairs = Object.entries(labels).map(([name, value]) => {
    const escaped = value.replaceAll("\\", "\\\\").replaceAll("\n", "\\n").replaceAll('"', '\\"');
    return `${name}="${escaped}"`;
  });
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
