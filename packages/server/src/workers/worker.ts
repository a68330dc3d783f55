/** A **worker thread** of a server: some of its worlds, with their sockets and sessions; what worlds share is on the main thread. */
import type { MessagePort } from "node:worker_threads";
import { systemClock } from "wirewalk/net";
import { processMemory } from "wirewalk/node";
import type { LoginOutcome } from "../admission/accounts.ts";
import type { Penalty } from "../bans/ledger.ts";
import type { CaptureOutput } from "../capture/capture-writer.ts";
import type { RunningCapture } from "../capture/session-captures.ts";
import { MemoryBudget } from "../health/memory-budget.ts";
import { STUDIO } from "../http/web-upgrade.ts";
import { nodeRuntime } from "../runtime/runtime.ts";
import { Server } from "../server.ts";
import type { ServerOptions } from "../server-options.ts";
import type { ThreadParts } from "../thread-parts.ts";
import type { ActionHands } from "../verdicts/verdict-actions.ts";
import type { ActionAnswer, ActionCall, FromWorker, ToWorker, WorkerSetup } from "./messages.ts";
import { SharedCounts } from "./shared-counts.ts";

const STATUS_EVERY_MS = 1_000;
/** A login whose peer is gone leaves the queue of the main thread within this time. */
const WANTED_EVERY_MS = 100;
/** Numbers of sessions of each thread. */
const SESSIONS_PER_THREAD = 2 ** 40;

/**
 * Runs the worlds of a worker until the main thread closes it. `options` are those of the whole server, with its own connection to
 * the store and without `http`.
 */
export async function runWorker(port: MessagePort, setup: WorkerSetup, options: ServerOptions): Promise<void> {
  const send = (message: FromWorker, transfer: readonly ArrayBuffer[] = []): void => {
    port.postMessage(message, [...transfer]);
  };
  const parts = new RemoteParts(setup, send);
  const { http: _http, admin: _admin, adminToken: _token, certificate: _certificate, ...rest } = options;
  const memory = new MemoryBudget({ memory: processMemory(), clock: systemClock, log: options.logger });
  const server = new Server({ ...rest, memory }, nodeRuntime, undefined, parts);
  const captures = new Map<number, { readonly capture: RunningCapture; readonly sink: PortSink }>();
  const report = (): void => {
    parts.checkWanted();
    send({ type: "status", status: { stats: server.stats(), ...server.health } });
  };
  const stopWanted = server.clock.every(WANTED_EVERY_MS, () => parts.checkWanted());
  const stopStatus = server.clock.every(STATUS_EVERY_MS, report);
  const handle = async (message: ToWorker): Promise<void> => {
    switch (message.type) {
      case "login":
        parts.checked(message.id, message.outcome, message.problem);
        return;
      case "penalty":
        parts.penalty(message.id, message.penalty);
        return;
      case "take-over":
        server.takeOverHere(message.protocol, message.account);
        return;
      case "act":
        send({ type: "acted", id: message.id, answer: await handOf(server.hands, message.call) });
        return;
      case "capture": {
        const { id, filter, hasGamePorts } = message;
        let sink: PortSink | undefined;
        const open = (head: Uint8Array): PortSink => {
          sink = new PortSink(id, head, send);
          return sink;
        };
        const capture = server.capture({ filter, hasGamePorts, open });
        if (capture !== undefined && sink !== undefined) captures.set(id, { capture, sink });
        return;
      }
      case "capture-queued": {
        const found = captures.get(message.id);
        if (found !== undefined) found.sink.taken(message.bytes);
        return;
      }
      case "capture-stop": {
        const { id } = message;
        const found = captures.get(id);
        captures.delete(id);
        await found?.capture.stop();
        const { missedBytes = 0, missedPackets = 0 } = found?.capture ?? {};
        send({ type: "capture-ended", id, missedBytes, missedPackets });
        return;
      }
      case "close":
        stopWanted();
        await server.close({ graceMs: message.graceMs });
        stopStatus();
        options.store?.close();
        send({ type: "closed" });
        port.close();
    }
  };
  port.on("message", (message: ToWorker) => void handle(message));
  try {
    memory.checkStart();
    await server.listen();
    // The main thread ends all threads when one has failed.
    server.watchMemory(memory, (problem) => {
      const fail = (): void => {
        throw new Error(`memory is used up: ${problem}`);
      };
      void server.close().then(() => setImmediate(fail));
    });
    send({ type: "listening", listeners: server.listeners, served: server.served });
    report();
  } catch (error) {
    send({ type: "failed", message: error instanceof Error ? error.message : String(error) });
    await server.close({ graceMs: 0 });
  }
}

function handOf(hands: ActionHands, call: ActionCall): Promise<ActionAnswer> {
  switch (call.hand) {
    case "warn":
      return hands.warn(call.target, call.text);
    case "end":
      return hands.end(call.target, call.how, call.detail);
    case "dismiss":
      return hands.dismiss(call.play);
  }
}

interface WaitingLogin {
  readonly isWanted: () => boolean;
  readonly resolve: (outcome: LoginOutcome) => void;
}

/** What is on the main thread, as this thread's server uses it. */
class RemoteParts implements ThreadParts {
  readonly index: number;
  readonly threads: number;
  readonly worlds: readonly string[];
  readonly firstSession: number;
  readonly counts: SharedCounts;
  readonly secret: Buffer;
  readonly socketPath: string;
  readonly logins: ThreadParts["logins"];
  readonly #send: (message: FromWorker) => void;
  readonly #waiting = new Map<number, WaitingLogin>();
  readonly #verdicts = new Map<number, (penalty: Penalty) => void>();
  #problem: string | undefined;
  #last = 0;

  constructor(setup: WorkerSetup, send: (message: FromWorker) => void) {
    this.index = setup.index;
    this.threads = setup.threads;
    this.worlds = setup.worlds;
    this.firstSession = setup.index * SESSIONS_PER_THREAD;
    this.counts = new SharedCounts(setup.counts, setup.countedListeners, STUDIO);
    this.secret = Buffer.from(setup.secret);
    this.socketPath = setup.socketPath;
    this.#send = send;
    const problem = (): string | undefined => this.#problem;
    // Logins that wait are counted where they wait.
    this.logins = {
      waiting: 0,
      get problem() {
        return problem();
      },
      check: ({ isWanted = () => true, ...request }) =>
        new Promise((resolve) => {
          this.#last += 1;
          this.#waiting.set(this.#last, { isWanted, resolve });
          send({ type: "login", id: this.#last, request });
        }),
    };
  }

  addVerdict(...[world, account, verdict, penalize]: Parameters<ThreadParts["addVerdict"]>): void {
    this.#last += 1;
    this.#verdicts.set(this.#last, penalize);
    this.#send({ type: "verdict", id: this.#last, world, account, verdict });
  }

  forget(...[protocol, key]: Parameters<ThreadParts["forget"]>): void {
    this.#send({ type: "forget", protocol, key });
  }

  takeOver(protocol: string, account: string): void {
    this.#send({ type: "take-over", protocol, account });
  }

  checked(id: number, outcome: LoginOutcome, problem: string | undefined): void {
    this.#problem = problem;
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.resolve(outcome);
  }

  penalty(id: number, penalty: Penalty | undefined): void {
    const penalize = this.#verdicts.get(id);
    this.#verdicts.delete(id);
    if (penalty !== undefined) penalize?.(penalty);
  }

  /** Takes logins back whose peers are gone. */
  checkWanted(): void {
    for (const [id, { isWanted }] of this.#waiting) if (!isWanted()) this.#send({ type: "login-unwanted", id });
  }
}

/** A capture's output on the main thread. */
class PortSink implements CaptureOutput {
  readonly #id: number;
  readonly #head: Uint8Array;
  readonly #send: (message: FromWorker, transfer?: readonly ArrayBuffer[]) => void;
  #sent = 0;
  #queued = 0;

  constructor(id: number, head: Uint8Array, send: (message: FromWorker) => void) {
    this.#id = id;
    this.#head = head;
    this.#send = send;
  }

  get queuedBytes(): number {
    return this.#sent + this.#queued;
  }

  write(blocks: Uint8Array): void {
    this.#sent += blocks.length;
    this.#send({ type: "capture", id: this.#id, head: this.#head, blocks });
  }

  /** All that was sent has arrived; so many bytes wait there. */
  taken(queuedBytes: number): void {
    this.#sent = 0;
    this.#queued = queuedBytes;
  }

  async close(): Promise<void> {}
}
