import { expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import type { PlayMember, ProtocolWith } from "wirewalk/protocol";
import { fakeWithout } from "../../../wirewalk/src/protocols/testing/fake-bytes.ts";
import { startRelay } from "./relay.ts";

test.each<[PlayMember, string]>([
  ["openChannel", "fake has no channel (openChannel): it cannot be relayed"],
  ["createWorld", "fake has no world (createWorld): it cannot be judged"],
])("a game without %s is refused before the relay listens", async (member, message) => {
  const relay = startRelay({
    protocol: fakeWithout(member) as ProtocolWith<"openChannel">,
    dialect: "plain",
    options: {},
    listen: { host: "127.0.0.1", port: 0 },
    to: { host: "127.0.0.1", port: 1 },
    clock: new VirtualClock(),
    epochMs: () => 0,
    onEvent: () => {},
    shadow: { seed: 1, demo: false },
  });
  await expect(relay).rejects.toThrow(message);
});
