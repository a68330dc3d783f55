/** The bar of a recording that is played, as a chunk of the page: loaded when a feed plays one. */
import "./playback.css";
import { useSignal } from "@preact/signals";
import type { FeedMark, FeedRecording, PlaybackRequest } from "@wirewalk/server/feed";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { positionAt, type ReceivedPlayback, sayPosition, showPosition } from "./position.ts";

export interface PlaybackBarProps {
  readonly recording: FeedRecording;
  readonly state: ReceivedPlayback;
  readonly marks: readonly FeedMark[];
  readonly send: (request: PlaybackRequest) => void;
  readonly now: () => number;
}

const speeds = [0.1, 0.25, 0.5, 1, 2, 4, 8, 16];
/** The time is written this often. */
const SHOW_EVERY_MS = 100;
/** While the pointer is dragged, jumps are asked for this often. */
const SEEK_EVERY_MS = 120;
/** A jump that has not led there by then was replaced by that of another page. */
const GIVE_UP_MS = 1_500;
/** Of the drawing of marks. */
const MARKS_WIDTH = 1_000;

export function PlaybackBar({ recording, state, marks, send, now }: PlaybackBarProps) {
  const { firstMs, lastMs, epochMs } = recording;
  const nowMs = useNow(state.isPlaying && !state.isHeld && !state.isSeeking, now);
  const scrub = useScrub(state, send, now);
  const atMs = scrub.atMs ?? positionAt(state, recording, Math.max(nowMs, state.receivedMs));
  const problem = problemOf(state);
  const toggle = (): void => send({ type: state.isPlaying ? "pause" : "play" });
  return (
    <section class="panel playback" aria-label="Playback">
      <div class="playback-buttons">
        <button
          type="button"
          class="quiet"
          title="To the previous verdict"
          onClick={() => send({ type: "verdict", which: "previous" })}
        >
          <Icon path="M4 3v10M13 3 6.5 8 13 13z" />
          <span class="unseen">Previous verdict</span>
        </button>
        <button type="button" class="quiet playback-main" onClick={toggle}>
          <Icon path={state.isPlaying ? "M5 3v10M11 3v10" : "M4.5 2.5 13 8l-8.5 5.5z"} />
          {state.isPlaying ? "Pause" : "Play"}
        </button>
        <button
          type="button"
          class="quiet"
          title="To the next verdict"
          onClick={() => send({ type: "verdict", which: "next" })}
        >
          <Icon path="M12 3v10M3 3l6.5 5L3 13z" />
          <span class="unseen">Next verdict</span>
        </button>
        <button
          type="button"
          class="quiet"
          title="On to the next message"
          onClick={() => send({ type: "step", to: "packet" })}
        >
          + packet
        </button>
        <button
          type="button"
          class="quiet"
          title="On to the next step of the game"
          onClick={() => send({ type: "step", to: "tick" })}
        >
          + tick
        </button>
      </div>
      <div class="playback-line">
        <Marks marks={marks} recording={recording} />
        <input
          type="range"
          aria-label="Time in the recording"
          aria-valuetext={sayPosition(atMs)}
          min={firstMs}
          max={Math.max(lastMs, firstMs + 1)}
          step={1_000}
          value={atMs}
          onInput={(event) => scrub.to(Number(event.currentTarget.value))}
          onKeyDown={(event) => {
            const { key } = event;
            // The slider has whole seconds: at 0.3 s it is at its start, where it ignores the key.
            if (key === "Home") scrub.to(firstMs);
            else if (key === "End") scrub.to(lastMs);
            else if (key === " ") toggle();
            else return;
            event.preventDefault();
          }}
        />
      </div>
      <p class="playback-time">
        <time dateTime={new Date(epochMs + atMs).toISOString()}>{showPosition(atMs)}</time>
        <span class="hint"> / {showPosition(lastMs)}</span>
        {state.gameMs === null ? null : (
          <span
            class="hint playback-ticks"
            title="Ticks that the game has ended, 600 ms each. The clock of the file runs slow."
          >
            by ticks {showPosition(state.gameMs + Math.max(0, atMs - state.atMs))}
          </span>
        )}
      </p>
      <label>
        <span class="unseen">Speed</span>
        <select
          value={String(state.speed)}
          onChange={(event) => send({ type: "speed", speed: Number(event.currentTarget.value) })}
        >
          {(speeds.includes(state.speed) ? speeds : [...speeds, state.speed].sort((a, b) => a - b)).map((speed) => (
            <option key={speed} value={String(speed)}>
              {speed}×
            </option>
          ))}
        </select>
      </label>
      <p class="playback-problem" role="status">
        {problem ?? ""}
      </p>
    </section>
  );
}

function problemOf({ isMissing, difference, damage }: ReceivedPlayback): string | undefined {
  if (isMissing) return "Records are missing here. The world goes on at the next key frame.";
  if (difference !== null) return `The replay differs from the recording: ${difference}`;
  return damage ?? undefined;
}

function Icon({ path }: { readonly path: string }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" width="14" height="14" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}

/** The verdicts of the whole recording, over the slider. */
function Marks({ marks, recording: { firstMs, lastMs } }: Pick<PlaybackBarProps, "marks" | "recording">) {
  const scale = MARKS_WIDTH / Math.max(1, lastMs - firstMs);
  return (
    <svg
      class="playback-marks"
      viewBox={`0 0 ${MARKS_WIDTH} 8`}
      preserveAspectRatio="none"
      role="img"
      aria-label={`Verdicts of the recording: ${marks.reduce((sum, { count }) => sum + count, 0)}`}
    >
      {marks.map(({ atMs, kind, count }) => {
        // Twice as many verdicts are a little higher.
        const height = Math.min(8, 2 + Math.log2(count));
        return (
          <rect
            key={atMs}
            class={`mark-${kind}`}
            x={(atMs - firstMs) * scale}
            y={8 - height}
            width={MARKS_WIDTH / 400}
            height={height}
          />
        );
      })}
    </svg>
  );
}

/** The page's time, again and again while it matters. */
function useNow(isRunning: boolean, now: () => number): number {
  const time = useSignal(now());
  useEffect(() => {
    if (!isRunning) return undefined;
    const timer = setInterval(() => {
      time.value = now();
    }, SHOW_EVERY_MS);
    return () => clearInterval(timer);
  }, [isRunning, now, time]);
  return time.value;
}

/** Jumps while the slider is moved: the slider stays where the pointer is until the playback is there. */
function useScrub(
  state: ReceivedPlayback,
  send: (request: PlaybackRequest) => void,
  now: () => number,
): { readonly atMs: number | undefined; readonly to: (atMs: number) => void } {
  const wanted = useSignal<number | undefined>(undefined);
  const waiting = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const askedMs = useRef(Number.NEGATIVE_INFINITY);
  useEffect(() => () => clearTimeout(waiting.current), []);
  // A state may have been on its way when the jump was asked for. Another page's jump may have replaced it.
  const isWanted = state.atMs === wanted.peek() || state.receivedMs - askedMs.current > GIVE_UP_MS;
  const isThere = isWanted && !state.isSeeking && waiting.current === undefined;
  // Not `useEffect`, which waits for a painted frame: the slider may be moved again before, and that jump would be forgotten.
  useLayoutEffect(() => {
    if (isThere) wanted.value = undefined;
  }, [isThere, state, wanted]);
  const ask = (): void => {
    waiting.current = undefined;
    askedMs.current = now();
    if (wanted.peek() !== undefined) send({ type: "seek", atMs: wanted.peek() ?? 0 });
  };
  return {
    atMs: wanted.value,
    to: (atMs) => {
      wanted.value = atMs;
      const waitMs = askedMs.current + SEEK_EVERY_MS - now();
      if (waitMs <= 0) ask();
      else waiting.current ??= setTimeout(ask, waitMs);
    },
  };
}
