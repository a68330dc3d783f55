import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect, type NatsConnection } from "@nats-io/transport-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Cluster, Lease } from "wirewalk/net";
import { findNatsServer, type NatsUser, natsCluster, natsUsers, type RunningNats, startNatsServer } from "./index.ts";

const program = findNatsServer();
const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;
const PASSWORD = "secret";

test("the users of a configuration have names of their own, and passwords of the environment", () => {
  const text = natsUsers([{ name: "g-1", role: "gateway" }]);
  expect(text).toContain("$G_1_PASSWORD");
  expect(() => natsUsers([{ name: "a.*", role: "gateway" }])).toThrow("Invalid name");
  const twice: readonly NatsUser[] = [
    { name: "a", role: "gateway" },
    { name: "a", role: "owner" },
  ];
  expect(() => natsUsers(twice)).toThrow("a name of its own");
});

// Debian's package `nats-server`; `.ci/run` installs it.
describe.skipIf(program === undefined || !hasOpenssl)("a broker with TLS and users", () => {
  const folder = mkdtempSync(join(tmpdir(), "wirewalk-nats-users-"));
  const [keyFile, certFile] = [join(folder, "key.pem"), join(folder, "cert.pem")];
  let nats: RunningNats;
  let ca = "";
  const members: Cluster[] = [];
  const tlsOf = (): { readonly tls: { readonly ca: string } } => ({ tls: { ca } });
  const joinAs = async (user: string, password = PASSWORD, name = user): Promise<Cluster> => {
    const url = `tls://${user}:${password}@localhost:${new URL(nats.url).port}`;
    const member = await natsCluster({ url, name, leaseMs: 60_000, callMs: 10_000, connection: tlsOf() });
    members.push(member);
    return member;
  };
  /** What an attacker sends with the credentials of a node and another client. */
  const strangerAs = (name: string): Promise<NatsConnection> =>
    connect({
      servers: `localhost:${new URL(nats.url).port}`,
      user: name,
      pass: PASSWORD,
      inboxPrefix: `_INBOX_${name}`,
      ...tlsOf(),
    });

  beforeAll(async () => {
    const subject = [
      "-days",
      "2",
      "-nodes",
      "-subj",
      "/CN=localhost",
      "-addext",
      "subjectAltName=DNS:localhost,IP:127.0.0.1",
    ];
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    execFileSync("openssl", ["req", "-x509", ...curve, ...subject, "-keyout", keyFile, "-out", certFile], {
      stdio: "ignore",
    });
    ca = readFileSync(certFile, "utf8");
    const config = join(folder, "nats.conf");
    const users: readonly NatsUser[] = [
      { name: "g1", role: "gateway", password: PASSWORD },
      { name: "o1", role: "owner", password: PASSWORD },
      { name: "s1", role: "spectator", password: PASSWORD },
      { name: "admin", role: "observer", password: PASSWORD },
    ];
    const tls = `tls { cert_file: ${JSON.stringify(certFile)}, key_file: ${JSON.stringify(keyFile)} }\n`;
    writeFileSync(config, tls + natsUsers(users));
    nats = await startNatsServer({ program: program ?? "", folder, config });
  });
  afterAll(async () => {
    for (const member of members) await member.close();
    await nats.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  test("each role does its part: leases, calls, batches, requests; a gateway that comes first waits", async () => {
    // It may not make the buckets.
    const [gateway, owner] = await Promise.all([joinAs("g1"), joinAs("o1")]);
    // A command has a name of its own.
    const observer = await joinAs("admin", PASSWORD, "cli-1");
    expect(await gateway.claim("gateway.0")).toMatchObject({ owner: "g1" });
    const world = (await owner.claim("world.game")) as Lease;
    expect(world.owner).toBe("o1");
    await owner.putSnapshot("game", { epoch: world.epoch, bytes: new Uint8Array(600_000) });
    const got: string[] = [];
    owner.subscribe("in.game", () => void got.push("in"));
    owner.subscribe("owner.game", (message) => message.reply(message.bytes));
    gateway.subscribe("out.game", () => void got.push("out"));
    gateway.subscribe("drain.g1", (message) => message.reply(message.bytes));
    await expect
      .poll(() => gateway.request("owner.game", new Uint8Array(1), 5_000).catch(() => undefined))
      .toHaveLength(1);
    gateway.publish("in.game", new Uint8Array(1));
    owner.publish("out.game", new Uint8Array(1));
    await expect.poll(() => got.toSorted()).toEqual(["in", "out"]);
    expect(await observer.request("drain.g1", new Uint8Array(2), 5_000)).toHaveLength(2);
    expect((await observer.leases()).map(({ name }) => name)).toEqual(["gateway.0", "world.game"]);
    await expect.poll(() => observer.members().map(({ name }) => name)).toEqual(["cli-1", "g1", "o1"]);
  });

  test("the credentials of a gateway claim no world, change no snapshot and speak as no owner", async () => {
    const gateway = members.find(({ name }) => name === "g1") as Cluster;
    const owner = members.find(({ name }) => name === "o1") as Cluster;
    const held = await owner.holder("world.game");
    await expect(gateway.claim("world.other")).rejects.toThrow(/claim world.other/);
    await expect(gateway.claim("world.game", held)).rejects.toThrow(/claim world.game/);
    await expect(gateway.putSnapshot("game", { epoch: 99, bytes: new Uint8Array(1) })).rejects.toThrow(/snapshot/);
    expect((await owner.getSnapshot("game"))?.epoch).toBe(held?.epoch);

    const stranger = await strangerAs("g1");
    try {
      const heard: string[] = [];
      for (const subject of ["out.game", "taken.game", "free.game", "next.o1", "gateway.other", "drain.other"]) {
        owner.subscribe(subject, () => void heard.push(subject));
      }
      // Its subscriptions are at the broker.
      await owner.request("owner.game", new Uint8Array(1), 5_000);
      for (const subject of ["out.game", "taken.game", "free.game", "next.o1", "drain.other"]) {
        stranger.publish(`wirewalk.s.${subject}`, "forged");
      }
      stranger.publish("$JS.API.STREAM.PURGE.KV_wirewalk-leases", "");
      stranger.publish("$JS.API.STREAM.DELETE.KV_wirewalk-leases", "");
      const spied: string[] = [];
      for (const subject of ["wirewalk.s.in.game", "_INBOX_o1.>", "wirewalk.s.owner.game", "$KV.wirewalk-leases.>"]) {
        stranger.subscribe(subject, { callback: (error) => void spied.push(error === null ? subject : "refused") });
      }
      await stranger.flush();
      owner.publish("in.game", new Uint8Array(1));
      await owner.request("drain.g1", new Uint8Array(1), 5_000);
      expect(heard).toEqual([]);
      expect(spied.filter((each) => each !== "refused")).toEqual([]);
      expect(await owner.holder("world.game").then((lease) => lease?.owner)).toBe(held?.owner);
    } finally {
      await stranger.close();
    }
  });

  test("a spectator relay receives rooms, and sends no calls of players", async () => {
    const owner = members.find(({ name }) => name === "o1") as Cluster;
    const relay = await joinAs("s1");
    const got: string[] = [];
    owner.subscribe("watched.game", () => void got.push("watched"));
    owner.subscribe("in.game", () => void got.push("in"));
    relay.subscribe("room.game.1", () => void got.push("room"));
    relay.subscribe("player.game.1", () => void got.push("player"));
    await expect
      .poll(() => relay.request("owner.game", new Uint8Array(1), 5_000).catch(() => undefined))
      .toHaveLength(1);
    relay.publish("in.game", new Uint8Array(1));
    relay.publish("watched.game", new Uint8Array(1));
    owner.publish("room.game.1", new Uint8Array(1));
    owner.publish("player.game.1", new Uint8Array(1));
    // Messages of a player are what its owner says they are.
    const gateway = members.find(({ name }) => name === "g1") as Cluster;
    gateway.publish("player.game.1", new Uint8Array(1));
    await expect.poll(() => got.toSorted()).toEqual(["player", "room", "watched"]);
    await expect(relay.claim("gateway.3")).rejects.toThrow(/claim gateway.3/);
  });

  test("without the certificate or with another password nobody joins", async () => {
    await expect(joinAs("g1", "guess")).rejects.toThrow(/Authorization/i);
    const plain = `nats://g1:${PASSWORD}@127.0.0.1:${new URL(nats.url).port}`;
    await expect(natsCluster({ url: plain, name: "g1" })).rejects.toThrow();
  });
});
