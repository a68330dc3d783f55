import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { CaptureFile } from "./capture-file.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "wirewalk-capture-file-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

const HEAD = Buffer.from("head");
const onFailed = (error: Error): void => {
  throw error;
};

test("a file is for its owner alone, also one that others could read", async () => {
  const file = join(folder(), "a.pcapng");
  writeFileSync(file, "old", { mode: 0o644 });
  const capture = new CaptureFile({ file, head: HEAD, onFailed });
  capture.write(Buffer.from("block"));
  await capture.close();
  expect(readFileSync(file, "utf8")).toBe("headblock");
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("files are rotated between blocks, each begins with the head, and the last ones are kept", async () => {
  const path = folder();
  const capture = new CaptureFile({ file: join(path, "a.pcapng"), head: HEAD, rotateBytes: 20, keep: 2, onFailed });
  for (const letter of "abcdefg") capture.write(Buffer.from(letter.repeat(8)));
  // Longer than a file: in one of its own.
  capture.write(Buffer.from("h".repeat(30)));
  await capture.close();
  expect(readdirSync(path)).toEqual(["a-00004.pcapng", "a-00005.pcapng"]);
  expect(readFileSync(join(path, "a-00004.pcapng"), "utf8")).toBe(`head${"g".repeat(8)}`);
  expect(readFileSync(join(path, "a-00005.pcapng"), "utf8")).toBe(`head${"h".repeat(30)}`);
});

test("a file that cannot be opened says which and why", () => {
  const file = join(folder(), "missing", "a.pcapng");
  expect(() => new CaptureFile({ file, head: HEAD, onFailed })).toThrow(`Cannot write ${file}: ENOENT`);
});
