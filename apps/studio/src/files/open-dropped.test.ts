import { expect, test } from "vitest";
import { pcapngHeader } from "wirewalk/capture";
import { kindOf } from "./file-kind.ts";
import { openDropped } from "./open-dropped.ts";

const mcap = Uint8Array.of(0x89, 0x4d, 0x43, 0x41, 0x50, 0x30, 0x0d, 0x0a, 1, 2, 3);
const pcapng = new Blob([new Uint8Array(pcapngHeader({ application: "test", interfaceName: "test" }))]);

test("the kind of a file is decided by its content", async () => {
  expect(await kindOf(new File([mcap], "a.pcap"))).toBe("recording");
  expect(await kindOf(pcapng)).toBe("capture");
  expect(await kindOf(new File(["text"], "a.mcap"))).toBeUndefined();
  expect(await kindOf(new Blob())).toBeUndefined();
});

test("a recording is read as a whole, a capture is left to its reader, and any other file is refused", async () => {
  expect(await openDropped(new Blob([mcap]))).toEqual({ kind: "recording", bytes: mcap });
  expect(await openDropped(pcapng)).toEqual({ kind: "capture" });
  await expect(openDropped(new Blob(["text"]))).rejects.toThrow(RangeError);
  const huge = { slice: () => new Blob([mcap]), size: 513 * 2 ** 20 } as unknown as Blob;
  await expect(openDropped(huge)).rejects.toThrow("more than 512 MiB");
});
