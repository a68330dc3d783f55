import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { Host } from "wirewalk/host";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { createRecordingFile, recordHost } from "./node.ts";

const root = fileURLToPath(new URL("../../..", import.meta.url));

test("the program of docs/recordings.md reads positions with the plain MCAP reader", async () => {
  const text = await readFile(join(root, "docs/recordings.md"), "utf8");
  const program =
    /<!-- positions -->\n(?:<!-- .* -->\n)?```js\n([\s\S]*?)```\n<!-- \/positions -->/.exec(text)?.[1] ?? "";
  // Beside this file, from which `@mcap/core` is found.
  const folder = await mkdtemp(join(root, "packages/recording/.positions-"));
  try {
    const protocol = protocols["slime-online-2"] as PlayableProtocol;
    const world = { dialect: "documented", seed: 1, demo: true };
    const host = new Host({ world: protocol.createWorld(world), codec: protocol.codec(world.dialect) });
    const file = join(folder, "play.mcap");
    const sink = { open: () => createRecordingFile(file) };
    const epochNow = (): number => Date.UTC(2026, 0, 1);
    const recording = recordHost({ host, protocol, world, sink, nowMs: 0, epochNow });
    const recipient = { framing: { frame: (payload: Uint8Array) => payload }, deliver: () => true };
    for (const name of ["ann", "ben"]) host.join(recipient, { account: name, name }, 0);
    host.tick(100);
    const [ann, ben] = host.tracks(100);
    await recording.close();
    await writeFile(join(folder, "positions.mjs"), program);
    const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "positions.mjs"), file]);
    const line = (track = ann): string =>
      `1767225600.100000000 room ${track?.room} player ${track?.player}: ${track?.position.x} ${track?.position.y} 0`;
    expect(stdout.trim().split("\n")).toEqual([line(ann), line(ben)]);
  } finally {
    await rm(folder, { recursive: true });
  }
});
