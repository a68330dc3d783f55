/**
 * A program in Java for the proof of languages: it reads messages from its input and says what it made of each. See `tools/proof/languages`
 * for the frames.
 *
 * @module
 */
import { Lines } from "../lines.ts";
import { canonicalText, constantJson, inKeyOrder } from "../typed/canonical.ts";
import type { TypedDialect, TypedMessage } from "../typed/program.ts";
import type { FlagsType, RecordType, ValueType } from "../typed/types.ts";
import { javaPackage } from "./module.ts";
import { JavaNames, textLiteral } from "./types.ts";

/** The text of the program, whose class has the name of the dialect's with `Proof` behind it. */
export function javaDriver(className: string, dialect: TypedDialect): string {
  const lines = new Lines();
  lines.add(`package ${javaPackage};`, "", "import java.io.*;", "import java.util.List;", "");
  lines.block(`public final class ${className}Proof {`, () => {
    lines.list.push(
      ...loop(className)
        .split("\n")
        .map((line) => (line === "" ? "" : `  ${line}`)),
    );
    const of = (sender: "client" | "server") => dialect.messages.filter((own) => own.sender === sender);
    const interfaces = [["ClientMessage", of("client")] as const, ["ServerMessage", of("server")] as const];
    printJson(className, dialect, interfaces, lines);
  });
  return `${lines.toString()}\n`;
}

/** Methods that append values as canonical JSON, for all types of a dialect and for interfaces of messages. */
export function printJson(
  className: string,
  dialect: TypedDialect,
  interfaces: readonly (readonly [name: string, messages: readonly TypedMessage[]])[],
  lines: Lines,
): void {
  const names = new JavaNames();
  lines.list.push(...helpers.split("\n").map((line) => (line === "" ? "" : `  ${line}`)));
  const { records, flags, unions } = dialect.types;
  const owned = (text: string): string => `${className}.${text}`;
  const value = (text: string, type: ValueType, depth = 0): void => {
    switch (type.is) {
      case "integer":
        lines.add(`out.append(${text});`);
        return;
      case "big":
        lines.add(`out.append('"').append(Long.toUnsignedString(${text})).append('"');`);
        return;
      case "boolean":
        lines.add(`out.append(${text});`);
        return;
      case "text":
        lines.add(`text(out, ${text});`);
        return;
      case "enum":
        lines.add(`text(out, ${text}.documentName);`);
        return;
      case "constant":
        lines.add(`out.append(${textLiteral(constantJson(type.value))});`);
        return;
      case "list":
        lines.add("out.append('[');", `boolean isFirst${depth} = true;`);
        lines.block(`for (var item${depth} : ${text}) {`, () => {
          lines.add(`if (!isFirst${depth}) out.append(',');`, `isFirst${depth} = false;`);
          value(`item${depth}`, type.item, depth + 1);
        });
        lines.add("out.append(']');");
        return;
      case "real":
        lines.add(`real(out, ${text});`);
        return;
      case "bytes":
        lines.add(`hex(out, ${text});`);
        return;
      default:
        lines.add(`json(out, ${text});`);
    }
  };
  const members = (type: RecordType): void => {
    lines.add("boolean isFirst = true;", "out.append('{');");
    for (const { key, type: own, isOptional } of inKeyOrder(type.members)) {
      const print = (text: string): void => {
        lines.add(
          "if (!isFirst) out.append(',');",
          "isFirst = false;",
          `out.append(${textLiteral(`${canonicalText(key)}:`)});`,
        );
        value(text, own);
      };
      const text = `v.${names.memberOf(type, key)}()`;
      if (own.is === "constant") print("");
      else if (isOptional) lines.block(`if (${text} != null) {`, () => print(text));
      else lines.block("{", () => print(text));
    }
    lines.add("out.append('}');");
  };
  for (const [type, messages] of interfaces) {
    lines.block(`static void json(StringBuilder out, ${owned(type)} message) {`, () => {
      lines.add(`out.append("{\\"message\\":");`, "text(out, message.documentName());", `out.append(",\\"value\\":");`);
      for (const each of messages)
        lines.block(`if (message instanceof ${owned(type)}.${each.name} m) {`, () => value("m.value()", each.type));
      lines.add("out.append('}');");
    });
  }
  for (const type of records)
    lines.block(`static void json(StringBuilder out, ${owned(names.typeOf(type))} v) {`, () => members(type));
  for (const type of flags)
    lines.block(`static void json(StringBuilder out, ${owned(type.name)} v) {`, () => flagsJson(type));
  for (const type of unions)
    lines.block(`static void json(StringBuilder out, ${owned(type.name)} v) {`, () => {
      for (const record of type.records) lines.add(`if (v instanceof ${owned(names.typeOf(record))} r) json(out, r);`);
    });
  function flagsJson(type: FlagsType): void {
    lines.add("out.append('{');");
    inKeyOrder(Object.keys(type.flags).map((key) => ({ key }))).forEach(({ key }, index) => {
      lines.add(
        `out.append(${textLiteral(`${index === 0 ? "" : ","}${canonicalText(key)}:`)}).append(v.${names.memberOf(type, key)}());`,
      );
    });
    lines.add("out.append('}');");
  }
}

const loop = (className: string): string => `public static void main(String[] args) throws IOException {
  DataInputStream in = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
  DataOutputStream out = new DataOutputStream(new BufferedOutputStream(System.out, 1 << 16));
  while (true) {
    int length;
    try {
      length = in.readInt();
    } catch (EOFException end) {
      break;
    }
    if (length == 0) {
      out.flush();
      continue;
    }
    int sender = in.readByte();
    // The message lies within other bytes: a reader must not look at those around it.
    byte[] payload = new byte[length - 1 + 7];
    java.util.Arrays.fill(payload, (byte) 0xa5);
    in.readFully(payload, 3, length - 1);
    StringBuilder json = new StringBuilder();
    byte[] written;
    try {
      if (sender == 0) {
        var message = ${className}.readClient(payload, 3, length - 1);
        json(json, message);
        written = new byte[${className}.sizeOf(message) + 5];
        java.util.Arrays.fill(written, (byte) 0xa5);
        if (${className}.write(message, written, 5) != written.length) throw new IllegalStateException("its size is another");
      } else {
        var message = ${className}.readServer(payload, 3, length - 1);
        json(json, message);
        written = new byte[${className}.sizeOf(message) + 5];
        java.util.Arrays.fill(written, (byte) 0xa5);
        if (${className}.write(message, written, 5) != written.length) throw new IllegalStateException("its size is another");
      }
    } catch (${className}.WireError error) {
      byte[] text = (error.code.text + "\\n" + error.path + "\\n" + error.bitOffset).getBytes("UTF-8");
      out.writeInt(text.length + 1);
      out.writeByte(1);
      out.write(text);
      continue;
    } catch (RuntimeException error) {
      StringWriter trace = new StringWriter();
      error.printStackTrace(new PrintWriter(trace));
      byte[] text = trace.toString().getBytes("UTF-8");
      out.writeInt(text.length + 1);
      out.writeByte(2);
      out.write(text);
      continue;
    }
    byte[] text = json.toString().getBytes("UTF-8");
    out.writeInt(1 + 4 + text.length + written.length - 5);
    out.writeByte(0);
    out.writeInt(text.length);
    out.write(text);
    out.write(written, 5, written.length - 5);
  }
  out.flush();
}

`;

const helpers = `static void text(StringBuilder out, String text) {
  out.append('"');
  for (int i = 0; i < text.length(); i++) {
    char c = text.charAt(i);
    if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\\\') out.append(c);
    else out.append(String.format("\\\\u%04x", (int) c));
  }
  out.append('"');
}

static void real(StringBuilder out, double value) {
  if (Double.isNaN(value)) out.append("\\"nan\\"");
  else out.append(String.format("\\"%016x\\"", Double.doubleToLongBits(value)));
}

static final char[] DIGITS = "0123456789abcdef".toCharArray();

static void hex(StringBuilder out, byte[] bytes) {
  out.append('"');
  for (byte each : bytes) out.append(DIGITS[each >> 4 & 15]).append(DIGITS[each & 15]);
  out.append('"');
}
`;
