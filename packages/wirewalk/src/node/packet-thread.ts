/** A thread of {@link packetThreads}: an instance of the core on the engine's memory. It sleeps until a tick begins. */
import { workerData } from "node:worker_threads";
import type { PacketThreadWork } from "./packet-threads.ts";

interface Core {
  serve(workArea: number): void;
}

declare const WebAssembly: { readonly Instance: new (module: object, imports: object) => { readonly exports: Core } };

const { module, memory, workArea } = workerData as PacketThreadWork;
new WebAssembly.Instance(module, { env: { memory } }).exports.serve(workArea);
