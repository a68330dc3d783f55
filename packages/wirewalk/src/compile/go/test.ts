/** A test in Go of a dialect's package: `go test` runs it. */
import { formatHex } from "../../wire/hex.ts";
import type { TestVector } from "../language.ts";
import { Lines } from "../lines.ts";
import { headOf } from "./module.ts";
import { textLiteral } from "./types.ts";

/** The text of the test of a package. */
export function goTest(name: string, header: readonly string[], vectors: readonly TestVector[]): string {
  const lines = new Lines(0, "\t");
  lines.add(...headOf(header), `package ${name}`, "");
  lines.add("import (", '\t"encoding/hex"', '\t"errors"', '\t"testing"', ")", "");
  const hex = (bytes: Uint8Array): string => textLiteral(formatHex(bytes, { separator: "" }));
  lines.add("// Sender, payload, and the bytes that its message is written as.");
  lines.block("var whole = []struct{ sender, payload, written string }{", () => {
    for (const { sender, payload, outcome } of vectors)
      if ("written" in outcome) lines.add(`{${textLiteral(sender)}, ${hex(payload)}, ${hex(outcome.written)}},`);
  });
  lines.add("");
  lines.block("var refused = []struct {", () => lines.add(...refusedFields), "}{");
  lines.indented(() => {
    for (const { sender, payload, outcome } of vectors) {
      if ("written" in outcome) continue;
      const { code, path, bitOffset } = outcome;
      const cells = [textLiteral(sender), hex(payload), textLiteral(code), textLiteral(path), String(bitOffset)];
      lines.add(`{${cells.join(", ")}},`);
    }
  });
  lines.add("}");
  lines.list.push(...tests.split("\n"));
  return `${lines.toString()}\n`;
}

const refusedFields = ["sender, payload, code, path string", "bitOffset                   int"];

const tests = `
// through reads a message and writes it.
func through(sender, payload string) (string, error) {
	b, err := hex.DecodeString(payload)
	if err != nil {
		return "", err
	}
	var message Message
	if sender == "client" {
		message, err = ReadClient(b)
	} else {
		message, err = ReadServer(b)
	}
	if err != nil {
		return "", err
	}
	written, err := Append(nil, message)
	return hex.EncodeToString(written), err
}

func TestMessagesAreReadAndWritten(t *testing.T) {
	for _, each := range whole {
		written, err := through(each.sender, each.payload)
		if err != nil || written != each.written {
			t.Errorf("%s %s: %s, %v", each.sender, each.payload, written, err)
		}
	}
}

func TestOtherBytesAreRefused(t *testing.T) {
	for _, each := range refused {
		_, err := through(each.sender, each.payload)
		var found *WireError
		if !errors.As(err, &found) {
			t.Errorf("%s %s: %v", each.sender, each.payload, err)
		} else if found.Code.String() != each.code || found.Path != each.path || found.BitOffset != each.bitOffset {
			t.Errorf("%s %s: %v at bit %d", each.sender, each.payload, found, found.BitOffset)
		}
	}
}`;
