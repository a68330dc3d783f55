/** A process of clients: see `load.ts`. */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { LoadPlan, LoadReport, LoadRequest } from "./load-messages.ts";

export class Load {
  readonly #child: ChildProcess;

  private constructor(child: ChildProcess) {
    this.#child = child;
  }

  /** Resolves when all clients are connected, or are not. */
  static async start(plan: LoadPlan): Promise<Load> {
    const script = fileURLToPath(new URL("load.ts", import.meta.url));
    const child = fork(script, [JSON.stringify(plan)], { execArgv: ["-C", "wirewalk-source"] });
    await once(child, "message");
    return new Load(child);
  }

  ask(ask: LoadRequest["ask"]): void {
    this.#child.send({ ask } satisfies LoadRequest);
  }

  async report(): Promise<LoadReport> {
    this.ask("report");
    const [report] = (await once(this.#child, "message")) as [LoadReport];
    return report;
  }

  async stop(): Promise<void> {
    this.ask("stop");
    await once(this.#child, "exit");
  }
}
