import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { XmlError, type XmlLimits, XmlReader, type XmlSource } from "../index.ts";

const limits: XmlLimits = { bytes: 1e6, elements: 1000, valueBytes: 5000, textBytes: 20_000 };

function sourceOf(text: string | Uint8Array, piece = 1e6): XmlSource {
  const bytes = typeof text === "string" ? new TextEncoder().encode(text) : text;
  return { size: bytes.length, read: (at, length) => bytes.subarray(at, at + Math.min(piece, length)) };
}

function open(text: string, more: Partial<XmlLimits> = {}): XmlReader {
  return new XmlReader(sourceOf(text), ["a"], { ...limits, ...more });
}

/** All that a text has: tags with attribute and content. */
type Read = readonly [tag: string, a: string | undefined, line: number, ...Read[]];

function readAll(xml: XmlReader): Read {
  const [tag, a, line] = [xml.tag, xml.attribute("a"), xml.line];
  const children: Read[] = [];
  for (xml.enter(); xml.next(); ) children.push(readAll(xml));
  return [tag, a, line, ...children];
}

/** The text of the outermost element. */
function textOf(content: string, more: Partial<XmlLimits> = {}): string {
  const xml = open(`<t>${content}</t>`, more);
  const text = xml.text();
  xml.end();
  return text;
}

function fault(read: () => unknown): string {
  try {
    read();
  } catch (error) {
    if (error instanceof XmlError) return `${error.message}, line ${error.line}`;
    throw error;
  }
  return "read";
}

describe("elements", () => {
  const text = '<r>\n<b a="1"/><c a="2"><d/>\n</c><e></e><f>x<g a="3"/></f></r>\n<!-- end -->';
  const all: Read = [
    "r",
    undefined,
    1,
    ["b", "1", 2],
    ["c", "2", 2, ["d", undefined, 2]],
    ["e", undefined, 3],
    ["f", undefined, 3, ["g", "3", 3]],
  ];

  it("come in order, with attribute and line", () => {
    const xml = open(text);
    expect(readAll(xml)).toEqual(all);
    xml.end();
  });

  it("are passed over where nobody enters them, the outermost one as well", () => {
    const xml = open(text);
    const tags: string[] = [];
    for (xml.enter(); xml.next(); ) tags.push(xml.tag);
    xml.end();
    expect(tags).toEqual(["b", "c", "e", "f"]);
    expect(fault(() => open(text).end())).toBe("read");
    expect(fault(() => open(`${text}<r/>`).end())).toBe("more after the end of its root, line 4");
    // What is passed over does not count.
    const few = open(text, { elements: 5 });
    for (few.enter(); few.next(); );
    few.end();
  });

  it("are the same from pieces of any size", () => {
    for (let piece = 1; piece <= text.length; piece++) {
      expect(readAll(new XmlReader(sourceOf(text, piece), ["a"], limits))).toEqual(all);
    }
  });

  it("are not entered twice, nor left by the wrong call", () => {
    const xml = open("<r><b>x</b><c/></r>");
    expect(() => xml.next()).toThrow(TypeError);
    xml.enter();
    expect(() => xml.enter()).toThrow(TypeError);
    expect(() => xml.end()).toThrow(TypeError);
    xml.next();
    xml.text();
    expect(() => xml.text()).toThrow(TypeError);
    expect(() => xml.enter()).toThrow(TypeError);
    xml.next();
    xml.enter();
    expect(() => xml.enter()).toThrow(TypeError);
    expect([xml.next(), xml.next()]).toEqual([false, false]);
    xml.end();
  });

  it("have short names that are alike and are not the same", () => {
    const names = Array.from({ length: 3000 }, (_, index) => `n${index * 7919}`);
    const xml = open(`<r>${names.map((name) => `<${name} a="${name}"/>`).join("")}</r>`, {
      elements: 5000,
      textBytes: 1e6,
    });
    expect(readAll(xml).slice(3)).toEqual(names.map((name) => [name, name, 1]));
  });
});

describe("a text", () => {
  test.each([
    ["", ""],
    ["640", "640"],
    [" a\n b ", " a\n b "],
    ["&lt;&#65;&#x20ac;&amp;", "<A€&"],
    ["Münz€", "Münz€"],
    ["a<![CDATA[<b>&amp;]]c]]>d", "a<b>&amp;]]cd"],
    ["<![CDATA[x]]]]>", "x]]"],
    ["<![CDATA[]]>", ""],
    ["a<!-- <t> -->b<?x y?>c", "abc"],
    ["a<b>no<c/></b>d<e/>", "ad"],
    ["x".repeat(3000), "x".repeat(3000)],
  ])("%j", (content, text) => {
    expect(textOf(content)).toBe(text);
  });

  it("of an empty element is empty", () => {
    const xml = open("<t/>");
    expect([xml.text(), xml.text()]).toEqual(["", ""]);
    xml.end();
  });

  test.each([
    ["x".repeat(11), "<t>: its text is longer than 10 bytes, line 1"],
    [`${"&lt;".repeat(10)}x`, "<t>: its text is longer than 10 bytes, line 1"],
    ["<![CDATA[0123456789a]]>", "<t>: its text is longer than 10 bytes, line 1"],
    ["&big;", "unknown entity &big;, line 1"],
    ["<b></c>", "</c> ends <b>, line 1"],
    ["</b>", "</b> ends <t>, line 1"],
  ])("refused: %s", (content, reason) => {
    expect(fault(() => textOf(content, { valueBytes: 10 }))).toBe(reason);
  });

  it("is refused wherever it is cut", () => {
    const whole = "<t>a&lt;<!-- b --><![CDATA[c]]><d e='f'>g</d></t>";
    for (let length = 0; length < whole.length; length++) {
      expect(fault(() => open(whole.slice(0, length)).text())).toMatch(/line 1$/);
    }
  });
});

describe("bounds", () => {
  test.each<[string, Partial<XmlLimits>, string]>([
    ["<r/>", { bytes: 3 }, "4 bytes, at most 3 are read,, line 1"],
    ["<r><b/><b/></r>", { elements: 2 }, "more than 2 elements, line 1"],
    ['<r a="0123456789a"/>', { valueBytes: 10 }, "<r>: attribute a is longer than 10 bytes, line 1"],
    ['<r a="01234"><b a="56789"/><b\na="a"/></r>', { textBytes: 10 }, "more than 10 bytes of values, line 2"],
    ["<b>".repeat(70), {}, "nested deeper than 64, line 1"],
  ])("%s", (text, more, reason) => {
    expect(fault(() => readAll(open(text, more)))).toBe(reason);
  });

  it("a value of the largest size is read, whatever the limit", () => {
    for (const valueBytes of [1, 1023, 1024, 1025, 3000]) {
      const value = "v".repeat(valueBytes);
      expect(open(`<r a="${value}"/>`, { valueBytes }).attribute("a")).toBe(value);
    }
  });

  it("what is not kept may be longer", () => {
    const xml = open(`<r b="${"<".repeat(9000)}" a="1"/>`);
    expect([xml.attribute("a"), xml.attribute("b")]).toEqual(["1", undefined]);
  });
});

it("reads any bytes, or refuses them with a line", () => {
  const words = [
    "<r",
    "<b",
    "</r>",
    "</b>",
    "/>",
    ">",
    ' a="',
    '"',
    "'",
    "&lt;",
    "&",
    "<!--",
    "-->",
    "<![CDATA[",
    "]]>",
  ];
  const part = fc.oneof(fc.constantFrom(...words, "\n", " ", "x", "?"), fc.string({ maxLength: 3 }));
  fc.assert(
    fc.property(fc.array(part, { maxLength: 20 }), fc.nat(7), (parts, piece) => {
      const text = `<r>${parts.join("")}`;
      const read = (source: XmlSource, use: (xml: XmlReader) => unknown): unknown => {
        let result: unknown;
        const reason = fault(() => {
          const xml = new XmlReader(source, ["a"], limits);
          result = use(xml);
          xml.end();
        });
        return [reason, result];
      };
      for (const use of [readAll, (xml: XmlReader) => xml.text()]) {
        expect(read(sourceOf(text, piece + 1), use)).toEqual(read(sourceOf(text), use));
      }
    }),
  );
});
