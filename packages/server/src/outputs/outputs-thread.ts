/** A thread of outputs: see `outputs.ts`. */
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { fileLines, outputLines } from "./lines.ts";
import type { OutputEvent } from "./output-events.ts";
import type { OutputTarget } from "./output-targets.ts";
import type { Sender } from "./sender.ts";
import { syslogSender } from "./syslog.ts";
import { Webhook } from "./webhook.ts";

/** To the thread: events for a target. */
export interface OutputBatch {
  readonly target: number;
  readonly events: readonly OutputEvent[];
}

/** From the thread, for each event. */
export interface OutputReport {
  readonly target: number;
  /** Undefined: it is told. */
  readonly problem: string | undefined;
}

export interface OutputsData {
  /** The targets of this thread, by their numbers. */
  readonly targets: ReadonlyMap<number, OutputTarget>;
}

function senderOf(target: OutputTarget): Sender {
  switch (target.kind) {
    case "webhook":
    case "discord":
      return new Webhook(target);
    case "file":
      return fileLines(target.path);
    case "stdout":
      return outputLines();
    case "syslog":
      return syslogSender(target);
    case "store":
      throw new TypeError("rows are written by the store's own thread");
  }
}

function run(port: MessagePort, { targets }: OutputsData): void {
  const lines = new Map(
    Array.from(targets, ([number, target]) => [number, { sender: senderOf(target), last: Promise.resolve() }]),
  );
  port.on("message", ({ target, events }: OutputBatch) => {
    const line = lines.get(target);
    if (line === undefined) return;
    for (const event of events) {
      line.last = line.last
        .then(() => line.sender.send(event))
        .then(
          () => port.postMessage({ target, problem: undefined } satisfies OutputReport),
          (error: unknown) => {
            const problem = error instanceof Error ? error.message : String(error);
            port.postMessage({ target, problem } satisfies OutputReport);
          },
        );
    }
  });
}

if (parentPort !== null) run(parentPort, workerData as OutputsData);
