/** A capture of the sessions of several threads: each part is a section of the pcapng file, with the interfaces of its thread. */
import { pcapngSection } from "wirewalk/capture";
import type { CaptureOutput } from "../capture/capture-writer.ts";
import type { CaptureRequest, RunningCapture } from "../capture/session-captures.ts";
import type { FromWorker, ToWorker } from "./messages.ts";

export interface MergedCaptureOptions {
  readonly id: number;
  readonly request: CaptureRequest;
  /** Posts to every worker; the result answers how many there are. */
  readonly post: (message: ToWorker) => number;
  readonly ended: () => void;
}

export class MergedCapture implements RunningCapture {
  missedBytes = 0;
  missedPackets = 0;
  readonly #options: MergedCaptureOptions;
  readonly #sink: CaptureOutput;
  #running: number;
  #allEnded: () => void = () => {};
  #stopped: Promise<void> | undefined;

  constructor(options: MergedCaptureOptions) {
    this.#options = options;
    const { id, request, post } = options;
    const comment =
      "Sessions of a wirewalk server with worker threads. This file holds what players sent, also passwords.";
    this.#sink = request.open(pcapngSection({ application: "wirewalk capture", comment }));
    this.#running = post({ type: "capture", id, filter: request.filter, hasGamePorts: request.hasGamePorts === true });
  }

  /** Blocks of a worker have come: so many bytes wait for the disk or the reader. */
  write({ head, blocks }: Extract<FromWorker, { type: "capture" }>): number {
    this.#sink.write(Buffer.concat([head, blocks]));
    return this.#sink.queuedBytes;
  }

  /** A worker has sent all. */
  end({ missedBytes, missedPackets }: Extract<FromWorker, { type: "capture-ended" }>): void {
    this.missedBytes += missedBytes;
    this.missedPackets += missedPackets;
    this.#running -= 1;
    if (this.#running === 0) this.#allEnded();
  }

  stop(): Promise<void> {
    this.#stopped ??= this.#stop();
    return this.#stopped;
  }

  async #stop(): Promise<void> {
    const { id, post, ended } = this.#options;
    const all = new Promise<void>((resolve) => {
      this.#allEnded = resolve;
    });
    post({ type: "capture-stop", id });
    await all;
    await this.#sink.close();
    ended();
  }
}
