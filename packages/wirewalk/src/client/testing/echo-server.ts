/**
 * What tests of the client play with: the fake protocol in its dialect with greetings, a server's end that sends back all
 * that comes, and a bot that counts.
 *
 * @module
 */
import type { Transport } from "../../net/index.ts";
import type { Bot } from "../../protocols/bot.ts";
import type { PlayableProtocol } from "../../protocols/protocol.ts";
import type { FakeClientMessage, FakeServerMessage } from "../../protocols/testing/fake-codec.ts";
import { fakeProtocol } from "../../protocols/testing/fake-protocol.ts";

export type Count = Extract<FakeClientMessage, { message: "count" }>;
export type Counted = Extract<FakeServerMessage, { message: "counted" }>;

/** What the client says first, by carrier. */
export const GREETING = { stream: [2, 0, 4, 0], message: [4, 0] } as const;

/** What a client needs of a protocol, and nothing else: what is missing throws when it is touched. */
export const echoProtocol = Object.freeze({
  name: fakeProtocol.name,
  openChannel: fakeProtocol.openChannel,
}) as unknown as PlayableProtocol<Count, Counted>;

/** The server's end: sends back all that comes after the greeting. Gives what it has received. */
export function echo(transport: Transport): { readonly received: number[]; readonly closed: string[] } {
  const received: number[] = [];
  const closed: string[] = [];
  let greeting: number = GREETING[transport.carrier].length;
  transport.listen({
    bytes(bytes) {
      received.push(...bytes);
      const answer = bytes.subarray(greeting);
      greeting = Math.max(0, greeting - bytes.length);
      if (answer.length > 0) transport.send(answer);
    },
    closed: (reason) => closed.push(reason),
  });
  return { received, closed };
}

/** Counts 0 at the start, then one more with each step; answers 100 with 101. Notes what it receives, with the time. */
export function countingBot(stepMs: number): Bot<Count, Counted> & { readonly calls: [number, number][] } {
  let number = 0;
  const calls: [number, number][] = [];
  const count = (value: number): readonly Count[] => [{ message: "count", value: { number: value } }];
  return {
    stepMs,
    calls,
    start: () => count(0),
    receive(message, nowMs) {
      calls.push([message.value.number, nowMs]);
      return message.value.number === 100 ? count(101) : [];
    },
    step: () => count(++number),
  };
}
