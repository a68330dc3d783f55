import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../../motion/index.ts";
import { protocols } from "../../protocols/table.ts";
import { scaled } from "../../testing/scale.ts";
import { type CheckedSession, checkDissectors, hasTshark } from "./testing/check-dissector.ts";
import { madePayloads } from "./testing/made-payloads.ts";
import { dissectedProtocols } from "./wireshark.ts";

// Debian's package tshark. Without it these tests are skipped, and their names say why. `npm run wireshark` compares more.
const name = (text: string): string => (hasTshark ? text : `${text} (skipped: tshark is not installed)`);

const PACKETS = scaled(2000, 60);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-dissectors-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const games = dissectedProtocols.flatMap((each) => protocols[each] ?? []);
const rounds = Math.max(...games.map(({ dialects }) => dialects.length));

// One run of tshark has one dialect of each game: its start costs most of the time.
test.skipIf(!hasTshark).each(Array.from({ length: rounds }, (_, round) => [round]))(
  name("tshark shows the fields and refusals of our reader, round %i"),
  { timeout: 300_000 },
  async (round) => {
    const random = createRandom(7 + round);
    const sessions = games.flatMap((protocol): CheckedSession[] => {
      const dialect = protocol.dialects[round]?.name;
      return dialect === undefined
        ? []
        : [{ protocol, dialect, payloads: madePayloads(protocol, dialect, random, PACKETS, false) }];
    });
    const { differences, messages, refused } = await checkDissectors(sessions, random, folder);
    expect(differences).toEqual([]);
    expect(refused).toBeGreaterThan(messages / 10);
    expect(messages - refused).toBeGreaterThan(messages / 10);
  },
);
