/** The dissectors for Wireshark beside our own readers: random packets of every protocol and dialect, through tshark. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkDissectors, hasTshark } from "../packages/wirewalk/src/export/wireshark/testing/check-dissector.ts";
import { madeSessions } from "../packages/wirewalk/src/export/wireshark/testing/made-payloads.ts";
import { dissectedProtocols } from "../packages/wirewalk/src/export/wireshark/wireshark.ts";
import { createRandom } from "../packages/wirewalk/src/motion/index.ts";
import { protocols } from "../packages/wirewalk/src/protocols/table.ts";
import { parseOptions } from "./options.ts";

const usage = `npm run wireshark -- [--packets N] [--seed N] [--protocol P] [--dialect D]

Makes random packets of each protocol and dialect, four of ten damaged, writes them as pcapng, reads that with tshark and the
exported dissectors, in one and in two passes, and compares every field, value and refusal with our own reader. Needs tshark.

  --packets N   of each protocol and dialect, default 10000
  --seed N      default 1
  --protocol P  only this one: ${dissectedProtocols.join(", ")}
  --dialect D   only this one
  --help        prints this

The exit code is 1 when something differs, 2 for wrong usage.`;

/** One run of tshark: what it prints is read at once. */
const PACKETS_PER_RUN = 1000;
/** Differences that are printed. */
const SHOWN = 5;

const { values } = parseOptions(usage, {
  options: {
    packets: { type: "string", default: "10000" },
    seed: { type: "string", default: "1" },
    protocol: { type: "string" },
    dialect: { type: "string" },
    help: { type: "boolean", default: false },
  },
});
const [packets, seed] = [Number(values.packets), Number(values.seed)];
if (!(Number.isSafeInteger(packets) && packets > 0 && Number.isSafeInteger(seed))) {
  console.error("--packets takes a whole number over 0, --seed a whole number");
  process.exit(2);
}
if (!hasTshark) {
  console.error("tshark is not installed");
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), "wirewalk-wireshark-"));
let different = 0;
try {
  for (const name of dissectedProtocols) {
    const protocol = protocols[name];
    if (protocol === undefined || (values.protocol !== undefined && values.protocol !== name)) continue;
    for (const { name: dialect } of protocol.dialects) {
      if (values.dialect !== undefined && values.dialect !== dialect) continue;
      const random = createRandom(seed);
      const sum = { messages: 0, refused: 0, ms: 0, differences: 0 };
      const options = { protocol, dialect, random, count: packets, perSession: PACKETS_PER_RUN, played: true };
      let twice = false;
      for (const session of madeSessions(options)) {
        const { messages, refused, differences, tsharkMs } = await checkDissectors([session], random, folder, {
          twice,
        });
        twice = !twice;
        sum.messages += messages;
        sum.refused += refused;
        sum.ms += tsharkMs;
        for (const each of differences.slice(0, Math.max(0, SHOWN - sum.differences))) console.log(each);
        sum.differences += differences.length;
      }
      different += sum.differences;
      const rate = Math.round((sum.messages / sum.ms) * 1000);
      console.log(
        `${name} ${dialect}: ${sum.messages} packets, ${sum.refused} refused, ${sum.differences} different, ${rate} packets/s of tshark`,
      );
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
process.exitCode = different > 0 ? 1 : 0;
