/**
 * **Forwarding** to a worker thread over its Unix socket: WebSockets of its worlds byte for byte, once the main thread has checked names,
 * origin and token, and requests whose answers the main thread needs.
 */
import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect } from "node:net";
import type { ForwardedUpgrade } from "../http/web-listeners.ts";

/** What the main thread has checked, or says itself. */
const OWN_HEADERS: ReadonlySet<string> = new Set(["host", "origin", "x-forwarded-for", "cookie", "authorization"]);
const ANSWER_MS = 2_000;

/** Connects a WebSocket's client to the worker that has its world. Each side waits for the other's reader. */
export function forwardUpgrade(path: string, { request, socket, head, address }: ForwardedUpgrade): void {
  const upstream = connect(path);
  upstream.on("error", () => socket.destroy());
  socket.on("error", () => upstream.destroy());
  socket.once("close", () => upstream.destroy());
  upstream.once("close", () => socket.destroySoon());
  socket.setNoDelay(true);
  const lines = [`GET ${request.url ?? "/"} HTTP/1.1`, "Host: localhost", `X-Forwarded-For: ${address}`];
  for (let at = 0; at + 1 < request.rawHeaders.length; at += 2) {
    const name = request.rawHeaders[at] as string;
    if (!OWN_HEADERS.has(name.toLowerCase())) lines.push(`${name}: ${request.rawHeaders[at + 1]}`);
  }
  upstream.write(Buffer.from(`${lines.join("\r\n")}\r\n\r\n`, "latin1"));
  if (head.length > 0) upstream.write(head);
  socket.pipe(upstream);
  upstream.pipe(socket);
}

/** The body of a worker's answer; rejects when it does not come in two seconds. */
export function ask(socketPath: string, path: string, address: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { host: "localhost", "x-forwarded-for": address };
    const asked = httpRequest({ socketPath, path, headers, timeout: ANSWER_MS }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => resolve(text));
      response.on("error", reject);
    });
    asked.on("timeout", () => asked.destroy(new Error("a worker does not answer")));
    asked.on("error", reject);
    asked.end();
  });
}

/** Gives a request to the worker that can answer it, and its answer to the client. */
export function forwardRequest(
  socketPath: string,
  { request, response, address }: { request: IncomingMessage; response: ServerResponse; address: string },
): void {
  const headers = { host: "localhost", "x-forwarded-for": address };
  const asked = httpRequest({ socketPath, path: request.url, method: request.method, headers }, (answer) => {
    // Whether the connection goes on is for each of the two alone.
    const { connection: _, "keep-alive": __, ...own } = answer.headers;
    response.writeHead(answer.statusCode ?? 502, own);
    answer.pipe(response);
  });
  asked.on("error", () => response.destroy());
  response.once("close", () => asked.destroy());
  asked.end();
}
