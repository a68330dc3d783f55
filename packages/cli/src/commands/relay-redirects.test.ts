/** Flags of `wirewalk relay` about clients that a server sends to other servers, between strangers of MapleStory. */
import { expect, onTestFinished, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import type { Address } from "../../../server/src/relay/strangers/testing/listening.ts";
import { MapleClient } from "../../../server/src/relay/strangers/testing/maple-client.ts";
import { startMapleServers } from "../../../server/src/relay/strangers/testing/maple-server.ts";
import { until } from "../../../server/src/testing/clients.ts";
import { type Ran, startCommand } from "../testing/run-command.ts";

/** A login and a change of channel through the command. */
async function relayed(flags: readonly string[], through?: (address: Address) => Address) {
  const servers = await startMapleServers({ version: 83, seed: 3 });
  onTestFinished(() => servers.close());
  const { host, port } = servers.login;
  const args = ["relay", "maplestory", "--dialect", "v83", "--listen", "0", "--to", `${host}:${port}`, ...flags];
  const running = startCommand(args, "", protocols);
  let stopped: Ran | undefined;
  const stop = async (): Promise<Ran> => {
    running.signals.emit("SIGTERM");
    void running.ended.then((ran) => {
      stopped = ran;
    });
    await until("the command ends", () => stopped !== undefined);
    return stopped as Ran;
  };
  onTestFinished(async () => {
    await stop();
  });
  let text = "";
  void running.printed(/\n/).then((first) => {
    text = first;
  });
  void running.ended.then(({ stdout, stderr }) => {
    text ||= stdout + stderr;
  });
  await until("it listens", () => text !== "");
  const relayPort = Number(/:(\d+) ->/.exec(text)?.[1]);
  const client = await MapleClient.login({
    version: 83,
    seed: 4,
    host: "127.0.0.1",
    port: relayPort,
    ...(through === undefined ? {} : { through }),
  });
  onTestFinished(() => client.close());
  await client.changeChannel(2);
  client.close();
  const { code, stdout, stderr } = await stop();
  expect({ code, stderr, problems: servers.problems }).toEqual({ code: 0, stderr: "", problems: [] });
  const own = servers.channels.map((channel) => channel.port);
  return {
    stdout,
    /** Of channels that the client went to by itself. */
    direct: client.addresses.filter((address) => own.includes(address.port)).length,
    opened: [...stdout.matchAll(/ open from /g)].length,
  };
}

const changed = "Addresses of other servers that it sends become those of listeners of the relay.";
const sent = / server (serverIp|changeChannel) sends the client to 127\.0\.0\.1:\d+ instead of 127\.0\.0\.1:\d+\n/g;

test("by default a client stays with the relay", async () => {
  const { stdout, direct, opened } = await relayed([]);
  expect(stdout).toContain(changed);
  expect([...stdout.matchAll(sent)].map(([, message]) => message)).toEqual(["serverIp", "changeChannel"]);
  expect([direct, opened]).toEqual([0, 3]);
});

test("--no-redirects leaves the addresses as they are: the client leaves the relay", async () => {
  const { stdout, direct, opened } = await relayed(["--no-redirects"]);
  expect(stdout).not.toContain(changed);
  expect(stdout).not.toMatch(/sends the client to/);
  expect([direct, opened]).toEqual([2, 1]);
});

test("--advertise is the address that clients are sent to", async () => {
  const named: string[][] = [];
  const back = ({ host, port }: Address): Address => {
    named.push([host, String(port)]);
    return { host: "127.0.0.1", port };
  };
  const { stdout, direct, opened } = await relayed(["--advertise", "192.0.2.50"], back);
  const shown = [...stdout.matchAll(/sends the client to ([\d.]+):(\d+) instead of/g)].map(([, host, port]) => [
    host,
    port,
  ]);
  expect(shown.map(([host]) => host)).toEqual(["192.0.2.50", "192.0.2.50"]);
  expect(named).toEqual(shown);
  expect([direct, opened]).toEqual([0, 3]);
});

test("--redirect-host allows these hosts alone, and may be repeated", async () => {
  const refused = await relayed(["--redirect-host", "192.0.2.9"]);
  expect(refused.stdout).toMatch(
    / server serverIp passed unchanged, so the client goes to 127\.0\.0\.1:\d+ without the relay: /,
  );
  expect([refused.direct, refused.opened]).toEqual([2, 1]);
  const allowed = await relayed(["--redirect-host", "192.0.2.9", "--redirect-host", "127.0.0.1"]);
  expect([allowed.direct, allowed.opened]).toEqual([0, 3]);
});

test.each([
  [["--no-redirects", "--advertise", "192.0.2.1"], "are for the redirects that --no-redirects leaves alone"],
  [["--no-redirects", "--redirect-host", "192.0.2.1"], "are for the redirects that --no-redirects leaves alone"],
  [["--advertise", "example.org"], "IPv4"],
])("%j is wrong usage", async (flags, why) => {
  const args = ["relay", "maplestory", "--dialect", "v83", "--listen", "0", "--to", "127.0.0.1:1", ...flags];
  const { code, stderr } = await startCommand(args, "", protocols).ended;
  expect(code).toBe(2);
  expect(stderr).toContain(why);
});
