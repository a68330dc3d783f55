/**
 * A program in Rust for the proof of languages: it reads messages from its input and says what it made of each. `tools/proof/README.md` has
 * the frames.
 *
 * @module
 */
import { Lines } from "../lines.ts";
import { canonicalText, constantJson, inKeyOrder } from "../typed/canonical.ts";
import type { TypedDialect, TypedMessage } from "../typed/program.ts";
import type { ValueType } from "../typed/types.ts";
import { rustNames } from "./module.ts";
import { isCopied, textLiteral } from "./types.ts";

/** The text of the program for a file. */
export function rustDriver(module: string, dialect: TypedDialect): string {
  const of = (sender: "client" | "server") => dialect.messages.filter((own) => own.sender === sender);
  const lines = new Lines(0, "    ");
  lines.add("#![allow(dead_code, unused_variables, unused_parens)]", `#[path = "${module}.rs"]`, "mod codec;", "");
  lines.add("use std::io::{self, Read, Write};", "use codec::*;");
  printJson(
    dialect,
    [
      ["ClientMessage", of("client")],
      ["ServerMessage", of("server")],
    ],
    lines,
  );
  for (const [sender, name] of [
    ["client", "ClientMessage"],
    ["server", "ServerMessage"],
  ] as const)
    lines.block(`fn ${sender}(payload: &[u8]) -> Vec<u8> {`, () => lines.list.push(...answer(name).split("\n")));
  lines.list.push(...loop.split("\n"));
  return lines.toString();
}

/** Methods that append values as canonical JSON, for all types of a dialect and for enums of messages. */
export function printJson(
  dialect: TypedDialect,
  interfaces: readonly (readonly [name: string, messages: readonly TypedMessage[]])[],
  lines: Lines,
): void {
  const names = rustNames(dialect);
  lines.list.push(...helpers.split("\n"));
  /** Adds the JSON of a value that stands behind a reference. */
  const value = (text: string, type: ValueType): void => {
    switch (type.is) {
      case "integer":
      case "boolean":
        lines.add(`out.push_str(&${text}.to_string());`);
        return;
      case "big":
        lines.add(`out.push_str(&format!("\\"{}\\"", ${text}));`);
        return;
      case "text":
        lines.add(`text(out, &${text});`);
        return;
      case "enum":
        lines.add(`text(out, ${text}.document_name());`);
        return;
      case "constant":
        lines.add(`out.push_str(${textLiteral(constantJson(type.value))});`);
        return;
      case "list":
        lines.add("out.push('[');");
        lines.block(`for (i, item) in ${text}.iter().enumerate() {`, () => {
          lines.add("if i > 0 { out.push(','); }");
          if (isCopied(type.item) && type.item.is !== "flags") lines.add("let item = *item;");
          value("item", type.item);
        });
        lines.add("out.push(']');");
        return;
      case "real":
        lines.add(`real(out, ${text} as f64);`);
        return;
      case "bytes":
        lines.add(`hex(out, &${text});`);
        return;
      default:
        lines.add(`${text}.json(out);`);
    }
  };
  lines.block("trait Json {", () => lines.add("fn json(&self, out: &mut String);"));
  const printer = (type: string, inside: () => void): void =>
    lines.block(`impl Json for ${type} {`, () => lines.block("fn json(&self, out: &mut String) {", inside));
  const key = (name: string): void => {
    lines.add("if !is_first { out.push(','); }", "is_first = false;");
    lines.add(`out.push_str(${textLiteral(`${canonicalText(name)}:`)});`);
  };
  const object = (inside: () => void): void => {
    lines.add("#[allow(unused_mut, unused_assignments)]", "let mut is_first = true;", "out.push('{');");
    inside();
    lines.add("let _ = is_first;", "out.push('}');");
  };
  for (const type of dialect.types.records)
    printer(names.typeOf(type, "'_"), () =>
      object(() => {
        for (const member of inKeyOrder(type.members)) {
          const text = `self.${names.memberOf(type, member.key)}`;
          const print = (of: string): void => {
            key(member.key);
            value(of, member.type);
          };
          if (member.type.is === "constant") print("");
          else if (member.isOptional) {
            const pattern = isCopied(member.type) ? `Some(own) = ${text}` : `Some(own) = &${text}`;
            lines.block(`if let ${pattern} {`, () => print("own"));
          } else print(text);
        }
      }),
    );
  for (const type of dialect.types.flags)
    printer(type.name, () =>
      object(() => {
        for (const each of inKeyOrder(Object.keys(type.flags).map((name) => ({ key: name })))) {
          key(each.key);
          value(`self.${names.memberOf(type, each.key)}`, { is: "boolean" });
        }
      }),
    );
  for (const type of dialect.types.unions)
    printer(names.typeOf(type, "'_"), () =>
      lines.block("match self {", () => {
        for (const record of type.records) lines.add(`${type.name}::${record.variant}(record) => record.json(out),`);
      }),
    );
  for (const [name, own] of interfaces) {
    const lifetime = own.some(({ type }) => names.lifetimeOf(type) !== "") ? "<'_>" : "";
    printer(`${name}${lifetime}`, () => {
      if (own.length === 0) {
        lines.add("match *self {}");
        return;
      }
      lines.add(
        'out.push_str("{\\"message\\":");',
        "text(out, self.document_name());",
        'out.push_str(",\\"value\\":");',
      );
      lines.block("match self {", () => {
        for (const message of own)
          lines.block(`${name}::${message.name}(value) => {`, () =>
            value(isCopied(message.type) && message.type.is !== "flags" ? "(*value)" : "value", message.type),
          );
      });
      lines.add("out.push('}');");
    });
  }
}

const helpers = `
fn text(out: &mut String, value: &str) {
    out.push('"');
    for c in value.encode_utf16() {
        match u8::try_from(c) {
            Ok(own) if (0x20..0x7f).contains(&own) && own != b'"' && own != b'\\\\' => out.push(own as char),
            _ => out.push_str(&format!("\\\\u{c:04x}")),
        }
    }
    out.push('"');
}

fn real(out: &mut String, value: f64) {
    if value.is_nan() {
        out.push_str("\\"nan\\"");
    } else {
        out.push_str(&format!("\\"{:016x}\\"", value.to_bits()));
    }
}

fn hex(out: &mut String, bytes: &[u8]) {
    out.push('"');
    for byte in bytes {
        out.push_str(&format!("{byte:02x}"));
    }
    out.push('"');
}
`;

const answer = (
  name: string,
): string => `    // The message lies within other bytes: a reader must not look at those around it.
    let message = match ${name}::read(payload) {
        Ok(message) => message,
        Err(error) => return refused(&error),
    };
    let mut json = String::new();
    message.json(&mut json);
    let size = match message.size() {
        Ok(size) => size,
        Err(error) => return failed(&format!("{error}")),
    };
    let mut written = vec![0xa5; size + 5];
    match message.write(&mut written[5..]) {
        Ok(end) if end == size => {}
        Ok(end) => return failed(&format!("its size is {end}, not {size}")),
        Err(error) => return failed(&format!("{error}")),
    }
    let mut out = vec![0];
    out.extend_from_slice(&(json.len() as u32).to_be_bytes());
    out.extend_from_slice(json.as_bytes());
    out.extend_from_slice(&written[5..]);
    out`;

const loop = `
fn refused(error: &WireError) -> Vec<u8> {
    let mut out = vec![1];
    out.extend_from_slice(format!("{}\\n{}\\n{}", error.code.text(), error.path, error.bit_offset).as_bytes());
    out
}

fn failed(words: &str) -> Vec<u8> {
    let mut out = vec![2];
    out.extend_from_slice(words.as_bytes());
    out
}

fn main() -> io::Result<()> {
    let mut source = io::BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut sink = io::BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let mut head = [0; 4];
    while source.read_exact(&mut head).is_ok() {
        let length = u32::from_be_bytes(head) as usize;
        if length == 0 {
            sink.flush()?;
            continue;
        }
        let mut frame = vec![0xa5; length + 4];
        source.read_exact(&mut frame[..length])?;
        let payload = &frame[1..length];
        let sender = frame[0];
        let answer = std::panic::catch_unwind(|| if sender == 0 { client(payload) } else { server(payload) });
        let out = answer.unwrap_or_else(|_| failed("panics"));
        sink.write_all(&(out.len() as u32).to_be_bytes())?;
        sink.write_all(&out)?;
    }
    sink.flush()
}
`;
