/** Prints the movement in a capture of network traffic, pcap or pcapng: `node read-capture.ts session.pcapng`. */
import { createReadStream } from "node:fs";
import { CaptureInspector, readingName } from "wirewalk/capture";
import { protocols } from "wirewalk/protocols";

const [file = "session.pcapng"] = process.argv.slice(2);
const inspector = new CaptureInspector({
  protocols: Object.values(protocols),
  sink: {
    flow: ({ flow, reading }) => console.log(`${flow}: ${reading === undefined ? "unknown" : readingName(reading)}`),
    record(record) {
      if (record.kind !== "message") return;
      console.log(record.time.seconds, record.direction, record.message, JSON.stringify(record.value));
    },
    fault: ({ byteOffset, text }) => console.log(`damaged at byte ${byteOffset}: ${text}`),
  },
});
// A file of any size: memory does not grow with it.
for await (const bytes of createReadStream(file)) inspector.push(bytes);
inspector.end();
console.log(`${inspector.counts.messages} messages, ${inspector.counts.refused} refused`);
