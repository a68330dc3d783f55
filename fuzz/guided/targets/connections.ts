/** What a server reads before a game does: WebSocket frames, PROXY headers, addresses. */
import type { Target } from "../target.ts";

export const websocketFrames: Target = {
  name: "websocket frames",
  summary:
    "a stream of WebSocket frames in pieces: the same counts whole and in pieces, and the frames that we write are whole",
  cover: /packages\/server\/src\/\w+\/websocket-frames\.ts$/,
  maxBytes: 300,
  async open() {
    const { FrameMeter, frameBinary } = await import("../../../packages/server/src/http/websocket-frames.ts");
    const measure = (stream: Uint8Array, step: number): string => {
      const meter = new FrameMeter();
      for (let at = 0; at < stream.length; at += step) meter.push(stream.subarray(at, at + step));
      return `${meter.messages} ${meter.mostFragments} ${meter.unfinished}`;
    };
    return {
      seeds: [
        Uint8Array.of(1, 0x82, 0x81, 1, 2, 3, 4, 5),
        Uint8Array.of(1, 0xff, 0xff),
        Uint8Array.of(3, 0x02, 0x82, 1, 2, 3, 4, 5, 6, 0x89, 0x80, 1, 2, 3, 4, 0x80, 0x81, 1, 2, 3, 4, 9),
        Uint8Array.of(2, ...frameBinary(new Uint8Array(200))),
        Uint8Array.of(200, 0x82, 0xff, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2, 3, 4, 5, 6),
      ],
      run(input) {
        const stream = input.subarray(1);
        const whole = measure(stream, Math.max(1, stream.length));
        const split = measure(stream, Math.max(1, input[0] ?? 1));
        if (whole !== split) throw new Error(`The frames are ${whole} whole, and ${split} in pieces`);
        // Frames that are longer than an input have a length of two or eight bytes.
        const body = stream[0] === 0xff && stream[1] === 0xff ? new Uint8Array(70_000 + stream.length) : stream;
        const framed = measure(frameBinary(body), body === stream ? 1 : 5_000);
        if (framed !== "1 1 false") throw new Error(`A frame of ${body.length} bytes is ${framed}`);
      },
    };
  },
};

export const proxyHeader: Target = {
  name: "proxy header",
  summary: "the start of a proxy's connection: byte by byte it says the same as whole, and names an address or nobody",
  cover: /packages\/server\/src\/\w+\/(?:proxy-header|ban-key)\.ts$/,
  maxBytes: 260,
  async open() {
    const { readProxyHeader, startsWithProxyHeader } = await import(
      "../../../packages/server/src/admission/proxy-header.ts"
    );
    const { plainAddress } = await import("../../../packages/server/src/bans/ban-key.ts");
    const text = (line: string): Uint8Array => new TextEncoder().encode(line);
    const signature = [0x0d, 0x0a, 0x0d, 0x0a, 0x00, 0x0d, 0x0a, 0x51, 0x55, 0x49, 0x54, 0x0a];
    return {
      seeds: [
        text("PROXY TCP4 192.0.2.1 192.0.2.2 1 2\r\nabc"),
        text("PROXY TCP6 2001:db8::1 ::1 65535 0\r\n"),
        text("PROXY UNKNOWN whatever\r\n"),
        Uint8Array.of(...signature, 0x21, 0x11, 0, 12, 192, 0, 2, 1, 192, 0, 2, 2, 0, 1, 0, 2, 9),
        Uint8Array.of(...signature, 0x21, 0x21, 0, 36, ...new Uint8Array(36)),
        Uint8Array.of(...signature, 0x20, 0, 0, 0),
      ],
      words: ["PROXY ", "TCP4 ", "TCP6 ", "UNKNOWN", "\r\n", "::ffff:1.2.3.4 ", "65536"].map(text),
      run(input) {
        const whole = readProxyHeader(input);
        for (let length = 0; length < input.length; length++) {
          const part = readProxyHeader(input.subarray(0, length));
          if (part.state === "incomplete") continue;
          if (JSON.stringify(part) === JSON.stringify(whole)) break;
          throw new Error(`${length} bytes say ${JSON.stringify(part)}, all say ${JSON.stringify(whole)}`);
        }
        if (whole.state !== "complete") return;
        if (!startsWithProxyHeader(input)) throw new Error("A header that does not begin as one is complete");
        if (whole.bytes > input.length) throw new Error(`A header of ${whole.bytes} bytes in ${input.length}`);
        if (whole.client !== undefined && plainAddress(whole.client) === undefined) {
          throw new Error(`${whole.client} is not an address`);
        }
      },
    };
  },
};

export const addresses: Target = {
  name: "addresses",
  summary:
    "a Host, an X-Forwarded-For, an address and a ban key as text: no error, and every spelling of an address is one",
  cover: /packages\/server\/src\/\w+\/(?:ban-key|trusted-proxies|web-access)\.ts$/,
  maxBytes: 120,
  async open() {
    const keys = await import("../../../packages/server/src/bans/ban-key.ts");
    const { TrustedProxies } = await import("../../../packages/server/src/admission/trusted-proxies.ts");
    const { hostName, isOwnHost } = await import("../../../packages/server/src/http/web-access.ts");
    const proxies = new TrustedProxies(["10.0.0.0/8", "::1"]);
    const decoder = new TextDecoder("latin1");
    const text = (line: string): Uint8Array => Uint8Array.from(line, (character) => character.charCodeAt(0) & 0xff);
    const names = { publicHosts: ["play.example.org"], allowedOrigins: [] };
    const socket = { localAddress: "192.0.2.1" } as Parameters<typeof isOwnHost>[0]["socket"];
    return {
      seeds: [
        "192.0.2.7",
        "::ffff:192.0.2.7",
        "2001:db8:0:1:a::7",
        "fe80::1%eth0",
        "address:2001:db8:0:1::/64",
        "login:ann",
        "localhost:7400",
        "[::1]:7400",
        "play.example.org.",
        "10.0.0.1, 198.51.100.7",
        "[2001:db8::1]:80, 10.1.1.1:80",
      ].map(text),
      words: ["::", "ffff:", "address:", "login:", "/64", "%", ", ", "[", "]:80", "127.0.0.1", "10.0.0.1"].map(text),
      run(input) {
        const line = decoder.decode(input);
        const plain = keys.plainAddress(line);
        if (plain !== undefined && keys.plainAddress(plain) !== plain)
          throw new Error(`${line} is ${plain}, which is another`);
        const group = keys.addressGroup(line);
        if (keys.peerOf(line) !== (group ?? line)) throw new Error(`The peer of ${line} is ${keys.peerOf(line)}`);
        const key = keys.addressKey(line);
        if (group !== undefined && (key === undefined || keys.parseBanKey(key) !== key)) {
          throw new Error(`${line} is of ${group}, whose key ${key} is parsed as ${keys.parseBanKey(key ?? "")}`);
        }
        const parsed = keys.parseBanKey(line);
        if (parsed !== undefined && keys.parseBanKey(parsed) !== parsed)
          throw new Error(`The key ${line} is ${parsed}, which is another`);
        const client = proxies.clientOf("10.0.0.9", line);
        if (keys.plainAddress(client) !== client) throw new Error(`The client of ${line} is ${client}`);
        const host = hostName(line);
        if (isOwnHost({ headers: { host: line }, socket }, names) && host === undefined) {
          throw new Error(`${line} is an own host without a name`);
        }
      },
    };
  },
};
