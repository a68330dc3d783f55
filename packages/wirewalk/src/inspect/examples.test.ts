import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { slimeOnline2 } from "../protocols/slime-online-2/slime-online-2.ts";
import * as wire from "../wire/index.ts";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import * as inspect from "./index.ts";

test.each(["format-trace.ts", "input/parse-input.ts", "lines.ts", "trace-stream.ts"])(
  "the examples of %s are true",
  (name) => {
    const examples = findExamples(readFileSync(new URL(name, import.meta.url), "utf8"));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) runExample(example, { ...wire, ...inspect, slimeOnline2 });
  },
);
