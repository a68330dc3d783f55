/**
 * Programs that read and write packets in a loop, one for each language. All do the same: a line `payload GROUP HEX` on the standard input
 * is kept, `read GROUP COUNT` and `write GROUP COUNT` go through the payloads of a group so many times and answer with the nanoseconds of
 * the processor that their thread took.
 *
 * @module
 */

/** A program and the name of its file. `codec`: the name of the codec, as the program imports it. */
export interface BenchProgram {
  readonly file: string;
  readonly text: string;
}

export const programs: Readonly<Record<string, (codec: string) => BenchProgram>> = {
  java: (codec) =>
    javaProgram({
      type: `${codec}.ClientMessage`,
      read: (bytes) => `${codec}.readClient(${bytes}, 0, ${bytes}.length)`,
      write: (message) => `${codec}.write(${message}, out, 0)`,
    }),
  csharp: (codec) => ({
    file: "Bench.cs",
    text: `using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using Wirewalk;

public static class Bench
{
    struct Time
    {
        public long Seconds;
        public long Nanoseconds;
    }

    [DllImport("libc")]
    static extern int clock_gettime(int clock, ref Time time);

    static long Now()
    {
        Time time = new Time();
        clock_gettime(3, ref time);
        return time.Seconds * 1000000000L + time.Nanoseconds;
    }

    public static object Sink;
    static readonly byte[] output = new byte[1 << 16];

    static void Read(List<byte[]> payloads, int count)
    {
        for (int i = 0; i < count; i++)
            foreach (byte[] payload in payloads) Sink = ${codec}.ReadClient(payload, 0, payload.Length);
    }

    static void Write(List<${codec}.ClientMessage> messages, int count)
    {
        for (int i = 0; i < count; i++)
            foreach (var message in messages) ${codec}.Write(message, output, 0);
    }

    public static void Main()
    {
        var payloads = new Dictionary<string, List<byte[]>>();
        var messages = new Dictionary<string, List<${codec}.ClientMessage>>();
        for (string line = Console.ReadLine(); line != null; line = Console.ReadLine())
        {
            string[] words = line.Split(' ');
            string group = words[1];
            if (words[0] == "payload")
            {
                if (!payloads.ContainsKey(group))
                {
                    payloads[group] = new List<byte[]>();
                    messages[group] = new List<${codec}.ClientMessage>();
                }
                byte[] payload = new byte[words[2].Length / 2];
                for (int i = 0; i < payload.Length; i++) payload[i] = Convert.ToByte(words[2].Substring(i * 2, 2), 16);
                payloads[group].Add(payload);
                messages[group].Add(${codec}.ReadClient(payload, 0, payload.Length));
                continue;
            }
            int count = int.Parse(words[2]);
            long from = Now();
            if (words[0] == "read") Read(payloads[group], count);
            else Write(messages[group], count);
            Console.WriteLine(Now() - from);
        }
    }
}
`,
  }),
  go: (codec) => ({
    file: "bench.go",
    text: `package main

import (
	"bufio"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"unsafe"

	codec "example.com/server/${codec}"
)

func now() int64 {
	var time syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, 3, uintptr(unsafe.Pointer(&time)), 0)
	return time.Nano()
}

var sink codec.ClientMessage

func read(payloads [][]byte, count int) {
	for i := 0; i < count; i++ {
		for _, payload := range payloads {
			message, err := codec.ReadClient(payload)
			if err != nil {
				panic(err)
			}
			sink = message
		}
	}
}

var out [1 << 16]byte

func write(messages []codec.ClientMessage, count int) {
	for i := 0; i < count; i++ {
		for _, message := range messages {
			if _, err := codec.Write(out[:], message); err != nil {
				panic(err)
			}
		}
	}
}

// A server has more than nothing in memory: beside an empty heap Go collects every 4 MB.
var ballast = make([]byte, 64<<20)

func main() {
	runtime.LockOSThread()
	defer runtime.KeepAlive(ballast)
	payloads := map[string][][]byte{}
	messages := map[string][]codec.ClientMessage{}
	lines := bufio.NewScanner(os.Stdin)
	for lines.Scan() {
		words := strings.Split(lines.Text(), " ")
		group := words[1]
		if words[0] == "payload" {
			payload, _ := hex.DecodeString(words[2])
			message, err := codec.ReadClient(payload)
			if err != nil {
				panic(err)
			}
			payloads[group] = append(payloads[group], payload)
			messages[group] = append(messages[group], message)
			continue
		}
		count, _ := strconv.Atoi(words[2])
		from := now()
		if words[0] == "read" {
			read(payloads[group], count)
		} else {
			write(messages[group], count)
		}
		fmt.Println(now() - from)
	}
}
`,
  }),
  python: (codec) => ({
    file: "bench.py",
    text: `import sys
import time

import ${codec} as codec

payloads = {}
messages = {}
out = bytearray(1 << 16)


def read(group, count):
    for _ in range(count):
        for payload in group:
            codec.read_client(payload)


def write(group, count):
    for _ in range(count):
        for message in group:
            codec.write_client(message, out, 0)


for line in sys.stdin:
    work, group, rest = line.split()
    if work == "payload":
        payload = bytes.fromhex(rest)
        payloads.setdefault(group, []).append(payload)
        messages.setdefault(group, []).append(codec.read_client(payload))
        continue
    start = time.thread_time_ns()
    if work == "read":
        read(payloads[group], int(rest))
    else:
        write(messages[group], int(rest))
    print(time.thread_time_ns() - start, flush=True)
`,
  }),
  rust: (codec) => ({
    file: "bench.rs",
    text: `#![allow(dead_code)]
#[path = "${codec}.rs"]
mod codec;

use codec::ClientMessage;
use std::collections::HashMap;
use std::hint::black_box;
use std::io::BufRead;

extern "C" {
    fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
}

fn now() -> i64 {
    let mut time = [0i64; 2];
    unsafe { clock_gettime(3, &mut time) };
    time[0] * 1_000_000_000 + time[1]
}

fn read(payloads: &[&[u8]], count: usize) {
    for _ in 0..count {
        for payload in payloads {
            black_box(ClientMessage::read(payload).unwrap());
        }
    }
}

fn write(messages: &[ClientMessage], count: usize) {
    let mut out = vec![0; 1 << 16];
    for _ in 0..count {
        for message in messages {
            message.write(&mut out).unwrap();
            black_box(&out);
        }
    }
}

fn main() {
    let mut payloads: HashMap<String, Vec<&[u8]>> = HashMap::new();
    let mut messages: HashMap<String, Vec<ClientMessage>> = HashMap::new();
    for line in std::io::stdin().lock().lines() {
        let line = line.unwrap();
        let words: Vec<&str> = line.split(' ').collect();
        if words[0] == "payload" {
            let hex = words[2];
            let bytes: Vec<u8> =
                (0..hex.len() / 2).map(|i| u8::from_str_radix(&hex[i * 2..i * 2 + 2], 16).unwrap()).collect();
            let payload: &'static [u8] = Box::leak(bytes.into_boxed_slice());
            payloads.entry(words[1].into()).or_default().push(payload);
            messages.entry(words[1].into()).or_default().push(ClientMessage::read(payload).unwrap());
            continue;
        }
        let count = words[2].parse().unwrap();
        let from = now();
        if words[0] == "read" {
            read(&payloads[words[1]], count);
        } else {
            write(&messages[words[1]], count);
        }
        println!("{}", now() - from);
    }
}
`,
  }),
};

/** Kaitai's reader in Java, for the class that its compiler makes. It refuses bytes that are left, as all others do. */
export const kaitaiProgram = (name: string): BenchProgram =>
  javaProgram({ type: name, read: (bytes) => `whole(${bytes})`, write: undefined, kaitai: name });

interface JavaParts {
  readonly type: string;
  readonly read: (bytes: string) => string;
  readonly write: ((message: string) => string) | undefined;
  readonly kaitai?: string;
}

const javaProgram = ({ type, read, write, kaitai }: JavaParts): BenchProgram => ({
  file: "Bench.java",
  text: `package wirewalk;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;

public final class Bench {
  static Object sink;
  static final byte[] out = new byte[1 << 16];
${
  kaitai === undefined
    ? ""
    : `
  static ${kaitai} whole(byte[] payload) {
    var stream = new io.kaitai.struct.ByteBufferKaitaiStream(payload);
    var value = new ${kaitai}(stream);
    if (!stream.isEof()) throw new IllegalStateException("bytes are left");
    return value;
  }
`
}
  static void read(List<byte[]> payloads, int count) {
    for (int i = 0; i < count; i++) {
      for (byte[] payload : payloads) sink = ${read("payload")};
    }
  }

  static void write(List<${type}> messages, int count) {
    for (int i = 0; i < count; i++) {
      for (${type} message : messages) ${write === undefined ? "sink = message" : write("message")};
    }
  }

  public static void main(String[] args) throws IOException {
    var threads = ManagementFactory.getThreadMXBean();
    Map<String, List<byte[]>> payloads = new HashMap<>();
    Map<String, List<${type}>> messages = new HashMap<>();
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ");
      if (words[0].equals("payload")) {
        byte[] payload = HexFormat.of().parseHex(words[2]);
        payloads.computeIfAbsent(words[1], key -> new ArrayList<>()).add(payload);
        messages.computeIfAbsent(words[1], key -> new ArrayList<>()).add(${read("payload")});
        continue;
      }
      int count = Integer.parseInt(words[2]);
      long from = threads.getCurrentThreadCpuTime();
      if (words[0].equals("read")) read(payloads.get(words[1]), count);
      else write(messages.get(words[1]), count);
      System.out.println(threads.getCurrentThreadCpuTime() - from);
    }
  }
}
`,
});
