/** What is played, in a line over the drawing: the file, its game, dialect, length and players, and the way back. */
import type { ReadonlySignal } from "@preact/signals";
import type { Studio } from "../app/studio.ts";
import { showPosition } from "../playback/position.ts";

export interface RecordingHeadProps {
  /** Name of the file. */
  readonly file: string;
  readonly studio: Studio;
  /** The share of the file that was read, 0 to 1; undefined for a file that is not read in pieces. */
  readonly progress: ReadonlySignal<number | undefined>;
  /** The seconds of a verdict of the live world. */
  readonly isMoment: boolean;
  readonly inspect: () => void;
  readonly close: () => void;
}

export function RecordingHead({ file, studio, progress, isMoment, inspect, close }: RecordingHeadProps) {
  const world = studio.world.value;
  const connection = studio.connection.value;
  // A player may be in several rooms, so these say nothing.
  const players = studio.rates.value.at(-1)?.sessions;
  const facts =
    world?.playback === undefined
      ? []
      : [
          world.title,
          `dialect ${world.dialect}`,
          showPosition(world.playback.lastMs - world.playback.firstMs),
          ...(players === undefined ? [] : [`${players} ${players === 1 ? "player" : "players"}`]),
        ];
  return (
    <section class="hello recorded" aria-label={isMoment ? "Verdict" : "Recording"}>
      <p>
        <b class="recorded-file">{isMoment ? "A verdict in its seconds" : file}</b>{" "}
        {facts.length === 0 ? null : <span>{facts.join(" · ")}</span>}{" "}
        {connection.state === "connecting" && progress.value !== undefined ? (
          <progress aria-label={`Reading ${file}`} value={progress.value} />
        ) : null}{" "}
        <span class="hint">{isMoment ? "The live world goes on behind it." : "It stays in this browser."}</span>
      </p>
      <div class="hello-links">
        <button type="button" class="plain" onClick={inspect}>
          Inspect its messages
        </button>
        <button type="button" class="quiet" onClick={close}>
          {isMoment ? "Back to live" : "Close"}
        </button>
      </div>
      {/* Without a world the reason stands in the place of the drawing. */}
      {world !== undefined && connection.state === "refused" ? (
        <p class="recorded-fault" role="alert">
          {connection.reason}
        </p>
      ) : null}
    </section>
  );
}
