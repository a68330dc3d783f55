import { expect, test } from "vitest";
import type { Clock } from "wirewalk/net";
import { fakeProtocol } from "../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { Server } from "./server.ts";
import type { ServerOptions } from "./server-options.ts";

const listeners = [{ protocol: fakeProtocol }];

test.each<[string, Partial<ServerOptions>, RegExp]>([
  ["two worlds of one name", { listeners: ["a", "a"].map((name) => ({ protocol: fakeProtocol, name })) }, /two worlds/],
  ["an unknown dialect", { listeners: [{ protocol: fakeProtocol, dialect: "none" }] }, /dialect/],
  ["an invalid network of proxies", { trustedProxies: ["everybody"] }, /everybody/],
  ["a public admin listener without a token", { admin: { host: "0.0.0.0", port: 0 } }, /without a token/],
  ["a token that is too short", { adminToken: "short" }, /at least 16/],
  ["an invalid certificate", { http: 0, certificate: { cert: "x", key: "x" } }, /certificate/],
])("%s is refused before a timer runs", (_what, options, why) => {
  let timers = 0;
  const timer = (): (() => void) => {
    timers += 1;
    return () => {
      timers -= 1;
    };
  };
  const clock: Clock = { now: () => 0, after: timer, every: timer };
  expect(() => new Server({ listeners, clock, ...options })).toThrow(why);
  expect(timers).toBe(0);
});
