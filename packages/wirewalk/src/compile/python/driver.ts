/**
 * A program in Python for the proof of languages: it reads messages from its input and says what it made of each. `tools/proof/README.md`
 * has the frames.
 *
 * @module
 */
import { Lines } from "../lines.ts";
import { canonicalText, constantJson, inKeyOrder } from "../typed/canonical.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { FlagsType, RecordType, ValueType } from "../typed/types.ts";
import { PythonNames, suite, textLiteral } from "./types.ts";

/** The text of the program for a module. */
export function pythonDriver(module: string, dialect: TypedDialect): string {
  const names = new PythonNames();
  const lines = new Lines(0, "    ");
  lines.add("import struct", "import sys", "import traceback", "", `import ${module} as codec`);
  lines.list.push(...helpers.split("\n"));
  const value = (text: string, type: ValueType): string => {
    switch (type.is) {
      case "integer":
        return `str(${text})`;
      case "big":
        return `'"' + str(${text}) + '"'`;
      case "boolean":
        return `("true" if ${text} else "false")`;
      case "text":
        return `text(${text})`;
      case "enum":
        return `text(${text}.value)`;
      case "constant":
        return textLiteral(constantJson(type.value));
      case "list":
        return `"[" + ",".join(${value("each", type.item)} for each in ${text}) + "]"`;
      case "real":
        return `real(${text})`;
      case "bytes":
        return `'"' + ${text}.hex() + '"'`;
      case "union":
        return `json_of[type(${text})](${text})`;
      default:
        return `json_${type.name}(${text})`;
    }
  };
  const printer = (type: RecordType | FlagsType, members: () => void): void => {
    lines.add("", "");
    suite(lines, `def json_${type.name}(v):`, () => {
      lines.add("parts = []");
      members();
      lines.add('return "{" + ",".join(parts) + "}"');
    });
  };
  for (const type of dialect.types.records)
    printer(type, () => {
      for (const { key, type: own, isOptional } of inKeyOrder(type.members)) {
        const text = `v.${names.memberOf(type, key)}`;
        const add = `parts.append(${textLiteral(`${canonicalText(key)}:`)} + ${value(text, own)})`;
        if (isOptional && own.is !== "constant") suite(lines, `if ${text} is not None:`, () => lines.add(add));
        else lines.add(add);
      }
    });
  for (const type of dialect.types.flags)
    printer(type, () => {
      for (const { key } of inKeyOrder(Object.keys(type.flags).map((each) => ({ key: each }))))
        lines.add(
          `parts.append(${textLiteral(`${canonicalText(key)}:`)} + ${value(`v.${names.memberOf(type, key)}`, { is: "boolean" })})`,
        );
    });
  lines.add("", "", "json_of = {");
  for (const { name } of dialect.types.records) lines.add(`    codec.${name}: json_${name},`);
  lines.add("}", "", "json_of_message = {");
  for (const { sender, message, type } of dialect.messages)
    lines.add(`    (${textLiteral(sender)}, ${textLiteral(message)}): lambda v: ${value("v", type)},`);
  lines.add("}");
  lines.list.push(...loop.split("\n"));
  return lines.toString();
}

const helpers = `

def text(value):
    parts = []
    for char in value:
        code = ord(char)
        plain = 0x20 <= code < 0x7F and char not in '"\\\\'
        parts.append(char if plain else "\\\\u%04x" % code)
    return '"' + "".join(parts) + '"'


def real(value):
    return '"nan"' if value != value else '"' + struct.pack(">d", value).hex() + '"'`;

const loop = `

def answer(sender, payload):
    # The message lies within other bytes: a reader must not look at those around it.
    data = b"\\xa5" * 3 + payload + b"\\xa5" * 4
    try:
        message = getattr(codec, "read_" + sender)(data, 3, 3 + len(payload))
        value = json_of_message[sender, message.kind.value](message.value)
        json = ('{"message":' + text(message.kind.value) + ',"value":' + value + "}").encode()
        size = getattr(codec, "size_of_" + sender)(message)
        written = bytearray(b"\\xa5" * (size + 5))
        if getattr(codec, "write_" + sender)(message, written, 5) != len(written):
            raise AssertionError("its size is another")
        return b"\\0" + struct.pack(">I", len(json)) + json + written[5:]
    except codec.WireError as error:
        return b"\\1" + f"{error.code.value}\\n{error.path}\\n{error.bit_offset}".encode()
    except Exception:
        return b"\\2" + traceback.format_exc().encode()


def main():
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    while True:
        head = source.read(4)
        if len(head) < 4:
            break
        (length,) = struct.unpack(">I", head)
        if length == 0:
            sink.flush()
            continue
        frame = source.read(length)
        found = answer("client" if frame[0] == 0 else "server", frame[1:])
        sink.write(struct.pack(">I", len(found)) + found)
    sink.flush()


main()
`;
