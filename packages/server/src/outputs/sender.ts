/** What sends events to one target, in the thread of outputs. */
import type { OutputEvent } from "./output-events.ts";

export interface Sender {
  /** Resolves when the event is told; rejects with the reason when it is not, and is not going to be. */
  send(event: OutputEvent): Promise<void>;
  close(): void;
}
