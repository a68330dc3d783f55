/** A test in Python of a dialect's module: it runs by itself, and by `python3 -m unittest`. */
import { formatHex } from "../../wire/hex.ts";
import type { TestVector } from "../language.ts";
import { Lines } from "../lines.ts";
import { wrapped } from "../typed/wrap.ts";
import { PYTHON_WIDTH } from "./module.ts";
import { suite, textLiteral } from "./types.ts";

/** The text of the test of a module. */
export function pythonTest(module: string, header: readonly string[], vectors: readonly TestVector[]): string {
  const lines = new Lines(0, "    ");
  for (const line of header) lines.add(line === "" ? "#" : `# ${line}`);
  lines.add(`"""Runs vectors through ${module}: python3 test_${module}.py."""`, "", "import unittest", "");
  lines.add(`import ${module} as codec`, "");
  lines.add("# Sender, payload, and the bytes that its message is written as; empty where they are the payload.");
  lines.add("READ = [");
  lines.indented(() => {
    for (const { sender, payload, outcome } of vectors) {
      if (!("written" in outcome)) continue;
      const [own, written] = [formatHex(payload, { separator: "" }), formatHex(outcome.written, { separator: "" })];
      lines.add(`(${textLiteral(sender)}, ${textLiteral(own)}, ${textLiteral(written === own ? "" : written)}),`);
    }
  });
  lines.add("]", "", "# Sender, payload, code, path and bit offset.", "REFUSED = [");
  lines.indented(() => {
    for (const { sender, payload, outcome } of vectors) {
      if ("written" in outcome) continue;
      const { code, path, bitOffset } = outcome;
      lines.add(
        `(${[sender, formatHex(payload, { separator: "" }), code, path].map(textLiteral).join(", ")}, ${bitOffset}),`,
      );
    }
  });
  lines.add("]", "", "");
  suite(lines, "class Vectors(unittest.TestCase):", () => {
    suite(lines, "def test_read(self) -> None:", () =>
      suite(lines, "for sender, payload, written in READ:", () => {
        lines.add("bytes_ = bytes.fromhex(payload)");
        suite(lines, "with self.subTest(sender=sender, payload=payload):", () => {
          lines.add('message = getattr(codec, f"read_{sender}")(bytes_)');
          lines.add(
            'found = getattr(codec, f"{sender}_bytes")(message)',
            "self.assertEqual(found.hex(), written or payload)",
          );
        });
      }),
    );
    lines.add("");
    suite(lines, "def test_refused(self) -> None:", () =>
      suite(lines, "for sender, payload, code, path, bit_offset in REFUSED:", () =>
        suite(lines, "with self.subTest(sender=sender, payload=payload):", () => {
          suite(lines, "with self.assertRaises(codec.WireError) as caught:", () =>
            lines.add('getattr(codec, f"read_{sender}")(bytes.fromhex(payload))'),
          );
          lines.add("error = caught.exception");
          lines.add("self.assertEqual((error.code.value, error.path, error.bit_offset), (code, path, bit_offset))");
        }),
      ),
    );
  });
  lines.add("", "");
  suite(lines, 'if __name__ == "__main__":', () => lines.add("unittest.main()"));
  return `${lines.list.flatMap((line) => wrapped(line, PYTHON_WIDTH, "    ", true)).join("\n")}\n`;
}
