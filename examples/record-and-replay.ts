/** Records a world to a file, plays the recording again and compares every effect: `node record-and-replay.ts [file]`. */
import { replayRecording } from "@wirewalk/recording";
import { createRecordingFile, readRecordingFile, recordHost } from "@wirewalk/recording/node";
import { Host } from "wirewalk/host";
import { createRandom } from "wirewalk/motion";
import { scrapMechanic as protocol } from "wirewalk/scrap-mechanic";

const [file = "play.mcap"] = process.argv.slice(2);
const world = { dialect: "documented", seed: 7, demo: true };
const codec = protocol.codec(world.dialect);
const host = new Host({ world: protocol.createWorld(world), codec });
const recording = recordHost({ host, protocol, world, nowMs: 0, sink: { open: () => createRecordingFile(file) } });

// Three bots play for five seconds, over channels without a network between them.
const bots = [0, 1, 2].map((number) => {
  const { dialect } = world;
  const bot = protocol.bots.create({ dialect, random: createRandom(number), number, cheat: "none" });
  const ours = protocol.openChannel({ side: "server", dialect, carrier: "stream" });
  const theirs = protocol.openChannel({ side: "client", dialect, carrier: "stream" });
  const deliver = (bytes: Uint8Array): boolean => {
    theirs.push(bytes);
    return true;
  };
  const player = host.join({ framing: ours, deliver }, { account: `bot-${number}`, name: `Bot ${number}` }, 0);
  return { bot, channel: theirs, player };
});
for (let nowMs = 0; nowMs < 5000; nowMs += 25) {
  host.tick(nowMs);
  host.flush();
  for (const { bot, channel, player } of bots) {
    const messages = nowMs === 0 ? [...bot.start(nowMs)] : [...bot.step(nowMs)];
    for (let received = channel.next(); received !== undefined; received = channel.next()) {
      if (received.message !== undefined) messages.push(...bot.receive(received.message, nowMs));
    }
    for (const message of messages) host.receive(player, message, codec.write("client", message), nowMs);
  }
}
await recording.close();

const report = replayRecording(await readRecordingFile(file), { protocols: { [protocol.name]: protocol } });
console.log(`${report.inputs} inputs and ${report.effects} effects, ${report.differenceCount} differences`);
