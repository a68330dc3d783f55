import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, test } from "vitest";
import { budgetsWith } from "../session/budgets.ts";
import { PlainClient, until } from "../testing/clients.ts";
import { fitToDescriptors, hasDescriptor, openFileLimit } from "./descriptors.ts";

describe("budgets", () => {
  test("stay as they are where the limit allows it, and shrink where it does not", () => {
    const budgets = budgetsWith({ sessions: 10_000, httpConnections: 1_000 });
    expect(fitToDescriptors(budgets, 11_064)).toBe(budgets);
    expect(fitToDescriptors(budgets, 11_063)).toMatchObject({ sessions: 9_999, httpConnections: 1_000 });
    expect(fitToDescriptors(budgets, 1_024)).toMatchObject({ sessions: 840, httpConnections: 120 });
    expect(fitToDescriptors(budgets, 10)).toMatchObject({ sessions: 1, httpConnections: 1 });
    expect(fitToDescriptors(budgetsWith({ sessions: 50, httpConnections: 1_000 }), 1_024)).toMatchObject({
      sessions: 50,
    });
  });

  test("the limit of this process is known on Linux", () => {
    expect(openFileLimit() === undefined).toBe(process.platform !== "linux");
    expect(hasDescriptor()).toBe(true);
  });
});

describe.skipIf(process.platform !== "linux")("a server with few file descriptors", () => {
  let child: ChildProcess | undefined;
  const clients: PlainClient[] = [];
  afterEach(() => {
    for (const client of clients.splice(0)) client.drop();
    child?.kill("SIGKILL");
  });

  const start = async (limit: number): Promise<{ readonly port: number; readonly output: () => string }> => {
    const script = fileURLToPath(new URL("../testing/few-descriptors.ts", import.meta.url));
    const args = ["-c", `ulimit -n ${limit} && exec "$0" -C wirewalk-source "$1"`, process.execPath, script];
    let output = "";
    child = spawn("sh", args, { stdio: ["pipe", "pipe", "inherit"] });
    child.stdout?.on("data", (bytes: Buffer) => {
      output += String(bytes);
    });
    await until("it listens", () => output.includes('{"port":'));
    return { port: Number(/\{"port":(\d+)/.exec(output)?.[1]), output: () => output };
  };
  const connect = async (port: number, count: number): Promise<void> => {
    for (let index = 0; index < count; index += 1) clients.push(await PlainClient.to(port));
  };
  const plays = async (port: number): Promise<void> => {
    const client = await PlainClient.to(port);
    clients.push(client);
    client.sendText("s/roll");
    await until("a player is answered", () => client.texts.some((text) => text.startsWith("F")));
  };

  test("takes fewer connections, says so, and serves a player beside more silent ones than it has descriptors", async () => {
    const { port, output } = await start(128);
    expect(output()).toContain('"openFiles":128,"sessions":56,"httpConnections":8');
    await plays(port);
    await connect(port, 150);
    await plays(port);
    expect(clients[0]?.isClosed).toBe(false);
    expect(output()).not.toContain("EMFILE");
  });

  test("that are all taken logs it, and serves again when there are some", async () => {
    const { port, output } = await start(128);
    await plays(port);
    child?.stdin?.write("fill\n");
    await until("it is logged", () => output().includes("no file descriptor is left"));
    await connect(port, 3);
    await until("they are dropped", () => clients.slice(1).every(({ isClosed }) => isClosed));
    expect(clients[0]?.isClosed).toBe(false);
    clients[0]?.sendText("s/roll");
    await until("the player is answered", () => clients[0]?.texts.filter((text) => text.startsWith("F")).length === 2);
    child?.stdin?.write("free\n");
    await until("that is logged", () => output().includes("file descriptors are left again"));
    await plays(port);
    expect(output().match(/no file descriptor is left/g)).toHaveLength(1);
  });
});
