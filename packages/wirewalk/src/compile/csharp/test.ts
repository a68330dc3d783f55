/** A test in C# of a dialect's class: a program that runs vectors. */
import { formatHex } from "../../wire/hex.ts";
import type { TestVector } from "../language.ts";
import { Lines } from "../lines.ts";
import { wrapped } from "../typed/wrap.ts";
import { CSHARP_WIDTH, csharpNamespace } from "./module.ts";
import { block, branches, textLiteral } from "./types.ts";

/** The text of the test of a class. */
export function csharpTest(className: string, header: readonly string[], vectors: readonly TestVector[]): string {
  const lines = new Lines(0, "    ");
  for (const line of header) lines.add(line === "" ? "//" : `// ${line}`);
  lines.add("", "using System;", "");
  block(lines, `namespace ${csharpNamespace}`, () => {
    lines.add(
      `/// <summary>Runs vectors through ${className}: the exit code is 1 when one comes out otherwise.</summary>`,
    );
    block(lines, `public static class ${className}Test`, () => {
      lines.add("private static int failures;", "");
      block(lines, "public static int Main()", () => {
        for (const { sender, payload, outcome } of vectors) {
          const bytes = textLiteral(formatHex(payload, { separator: "" }));
          if ("written" in outcome) {
            const written = textLiteral(formatHex(outcome.written, { separator: "" }));
            lines.add(`${sender === "client" ? "Client" : "Server"}(${bytes}, ${written});`);
          } else {
            const { code, path, bitOffset } = outcome;
            lines.add(
              `Refused(${[textLiteral(sender), bytes, textLiteral(`${code} ${path} ${bitOffset}`)].join(", ")});`,
            );
          }
        }
        lines.add(
          `Console.WriteLine("${vectors.length} vectors, " + failures + " failures");`,
          "return failures == 0 ? 0 : 1;",
        );
      });
      for (const side of ["Client", "Server"]) {
        lines.add("");
        block(lines, `private static void ${side}(string payload, string written)`, () =>
          lines.add(
            "byte[] bytes = Parse(payload);",
            `${className}.${side}Message message = ${className}.Read${side}(bytes, 0, bytes.Length);`,
            `Check(written, Hex(${className}.ToBytes(message)), message.DocumentName);`,
          ),
        );
      }
      lines.add("");
      block(lines, "private static void Check(string expected, string found, string what)", () =>
        block(lines, "if (expected != found)", () =>
          lines.add("failures += 1;", 'Console.WriteLine(what + ": " + found + ", not " + expected);'),
        ),
      );
      lines.add("");
      block(lines, "private static void Refused(string sender, string payload, string expected)", () => {
        lines.add("byte[] bytes = Parse(payload);", 'string found = "read";');
        block(lines, "try", () =>
          branches(lines, [
            ['sender == "client"', () => lines.add(`${className}.ReadClient(bytes, 0, bytes.Length);`)],
            [undefined, () => lines.add(`${className}.ReadServer(bytes, 0, bytes.Length);`)],
          ]),
        );
        block(lines, `catch (${className}.WireError error)`, () =>
          lines.add('found = error.CodeText + " " + error.Path + " " + error.BitOffset;'),
        );
        lines.add("Check(expected, found, payload);");
      });
      lines.add("");
      block(lines, "private static byte[] Parse(string hex)", () => {
        lines.add("byte[] bytes = new byte[hex.Length / 2];");
        block(lines, "for (int i = 0; i < bytes.Length; i++)", () =>
          lines.add("bytes[i] = Convert.ToByte(hex.Substring(2 * i, 2), 16);"),
        );
        lines.add("return bytes;");
      });
      lines.add("");
      block(lines, "private static string Hex(byte[] bytes)", () =>
        lines.add('return BitConverter.ToString(bytes).Replace("-", "").ToLowerInvariant();'),
      );
    });
  });
  return `${lines.list.flatMap((line) => wrapped(line, CSHARP_WIDTH, "    ")).join("\n")}\n`;
}
