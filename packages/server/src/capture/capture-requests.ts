/** `GET /capture` of the admin listener: a capture of the server's sessions, for as long as the request is open. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Logger } from "pino";
import type { Clock } from "wirewalk/net";
import { plainAddress } from "../bans/ban-key.ts";
import type { CaptureOutput } from "./capture-writer.ts";
import { type CaptureFilter, MAX_CAPTURES, type SessionCaptures } from "./session-captures.ts";

/** Answers a request for a capture, whose token was checked. */
export type CaptureAnswer = (request: IncomingMessage, response: ServerResponse, search: URLSearchParams) => void;

export interface CaptureAnswerOptions {
  readonly captures: Pick<SessionCaptures, "start">;
  readonly clock: Clock;
  readonly isGame: (name: string) => boolean;
  readonly isWorld: (name: string) => boolean;
  readonly log: Logger;
}

/** The reader has this long to take the rest when the server stops. */
const CLOSE_WITHIN_MS = 1_000;
const NAMES: ReadonlySet<string> = new Set(["protocol", "world", "carrier", "port", "address", "player", "game-ports"]);

export function captureAnswer({ captures, clock, isGame, isWorld, log }: CaptureAnswerOptions): CaptureAnswer {
  return (request, response, search) => {
    const filter = readFilter(search, { isGame, isWorld });
    if (typeof filter === "string") {
      refuse(response, 400, filter);
      return;
    }
    const sink = new ResponseSink(response, clock);
    const capture = captures.start({
      filter,
      hasGamePorts: search.get("game-ports") === "true",
      open: (head) => {
        sink.begin(head);
        return sink;
      },
    });
    if (capture === undefined) {
      refuse(response, 503, `There are ${MAX_CAPTURES} captures already, and no more are started`);
      return;
    }
    const by = request.socket.remoteAddress;
    log.info({ by, filter }, "capture started");
    response.once("close", () => {
      void capture.stop();
      log.info({ by, missedBytes: capture.missedBytes, missedPackets: capture.missedPackets }, "capture ended");
    });
  };
}

/** The filter of a query, or what is wrong with it. */
function readFilter(
  search: URLSearchParams,
  { isGame, isWorld }: Pick<CaptureAnswerOptions, "isGame" | "isWorld">,
): CaptureFilter | string {
  for (const name of search.keys()) if (!NAMES.has(name)) return `There is no filter "${name}"`;
  const [protocol, world, carrier, port, address, player] = [
    "protocol",
    "world",
    "carrier",
    "port",
    "address",
    "player",
  ].map((name) => search.get(name) ?? undefined);
  if (protocol !== undefined && !isGame(protocol)) return `The game "${protocol}" is not served here`;
  if (world !== undefined && !isWorld(world)) return `There is no world "${world}"`;
  if (carrier !== undefined && carrier !== "tcp" && carrier !== "websocket") {
    return `The carrier "${carrier}" is neither tcp nor websocket`;
  }
  if (port !== undefined && !/^\d{1,5}$/.test(port)) return `The port "${port}" is not a number`;
  const plain = address === undefined ? undefined : plainAddress(address);
  if (address !== undefined && plain === undefined) return `"${address}" is not an IP address`;
  return { protocol, world, carrier, port: port === undefined ? undefined : Number(port), address: plain, player };
}

function refuse(response: ServerResponse, status: number, why: string): void {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" });
  response.end(`${why}\n`);
}

class ResponseSink implements CaptureOutput {
  readonly #response: ServerResponse;
  readonly #clock: Clock;

  constructor(response: ServerResponse, clock: Clock) {
    this.#response = response;
    this.#clock = clock;
  }

  get queuedBytes(): number {
    return this.#response.writableLength;
  }

  begin(head: Uint8Array): void {
    this.#response.writeHead(200, {
      "content-type": "application/vnd.tcpdump.pcap",
      "content-disposition": 'attachment; filename="wirewalk.pcapng"',
      "cache-control": "no-store",
      connection: "close",
    });
    this.#response.write(head);
  }

  write(blocks: Uint8Array): void {
    if (!this.#response.destroyed) this.#response.write(blocks);
  }

  async close(): Promise<void> {
    const response = this.#response;
    if (response.destroyed) return;
    await new Promise<void>((resolve) => {
      // A reader that is too slow loses the end.
      const cancel = this.#clock.after(CLOSE_WITHIN_MS, resolve);
      response.once("close", () => {
        cancel();
        resolve();
      });
      response.end();
    });
  }
}
