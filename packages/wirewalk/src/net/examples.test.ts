import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { createRandom } from "../motion/index.ts";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import * as net from "./index.ts";

test.each(["inbox.ts", "memory-pair.ts", "network-conditions.ts", "store.ts", "virtual-clock.ts"])(
  "the example of %s is true",
  (name) => {
    const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
    expect(examples).toHaveLength(1);
    for (const example of examples) runExample(example, { ...net, createRandom });
  },
);
