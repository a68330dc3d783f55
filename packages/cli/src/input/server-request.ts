/** Requests of commands to a running server, with its admin token. */
import { readFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { request as requestSecure } from "node:https";
import { type Command, InvalidArgumentError } from "commander";
import { escapeControls } from "wirewalk/wire";
import { isLoopback } from "../commands/serve-web.ts";
import { type CommandContext, FailedError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import { write } from "../output/output.ts";

export interface ServerFlags {
  readonly server: URL;
  readonly tokenFile: string;
}

/** Adds the flags that name a running server. */
export function addServerFlags(command: Command): Command {
  return command
    .requiredOption("--token-file <file>", "file with the server's admin token")
    .option("--server <url>", "where the server's page and metrics are", url, new URL("http://127.0.0.1:7400"));
}

function url(text: string): URL {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed?.protocol === "http:" || parsed?.protocol === "https:") return parsed;
  throw new InvalidArgumentError("It must look like http://127.0.0.1:7400.");
}

/** Throws {@link FailedError} for a file that cannot be read. */
export function tokenIn(file: string): string {
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    throw new FailedError(`Cannot read ${file}: ${fileReason(error)}`);
  }
}

/** Says where a token would pass in clear. */
export async function warnInClear(context: CommandContext, server: URL, what: string): Promise<void> {
  if (server.protocol !== "http:" || isLoopback(server.hostname.replaceAll(/[[\]]/g, ""))) return;
  await write(context.stderr, `wirewalk: ${what} ${server.host} without TLS\n`);
}

export interface Asked {
  /** The path, with its search. */
  readonly path: string;
  /** A POST of JSON. Default: a GET. */
  readonly body?: object;
}

/** Sends a request; the response has not been read. Throws {@link FailedError} for a server that cannot be reached. */
export function askServer({ server, tokenFile }: ServerFlags, { path, body }: Asked): Promise<IncomingMessage> {
  const token = tokenIn(tokenFile);
  const text = body === undefined ? undefined : JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(text === undefined ? {} : { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const options = { headers, agent: false, method: text === undefined ? "GET" : "POST" };
    const sent = (server.protocol === "https:" ? requestSecure : request)(new URL(path, server), options, resolve);
    sent.once("error", (error: NodeJS.ErrnoException) => {
      reject(new FailedError(`Cannot connect to ${server.origin}: ${error.code ?? error.message}`));
    });
    sent.end(text);
  });
}

/** Letters of an answer that are read. */
const MAX_ANSWER = 32_000_000;

/** The answer as JSON. Throws {@link FailedError} with the server's sentence for any status but 200 and 201. */
export async function askJson(flags: ServerFlags, asked: Asked): Promise<Readonly<Record<string, unknown>>> {
  const response = await askServer(flags, asked);
  let text = "";
  for await (const chunk of response.setEncoding("utf8")) if (text.length < MAX_ANSWER) text += String(chunk);
  const { statusCode } = response;
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    json = undefined;
  }
  const answer = typeof json === "object" && json !== null ? (json as Readonly<Record<string, unknown>>) : undefined;
  if (answer !== undefined && (statusCode === 200 || statusCode === 201)) return answer;
  const said = answer?.error === undefined ? text.split("\n")[0] : String(answer.error);
  throw new FailedError(`${flags.server.origin}: ${statusCode} ${escapeControls((said ?? "").slice(0, 500))}`);
}
