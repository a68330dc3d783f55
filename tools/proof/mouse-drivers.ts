/** Programs that read payloads of mouse packets, a line each, and print what the tracker of a language makes of them. */

/** A program: its file without the codec, for the name of the codec's class, module or package. */
export const mouseDrivers: Readonly<
  Record<string, (codec: string) => { readonly name: string; readonly text: string }>
> = {
  java: (codec) => ({
    name: "MouseProof.java",
    text: `package wirewalk;

import java.util.HexFormat;
import wirewalk.${codec}.*;

public final class MouseProof {
  public static void main(String[] args) throws java.io.IOException {
    var in = new java.io.BufferedReader(new java.io.InputStreamReader(System.in));
    MouseTracker tracker = new MouseTracker();
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] parts = line.split(" ");
      byte[] payload = HexFormat.of().parseHex(parts[0]);
      StringBuilder out = new StringBuilder();
      try {
        MouseMove packet = ((ClientMessage.MouseMove) ${codec}.readClient(payload, 0, payload.length)).value();
        long arrived = Long.parseLong(parts[1]);
        for (MousePoint p : arrived < 0 ? tracker.read(packet) : tracker.read(packet, arrived)) {
          out.append(p.x()).append(' ').append(p.y()).append(' ').append(p.isKnown()).append(' ').append(p.isOutside());
          out.append(' ').append(p.atMs()).append(' ').append(p.sinceMs()).append(' ').append(p.isFirst()).append(' ');
          out.append(p.pause().ordinal()).append(' ').append(p.drift().ordinal()).append(';');
        }
      } catch (WireError error) {
        out.append("refused");
      }
      System.out.println(out);
    }
  }
}
`,
  }),
  rust: (codec) => ({
    name: "mouse_proof.rs",
    text: `#[path = "${codec}.rs"]
mod codec;
use codec::{ClientMessage, MouseTracker};
use std::fmt::Write;

fn main() {
    let mut tracker = MouseTracker::new();
    for line in std::io::stdin().lines() {
        let line = line.unwrap();
        let (hex, arrived) = line.split_once(' ').unwrap();
        let payload: Vec<u8> = (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[i * 2..i * 2 + 2], 16).unwrap()).collect();
        let mut out = String::new();
        match ClientMessage::read(&payload) {
            Ok(ClientMessage::MouseMove(packet)) => {
                for p in tracker.read(&packet, arrived.parse().ok()) {
                    let place = format!("{} {} {} {}", p.x, p.y, p.is_known, p.is_outside);
                    let (pause, drift) = (p.pause as u8, p.drift as u8);
                    write!(out, "{place} {} {} {} {pause} {drift};", p.at_ms, p.since_ms, p.is_first).unwrap();
                }
            }
            _ => out.push_str("refused"),
        }
        println!("{out}");
    }
}
`,
  }),
  python: (codec) => ({
    name: "mouse_proof.py",
    text: `import sys

import ${codec} as codec

tracker = codec.MouseTracker()
order = list(codec.Suspicion)
for line in sys.stdin:
    payload, arrived = line.split()
    out = ""
    try:
        packet = codec.read_client(bytes.fromhex(payload)).value
        for p in tracker.read(packet, None if arrived == "-1" else int(arrived)):
            flags = [str(each).lower() for each in (p.is_known, p.is_outside)]
            out += f"{p.x} {p.y} {flags[0]} {flags[1]} {p.at_ms} {p.since_ms} {str(p.is_first).lower()} "
            out += f"{order.index(p.pause)} {order.index(p.drift)};"
    except codec.WireError:
        out = "refused"
    print(out)
`,
  }),
  csharp: (codec) => ({
    name: "MouseProof.cs",
    text: `using System;
using System.Text;
using Wirewalk;

public static class MouseProof
{
    private static string Flag(bool value)
    {
        return value ? "true" : "false";
    }

    public static void Main()
    {
        var tracker = new ${codec}.MouseTracker();
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            string[] parts = line.Split(' ');
            var payload = new byte[parts[0].Length / 2];
            for (int i = 0; i < payload.Length; i++)
            {
                payload[i] = Convert.ToByte(parts[0].Substring(i * 2, 2), 16);
            }
            var text = new StringBuilder();
            try
            {
                var packet = ((${codec}.ClientMessage.MouseMove)${codec}.ReadClient(payload, 0, payload.Length)).Value;
                long arrived = long.Parse(parts[1]);
                foreach (var p in tracker.Read(packet, arrived < 0 ? (long?)null : arrived))
                {
                    text.Append(p.X).Append(' ').Append(p.Y).Append(' ').Append(Flag(p.IsKnown)).Append(' ').Append(Flag(p.IsOutside));
                    text.Append(' ').Append(p.AtMs).Append(' ').Append(p.SinceMs).Append(' ').Append(Flag(p.IsFirst)).Append(' ');
                    text.Append((int)p.Pause).Append(' ').Append((int)p.Drift).Append(';');
                }
            }
            catch (${codec}.WireError)
            {
                text.Append("refused");
            }
            Console.WriteLine(text);
        }
    }
}
`,
  }),
  go: (codec) => ({
    name: "mouseproof.go",
    text: `package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"strconv"
	"strings"

	codec "example.com/server/${codec}"
)

func main() {
	in := bufio.NewScanner(os.Stdin)
	tracker := codec.NewMouseTracker()
	for in.Scan() {
		parts := strings.Split(in.Text(), " ")
		payload, _ := hex.DecodeString(parts[0])
		arrived, _ := strconv.ParseInt(parts[1], 10, 64)
		message, err := codec.ReadClient(payload)
		own, isMouse := message.(codec.ClientMouseMove)
		if err != nil || !isMouse {
			fmt.Println("refused")
			continue
		}
		packet := &own.Value
		read := func() []codec.MousePoint { return tracker.Read(packet) }
		if arrived >= 0 {
			read = func() []codec.MousePoint { return tracker.ReadAt(packet, arrived) }
		}
		for _, p := range read() {
			fmt.Print(p.X, " ", p.Y, " ", p.IsKnown, " ", p.IsOutside, " ", p.AtMs, " ", p.SinceMs, " ", p.IsFirst, " ", p.Pause, " ", p.Drift, ";")
		}
		fmt.Println()
	}
}
`,
  }),
};
