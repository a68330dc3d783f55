/** HTTP requests and WebSocket upgrades, as Node hands them over: a request line and headers as text. */
import type { Target } from "../target.ts";

export const webRequests: Target = {
  name: "web requests",
  summary: "a request line and headers: an upgrade, an answer or a refusal, and nothing of the page for a foreign name",
  cover:
    /packages\/server\/src\/\w+\/(?:web-upgrade|web-access|http-answers|static-files|accepted-encoding|admin-token)\.ts$/,
  maxBytes: 260,
  async open() {
    const { judgeUpgrade, STUDIO } = await import("../../../packages/server/src/http/web-upgrade.ts");
    const { httpAnswers } = await import("../../../packages/server/src/http/http-answers.ts");
    const { AdminToken } = await import("../../../packages/server/src/http/admin-token.ts");
    const { acceptedEncoding } = await import("../../../packages/server/src/http/accepted-encoding.ts");
    const text = (line: string): Uint8Array => Uint8Array.from(line, (character) => character.charCodeAt(0) & 0xff);
    const decoder = new TextDecoder("latin1");
    const token = new AdminToken("a-token-of-26-characters-x", Buffer.alloc(32));
    const names = { publicHosts: ["play.example.org"], allowedOrigins: ["https://example.org"] };
    const games = new Set(["osrs", "maplestory"]);
    const secret = "the metrics";
    const sources = {
      banOf: () => undefined,
      files: undefined,
      metrics: { text: () => secret },
      isDraining: () => false,
      degraded: () => undefined,
      lagMs: () => 0,
    } as unknown as Parameters<typeof httpAnswers>[0];
    const accesses = [undefined, token].flatMap((asked) =>
      [false, true].map((hasPage) => ({ names, hasPage, token: asked, isSecure: false })),
    );
    const answerers = accesses.map((access) => httpAnswers(sources, access));
    /** Header lines as Node's parser gives them: names in small letters, the first of a name that may be there once. */
    const headersOf = (lines: readonly string[]): Record<string, string> => {
      const headers: Record<string, string> = {};
      for (const line of lines) {
        const at = line.indexOf(":");
        if (at > 0) headers[line.slice(0, at).toLowerCase()] ??= line.slice(at + 1).trim();
      }
      return headers;
    };
    const base = [
      "Host: localhost:7400",
      "Origin: http://localhost:7400",
      "Cookie: wirewalk-admin=x",
      "Accept-Encoding: br;q=0, gzip",
    ];
    return {
      seeds: [
        "GET /ws/osrs?account=ann&room=3",
        "GET /ws/studio",
        "GET /ws/__proto__",
        "GET /ws/%",
        "HEAD /metrics",
        "GET /ban?protocol=osrs",
        "POST /login",
        "GET /../../etc/passwd",
        "PUT //x",
      ].flatMap((line, at) => [
        text(`${at % 4}${[line, ...base].join("\n")}`),
        text(
          `${at % 4}${[line, "Host: evil.example", `Authorization: Bearer ${"a-token-of-26-characters-x"}`].join("\n")}`,
        ),
        text(`${at % 4}${[line, "Host: play.example.org", "Origin: https://example.org"].join("\n")}`),
      ]),
      words: [
        "/ws/",
        "osrs",
        "studio",
        "?account=",
        "&room=",
        "%00",
        "Host: ",
        "Origin: ",
        "\n",
        "localhost",
        "[::1]",
        "Bearer ",
      ].map(text),
      run(input) {
        const access = accesses[(input[0] ?? 0) % accesses.length] as (typeof accesses)[number];
        const [line = "", ...rest] = decoder.decode(input.subarray(1)).split("\n");
        const [method = "GET", url] = line.split(" ");
        const headers = headersOf(rest);
        const request = { method, url, headers, socket: { localAddress: "192.0.2.1" } };
        const asked = judgeUpgrade(request as never, {
          ...access,
          isDraining: false,
          isWorld: (name) => games.has(name),
        });
        const isOwn =
          /^(?:localhost|[^/]*\.localhost|127\.\d+\.\d+\.\d+|\[::1\]|192\.0\.2\.1|play\.example\.org)\.?(?::\d+)?$/i.test(
            headers.host ?? "",
          );
        if ("listener" in asked) {
          const { listener, joinRequest } = asked;
          if (!games.has(listener) && !(listener === STUDIO && access.hasPage))
            throw new Error(`${url} opens ${listener}`);
          if (!isPlausible(headers.host)) throw new Error(`The host ${headers.host} opens ${listener}`);
          for (const name of Object.values(joinRequest)) {
            if (name.length < 1 || name.length > 64) throw new Error(`A name of ${name.length} characters`);
          }
          const { origin } = headers;
          if (
            origin !== undefined &&
            origin !== "https://example.org" &&
            new URL(origin).host !== headers.host?.toLowerCase()
          ) {
            throw new Error(`The origin ${origin} opens ${listener} of ${headers.host}`);
          }
          if (listener === STUDIO && access.token !== undefined && !access.token.isIn(headers))
            throw new Error("The feed without its token");
        }
        acceptedEncoding(headers["accept-encoding"], new Set(["br", "gzip", "identity"]) as never);
        if (method === "POST" && url === "/login") return;
        let status = 0;
        let body = "";
        const response = {
          setHeader: () => response,
          writeHead: (code: number) => {
            status = code;
            return response;
          },
          end: (bytes?: Uint8Array) => {
            body = bytes === undefined ? "" : Buffer.from(bytes).toString();
            return response;
          },
          once: () => response,
        };
        answerers[(input[0] ?? 0) % answerers.length]?.(request as never, response as never);
        if (status === 0) throw new Error(`${line} is not answered`);
        if (body !== secret) return;
        const mayHave =
          access.hasPage && isPlausible(headers.host) && (access.token === undefined || access.token.isIn(headers));
        if (!mayHave || (isOwn && status !== 200))
          throw new Error(`The metrics are shown with ${status} to ${headers.host}`);
      },
    };
    /** Whether a name may be this server's: written without the server's own reading of it. */
    function isPlausible(host = ""): boolean {
      const name = host.replace(/:\d+$/, "").replace(/\.$/, "").toLowerCase();
      const isLoopback =
        name === "localhost" || name.endsWith(".localhost") || name.startsWith("127.") || name.startsWith("[");
      return isLoopback || name === "play.example.org" || name === "192.0.2.1" || /^[\da-f:.]+$/.test(name);
    }
  },
};
