/** The worker of the served page. */
import { protocols } from "wirewalk/protocols";
import { serveCapture } from "./source/capture-worker.ts";
import type { FromWorker, Port, ToWorker } from "./source/worker-messages.ts";

serveCapture(globalThis as unknown as Port<FromWorker, ToWorker>, protocols);
