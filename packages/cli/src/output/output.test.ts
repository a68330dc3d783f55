import { Writable } from "node:stream";
import { expect, it } from "vitest";
import { FailedError } from "../context.ts";
import { write } from "./output.ts";

it("a file that takes no more ends the command with a sentence", async () => {
  const full = new Writable({
    write() {
      throw new Error("ENOSPC: no space left on device, write");
    },
  });
  const failure = new FailedError("Cannot write the output: ENOSPC: no space left on device, write");
  await expect(write(full, "line\n")).rejects.toThrow(failure);
});
