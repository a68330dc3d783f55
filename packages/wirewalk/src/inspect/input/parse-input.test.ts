import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatHex, WireError } from "../../wire/index.ts";
import { type InputFormat, inputFormats, parseInput } from "./parse-input.ts";

/** `["dump", "02 00", …]`: the format and the packets. */
function parsed(input: string | Uint8Array, format?: InputFormat): string[] {
  const { format: found, packets } = parseInput(input, format);
  return [found, ...packets.map(({ bytes }) => formatHex(bytes))];
}

function refusal(input: string | Uint8Array, format?: InputFormat): string {
  try {
    parseInput(input, format);
  } catch (error) {
    if (error instanceof WireError && error.code === "bad-hex") return error.message;
    throw error;
  }
  return "none";
}

const MOVE = "02 00 02 c0 01 a0 00";
const WHOLE = "02 00 02 c0 01 a0 00 41 42 43 20 44 45 46 47 48 49 4a";

describe("hex", () => {
  test.each([
    ["020002c001a000", [MOVE]],
    ["0x02 0x00, 0x02", ["02 00 02"]],
    ["02-00-0A", ["02 00 0a"]],
    ["", [""]],
    [" \n\n", [""]],
    ["02 00\n\n02 01\n", ["02 00", "02 01"]],
    ["# two packets\n02 00\n// the other\n\n02 01", ["02 00", "02 01"]],
  ])("%j", (text, packets) => {
    expect(parsed(text)).toEqual(["hex", ...packets]);
  });

  test("lines of different lengths are packets, and the other way to divide them is there", () => {
    const { packets, alternative } = parseInput("01\n05 00\r\n\n07");
    expect(packets.map(({ bytes, line }) => [formatHex(bytes), line])).toEqual([
      ["01", 1],
      ["05 00", 2],
      ["07", 4],
    ]);
    expect(alternative?.map(({ bytes }) => formatHex(bytes))).toEqual(["01 05 00", "07"]);
  });

  test("lines as long as a tool wraps them are one packet", () => {
    const { packets, alternative } = parseInput(`${"ab".repeat(30)}\n${"ab".repeat(30)}\n0102\n`);
    expect(packets.map(({ bytes }) => bytes.length)).toEqual([62]);
    expect(alternative?.map(({ bytes }) => bytes.length)).toEqual([30, 30, 2]);
  });

  test("more lines than a call takes arguments", () => {
    expect(parseInput("00\n".repeat(150_000)).packets.length).toBe(150_000);
  });

  test("one packet alone has no other way", () => {
    expect(parseInput("02 00\n\n03")).not.toHaveProperty("alternative");
  });
});

describe("dumps of other programs", () => {
  const commands: [string, ...string[]][] = [
    ["xxd"],
    ["xxd", "-g1", "-c8", "-u"],
    ["xxd", "-e"],
    ["xxd", "-b"],
    ["xxd", "-c256"],
    ["xxd", "-a"],
    ["xxd", "-p"],
    ["xxd", "-i"],
    ["hexdump", "-C"],
    ["hexdump"],
    ["hexdump", "-b"],
    ["od"],
    ["od", "-x"],
    ["od", "-b"],
    ["od", "-A", "x", "-t", "x1z"],
    ["od", "-Ad", "-tx1"],
    ["od", "-Ad", "-tx4"],
    ["od", "-An", "-tx1"],
    ["od", "-An", "-tx1", "-v"],
    ["base64"],
    ["base64", "-w", "0"],
  ];
  /** Long enough for several rows, with equal ones, digits and spaces in their text; and ends inside a word. */
  const inputs = [
    Uint8Array.from({ length: 131 }, (_, at) => (at * 37 + (at >> 3)) & 0xff),
    Uint8Array.from([...new Uint8Array(70), ...Buffer.from("41 42  ab\t  |cd|  "), 0xfe, 1]),
    Uint8Array.from(Buffer.from("12 34 56 78 9a bc de f0 12 34 5")),
    Uint8Array.from([2, 0, 2, 0xc0, 1, 0xa0, 0]),
  ];
  const cannot = (program: string): boolean => spawnSync(program, ["--version"]).error !== undefined;
  const missing = new Set(["xxd", "hexdump", "od", "base64"].filter(cannot));

  // Skipped where the program is not installed: there is nothing to compare with.
  test.each(commands.filter(([program]) => !missing.has(program)))("%s %s %s %s %s", (program, ...flags) => {
    // Without offsets a row that `*` stands for cannot be counted.
    const given = flags.join(" ") === "-An -tx1" ? inputs.filter((_, index) => index !== 1) : inputs;
    for (const bytes of given) {
      const { stdout } = spawnSync(program, flags, { input: bytes, encoding: "utf8" });
      const [, ...packets] = parsed(program === "xxd" && flags[0] === "-i" ? `x[] = {${stdout}}` : stdout);
      expect(packets, stdout).toEqual([formatHex(bytes)]);
    }
  });
});

describe("dumps", () => {
  const wireshark = [
    "0000   02 00 02 c0 01 a0 00 41 42 43 20 44 45 46 47 48   .......ABC DEFGH",
    "0010   49 4a                                             IJ",
  ];

  test.each<[string, readonly string[], readonly string[]]>([
    ["Wireshark, as Hex + ASCII Dump", wireshark, [WHOLE]],
    ["Wireshark, as Hex Dump", wireshark.map((row) => row.slice(0, 54).trimEnd()), [WHOLE]],
    ["one short row", [`0000   ${MOVE}`], [MOVE]],
    ["tcpdump -x", ["\t0x0000:  0200 02c0 01a0 00", ""], [MOVE]],
    ["several packets", [...wireshark, "", ...wireshark], [WHOLE, WHOLE]],
    ["several packets without a blank line", [...wireshark, ...wireshark], [WHOLE, WHOLE]],
    ["several packets with headings", ["Packet 1 (18 bytes)", ...wireshark, "Packet 2", ...wireshark], [WHOLE, WHOLE]],
    ["a part of a file", ["00000010: 0200 02c0  ....", "00000014: 01a0 00    ..."], [MOVE]],
    ["ASCII that was edited", ["00000000: 0200 02c0 01a0 00    the move"], [MOVE]],
    ["ASCII that is hex", ["00000000: 3431 2034                                41 4"], ["34 31 20 34"]],
    ["ASCII without the spaces at its end", ["00000000: 4120 2020  A"], ["41 20 20 20"]],
  ])("%s", (_, rows, packets) => {
    expect(parsed(rows.join("\n"))).toEqual(["dump", ...packets]);
    expect(parsed(rows.join("\r\n"), "dump")).toEqual(["dump", ...packets]);
  });

  test("the line of each packet", () => {
    expect(parseInput(["", ...wireshark, ...wireshark].join("\n")).packets.map(({ line }) => line)).toEqual([2, 4]);
  });

  test.each<[string, string]>([
    ["0200 0008", "hex"],
    ["0000 0200 02c0", "hex"],
    ["0000 02\n0001 03", "hex"],
    ["00:1e:ff", "hex"],
  ])("%j is hex", (text, format) => {
    expect(parsed(text)[0]).toBe(format);
  });

  test.each<[string, string]>([
    [
      "00000000: 0200 02c0  ....\n00000010: 0200  ..",
      "Cannot read dump: offset 00000010 does not follow 4 bytes at line 2",
    ],
    ["00000000: 02zz", 'Cannot read dump: "02zz" is not a group of digits at line 1'],
    [
      "00000000  00 00\n*\nffffffff",
      "Cannot read dump: rows left out by * are over the limit of 16777216 bytes at line 3",
    ],
    [`00000000: ${"00 ".repeat(300)}`, "Cannot read dump: a row of more than 256 bytes at line 1"],
    [`00000000: 00${" ".repeat(5000)}00`, "Cannot read dump: a row of more than 4096 characters at line 1"],
  ])("%.40j is refused", (text, why) => {
    expect(refusal(text)).toBe(why);
  });

  test("one that is asked for must have offsets", () => {
    expect(refusal("02 00", "dump")).toBe("Cannot read dump: no row with an offset at line 1");
  });
});

describe("literals", () => {
  test.each<[string, string[]]>([
    // Wireshark: as C String, as Go Literal, as C Array, and the arrays of Follow TCP Stream.
    ['"\\x02\\x00\\x02\\xc0" \\\n"\\x01\\xa0\\x00"', [MOVE]],
    ["\\x02\\x00\\x02\\xc0\\x01\\xa0\\x00", [MOVE]],
    ["[]byte{0x02, 0x00, 0x02, 0xc0, 0x01, 0xa0, 0x00}", [MOVE]],
    [
      "/* Frame (7 bytes) */\nstatic const unsigned char pkt1[7] = {\n0x02, 0x00, 0x02, 0xc0, /* .... */\n0x01, 0xa0, 0x00 /* ... */\n};",
      [MOVE],
    ],
    [
      "char peer0_0[] = { /* Packet 5 */\n0x02, 0x00 };\nchar peer1_0[] = { /* Packet 7 */\n0x02, 0x01 };",
      ["02 00", "02 01"],
    ],
    ["b'\\x02\\x00A\\\\\\'\\n'", ["02 00 41 5c 27 0a"]],
    ["new Uint8Array([2, 0, 10])", ["02 00 0a"]],
    ["[[2, 0], [2, 1]]", ["02 00", "02 01"]],
    ["[0x02u8, 0b11, -1, 0o17, 'A',]", ["02 03 ff 0f 41"]],
    ["{02, 00, 0a}", ["02 00 0a"]],
    ['["020002", "02 01", "AgAKAgAKAgA="]', ["02 00 02", "02 01", "02 00 0a 02 00 0a 02 00"]],
    ['"\\u0002\\u0000\\0\\17"', ["02 00 00 0f"]],
    ['"\\x02" + "\\x00"; "\\x03"', ["02 00", "03"]],
    ["`0200`", ["02 00"]],
  ])("%j", (text, packets) => {
    expect(parsed(text)).toEqual(["literal", ...packets]);
  });

  test.each<[string, string]>([
    ["{ 0x02,\n 0x100 }", 'Cannot read literal: "0x100" is not a byte at line 2, column 2'],
    ["{ 2, 0", "Cannot read literal: an array without its } at line 1, column 1"],
    ['"\\x02', "Cannot read literal: a text without its end at line 1, column 1"],
    ['"\\x02\\q"', 'Cannot read literal: "\\\\q" is not a byte at line 1, column 6'],
    ['"\\x0"', 'Cannot read literal: "\\\\x" is not a byte at line 1, column 2'],
    ["{}", "Cannot read literal: it has no bytes at line 1"],
    ['{"message":"movePlayer"}', 'Cannot read hex: "m" is not a hex digit at line 1, column 1'],
    ["{ 1, { 2 } }", "Cannot read literal: an array inside an array of bytes at line 1, column 6"],
  ])("%j is refused", (text, why) => {
    expect(refusal(text)).toBe(why);
  });
});

describe("base64", () => {
  test.each([
    ["AgACwAGgAA==", MOVE],
    ["data:application/octet-stream;base64,AgACwAGgAA==", MOVE],
    ["-_8AAQID_-7dzLuqmYh3ZlVE", "fb ff 00 01 02 03 ff ee dd cc bb aa 99 88 77 66 55 44"],
  ])("%s", (text, bytes) => {
    expect(parsed(text)).toEqual(["base64", bytes]);
  });

  test("a word or invalid hex is not taken for base64; a format that is given is used", () => {
    expect(refusal("filename")).toBe('Cannot read hex: "i" is not a hex digit at position 1');
    expect(refusal("deadbeeg")).toBe('Cannot read hex: "g" is not a hex digit at position 7');
    expect(parsed("AAAA")).toEqual(["hex", "aa aa"]);
    expect(parsed("AAAA", "base64")).toEqual(["base64", "00 00 00"]);
    expect(parsed("AgAK", "base64")).toEqual(["base64", "02 00 0a"]);
    expect(parsed("-_8", "base64")).toEqual(["base64", "fb ff"]);
  });

  test.each([
    ["AgB", "Cannot read base64: bits after the last byte are not 0 at line 1, column 4"],
    ["AgAKA", "Cannot read base64: it ends inside a group of four at line 1, column 6"],
    ["Ag=A", "Cannot read base64: text after the padding at line 1, column 4"],
    ["Ag*A", 'Cannot read base64: "*" is not a digit of base64 at line 1, column 3'],
  ])("%s is refused", (text, why) => {
    expect(refusal(text, "base64")).toBe(why);
  });
});

describe("text and binary", () => {
  test.each<[string, Uint8Array, string[]]>([
    ["bytes with control characters", Uint8Array.of(2, 0, 10), ["binary", "02 00 0a"]],
    ["no bytes", new Uint8Array(0), ["hex", ""]],
    ["bytes that are not UTF-8", Uint8Array.of(0x41, 0xff), ["binary", "41 ff"]],
    ["hex", Buffer.from("02 00\n"), ["hex", "02 00"]],
    ["hex with a byte order mark", Buffer.from("\ufeff02 00"), ["hex", "02 00"]],
    ["hex of PowerShell", Buffer.from("\ufeff02 00\r\n", "utf16le"), ["hex", "02 00"]],
    ["bytes after the mark of UTF-16 that are not text", Uint8Array.of(0xff, 0xfe, 1, 0), ["binary", "ff fe 01 00"]],
  ])("%s", (_, bytes, expected) => {
    expect(parsed(bytes)).toEqual(expected);
  });

  test("a format that is asked for is held", () => {
    expect(parsed(Buffer.from("0200"), "binary")).toEqual(["binary", "30 32 30 30"]);
    expect(refusal(Uint8Array.of(1, 2), "hex")).toBe("Cannot read hex: the input is not text at line 1");
    expect(() => parseInput("0200", "binary")).toThrow(TypeError);
  });

  test("text that is no bytes names its place", () => {
    expect(refusal("root:x:0:0\nbin:y")).toBe('Cannot read hex: "r" is not a hex digit at line 1, column 1');
    expect(refusal("02 00\n01 zé")).toBe('Cannot read hex: "z" is not a hex digit at line 2, column 4');
  });
});

test("whatever the input, it gives packets or bad-hex", () => {
  const unit = fc.constantFrom(..."00123abfxX :,;-\n\n\t*|.\"'`{}[]()\\/=+Zé\u0001");
  const text = fc.oneof(fc.string({ unit, maxLength: 60 }), fc.string());
  const format = fc.constantFrom(undefined, ...inputFormats.filter((each) => each !== "binary"));
  fc.assert(
    fc.property(fc.oneof(text, fc.uint8Array()), format, (input, format) => {
      try {
        const { packets } = parseInput(input, format);
        expect(packets.length).toBeGreaterThan(0);
      } catch (error) {
        if (!(error instanceof WireError)) throw error;
        expect(error.code).toBe("bad-hex");
      }
    }),
  );
});
