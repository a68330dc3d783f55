/**
 * Programs that take streams apart and frame payloads, a line each: `c HEX` and `s HEX` are streams of a client and of a server, `C HEX`
 * and `S HEX` payloads. They print each payload of a stream with `=` where its frame is as it came, then what is left or the refusal with
 * its place in the stream; of a payload its frame, or `unfit`.
 */

/** A program: its file without the codec, for the name of the codec's class, module or package. */
export const frameDrivers: Readonly<
  Record<string, (codec: string) => { readonly name: string; readonly text: string }>
> = {
  java: (codec) => ({
    name: "FrameProof.java",
    text: `package wirewalk;

import java.util.HexFormat;
import wirewalk.${codec}.*;

public final class FrameProof {
  private static byte[] frameOf(boolean isClient, byte[] payload) {
    return isClient ? ${codec}.clientFrame(payload) : ${codec}.serverFrame(payload);
  }

  public static void main(String[] args) throws java.io.IOException {
    var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    HexFormat hex = HexFormat.of();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      byte[] bytes = hex.parseHex(line.substring(2));
      char what = line.charAt(0);
      boolean isClient = what == 'c' || what == 'C';
      StringBuilder out = new StringBuilder();
      int at = 0;
      try {
        if (what == 'C' || what == 'S') {
          out.append(hex.formatHex(frameOf(isClient, bytes)));
        } else {
          while (true) {
            int left = bytes.length - at;
            Frame frame = isClient ? ${codec}.nextClientFrame(bytes, at, left) : ${codec}.nextServerFrame(bytes, at, left);
            if (frame == null) {
              out.append('.').append(left);
              break;
            }
            byte[] came = java.util.Arrays.copyOfRange(bytes, at, at + frame.size());
            out.append(hex.formatHex(frame.payload()));
            out.append(java.util.Arrays.equals(came, frameOf(isClient, frame.payload())) ? '=' : '!');
            at += frame.size();
          }
        }
      } catch (WireError error) {
        out.append(error.code.text).append(' ').append(error.path).append(' ').append(at * 8L + error.bitOffset);
      } catch (IllegalArgumentException error) {
        out.append("unfit");
      }
      System.out.println(out);
    }
  }
}
`,
  }),
  csharp: (codec) => ({
    name: "FrameProof.cs",
    text: `using System;
using System.Text;
using Wirewalk;

public static class FrameProof
{
    private static byte[] FrameOf(bool isClient, byte[] payload)
    {
        return isClient ? ${codec}.ClientFrame(payload) : ${codec}.ServerFrame(payload);
    }

    private static string Hex(byte[] bytes, int offset, int length)
    {
        return BitConverter.ToString(bytes, offset, length).Replace("-", "").ToLower();
    }

    public static void Main()
    {
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            var bytes = new byte[line.Length / 2 - 1];
            for (int i = 0; i < bytes.Length; i++)
            {
                bytes[i] = Convert.ToByte(line.Substring(i * 2 + 2, 2), 16);
            }
            char what = line[0];
            bool isClient = what == 'c' || what == 'C';
            var text = new StringBuilder();
            int at = 0;
            try
            {
                if (what == 'C' || what == 'S')
                {
                    byte[] frame = FrameOf(isClient, bytes);
                    text.Append(Hex(frame, 0, frame.Length));
                }
                else
                {
                    while (true)
                    {
                        int left = bytes.Length - at;
                        var frame = isClient ? ${codec}.NextClientFrame(bytes, at, left) : ${codec}.NextServerFrame(bytes, at, left);
                        if (frame == null)
                        {
                            text.Append('.').Append(left);
                            break;
                        }
                        byte[] again = FrameOf(isClient, frame.Payload);
                        text.Append(Hex(frame.Payload, 0, frame.Payload.Length));
                        text.Append(Hex(again, 0, again.Length) == Hex(bytes, at, frame.Size) ? '=' : '!');
                        at += frame.Size;
                    }
                }
            }
            catch (${codec}.WireError error)
            {
                text.Append(error.CodeText).Append(' ').Append(error.Path).Append(' ').Append(at * 8L + error.BitOffset);
            }
            catch (ArgumentException)
            {
                text.Append("unfit");
            }
            Console.WriteLine(text);
        }
    }
}
`,
  }),
  go: (codec) => ({
    name: "frameproof.go",
    text: `package main

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"os"

	codec "example.com/server/${codec}"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<22)
	for in.Scan() {
		what := in.Text()[0]
		b, _ := hex.DecodeString(in.Text()[2:])
		next, frame := codec.NextServerFrame, codec.AppendServerFrame
		if what == 'c' || what == 'C' {
			next, frame = codec.NextClientFrame, codec.AppendClientFrame
		}
		if what == 'C' || what == 'S' {
			framed, err := frame(nil, b)
			if err != nil {
				fmt.Println("unfit")
			} else {
				fmt.Println(hex.EncodeToString(framed))
			}
			continue
		}
		at := 0
		for {
			payload, size, err := next(b[at:])
			var refused *codec.WireError
			if errors.As(err, &refused) {
				fmt.Printf("%s %s %d\\n", refused.Code, refused.Path, at*8+refused.BitOffset)
				break
			}
			if size == 0 {
				fmt.Printf(".%d\\n", len(b)-at)
				break
			}
			mark := "!"
			if again, err := frame(nil, payload); err == nil && bytes.Equal(again, b[at:at+size]) {
				mark = "="
			}
			fmt.Print(hex.EncodeToString(payload), mark)
			at += size
		}
	}
}
`,
  }),
  python: (codec) => ({
    name: "frame_proof.py",
    text: `import sys

import ${codec} as codec

for line in sys.stdin:
    what, payload = line[0], bytes.fromhex(line[2:])
    is_client = what in "cC"
    frame = codec.client_frame if is_client else codec.server_frame
    if what in "CS":
        try:
            print(frame(payload).hex())
        except ValueError:
            print("unfit")
        continue
    out = ""
    at = 0
    try:
        while True:
            found = (codec.next_client_frame if is_client else codec.next_server_frame)(memoryview(payload)[at:])
            if found is None:
                out += f".{len(payload) - at}"
                break
            body, size = found
            out += body.hex() + ("=" if frame(body) == payload[at : at + size] else "!")
            at += size
    except codec.WireError as error:
        out += f"{error.code.value} {error.path} {at * 8 + error.bit_offset}"
    print(out)
`,
  }),
  rust: (codec) => ({
    name: "frame_proof.rs",
    text: `#[path = "${codec}.rs"]
mod codec;

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn main() {
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let (what, text) = line.split_once(' ').unwrap();
        let bytes: Vec<u8> = (0..text.len() / 2).map(|i| u8::from_str_radix(&text[i * 2..i * 2 + 2], 16).unwrap()).collect();
        let is_client = what == "c" || what == "C";
        let frame = if is_client { codec::client_frame } else { codec::server_frame };
        if what == "C" || what == "S" {
            println!("{}", frame(&bytes).map_or(String::from("unfit"), |framed| hex(&framed)));
            continue;
        }
        let mut out = String::new();
        let mut at = 0;
        loop {
            let rest = &bytes[at..];
            match if is_client { codec::next_client_frame(rest) } else { codec::next_server_frame(rest) } {
                Ok(Some(found)) => {
                    let is_same = frame(&found.payload).is_ok_and(|again| again == rest[..found.size]);
                    out += &hex(&found.payload);
                    out += if is_same { "=" } else { "!" };
                    at += found.size;
                }
                Ok(None) => {
                    out += &format!(".{}", rest.len());
                    break;
                }
                Err(error) => {
                    out += &format!("{} {} {}", error.code.text(), error.path, at * 8 + error.bit_offset);
                    break;
                }
            }
        }
        println!("{out}");
    }
}
`,
  }),
};
