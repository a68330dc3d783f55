/**
 * A program in C# for the proof of languages: it reads messages from its input and says what it made of each. See `tools/proof/README.md`
 * for the frames.
 *
 * @module
 */
import { Lines } from "../lines.ts";
import { canonicalText, constantJson, inKeyOrder } from "../typed/canonical.ts";
import type { TypedDialect } from "../typed/program.ts";
import type { RecordType, ValueType } from "../typed/types.ts";
import { csharpNamespace } from "./module.ts";
import { block, CsharpNames, isStruct, textLiteral } from "./types.ts";

/** The text of the program, whose class has the name of the dialect's with `Proof` behind it. */
export function csharpDriver(className: string, dialect: TypedDialect): string {
  const names = new CsharpNames();
  const lines = new Lines(0, "    ");
  const owned = (text: string): string => `${className}.${text}`;
  const value = (text: string, type: ValueType, depth = 0): void => {
    switch (type.is) {
      case "integer":
        lines.add(`json.Append(${text});`);
        return;
      case "big":
        lines.add(`json.Append('"').Append(${text}).Append('"');`);
        return;
      case "boolean":
        lines.add(`json.Append(${text} ? "true" : "false");`);
        return;
      case "text":
        lines.add(`Text(json, ${text});`);
        return;
      case "enum":
        lines.add(`Text(json, ${owned("Names")}.Of(${text}));`);
        return;
      case "constant":
        lines.add(`json.Append(${textLiteral(constantJson(type.value))});`);
        return;
      case "list":
        lines.add("json.Append('[');", `bool isFirst${depth} = true;`);
        block(lines, `foreach (var item${depth} in ${text})`, () => {
          lines.add(`if (!isFirst${depth}) json.Append(',');`, `isFirst${depth} = false;`);
          value(`item${depth}`, type.item, depth + 1);
        });
        lines.add("json.Append(']');");
        return;
      case "real":
        lines.add(`Real(json, ${text});`);
        return;
      case "bytes":
        lines.add(`Hex(json, ${text});`);
        return;
      default:
        lines.add(`Json(json, ${text});`);
    }
  };
  const members = (type: RecordType): void => {
    lines.add("bool isFirst = true;", "json.Append('{');");
    for (const { key, type: own, isOptional } of inKeyOrder(type.members)) {
      const print = (text: string): void => {
        lines.add("if (!isFirst) json.Append(',');", "isFirst = false;");
        lines.add(`json.Append(${textLiteral(`${canonicalText(key)}:`)});`);
        value(text, own);
      };
      const text = `v.${names.memberOf(type, key)}`;
      if (own.is === "constant") print("");
      else if (isOptional) block(lines, `if (${text} != null)`, () => print(isStruct(own) ? `${text}.Value` : text));
      else block(lines, "", () => print(text));
    }
    lines.add("json.Append('}');");
  };
  lines.add("using System;", "using System.IO;", "using System.Text;", "", "#pragma warning disable 0219", "");
  block(lines, `namespace ${csharpNamespace}`, () =>
    block(lines, `public static class ${className}Proof`, () => {
      lines.add(...loop(className).split("\n"));
      const { records, flags, unions } = dialect.types;
      for (const sender of ["client", "server"] as const) {
        const type = owned(`${sender === "client" ? "Client" : "Server"}Message`);
        block(lines, `static void Json(StringBuilder json, ${type} message)`, () => {
          lines.add(
            `json.Append("{\\"message\\":");`,
            "Text(json, message.DocumentName);",
            `json.Append(",\\"value\\":");`,
          );
          for (const each of dialect.messages.filter((own) => own.sender === sender))
            block(lines, `if (message is ${type}.${each.name})`, () =>
              value(`((${type}.${each.name})message).Value`, each.type),
            );
          lines.add("json.Append('}');");
        });
      }
      for (const type of records)
        block(lines, `static void Json(StringBuilder json, ${owned(names.typeOf(type))} v)`, () => members(type));
      for (const type of flags)
        block(lines, `static void Json(StringBuilder json, ${owned(type.name)} v)`, () => {
          lines.add("json.Append('{');");
          inKeyOrder(Object.keys(type.flags).map((key) => ({ key }))).forEach(({ key }, index) => {
            const head = textLiteral(`${index === 0 ? "" : ","}${canonicalText(key)}:`);
            lines.add(`json.Append(${head}).Append(v.${names.memberOf(type, key)} ? "true" : "false");`);
          });
          lines.add("json.Append('}');");
        });
      for (const type of unions)
        block(lines, `static void Json(StringBuilder json, ${owned(type.name)} v)`, () => {
          for (const record of type.records) {
            const own = owned(names.typeOf(record));
            lines.add(`if (v is ${own}) Json(json, (${own})v);`);
          }
        });
    }),
  );
  return `${lines.toString()}\n`;
}

const loop = (className: string): string => `public static void Main()
{
    Stream input = new BufferedStream(Console.OpenStandardInput(), 1 << 16);
    Stream output = new BufferedStream(Console.OpenStandardOutput(), 1 << 16);
    byte[] head = new byte[4];
    while (Fill(input, head, 0, 4))
    {
        int length = head[0] << 24 | head[1] << 16 | head[2] << 8 | head[3];
        if (length == 0)
        {
            output.Flush();
            continue;
        }
        int sender = input.ReadByte();
        // The message lies within other bytes: a reader must not look at those around it.
        byte[] payload = Filled(length - 1 + 7);
        Fill(input, payload, 3, length - 1);
        StringBuilder json = new StringBuilder();
        byte[] written;
        try
        {
            bool isWhole;
            if (sender == 0)
            {
                var message = ${className}.ReadClient(payload, 3, length - 1);
                Json(json, message);
                written = Filled(${className}.SizeOf(message) + 5);
                isWhole = ${className}.Write(message, written, 5) == written.Length;
            }
            else
            {
                var message = ${className}.ReadServer(payload, 3, length - 1);
                Json(json, message);
                written = Filled(${className}.SizeOf(message) + 5);
                isWhole = ${className}.Write(message, written, 5) == written.Length;
            }
            if (!isWhole) throw new InvalidOperationException("its size is another");
        }
        catch (${className}.WireError error)
        {
            Answer(output, 1, Encoding.UTF8.GetBytes(error.CodeText + "\\n" + error.Path + "\\n" + error.BitOffset));
            continue;
        }
        catch (Exception error)
        {
            Answer(output, 2, Encoding.UTF8.GetBytes(error.ToString()));
            continue;
        }
        byte[] text = Encoding.UTF8.GetBytes(json.ToString());
        Number(output, 1 + 4 + text.Length + written.Length - 5);
        output.WriteByte(0);
        Number(output, text.Length);
        output.Write(text, 0, text.Length);
        output.Write(written, 5, written.Length - 5);
    }
    output.Flush();
}

static bool Fill(Stream input, byte[] bytes, int from, int count)
{
    int read = 0;
    while (read < count)
    {
        int more = input.Read(bytes, from + read, count - read);
        if (more == 0) return false;
        read += more;
    }
    return true;
}

static byte[] Filled(int length)
{
    byte[] bytes = new byte[length];
    for (int i = 0; i < length; i++) bytes[i] = 0xa5;
    return bytes;
}

static void Number(Stream output, int value)
{
    for (int shift = 24; shift >= 0; shift -= 8) output.WriteByte((byte)(value >> shift));
}

static void Answer(Stream output, byte kind, byte[] text)
{
    Number(output, text.Length + 1);
    output.WriteByte(kind);
    output.Write(text, 0, text.Length);
}

static void Text(StringBuilder json, string text)
{
    json.Append('"');
    foreach (char c in text)
    {
        if (c >= 0x20 && c < 0x7f && c != '"' && c != '\\\\') json.Append(c);
        else json.Append("\\\\u").Append(((int)c).ToString("x4"));
    }
    json.Append('"');
}

static void Real(StringBuilder json, double value)
{
    if (double.IsNaN(value)) json.Append("\\"nan\\"");
    else json.Append('"').Append(BitConverter.DoubleToInt64Bits(value).ToString("x16")).Append('"');
}

static void Hex(StringBuilder json, byte[] bytes)
{
    json.Append('"');
    foreach (byte each in bytes) json.Append(each.ToString("x2"));
    json.Append('"');
}
`;
