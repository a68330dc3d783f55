import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { memoryPair, VirtualClock } from "../net/index.ts";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import * as client from "./index.ts";
import { countingBot, echo, echoProtocol } from "./testing/echo-server.ts";

test.each(["client.ts", "run-bot.ts"])("the example of %s is true", (name) => {
  const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
  expect(examples).toHaveLength(1);
  for (const example of examples) {
    const clock = new VirtualClock();
    const [echoTransport, server] = memoryPair({ clock, carrier: "stream" });
    echo(server);
    runExample(example, { ...client, clock, echoProtocol, echoTransport, countingBot: countingBot(50) });
  }
});
