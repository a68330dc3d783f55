/** The library's own codec, driven by the same lines as the programs of other languages. */
import { createInterface } from "node:readline";
import { mapleMessages } from "wirewalk/maplestory/codec";
import { parseHex } from "wirewalk/wire";
import { threadNs } from "../harness.ts";

const codec = mapleMessages("v62");

type Message = ReturnType<typeof readClient>;
const readClient = (payload: Uint8Array) => codec.read("client", payload);

const payloads = new Map<string, Uint8Array[]>();
const messages = new Map<string, Message[]>();
/** What was done last: nothing of it can be left out. */
let sink: unknown;

function read(group: readonly Uint8Array[], count: number): void {
  for (let i = 0; i < count; i++) for (const payload of group) sink = codec.read("client", payload);
}

function write(group: readonly Message[], count: number): void {
  for (let i = 0; i < count; i++) for (const message of group) sink = codec.write("client", message);
}

for await (const line of createInterface({ input: process.stdin })) {
  const [work = "", group = "", rest = ""] = line.split(" ");
  if (work === "payload") {
    const payload = parseHex(rest).slice();
    payloads.set(group, [...(payloads.get(group) ?? []), payload]);
    messages.set(group, [...(messages.get(group) ?? []), readClient(payload)]);
    continue;
  }
  const from = threadNs();
  if (work === "read") read(payloads.get(group) ?? [], Number(rest));
  else write(messages.get(group) ?? [], Number(rest));
  console.log(threadNs() - from);
}
if (sink === undefined) process.exitCode = 1;
