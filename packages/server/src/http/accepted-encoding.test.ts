import { expect, test } from "vitest";
import { acceptedEncoding, type Encoding } from "./accepted-encoding.ts";

const all: ReadonlySet<Encoding> = new Set(["br", "gzip", "identity"]);

test.each([
  [undefined, "identity"],
  ["", "identity"],
  ["gzip, deflate, br, zstd", "br"],
  ["gzip, deflate", "gzip"],
  ["GZIP", "gzip"],
  ["x-gzip", "gzip"],
  ["deflate, zstd", "identity"],
  ["br;q=0.5, gzip;q=0.8", "gzip"],
  ["br;q=0.8,gzip;q=0.80", "br"],
  ["br ; q=0 , gzip", "gzip"],
  ["br;q=0, gzip;q=0", "identity"],
  ["gzip;q=0.001", "gzip"],
  ["*", "br"],
  ["*;q=0.5, br;q=0.4", "gzip"],
  ["*;q=0", "identity"],
  ["identity", "identity"],
  ["identity, br;q=0.9", "identity"],
  ["identity;q=0.5, gzip;q=0.9", "gzip"],
  ["identity;q=0, gzip;q=0.1", "gzip"],
  ["identity;q=0", "identity"],
  ["br;q=2, gzip", "gzip"],
  ["br;q=, gzip", "gzip"],
  ["br;level=9, gzip", "gzip"],
  ["__proto__, gzip", "gzip"],
  [`${"br,".repeat(400)}`, "identity"],
])("%j is answered in %s", (header, encoding) => {
  expect(acceptedEncoding(header, all)).toBe(encoding);
});

test("only what a file has is chosen", () => {
  expect(acceptedEncoding("br, gzip;q=0.1", new Set(["gzip", "identity"]))).toBe("gzip");
  expect(acceptedEncoding("br, gzip", new Set(["identity"]))).toBe("identity");
});
