import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LINE_LIMIT, LineSplitter } from "./line-splitter.ts";

function split(chunks: readonly (Uint8Array | string)[]): (string | undefined)[] {
  const splitter = new LineSplitter();
  return [...chunks.flatMap((chunk) => splitter.push(chunk)), ...splitter.end()];
}

describe("lines", () => {
  it("end with LF or CRLF, the last one also with the input", () => {
    expect(split(["a\r\nb\nc"])).toEqual(["a", "b", "c"]);
    expect(split(["a\n"])).toEqual(["a"]);
    expect(split(["\n\n"])).toEqual(["", ""]);
    expect(split([""])).toEqual([]);
  });

  it("are the same wherever the chunks end, inside characters too", () => {
    const line = fc.string({ unit: "grapheme" }).map((text) => text.replace(/[\r\n\ufeff]/g, ""));
    fc.assert(
      fc.property(
        fc.array(line, { maxLength: 5 }),
        fc.infiniteStream(fc.integer({ min: 1, max: 5 })),
        (lines, sizes) => {
          const bytes = new TextEncoder().encode(lines.map((text) => `${text}\n`).join(""));
          const chunks: Uint8Array[] = [];
          for (let at = 0; at < bytes.length; ) {
            const size = sizes.next().value ?? 1;
            chunks.push(bytes.subarray(at, at + size));
            at += size;
          }
          expect(split(chunks)).toEqual(lines);
        },
      ),
    );
  });

  it("may follow a byte order mark", () => {
    expect(split(["\ufeff00\n01"])).toEqual(["00", "01"]);
  });

  it("over the limit are reported, and the next line is read again", () => {
    const long = "a".repeat(LINE_LIMIT);
    expect(split([long, "\nb"])).toEqual([long, "b"]);
    expect(split([long, "a", "\nb"])).toEqual([undefined, "b"]);
    expect(split([`${long}a`])).toEqual([undefined]);
  });
});
