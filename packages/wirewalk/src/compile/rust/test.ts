/** A test in Rust of a dialect's file: `rustc --test` compiles it. */
import { formatHex } from "../../wire/hex.ts";
import type { TestVector } from "../language.ts";
import { Lines } from "../lines.ts";
import { textLiteral } from "./types.ts";

/** The text of the test of a file. */
export function rustTest(module: string, header: readonly string[], vectors: readonly TestVector[]): string {
  const lines = new Lines(0, "    ");
  for (const line of header) lines.add(line === "" ? "//" : `// ${line}`);
  lines.add(
    "",
    `//! Runs vectors through ${module}: \`rustc --edition 2021 --test ${module}_test.rs\`, then the program.`,
    "",
  );
  lines.add("#[allow(dead_code)]", `#[path = "${module}.rs"]`, "mod codec;", "");
  lines.add("use codec::{ClientMessage, ServerMessage, WireError};", "");
  const hex = (bytes: Uint8Array): string => textLiteral(formatHex(bytes, { separator: "" }));
  lines.add("/// Sender, payload, and the bytes that its message is written as.");
  lines.block(
    "const READ: &[(&str, &str, &str)] = &[",
    () => {
      for (const { sender, payload, outcome } of vectors)
        if ("written" in outcome) lines.add(`(${textLiteral(sender)}, ${hex(payload)}, ${hex(outcome.written)}),`);
    },
    "];",
  );
  lines.add("", "/// Sender, payload, code, path and bit offset.");
  lines.block(
    "const REFUSED: &[(&str, &str, &str, &str, usize)] = &[",
    () => {
      for (const { sender, payload, outcome } of vectors) {
        if ("written" in outcome) continue;
        const { code, path, bitOffset } = outcome;
        lines.add(
          `(${textLiteral(sender)}, ${hex(payload)}, ${textLiteral(code)}, ${textLiteral(path)}, ${bitOffset}),`,
        );
      }
    },
    "];",
  );
  lines.list.push(...tests.split("\n"));
  return `${lines.toString()}\n`;
}

const tests = `
fn bytes_of(hex: &str) -> Vec<u8> {
    (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[i * 2..i * 2 + 2], 16).unwrap()).collect()
}

/// Reads a message and writes it.
fn through(sender: &str, payload: &[u8]) -> Result<Vec<u8>, WireError> {
    Ok(match sender {
        "client" => ClientMessage::read(payload)?.to_bytes().unwrap(),
        _ => ServerMessage::read(payload)?.to_bytes().unwrap(),
    })
}

#[test]
fn messages_are_read_and_written() {
    for (sender, payload, written) in READ {
        assert_eq!(through(sender, &bytes_of(payload)), Ok(bytes_of(written)), "{sender} {payload}");
    }
}

#[test]
fn other_bytes_are_refused() {
    for (sender, payload, code, path, bit_offset) in REFUSED {
        let error = through(sender, &bytes_of(payload)).expect_err(payload);
        assert_eq!((error.code.text(), &*error.path, error.bit_offset), (*code, *path, *bit_offset));
    }
}`;
