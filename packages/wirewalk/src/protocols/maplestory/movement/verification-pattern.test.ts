import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { parseHex } from "../../../wire/index.ts";
import { hashPattern, makeVerification } from "./verification-pattern.ts";

const key = "of both sides";
const pattern = hashPattern((bytes) => createHmac("sha256", key).update(bytes).digest());
const section = parseHex("01 0A 05");

it("an HMAC over the number of the move and its fragments: 5 bytes before, 18 after", () => {
  const made = makeVerification(pattern, section, 7);
  expect([made.head.length, made.tail.length]).toEqual([5, 18]);
  const full = createHmac("sha256", key)
    .update(Uint8Array.of(7, 0, 0, 0, ...section))
    .digest();
  expect([...made.head, ...made.tail]).toEqual([...full.subarray(0, 23)]);
});

it("a hash that is too short is refused", () => {
  expect(() =>
    makeVerification(
      hashPattern(() => new Uint8Array(20)),
      section,
      0,
    ),
  ).toThrow(RangeError);
});
