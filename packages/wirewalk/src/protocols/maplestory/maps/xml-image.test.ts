import { describe, expect, test } from "vitest";
import { MapError, memoryFile } from "../../index.ts";
import { bytesOf } from "./testing/write-xml.ts";
import type { TreeNode } from "./tree.ts";
import { readXmlImage } from "./xml-image.ts";

function read(text: string, parts?: readonly string[]): TreeNode {
  return readXmlImage(memoryFile("a.img.xml", bytesOf(text)), parts && new Set(parts));
}

/** A tree without lines: `[name, value, …children]`. */
function plain({ name, value, children }: TreeNode): readonly unknown[] {
  return [name, value, ...children.map(plain)];
}

function fault(text: string, parts?: readonly string[]): string {
  try {
    read(text, parts);
  } catch (error) {
    expect(error).toBeInstanceOf(MapError);
    return (error as MapError).message.replace("Cannot read a.img.xml: ", "");
  }
  return "read";
}

const whole = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<!-- made by hand -->
<imgdir name="100000000.img">
  <imgdir name="info">
    <int name="swim" value="0"/>
    <string value='Fish &amp; "Chips" &#65;&#x42; &lt;&gt;&apos;&quot;' name='mapName'/>
  </imgdir>
  <imgdir name="back"><imgdir name="0"><int name="a>b" value="/>"/></imgdir><canvas name="c"/></imgdir>
  <imgdir name="seat"><vector name="0" x="-12" y="7"/></imgdir>
</imgdir>`;

/** The same, with no end of a tag in a value. */
const simple = whole.replace('"/>"', '"/&gt;"');

describe("a tree", () => {
  const info = ["info", undefined, ["swim", 0], ["mapName", `Fish & "Chips" AB <>'"`]];
  const seat = ["seat", undefined, ["0", { x: -12, y: 7 }]];

  test("has all of an image, or only the wanted parts of it", () => {
    const back = ["back", undefined, ["0", undefined, ["a>b", "/>"]], ["c", undefined]];
    expect(plain(read(whole))).toEqual(["100000000.img", undefined, info, back, seat]);
    expect(plain(read(whole, ["info", "seat"]))).toEqual(["100000000.img", undefined, info, ["back", undefined], seat]);
  });

  test("has lines, after parts that were skipped as well", () => {
    expect(read(whole, ["seat"]).child("seat")?.child("0")?.line).toBe(9);
    expect(read(whole.replaceAll("\n", "\r\n")).child("info")?.child("mapName")?.line).toBe(6);
  });

  test.each([
    ["with a byte order mark", `\ufeff${whole}`],
    ["with CRLF", whole.replaceAll("\n", "\r\n")],
    ["on one line", whole.replaceAll("\n", " ")],
    ["with a last line that ends", `${whole}\n<!-- end -->\n`],
    ["without a declaration", whole.slice(whole.indexOf("<!--"))],
    [
      "with comments, CDATA and texts between",
      whole.replaceAll("  <", "<!-- <a> -- > -->text<![CDATA[ </imgdir> ]] >]]>&x;<?x <?>  <"),
    ],
    [
      "with spaces in tags",
      simple.replaceAll("/>", " \n/>").replaceAll('="', ' =\t"').replaceAll("</imgdir>", "</imgdir\n>"),
    ],
    ["with other attributes", whole.replaceAll("<int ", `<int basedata="${"x".repeat(200_000)}<" `)],
    ["with end tags for all", simple.replaceAll(/<(int|string|vector|canvas) ([^<]*?)\/>/g, "<$1 $2></$1>")],
  ])("is read %s", (_, text) => {
    for (const parts of [undefined, ["info", "seat", "back"]])
      expect(plain(read(text, parts))).toEqual(plain(read(whole, parts)));
  });

  test("is the same from chunks of any size", () => {
    const bytes = bytesOf(whole);
    for (let size = 1; size < 70; size++) {
      const file = {
        name: "a",
        size: bytes.length,
        read: (at: number, length: number) => bytes.subarray(at, at + Math.min(size, length)),
      };
      expect(plain(readXmlImage(file))).toEqual(plain(read(whole)));
    }
  });
});

describe("a value", () => {
  test.each([
    ['int value="12"', 12],
    ['short value="-3"', -3],
    ['long value="+40"', 40],
    ['float value="0.5"', 0.5],
    ['double value="0,05"', 0.05],
    ['double value=" 1e3 "', 1000],
    ['float value=".25"', 0.25],
    ['int value="twelve"', "twelve"],
    ['int value=""', ""],
    ['float value="NaN"', "NaN"],
    ['int value="0x10"', "0x10"],
    ['double value="1e999"', "1e999"],
    ["int", undefined],
    ['string value="12"', "12"],
    ['string value="M\u00fcnz\u20ac"', "M\u00fcnz\u20ac"],
    ['string value="a\nb"', "a b"],
    ['uol value="../0"', "../0"],
    ["null", undefined],
    ['canvas width="3" height="4"', undefined],
    ["sound", undefined],
    ["extended", undefined],
    ['vector x="1" y="2"', { x: 1, y: 2 }],
    ['vector x="1,0" y="2"', { x: 1, y: 2 }],
    ['vector x="1"', undefined],
    ['vector x="1" y="b"', undefined],
  ])("<%s> is %j", (tag, value) => {
    const [name, ...rest] = tag.split(" ");
    const tree = read(`<imgdir name="r"><${name} name="a" ${rest.join(" ")}/></imgdir>`);
    expect(tree.child("a")?.value).toEqual(value);
    expect(tree.child("b")).toBeUndefined();
  });
});

describe("refused with file, line and reason", () => {
  test("every beginning of an image", () => {
    for (const parts of [undefined, ["info"]]) {
      for (let length = 0; length < whole.length; length++) {
        expect(fault(whole.slice(0, length), parts)).toMatch(/ at line \d+$/);
      }
    }
  });

  test.each([
    ["", "it has no element at line 1"],
    ["\n\nPK", "it is no XML: text before its root at line 3"],
    ["\ufeff", "it has no element at line 1"],
    ["<a>", "it is cut: <a> has no end at line 1"],
    ["<a>\n<b>\n", "it is cut: <b> has no end at line 3"],
    ["<a>\n<b></a>", "</a> ends <b> at line 2"],
    ["</a>", "</a> ends nothing at line 1"],
    ["<a/><b/>", "more after the end of its root at line 1"],
    ["<a/>x", "more after the end of its root at line 1"],
    ["<!DOCTYPE a>\n<a/>", "a document type (DOCTYPE) is not read at line 1"],
    ['<a><!ENTITY b "c"></a>', "<!ENTITY at line 1"],
    ['<a name="&b;"/>', "unknown entity &b; at line 1"],
    ['<a name="&constructor;"/>', "unknown entity &constructor; at line 1"],
    ['<a name="&#0;"/>', "&#0; is no character at line 1"],
    ['<a name="&#xd800;"/>', "&#xd800; is no character at line 1"],
    ['<a name="&#x110000;"/>', "&#x110000; is no character at line 1"],
    ['<a name="&#x1100000;"/>', "unknown entity &#x1100000; at line 1"],
    ['<a name="a & b"/>', "& without the ; of an entity at line 1"],
    ['<a name="<"/>', "<a>: a < in attribute name at line 1"],
    ["<a name=b/>", "<a>: the value of attribute name has no quotes at line 1"],
    ["<a name/>", "<a>: attribute name has no value at line 1"],
    ['<a name="b"x="1"/>', "<a>: no space before an attribute at line 1"],
    ['<a name="b" name="c"/>', "<a>: attribute name twice at line 1"],
    ["<a / >", "<a>: a / without > at line 1"],
    ["<a></a b>", "</a> has more than a name at line 1"],
    ["<a>< b/></a>", "byte 32 where a name begins at line 1"],
    ["<a><=/></a>", "= where a name begins at line 1"],
    [`<${"a".repeat(300)}/>`, "a name longer than 256 bytes at line 1"],
    [`<a name="${"b".repeat(9000)}"/>`, "<a>: attribute name is longer than 8192 bytes at line 1"],
    [`<a name="${"&lt;".repeat(9000)}"/>`, "<a>: attribute name is longer than 8192 bytes at line 1"],
    ["<a>".repeat(100), "nested deeper than 64 at line 1"],
    [`<a>${"<b/>".repeat(100_000)}</a>`, "more than 100000 elements at line 1"],
    [`<a>\n${`<b name="${"c".repeat(8000)}"/>\n`.repeat(1100)}</a>`, "more than 8388608 bytes of values at line 1050"],
    ["<a><!-- \n", "it is cut: a comment has no end at line 1"],
    ["<a><![CDATA[ ]", "it is cut: a section of CDATA has no end at line 1"],
    ["<?xml", "it is cut: a declaration has no end at line 1"],
  ])("%#", (text, reason) => {
    expect(fault(text)).toBe(reason);
  });

  test.each([
    ["<b>".repeat(100), "nested deeper than 64 at line 2"],
    ["<b", "it is cut within a tag at line 2"],
    ['<b c="', "it is cut within a tag at line 2"],
    ["<b <c/>", "a < within a tag at line 2"],
    ["< b/>", "byte 32 where a name begins at line 2"],
    ["<b/>", "it is cut: <back> of line 2 has no end at line 2"],
    ["</", "it is cut within a tag at line 2"],
    ["<b></b", "it is cut: <back> has no end at line 2"],
    ["</x>", "</x> ends <back> at line 2"],
    ["<!DOCTYPE x>", "a document type (DOCTYPE) is not read at line 2"],
  ])("within a part that is skipped: %s", (text, reason) => {
    expect(fault(`<imgdir>\n<back name="back">${text}`, ["info"])).toBe(reason);
  });

  test("UTF-16, and a file that is too large", () => {
    expect(() => readXmlImage(memoryFile("a", Uint8Array.of(0xff, 0xfe, 0x3c, 0)))).toThrow("it is UTF-16");
    const large = { name: "a", size: 1e9, read: () => new Uint8Array() };
    expect(() => readXmlImage(large)).toThrow("Cannot read a: 1000000000 bytes, at most 268435456 are read");
  });
});
