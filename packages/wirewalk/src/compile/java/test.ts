/** A test in Java of a dialect's class: a program that runs vectors. */
import { formatHex } from "../../wire/hex.ts";
import type { TestVector } from "../language.ts";
import { Lines } from "../lines.ts";
import { wrapped } from "../typed/wrap.ts";
import { JAVA_WIDTH, javaPackage } from "./module.ts";
import { textLiteral } from "./types.ts";

/** The text of the test of a class. */
export function javaTest(className: string, header: readonly string[], vectors: readonly TestVector[]): string {
  const lines = new Lines();
  for (const line of header) lines.add(line === "" ? "//" : `// ${line}`);
  lines.add(`package ${javaPackage};`, "", "import java.util.Arrays;", "import java.util.HexFormat;", "");
  lines.add(`/** Runs vectors through {@link ${className}}: {@code java ${javaPackage}.${className}Test}. */`);
  lines.block(`public final class ${className}Test {`, () => {
    lines.add("private static int failures;", "");
    lines.block("public static void main(String[] args) {", () => {
      for (const { sender, payload, outcome } of vectors) {
        const bytes = textLiteral(formatHex(payload, { separator: "" }));
        if ("written" in outcome) {
          const written = formatHex(outcome.written, { separator: "" });
          lines.add(
            `${sender}(${bytes}${written === formatHex(payload, { separator: "" }) ? `, ${bytes}` : `, ${textLiteral(written)}`});`,
          );
        } else {
          const { code, path, bitOffset } = outcome;
          const args = [textLiteral(sender), bytes, textLiteral(code), textLiteral(path), `${bitOffset}L`];
          lines.add(`refused(${args.join(", ")});`);
        }
      }
      lines.add(
        `System.out.println("${vectors.length} vectors, " + failures + " failures");`,
        "System.exit(failures == 0 ? 0 : 1);",
      );
    });
    for (const side of ["Client", "Server"]) {
      lines.add("");
      lines.block(`private static void ${side.toLowerCase()}(String payload, String written) {`, () => {
        lines.add(
          "byte[] bytes = HexFormat.of().parseHex(payload);",
          `${className}.${side}Message message = ${className}.read${side}(bytes, 0, bytes.length);`,
          `check(HexFormat.of().parseHex(written), ${className}.toBytes(message), message.documentName());`,
        );
      });
    }
    lines.add("");
    lines.block("private static void check(byte[] expected, byte[] found, String what) {", () => {
      lines.block("if (!Arrays.equals(expected, found)) {", () =>
        lines.add("failures += 1;", 'System.out.println(what + ": written as " + HexFormat.of().formatHex(found));'),
      );
    });
    lines.add("");
    lines.block(
      "private static void refused(String sender, String payload, String code, String path, long bitOffset) {",
      () => {
        lines.add("byte[] bytes = HexFormat.of().parseHex(payload);", 'String found = "read";');
        lines.blocks([
          [
            "try {",
            () =>
              lines.blocks([
                ['if (sender.equals("client")) {', () => lines.add(`${className}.readClient(bytes, 0, bytes.length);`)],
                ["else {", () => lines.add(`${className}.readServer(bytes, 0, bytes.length);`)],
              ]),
          ],
          [
            `catch (${className}.WireError error) {`,
            () => lines.add('found = error.code.text + " " + error.path + " " + error.bitOffset;'),
          ],
        ]);
        lines.add('String expected = code + " " + path + " " + bitOffset;');
        lines.block("if (!found.equals(expected)) {", () =>
          lines.add("failures += 1;", 'System.out.println(payload + ": " + found + ", not " + expected);'),
        );
      },
    );
  });
  return `${lines.list.flatMap((line) => wrapped(line, JAVA_WIDTH, "    ")).join("\n")}\n`;
}
