import { Writable } from "node:stream";
import { expect, test } from "vitest";
import { LineOutput } from "./line-output.ts";

/** A stream whose reader takes nothing before `read` is called. */
class Slow extends Writable {
  text = "";
  #done: (() => void) | undefined;
  #isRead = false;

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.text += chunk.toString();
    if (this.#isRead) done();
    else this.#done = done;
  }

  read(): void {
    this.#isRead = true;
    this.#done?.();
  }
}

const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

test("lines of one turn are written together and in order", async () => {
  const stream = new Slow();
  stream.read();
  const output = new LineOutput(stream);
  output.add(() => "a");
  output.add(() => "b");
  expect(stream.text).toBe("");
  await turn();
  expect(stream.text).toBe("a\nb\n");
  await output.close();
});

test("lines for which a slow reader leaves no room are not even made, and counted", async () => {
  const stream = new Slow();
  const output = new LineOutput(stream);
  const long = "x".repeat(400_000);
  let made = 0;
  const add = (): void =>
    output.add(() => {
      made += 1;
      return long;
    });
  for (let times = 0; times < 5; times++) {
    add();
    await turn();
  }
  expect([made, output.missed]).toEqual([3, 2]);
  stream.read();
  await output.close();
  expect(stream.text).toBe(`${long}\n`.repeat(3));
});

test("a reader that is gone does not hold up the end", async () => {
  const stream = new Slow();
  const output = new LineOutput(stream);
  output.add(() => "a");
  await output.close();
  expect(output.missed).toBe(0);
});
