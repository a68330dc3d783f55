import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { findNatsServer, startNatsServer } from "@wirewalk/nats";
import { afterEach, expect, test } from "vitest";
import type { Protocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { bundledCommand } from "../testing/bundled-command.ts";
import { recorded } from "../testing/recorded.ts";
import { type Ran, startCommand } from "../testing/run-command.ts";

const SLIME = "slime-online-2";
const bin = await bundledCommand();
const program = findNatsServer();
const cleaning: (() => unknown)[] = [];
afterEach(async () => {
  for (const clean of cleaning.splice(0).reverse()) await clean();
});

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "wirewalk-owners-"));
  cleaning.push(() => rmSync(path, { recursive: true }));
  return path;
}

const run = (...args: string[]): Promise<Ran> => startCommand(args, "", protocols).ended;

function slimeFile(path: string): string {
  const [name, ...more] = readdirSync(path).filter((each) => each.startsWith(SLIME));
  expect(more).toEqual([]);
  return join(path, name ?? "");
}

// Debian's package `nats-server`; `.ci/run` installs it.
test.skipIf(program === undefined)(
  "an owner that records is killed, the next one hands its world over: each recording goes on where the one before ends, and replays",
  async () => {
    const nats = await startNatsServer({ program: program ?? "", folder: folder() });
    cleaning.push(() => nats.stop());
    const [first, second, third] = [folder(), folder(), folder()];
    const flags = (node: string, path: string): string[] =>
      ["serve", "--nats", nats.url, "--node", node, "--http", "0", "--bots", "2", "--record", path].concat(
        ...["--listen", `${SLIME}=0`, "--log-level", "info"],
      );
    const child: ChildProcess = spawn(process.execPath, [bin, ...flags("a", first)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    cleaning.push(() => child.kill("SIGKILL"));
    let pageOfA = "";
    child.stdout?.on("data", (text) => (pageOfA ||= /http:\/\/\S+/.exec(String(text))?.[0] ?? ""));
    // Until a owns the world: b would take it otherwise.
    for await (const line of createInterface(child.stderr as NodeJS.ReadableStream)) {
      const { msg, world } = JSON.parse(line) as { readonly msg?: string; readonly world?: string };
      if (msg === "owns the world" && world === SLIME) break;
    }
    child.stderr?.resume();
    const b = startCommand(flags("b", second), "", { [SLIME]: protocols[SLIME] as Protocol });
    const pageOfB = /http:\/\/\S+/.exec(await b.printed(/ at http:.*\n/))?.[0] ?? "";
    await expect.poll(() => pageOfA).not.toBe("");
    await recorded(pageOfA, 60);
    child.kill("SIGKILL");
    await once(child, "exit");
    await recorded(pageOfB, 60);
    const c = startCommand(flags("c", third), "", { [SLIME]: protocols[SLIME] as Protocol });
    const pageOfC = /http:\/\/\S+/.exec(await c.printed(/ at http:.*\n/))?.[0] ?? "";
    b.signals.emit("SIGTERM", "SIGTERM");
    expect((await b.ended).code).toBe(0);
    await recorded(pageOfC, 60);
    c.signals.emit("SIGTERM", "SIGTERM");
    expect((await c.ended).code).toBe(0);

    const files = [slimeFile(first), slimeFile(second), slimeFile(third)] as const;
    const [before, after, last] = [
      await run("replay", files[0], "--verify"),
      await run("replay", files[1], "--verify", "--after", files[0]),
      await run("replay", files[2], "--verify", "--after", files[1]),
    ];
    for (const { code, stderr, stdout } of [after, last]) {
      expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
      expect(stdout).toMatch(/\nVerified: [1-9]\d* effects and \d+ key frames are as they were\.\n$/);
    }
    // A killed node ends no file: nobody can say that nothing is missing at its end.
    expect([before.code, before.stderr]).toEqual([3, ""]);
    expect(before.stdout).toMatch(
      /\nNot whole: the end of the file missing; of what is left [1-9]\d* effects and \d+ key frames are as they were\.\n$/,
    );
    expect(before.stdout).toMatch(/\nPlayed by node a of a cluster, epoch \d+\.\nThe file was not ended by its writer/);
    expect(after.stdout).toMatch(
      /\nPlayed by node b of a cluster, epoch \d+\.\n(Goes on from|Missing: ).* node a, epoch/,
    );
    // Nothing of a world that is handed over is in both, and nothing is missing.
    expect(last.stdout).toMatch(
      /\nPlayed by node c of a cluster, epoch \d+\.\nGoes on from.* node b, epoch.* 0\.000 s are in both/,
    );
    // In the other order a part is missing that both have not: the earlier file is not after the later one.
    const wrong = await run("replay", files[0], "--verify", "--after", files[1]);
    expect([wrong.code, wrong.stderr]).toEqual([1, expect.stringContaining("is later than")]);
  },
);
