/** The sessions of a recording as the records of `wirewalk inspect FILE`. */

import type { RecordedMaps, Recording } from "@wirewalk/recording";
import { type CaptureTime, PrivateRecords, sessionProtocol } from "wirewalk/capture";
import type { Protocol, PseudonymScope } from "wirewalk/protocol";
import { FailedError } from "../context.ts";
import type { ChosenMaps } from "../input/maps.ts";
import type { InputBytes } from "./peeked-input.ts";
import { type RecordInput, type RecordInputOptions, type RecordSink, refusedFile } from "./record-input.ts";

function mapsText(maps: RecordedMaps | undefined): string {
  return maps === undefined ? "" : `, played with ${maps.places.size} places of the maps ${maps.name}`;
}

/** Records between two pieces. */
const PIECE_RECORDS = 1000;

/** A recording of `serve --record`. The file is read into memory: one ends at 128 MiB. */
export class RecordedInput implements RecordInput {
  bytesRead = 0;
  start: CaptureTime = { seconds: 0, nanoseconds: 0 };
  isIncomplete = false;
  summary = "";
  readonly #bytes: InputBytes;
  readonly #protocols: Readonly<Record<string, Protocol>>;
  readonly #pseudonyms: PseudonymScope | undefined;
  readonly #maps: ChosenMaps;
  readonly #sink: RecordSink;

  constructor(
    bytes: InputBytes,
    {
      protocols,
      pseudonyms,
      maps,
    }: Pick<RecordInputOptions, "protocols" | "pseudonyms"> & { readonly maps: ChosenMaps },
    sink: RecordSink,
  ) {
    this.#bytes = bytes;
    this.#protocols = protocols;
    this.#pseudonyms = pseudonyms;
    this.#maps = maps;
    this.#sink = sink;
  }

  get size(): number | undefined {
    return this.#bytes.size;
  }

  async *pieces(): AsyncGenerator<void> {
    const { checkRecordedMaps, openRecording, recordedMaps, sessionRecords } = await import("@wirewalk/recording");
    const { nodeDecompress } = await import("@wirewalk/recording/node");
    const { name } = this.#bytes;
    const whole = await this.#bytes.whole();
    const recording = refusedFile(name, () => openRecording(whole, { decompress: nodeDecompress }));
    const counts = { message: 0, refused: 0, gap: 0 };
    const flows = new Set<string>();
    let records = 0;
    try {
      const maps = await this.#maps.ofRecording(name, recording);
      if (maps !== undefined) checkRecordedMaps(recording, maps);
      const privately = await this.#privately(recording);
      for (const each of sessionRecords(recording, this.#protocols)) {
        const record = privately?.record(each) ?? each;
        if (records === 0) this.start = record.time;
        records += 1;
        counts[record.kind] += 1;
        flows.add(record.flow);
        this.#sink.record(record);
        if (records % PIECE_RECORDS === 0) yield;
      }
    } catch (error) {
      if (error instanceof RangeError) throw new FailedError(`${name}: ${error.message}`);
      throw error;
    }
    for (const { start, end, reason } of recording.damage) {
      this.#sink.fault(start, `${reason}; ${end - start} bytes skipped`);
    }
    if (!recording.isEnded)
      this.#sink.fault(0, "the file was not ended by its writer: its last records may be missing");
    this.isIncomplete = counts.refused > 0;
    this.summary = `${flows.size} sessions, ${counts.message} messages, ${counts.refused} refused${mapsText(recordedMaps(recording))}\n`;
    yield;
  }

  /** Of the game with the settings of the recording. */
  async #privately(recording: Recording): Promise<PrivateRecords | undefined> {
    const whose = this.#pseudonyms;
    if (whose === undefined) return undefined;
    const { recordedHeader, recordedWorld } = await import("@wirewalk/recording");
    const world = recordedWorld(recording);
    const game = this.#protocols[world.protocol];
    if (game === undefined) return undefined;
    const { protocol } = sessionProtocol(recordedHeader(world, game), { protocols: this.#protocols });
    return new PrivateRecords({ protocols: { [protocol.name]: protocol }, whose });
  }
}
