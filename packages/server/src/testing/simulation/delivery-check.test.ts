import { describe, expect, test } from "vitest";
import type { FakeServerMessage } from "../../../../wirewalk/src/protocols/testing/fake-codec.ts";
import { fakeCodec } from "../../../../wirewalk/src/protocols/testing/fake-codec.ts";
import { DeliveryCheck } from "./delivery-check.ts";
import { effectOfRefused } from "./watched-world.ts";

function setUp() {
  const lagging = new Set<number>();
  const check = new DeliveryCheck((player) => lagging.has(player));
  const codec = check.watch(fakeCodec("plain"));
  const say = (text: string): FakeServerMessage => ({ message: "said", value: { text } }) as FakeServerMessage;
  const enter = (player: number) => ({ effect: "enter", player, room: "a" }) as const;
  const broadcast = (text: string, except?: number) =>
    ({ effect: "broadcast", room: "a", except, message: say(text) }) as const;
  /** The payloads of a world's effects, as a host writes them. */
  const carryOut = (effects: Parameters<DeliveryCheck["taken"]>[0]): Uint8Array[] => {
    check.taken(effects);
    return effects.flatMap((effect) => ("message" in effect ? [codec.write("server", effect.message)] : []));
  };
  return { check, lagging, enter, broadcast, carryOut };
}

describe("what players receive", () => {
  test("is what the world sent to them, in order", () => {
    const { check, enter, broadcast, carryOut } = setUp();
    const [one, two, three] = carryOut([enter(1), enter(2), broadcast("one"), broadcast("two", 1), broadcast("three")]);
    const [first, second] = [check.of(1), check.of(2)];
    expect([one, two, three].map((payload) => second.take(payload as Uint8Array))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(first.take(one as Uint8Array)).toBeUndefined();
    expect(first.take(two as Uint8Array)).toMatch("was not sent");
    expect(first.take(three as Uint8Array)).toBeUndefined();
    expect(first.take(three as Uint8Array)).toMatch("was not sent");
  });

  test("lacks nothing, and does not change places", () => {
    const { check, enter, broadcast, carryOut } = setUp();
    const [one, two] = carryOut([enter(1), broadcast("one"), broadcast("two")]);
    expect(check.of(1).take(two as Uint8Array)).toMatch("1 messages are missing");
    expect(check.of(1).take(one as Uint8Array)).toBeUndefined();
    const [three] = carryOut([broadcast("three")]);
    const changed = (three as Uint8Array).slice();
    changed[changed.length - 1] = (changed.at(-1) ?? 0) ^ 1;
    expect(check.of(1).take(changed)).toMatch("was not sent");
  });

  test("lacks what was left out while the player was behind, and nothing after that", () => {
    const { check, lagging, enter, broadcast, carryOut } = setUp();
    carryOut([enter(1), broadcast("one")]);
    lagging.add(1);
    carryOut([broadcast("two")]);
    lagging.delete(1);
    const [three, four, five] = carryOut([broadcast("three"), broadcast("four"), broadcast("five")]);
    expect(check.of(1).take(three as Uint8Array)).toBeUndefined();
    expect(check.of(1).take(five as Uint8Array)).toMatch("1 messages are missing");
    void four;
  });

  test("lacks what was logged before the flush that found the player behind", () => {
    const { check, lagging, enter, broadcast, carryOut } = setUp();
    const own = { effect: "send", to: 1, message: { message: "said", value: { text: "own" } } } as const;
    const sent = carryOut([enter(1), broadcast("one"), broadcast("two"), own as never]);
    lagging.add(1);
    expect(check.of(1).take(sent[2] as Uint8Array)).toBeUndefined();
    expect(check.of(1).leftOut).toBe(2);
  });

  test("may equal what was left out before it", () => {
    const { check, enter, broadcast, carryOut } = setUp();
    carryOut([enter(1), broadcast("same"), broadcast("one")]);
    check.refreshed(1);
    const [same, two, three] = carryOut([broadcast("same"), broadcast("two"), broadcast("three")]);
    expect(check.of(1).take(same as Uint8Array)).toBeUndefined();
    expect(check.of(1).take(two as Uint8Array)).toBeUndefined();
    expect(check.of(1).leftOut).toBe(2);
    expect(check.of(1).take(two as Uint8Array)).toMatch("was not sent");
    expect(check.of(1).take(three as Uint8Array)).toBeUndefined();
    expect(check.of(1).received).toBe(3);
  });

  test("may be what was sent before, though what follows is equal to it", () => {
    const { check, enter, broadcast, carryOut } = setUp();
    const [, one] = carryOut([enter(1), broadcast("same"), broadcast("one")]);
    check.refreshed(1);
    const [same, two] = carryOut([broadcast("same"), broadcast("two")]);
    for (const payload of [same, one, same, two]) expect(check.of(1).take(payload as Uint8Array)).toBeUndefined();
    expect(check.of(1).leftOut).toBe(0);
    carryOut([broadcast("same")]);
    check.refreshed(1);
    const [again, four, five] = carryOut([broadcast("same"), broadcast("four"), broadcast("five")]);
    expect(check.of(1).take(again as Uint8Array)).toBeUndefined();
    expect(check.of(1).take(five as Uint8Array)).toMatch("2 messages are missing");
    void four;
  });
});

test("a refused message has no effect on others", () => {
  const verdict = {
    kind: "reject",
    rule: "rule",
    reason: "",
    player: 1,
    room: "a",
    atMs: 0,
    message: new Uint8Array(),
  };
  const refusal = { effect: "verdict", verdict: { ...verdict, stateBefore: {} } } as const;
  const message = { message: "said", value: {} };
  expect(effectOfRefused([refusal as never, { effect: "send", to: 1, message }], 1)).toBeUndefined();
  expect(effectOfRefused([refusal as never, { effect: "send", to: 2, message }], 1)).toMatch("send to others");
  expect(effectOfRefused([refusal as never, { effect: "broadcast", room: "a", except: 1, message }], 1)).toMatch(
    "broadcast",
  );
  const broadcast = { effect: "broadcast", room: "a", except: 1, message } as const;
  expect(effectOfRefused([refusal as never, broadcast], 1, () => true)).toBeUndefined();
  expect(effectOfRefused([refusal as never, broadcast], 1, () => false)).toMatch("broadcast");
});
