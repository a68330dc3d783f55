/** `wirewalk capture`: the sessions of a running server as pcapng. */
import type { IncomingMessage } from "node:http";
import type { CaptureOutput } from "@wirewalk/server";
import { type Command, Option } from "commander";
import { countBytes, escapeControls } from "wirewalk/wire";
import { CaptureBlocks } from "../capture/capture-blocks.ts";
import { type CommandContext, ExitCode, FailedError, type Finish, UsageError } from "../context.ts";
import { size, wholeNumber } from "../input/numbers.ts";
import { addServerFlags, askServer, type ServerFlags, tokenIn, warnInClear } from "../input/server-request.ts";
import { write } from "../output/output.ts";

interface CaptureFlags extends ServerFlags {
  readonly out: string;
  readonly game?: string;
  readonly world?: string;
  readonly carrier?: string;
  readonly port?: number;
  readonly address?: string;
  readonly player?: string;
  readonly gamePorts?: boolean;
  readonly rotate?: number;
  readonly keep?: number;
  readonly seconds?: number;
}

/** Bytes that wait for the disk until the server is read no further: it counts what it leaves out then. */
const MAX_WAITING_BYTES = 4 * 1024 * 1024;
const WAIT_MS = 5;
const SHOW_EVERY_MS = 500;
/** The least size of a file: smaller ones hold a few packets. */
const MIN_ROTATE_BYTES = 10_000;

export function addCapture(program: Command, context: CommandContext, finish: Finish): void {
  addServerFlags(
    program
      .command("capture")
      .requiredOption("--out <file>", "pcapng file for its owner alone; - writes to the standard output"),
  )
    .option("--game <name>", "sessions of this game (default: of all)")
    .option("--world <name>", "sessions of this world")
    .addOption(new Option("--carrier <name>", "sessions over this carrier").choices(["tcp", "websocket"]))
    .option("--port <number>", "sessions of the listener with this port", wholeNumber(1, 65_535))
    .option("--address <ip>", "sessions of clients with this address")
    .option("--player <number or name>", "sessions of this player, from the time it has joined")
    .option("--game-ports", "write each TCP session with its game's own port, which dissectors know")
    .option(
      "--rotate <size>",
      "begin a new file at this size: FILE-00001.pcapng, FILE-00002.pcapng",
      size(MIN_ROTATE_BYTES),
    )
    .option("--keep <number>", "with --rotate: files that are kept", wholeNumber(1, 100_000))
    .option("--seconds <number>", "end after this time (default: at SIGINT)", wholeNumber(1, 31_536_000))
    .summary("the sessions of a running server as a pcapng file, for Wireshark and inspect")
    .description(
      "Writes what the sessions of a running server send and receive to a pcapng file: bytes as they are carried, with made-up headers below " +
        "TCP. The server needs an admin token (serve --admin-token-file), and never waits: what cannot be written in time is left out and " +
        "counted. The file holds what players sent, also passwords. docs/inspect.md describes it.",
    )
    .addHelpText(
      "after",
      `
Examples:
  $ wirewalk capture --out server.pcapng --token-file token
  $ wirewalk capture --out maple.pcapng --token-file token --game maplestory --player ann --seconds 60
  $ wirewalk capture --out server.pcapng --token-file token --rotate 100MB --keep 10
  $ wirewalk capture --out - --token-file token | wireshark -k -i -

Exit code 0 when all was written, 3 when packets are missing, 1 when the server or the file failed.`,
    )
    .action(async (flags: CaptureFlags) => {
      if (await new CaptureCommand(context, flags).run()) finish(ExitCode.refused);
    });
}

class CaptureCommand {
  readonly #context: CommandContext;
  readonly #flags: CaptureFlags;
  readonly #blocks = new CaptureBlocks();
  #bytes = 0;
  #shownMs = 0;
  #failure: Error | undefined;

  constructor(context: CommandContext, flags: CaptureFlags) {
    this.#context = context;
    this.#flags = flags;
    if (flags.keep !== undefined && flags.rotate === undefined) throw new UsageError("--keep needs --rotate SIZE");
    if (flags.rotate !== undefined && flags.out === "-") throw new UsageError("--rotate needs a file: --out FILE");
  }

  /** True when packets are missing. */
  async run(): Promise<boolean> {
    const { server, out } = this.#flags;
    tokenIn(this.#flags.tokenFile);
    await warnInClear(this.#context, server, "the token and the capture pass");
    const response = await this.#ask();
    let isStopped = false;
    const stop = (): void => {
      isStopped = true;
      response.destroy();
    };
    this.#whenStopped(stop);
    let sink: CaptureOutput | undefined;
    try {
      for await (const chunk of response) {
        const blocks = this.#read(chunk as Uint8Array);
        if (sink === undefined && this.#blocks.head.length > 0) sink = await this.#open();
        if (blocks.length > 0) sink?.write(blocks);
        this.#bytes += blocks.length;
        while ((sink?.queuedBytes ?? 0) > MAX_WAITING_BYTES && this.#failure === undefined) await rest();
        if (this.#failure !== undefined) throw new FailedError(this.#failure.message);
        this.#show();
      }
    } catch (error) {
      // A response that was ended from here.
      if (!isStopped || error instanceof FailedError) {
        await sink?.close();
        throw error instanceof FailedError ? error : new FailedError(`${server.origin}: the capture broke off`);
      }
    }
    await sink?.close();
    if (this.#failure !== undefined) throw new FailedError((this.#failure as Error).message);
    const { packets, dropped } = this.#blocks;
    const where = out === "-" ? "" : ` in ${out}`;
    await this.#say(`${packets} packets, ${countBytes(this.#bytes + this.#blocks.head.length)}${where}`);
    if (dropped > 0) await this.#say(`${dropped} packets are missing: the capture could not be written fast enough`);
    return dropped > 0;
  }

  async #ask(): Promise<IncomingMessage> {
    const { server, game, world, carrier, port, address, player, gamePorts } = this.#flags;
    const search = new URLSearchParams();
    const filter = { protocol: game, world, carrier, port, address, player, "game-ports": gamePorts };
    for (const [name, value] of Object.entries(filter)) if (value !== undefined) search.set(name, String(value));
    const response = await askServer(this.#flags, { path: `/capture?${search}` });
    if (response.statusCode !== 200) throw await refused(response, server.origin);
    return response;
  }

  #whenStopped(stop: () => void): void {
    const { signals } = this.#context;
    for (const signal of ["SIGINT", "SIGTERM", "orphaned"]) signals.on(signal, stop);
    const { seconds } = this.#flags;
    if (seconds !== undefined) setTimeout(stop, seconds * 1000).unref();
  }

  #read(chunk: Uint8Array): Uint8Array {
    try {
      return this.#blocks.push(chunk);
    } catch (error) {
      if (error instanceof RangeError) throw new FailedError(`${this.#flags.server.origin}: ${error.message}`);
      throw error;
    }
  }

  async #open(): Promise<CaptureOutput> {
    const { out, rotate, keep } = this.#flags;
    const { head } = this.#blocks;
    if (out === "-") return standardOutput(this.#context, head);
    const { CaptureFile } = await import("@wirewalk/server");
    try {
      return new CaptureFile({
        file: out,
        head,
        rotateBytes: rotate,
        keep,
        onFailed: (error) => {
          this.#failure ??= new Error(`Cannot write ${out}: ${error.message}`);
        },
      });
    } catch (error) {
      throw new FailedError(error instanceof Error ? error.message : String(error));
    }
  }

  /** On a terminal: how much there is. */
  #show(): void {
    const { stderr } = this.#context;
    const nowMs = performance.now();
    if (!("isTTY" in stderr && stderr.isTTY === true) || nowMs - this.#shownMs < SHOW_EVERY_MS) return;
    this.#shownMs = nowMs;
    const { packets, dropped } = this.#blocks;
    const missing = dropped === 0 ? "" : `, ${dropped} MISSING`;
    stderr.write(`\r${packets} packets, ${(this.#bytes / 1e6).toFixed(1)} MB${missing}  `);
  }

  async #say(text: string): Promise<void> {
    const { stderr } = this.#context;
    await write(stderr, `${"isTTY" in stderr && stderr.isTTY === true ? "\r" : ""}wirewalk: ${text}\n`);
  }
}

async function refused(response: IncomingMessage, origin: string): Promise<FailedError> {
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) if (text.length < 500) text += String(chunk);
  const why = escapeControls(text.trim().split("\n")[0] ?? "");
  return new FailedError(`${origin} gives no capture: ${response.statusCode} ${why}`);
}

function standardOutput({ stdout }: CommandContext, head: Uint8Array): CaptureOutput {
  stdout.write(head);
  return {
    get queuedBytes() {
      return stdout.writableLength;
    },
    write: (blocks) => void stdout.write(blocks),
    close: async () => {
      while (stdout.writableLength > 0 && !stdout.destroyed) await rest();
    },
  };
}

function rest(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, WAIT_MS));
}
