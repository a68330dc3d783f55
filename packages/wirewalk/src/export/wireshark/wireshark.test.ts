import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createRandom } from "../../motion/index.ts";
import { defaultDialect, type PayloadCodec, type Protocol, type Side } from "../../protocols/index.ts";
import { protocols } from "../../protocols/table.ts";
import { scaled } from "../../testing/scale.ts";
import { captureOf, checkDissectors, hasTshark, runTshark } from "./testing/check-dissector.ts";
import { madeSessions } from "./testing/made-payloads.ts";
import type { CheckedSession } from "./testing/made-session.ts";
import { messagesIn } from "./testing/pdml.ts";
import { refusedFrame } from "./testing/refused-frames.ts";
import { dissectedProtocols, wiresharkDissector, wiresharkName } from "./wireshark.ts";

// Debian's package tshark. Without it these tests are skipped, and their names say why. `npm run wireshark` compares more.
const name = (text: string): string => (hasTshark ? text : `${text} (skipped: tshark is not installed)`);

const PACKETS = scaled(600, 40);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-dissectors-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const games = dissectedProtocols.flatMap((each) => protocols[each] ?? []);
const rounds = Math.max(...games.map(({ dialects }) => dialects.length));

/** The default one first. */
function dialectsOf(protocol: Protocol): readonly string[] {
  const first = defaultDialect(protocol);
  return [first, ...protocol.dialects.map((each) => each.name).filter((each) => each !== first)];
}

const dialectsOfFirst = (protocol: Protocol): string | undefined => dialectsOf(protocol)[0];

function sessionsOf(dialectOf: (protocol: Protocol) => string | undefined, seed: number): CheckedSession[] {
  const random = createRandom(seed);
  return games.flatMap((protocol) => {
    const dialect = dialectOf(protocol);
    if (dialect === undefined) return [];
    return [...madeSessions({ protocol, dialect, random, count: PACKETS, perSession: PACKETS, played: false })];
  });
}

// One run of tshark has one dialect of each game, the first the default ones. Its start costs most of the time: the others are left to
// `npm run soak`, and what can be read of them to the test below.
test.skipIf(!hasTshark).each(Array.from({ length: scaled(rounds, 1) }, (_, round) => [round]))(
  name("tshark shows the fields and refusals of our reader, round %i"),
  { timeout: 300_000 },
  async (round) => {
    const sessions = sessionsOf((protocol) => dialectsOf(protocol)[round], 7 + round);
    const random = createRandom(round);
    const { differences, messages, refused } = await checkDissectors(sessions, random, folder, { twice: round === 0 });
    expect(differences).toEqual([]);
    expect(refused).toBeGreaterThan(messages / 20);
    expect(messages - refused).toBeGreaterThan(messages / 10);
  },
);

test.skipIf(!hasTshark)(
  name("dissectors find dialects and servers of connections on any port"),
  { timeout: 300_000 },
  async () => {
    const sessions = Array.from({ length: rounds }, (_, round) =>
      // Those of osrs differ by mouse movement alone, and made-up movement can be read in all of them.
      sessionsOf((protocol) => (protocol.name === "osrs" ? undefined : dialectsOf(protocol)[round]), 20),
    ).flat();
    const { differences, messages } = await checkDissectors(sessions.map(sound), createRandom(3), folder, {
      finds: true,
    });
    expect(differences).toEqual([]);
    expect(messages).toBeGreaterThan(PACKETS);
  },
);

test.skipIf(!hasTshark)(name("dissectors read the messages of WebSockets"), { timeout: 300_000 }, async () => {
  const sessions = sessionsOf(dialectsOfFirst, 31).map(sound);
  const options = { webSocket: true, twice: true };
  const { differences, messages } = await checkDissectors(sessions, createRandom(4), folder, options);
  expect(differences).toEqual([]);
  expect(messages).toBeGreaterThan(PACKETS);
});

/** The payloads of a session that can be read, from one on by which it can be found. */
function sound({ protocol, dialect, payloads }: CheckedSession): CheckedSession {
  const codec = protocol.codec(dialect);
  const readable = payloads.filter(({ sender, payload }) => isSound(codec, sender, payload));
  const from = readable.findIndex(({ payload }) => payload.length >= 12);
  return { protocol, dialect, payloads: readable.slice(from) };
}

function isSound(codec: PayloadCodec, sender: Side, payload: Uint8Array): boolean {
  try {
    codec.read(sender, payload);
    return true;
  } catch {
    return false;
  }
}

test.skipIf(!hasTshark)(name("a frame that cannot be is refused as our channels refuse it"), async () => {
  const refused = games.map((protocol) => ({ protocol, ...refusedFrame(protocol) }));
  const capture = join(folder, "refused.pcapng");
  writeFileSync(capture, captureOf(refused.flatMap(({ packets }) => packets)));
  const scripts = games.flatMap((protocol) => {
    const script = join(folder, `${protocol.name}.lua`);
    writeFileSync(script, wiresharkDissector({ protocol, dialects: dialectsOf(protocol) }));
    return ["-X", `lua_script:${script}`, "-o", `${wiresharkName(protocol.name)}.dialect:${defaultDialect(protocol)}`];
  });
  const pdml = await runTshark([...scripts, "-r", capture, "-T", "pdml"]);
  for (const { protocol, error } of refused) {
    const fields = messagesIn(pdml, wiresharkName(protocol.name)).at(-1)?.fields ?? [];
    const shown = ["code", "reason"].map((part) => fields.find(({ path }) => path === `refusal.${part}`)?.show);
    // A channel counts from the start of the stream, which is this frame.
    expect(shown).toEqual([error.code, error.message]);
  }
});
