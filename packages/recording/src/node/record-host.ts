/** Recording on Node: chunks are compressed. */
import { HostRecording } from "../writing/host-recording.ts";
import type { RecordHostOptions } from "../writing/recording-options.ts";
import { nodeMeans } from "./node-means.ts";

/** Begins to record a host, and goes on until `close`. */
export function recordHost(options: RecordHostOptions): HostRecording {
  return new HostRecording(options, nodeMeans);
}
