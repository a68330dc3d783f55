/** The thread that talks to the database: see `postgres-store.ts`. */
import { type MessagePort, workerData } from "node:worker_threads";
import { Database } from "./database.ts";
import {
  ANSWERS,
  CHANGES,
  DOWN,
  OPENED,
  STATE,
  type StoreAnswer,
  type StoreRequest,
  type ThreadOptions,
  UP,
} from "./thread-messages.ts";

const { url, schema, words, port } = workerData as ThreadOptions & { readonly port: MessagePort };

const database = new Database({
  url,
  schema,
  events: {
    up: () => void Atomics.store(words, STATE, UP),
    down: () => void Atomics.store(words, STATE, DOWN),
    changed: () => void Atomics.add(words, CHANGES, 1),
  },
});

function answer(each: StoreAnswer): void {
  port.postMessage(each);
  Atomics.add(words, ANSWERS, 1);
  Atomics.notify(words, ANSWERS);
}

function problemOf(error: unknown): string {
  // A refused connection to a name with several addresses has its reasons inside.
  const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error];
  return first instanceof Error ? first.message : String(first);
}

port.on("message", (request: StoreRequest | "close") => {
  if (request === "close") {
    database.close().finally(() => process.exit());
    return;
  }
  database.call(request).then(
    (result) => answer({ id: request.id, ...result }),
    (error: unknown) => answer({ id: request.id, problem: problemOf(error) }),
  );
});

database.open().then(
  () => answer({ id: OPENED }),
  (error: unknown) => answer({ id: OPENED, problem: problemOf(error) }),
);
