import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import * as slime from "../protocols/slime-online-2/index.ts";
import { findExamples, runExample } from "../wire/testing/run-examples.ts";
import * as exported from "./index.ts";

test.each(["index.ts", "json-schema/json-schema.ts", "kaitai/kaitai.ts", "markdown.ts", "wireshark/wireshark.ts"])(
  "the example of %s is true",
  (file) => {
    const examples = findExamples(readFileSync(new URL(file, import.meta.url), "utf8"));
    expect(examples).toHaveLength(1);
    for (const example of examples) runExample(example, { ...slime, ...exported });
  },
);
