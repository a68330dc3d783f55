/**
 * A program in Go for the proof of languages: it reads messages from its input and says what it made of each. `tools/proof/README.md` has
 * the frames.
 *
 * @module
 */
import type { LanguageSource } from "../language.ts";
import { Lines } from "../lines.ts";
import { canonicalText, constantJson, inKeyOrder } from "../typed/canonical.ts";
import type { ValueType } from "../typed/types.ts";
import { goPackage } from "./module.ts";
import { GoNames, isNilable, textLiteral } from "./types.ts";

/** The text of the program for a file. */
export function goDriver(source: LanguageSource): string {
  const { dialect } = source;
  const names = new GoNames(dialect.types);
  const lines = new Lines(0, "\t");
  lines.list.push(...head(goPackage(source)).split("\n"));
  let depth = 0;
  /** Adds the JSON of a value. */
  const value = (text: string, type: ValueType): void => {
    const append = (more: string): void => lines.add(`out = append(out, ${more}...)`);
    switch (type.is) {
      case "integer":
        append(`strconv.FormatInt(int64(${text}), 10)`);
        return;
      case "boolean":
        append(`strconv.FormatBool(${text})`);
        return;
      case "big":
        append(`"\\""+strconv.FormatUint(${text}, 10)+"\\""`);
        return;
      case "text":
        lines.add(`out = text(out, ${text})`);
        return;
      case "enum":
        lines.add(`out = text(out, ${text.startsWith("*") ? `(${text})` : text}.String())`);
        return;
      case "constant":
        append(textLiteral(constantJson(type.value)));
        return;
      case "list": {
        const [i, item] = [`i${depth}`, `item${depth}`];
        depth += 1;
        lines.add("out = append(out, '[')");
        const isAsked = type.item.is !== "constant";
        lines.block(`for ${i}${isAsked ? `, ${item}` : ""} := range ${text} {`, () => {
          lines.block(`if ${i} > 0 {`, () => lines.add("out = append(out, ',')"));
          value(item, type.item);
        });
        lines.add("out = append(out, ']')");
        depth -= 1;
        return;
      }
      case "real":
        lines.add(`out = real64(out, float64(${text}))`);
        return;
      case "bytes":
        append(`"\\""+hex.EncodeToString(${text})+"\\""`);
        return;
      default:
        lines.add(`out = json${type.name}(out, ${text})`);
    }
  };
  const printer = (type: string, inside: () => void): void => {
    lines.add("");
    lines.block(`func json${type}(out []byte, v codec.${type}) []byte {`, () => {
      inside();
      lines.add("return out");
    });
  };
  const key = (name: string): void => lines.add(`out = key(out, ${textLiteral(`${canonicalText(name)}:`)})`);
  const object = (inside: () => void): void => {
    lines.add("out = append(out, '{')");
    inside();
    lines.add("out = append(out, '}')");
  };
  for (const type of dialect.types.records)
    printer(type.name, () =>
      object(() => {
        for (const member of inKeyOrder(type.members)) {
          const print = (of: string): void => {
            key(member.key);
            value(of, member.type);
          };
          if (member.type.is === "constant") {
            print("");
            continue;
          }
          const text = `v.${names.memberOf(type, member.key)}`;
          if (member.isOptional)
            lines.block(`if ${text} != nil {`, () => print(isNilable(member.type) ? text : `*${text}`));
          else print(text);
        }
      }),
    );
  for (const type of dialect.types.flags)
    printer(type.name, () =>
      object(() => {
        for (const each of inKeyOrder(Object.keys(type.flags).map((name) => ({ key: name })))) {
          key(each.key);
          value(`v.${names.memberOf(type, each.key)}`, { is: "boolean" });
        }
      }),
    );
  for (const type of dialect.types.unions)
    printer(type.name, () => {
      lines.add("switch record := v.(type) {");
      for (const record of type.records) {
        lines.add(`case codec.${record.name}:`);
        lines.indented(() => lines.add(`out = json${record.name}(out, record)`));
      }
      lines.add("}");
    });
  lines.add("");
  lines.block("func jsonMessage(out []byte, message codec.Message) []byte {", () => {
    lines.add(
      'out = append(out, `{"message":`...)',
      "out = text(out, message.Name())",
      'out = append(out, `,"value":`...)',
    );
    if (dialect.messages.length > 0) {
      const isAsked = dialect.messages.some(({ type }) => type.is !== "constant");
      lines.add(`switch ${isAsked ? "m := " : ""}message.(type) {`);
      for (const { sender, name, type } of dialect.messages) {
        lines.add(`case codec.${names.messageOf(sender, name)}:`);
        lines.indented(() => value("m.Value", type));
      }
      lines.add("}");
    }
    lines.add("return append(out, '}')");
  });
  return `${lines.toString()}\n`;
}

const head = (name: string): string => `package main

import (
	"bufio"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"unicode/utf16"

	codec "example.com/server/${name}"
)

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<16)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	defer out.Flush()
	var length [4]byte
	for {
		if _, err := io.ReadFull(in, length[:]); err != nil {
			return
		}
		size := int(binary.BigEndian.Uint32(length[:]))
		if size == 0 {
			out.Flush()
			continue
		}
		// The message lies within other bytes: a reader must not look at those around it.
		frame := make([]byte, size+4)
		for i := range frame {
			frame[i] = 0xa5
		}
		if _, err := io.ReadFull(in, frame[:size]); err != nil {
			return
		}
		answer := answerOf(frame[0], frame[1:size])
		binary.BigEndian.PutUint32(length[:], uint32(len(answer)))
		out.Write(length[:])
		out.Write(answer)
	}
}

func answerOf(sender byte, payload []byte) (answer []byte) {
	defer func() {
		if found := recover(); found != nil {
			answer = failed(fmt.Sprint("panics: ", found))
		}
	}()
	var message codec.Message
	var err error
	if sender == 0 {
		message, err = codec.ReadClient(payload)
	} else {
		message, err = codec.ReadServer(payload)
	}
	if err != nil {
		found, isWireError := err.(*codec.WireError)
		if !isWireError {
			return failed(err.Error())
		}
		return append([]byte{1}, fmt.Sprintf("%s\\n%s\\n%d", found.Code, found.Path, found.BitOffset)...)
	}
	json := jsonMessage(nil, message)
	size, err := codec.Size(message)
	if err != nil {
		return failed(err.Error())
	}
	written := make([]byte, size+5)
	for i := range written {
		written[i] = 0xa5
	}
	if end, err := codec.Write(written[5:], message); err != nil || end != size {
		return failed(fmt.Sprint("its size is ", end, ", not ", size, ": ", err))
	}
	appended, err := codec.Append([]byte("begun"), message)
	if err != nil || string(appended[5:]) != string(written[5:]) {
		return failed("appends other bytes")
	}
	answer = append(answer, 0)
	answer = binary.BigEndian.AppendUint32(answer, uint32(len(json)))
	answer = append(answer, json...)
	return append(answer, written[5:]...)
}

func failed(words string) []byte {
	return append([]byte{2}, words...)
}

// key adds a comma before each key but the first one of its object.
func key(out []byte, name string) []byte {
	if out[len(out)-1] != '{' {
		out = append(out, ',')
	}
	return append(out, name...)
}

func text(out []byte, value string) []byte {
	out = append(out, '"')
	for _, unit := range utf16.Encode([]rune(value)) {
		if unit >= 0x20 && unit < 0x7f && unit != '"' && unit != '\\\\' {
			out = append(out, byte(unit))
		} else {
			out = append(out, fmt.Sprintf("\\\\u%04x", unit)...)
		}
	}
	return append(out, '"')
}

func real64(out []byte, value float64) []byte {
	if math.IsNaN(value) {
		return append(out, "\\"nan\\""...)
	}
	return append(out, fmt.Sprintf("\\"%016x\\"", math.Float64bits(value))...)
}

// Not every dialect has bytes.
var _ = hex.EncodeToString

var _ = strconv.Itoa`;
