/** Honest players in a thread of their own, as the attack sees them. */
import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { FailedError } from "../context.ts";
import { HONEST_GAME, type Noticed } from "./honest.ts";
import { hostAndPort, type Target, type WebAddress } from "./target.ts";

/** What the thread is started with. */
export interface HonestTask {
  readonly address: WebAddress;
  readonly dialect: string;
}

/** A call of a method of `HonestPlayers`. */
export type HonestCall =
  | { readonly call: "play"; readonly moves: number; readonly withinMs: number }
  | { readonly call: "notice"; readonly maxDelayMs: number | undefined }
  | { readonly call: "ban" };

/** What the thread says: that the players have started or could not, and then the result of each call. */
export interface HonestAnswer {
  readonly result?: Noticed | string | undefined;
  readonly error?: string;
}

/** The sources in the workspace, before any build, else the build. */
const extension = import.meta.url.slice(import.meta.url.lastIndexOf("."));

export class HonestThread {
  readonly #worker: Worker;

  private constructor(task: HonestTask) {
    this.#worker = new Worker(new URL(`./honest-worker${extension}`, import.meta.url), {
      workerData: task,
      // A thread has not the hooks that `bin/wirewalk.js` registers.
      execArgv: extension === ".ts" ? ["-C", "wirewalk-source"] : [],
    });
  }

  /** Undefined where their game is not served. Throws `FailedError` when they cannot connect. */
  static async start({ host, http, games }: Target): Promise<HonestThread | undefined> {
    const game = games.get(HONEST_GAME);
    if (game === undefined) return undefined;
    const address = { host, port: http };
    const thread = new HonestThread({ address, dialect: game.dialect });
    const { error } = await thread.#answer();
    if (error === undefined) return thread;
    await thread.stop();
    throw new FailedError(`honest players cannot play at ${hostAndPort(address)}: ${error}`);
  }

  /** Waits until they have seen each other move this often since the last call of `notice`. */
  async play(moves: number, withinMs: number): Promise<void> {
    await this.#call({ call: "play", moves, withinMs });
  }

  /** What they noticed since the last call. */
  async notice(maxDelayMs?: number): Promise<Noticed> {
    return (await this.#call({ call: "notice", maxDelayMs })) as Noticed;
  }

  /** The ban that the server names for this address in a game; undefined without one. */
  async ban(): Promise<string | undefined> {
    return (await this.#call({ call: "ban" })) as string | undefined;
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  async #call(call: HonestCall): Promise<HonestAnswer["result"]> {
    const answered = this.#answer();
    this.#worker.postMessage(call);
    const { result, error } = await answered;
    if (error !== undefined) throw new Error(`The thread of the honest players failed: ${error}`);
    return result;
  }

  async #answer(): Promise<HonestAnswer> {
    const [answer] = (await once(this.#worker, "message")) as [HonestAnswer];
    return answer;
  }
}
