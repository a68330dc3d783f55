/** Lines of text, as the command line takes them. */
import type { Side } from "wirewalk/protocol";
import type { Target } from "../target.ts";
import { src } from "./sources.ts";

export const lines: Target = {
  name: "inspect lines",
  summary: "a line of text for decode, encode and inspect of every protocol: an answer or a refusal, never an error",
  cover: new RegExp(
    `${src}(?:inspect|wire/(?:hex|latin1)|protocols/(?:message-table|packet-stream|payload-stream)).*(?<!\\.test)\\.ts$`,
  ),
  maxBytes: 300,
  async open() {
    const { protocols } = await import("wirewalk/protocols");
    const { decodeLines, encodeLines, formatTrace, traceStream } = await import("wirewalk/inspect");
    const { parseHex } = await import("wirewalk/wire");
    const { attempt } = await import("../../../packages/wirewalk/src/inspect/attempt.ts");
    const { packetStreams } = await import("wirewalk/protocol");
    const setups = Object.values(protocols).flatMap((protocol) =>
      // A stream of player info makes an engine for every writer: too slow here, and a target of its own.
      [packetStreams(protocol)[""], packetStreams(protocol).mouse].flatMap((stream) =>
        stream === undefined
          ? []
          : protocol.dialects.flatMap(({ name: dialect }) =>
              [false, true].map((framed) => ({
                stream,
                setup: { dialect, sender: "client" as Side, framed, options: {} },
              })),
            ),
      ),
    );
    const decoder = new TextDecoder("latin1");
    const text = (line: string): Uint8Array => Uint8Array.from(line, (character) => character.charCodeAt(0) & 0xff);
    return {
      seeds: [
        "00 08 02 C0 01 A0 00",
        '{"message":"movePlayer","value":{"code":2}}',
        '{"ok":true,"message":"x"}',
        "0x",
        "[]",
      ].flatMap((line) => setups.map((_, at) => Uint8Array.of(at, ...text(line)))),
      words: [
        '"message":',
        '"value":',
        '"ok":',
        "{",
        "}",
        "[",
        "null",
        "0x",
        '"code":',
        "-1",
        "1e99",
        '"fragments":',
      ].map(text),
      run(input) {
        const { stream, setup } = setups[(input[0] ?? 0) % setups.length] as (typeof setups)[number];
        const line = decoder.decode(input.subarray(1));
        for (const convert of [decodeLines(stream, setup), encodeLines(stream, setup)]) {
          convert.line(line);
          convert.end();
        }
        const parsed = attempt(() => ({ bytes: parseHex(line) }));
        if (parsed.error !== undefined) return;
        for (const part of traceStream(stream, parsed.bytes, setup)) formatTrace(part.bytes, part);
      },
    };
  },
};
