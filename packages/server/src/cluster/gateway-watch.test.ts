import { expect, test } from "vitest";
import { clusterHub, VirtualClock } from "wirewalk/net";
import { CHECK_GATEWAYS_MS, GatewayWatch } from "./gateway-watch.ts";
import { gatewaySubject } from "./subjects.ts";

/** An owner that looks at one gateway, `g`, which is subscribed and does not answer. */
function arrange() {
  const clock = new VirtualClock();
  const hub = clusterHub({ clock });
  hub.join("g").subscribe(gatewaySubject("g"), () => {});
  const gone: number[] = [];
  const watch = new GatewayWatch({ cluster: hub.join("owner"), clock, gone: () => void gone.push(clock.now()) });
  const look = (times: number): void => {
    for (let time = 0; time < times; time += 1) {
      clock.advanceBy(CHECK_GATEWAYS_MS);
      watch.check(["g"]);
    }
  };
  watch.seen("g");
  return { clock, watch, look, gone };
}

test("a gateway that is silent for more than 4 s is gone", () => {
  const { look, gone } = arrange();
  look(8);
  expect(gone).toEqual([]);
  look(1);
  expect(gone).toEqual([4_500]);
});

test("the time for which the owner itself stood still is no silence of its gateways", () => {
  const { clock, watch, look, gone } = arrange();
  look(1);
  clock.advanceBy(60_000);
  look(1);
  expect(gone).toEqual([]);
  // What a gateway has sent meanwhile is read after the look.
  watch.seen("g");
  clock.advanceBy(60_000);
  watch.seen("g");
  look(9);
  expect(gone).toEqual([]);
  look(1);
  expect(gone).toHaveLength(1);
});
