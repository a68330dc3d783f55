/** The clock of a moment: the messages of the player, what rules found in them, and where the drawing is, from 5 s before to 2 s after. */
import { useSignal } from "@preact/signals";
import type { FeedMoment } from "@wirewalk/server/feed";
import { useEffect } from "preact/hooks";
import type { VerdictKind } from "wirewalk/motion";
import { isNameUnit } from "wirewalk/protocol";
import type { Studio } from "../app/studio.ts";
import { positionAt } from "../playback/position.ts";
import { showMeasure } from "../ui/measure.ts";
import { VerdictBadge } from "../ui/verdict-badge.tsx";
import { drawnMarks, type Mark } from "./drawn-marks.ts";
import { fetchCase } from "./fetch-moment.ts";

export interface MomentBarProps {
  readonly studio: Studio;
  readonly verdictStudio: Studio;
  readonly moment: FeedMoment;
  readonly now: () => number;
}

const SHOW_EVERY_MS = 50;
/** Of the drawing, whose width follows the page's. */
const WIDTH = 1_000;
const HEIGHT = 34;

export function MomentBar({ studio, verdictStudio, moment, now }: MomentBarProps) {
  const { verdict, atMs, fromMs, toMs } = moment;
  const { kind, measured, unit } = verdict;
  const limit = limitWords(moment);
  const seconds = (ms: number): string => `${Math.round(Math.abs(ms) / 100) / 10} s`;
  return (
    <section class="panel moment-bar" aria-label="Seconds of the verdict">
      <p>
        <VerdictBadge kind={kind} /> <b>{studio.nameOf(verdict.player)}</b>{" "}
        <span class="hint">
          Looping from {seconds(fromMs - atMs)} before to {seconds(toMs - atMs)} after.
        </span>{" "}
        {measured === null || isNameUnit(unit) ? null : (
          <span class="num">
            <b class={`moment-${kind}`}>{showMeasure(measured, unit)}</b>
            {limit === undefined ? null : <span class="hint">, {limit}</span>}
          </span>
        )}
      </p>
      <div class="moment-times">
        <Clock studio={studio} moment={moment} now={now} />
        <ClockLegend kind={kind} />
      </div>
      <Legend kind={kind} />
      <div class="moment-buttons">
        <Export studio={studio} verdictStudio={verdictStudio} moment={moment} />
        {studio === verdictStudio ? (
          <button type="button" class="quiet" onClick={() => studio.control({ type: "leave-moment" })}>
            Play on
          </button>
        ) : null}
      </div>
    </section>
  );
}

const meanings: Readonly<Record<Mark, string>> = {
  accused: "whom it is about",
  claimed: "claimed way before",
  server: "where the server had it",
  possible: "possible",
  tolerated: "tolerated",
  from: "measured from here",
  within: "as far as was possible",
  beyond: "this message",
  at: "claimed place",
  edge: "claimed place, outside of the picture",
  here: "when it sent this message",
  piece: "the part of the map that it is about",
  strokes: "its movements before",
};

/** The marks that the picture has now. */
function Legend({ kind }: { readonly kind: VerdictKind }) {
  const marks = drawnMarks.value;
  return (
    <p class={`moment-legend hint moment-of-${kind}`} aria-hidden="true">
      {marks.map((mark) => (
        <span key={mark}>
          <svg class={`moment-key moment-key-${mark}`} viewBox="0 0 18 14" width="18" height="14" aria-hidden="true">
            <path d={samples[mark]} />
          </svg>{" "}
          {meanings[mark]}
        </span>
      ))}
    </p>
  );
}

const line = "M0 7h18";
const circle = "M14 7a5 5 0 1 1-10 0a5 5 0 1 1 10 0";
const samples: Readonly<Record<Mark, string>> = {
  accused: "M3 2h12l-6 10z",
  claimed: line,
  server: line,
  possible: "M1 1h16v12h-16z",
  tolerated: "M1 1h16v12h-16z",
  from: circle,
  within: line,
  beyond: line,
  at: "M4 2l10 10M14 2l-10 10",
  edge: "M3 2l13 5l-13 5z",
  here: circle,
  piece: line,
  strokes: line,
};

/** What the strokes of the small clock are. */
function ClockLegend({ kind }: { readonly kind: VerdictKind }) {
  return (
    <p class={`moment-legend hint moment-of-${kind}`} aria-hidden="true">
      <span>
        <i class="moment-tick moment-tick-message" /> message
      </span>
      <span>
        <i class="moment-tick moment-tick-near" /> other verdict
      </span>
      <span>
        <i class="moment-tick moment-tick-this" /> this verdict
      </span>
      <span>
        <i class="moment-tick moment-tick-now" /> now
      </span>
    </p>
  );
}

/** What of the measure is no finding. */
function limitWords({ verdict: { measured, allowed, unit }, unit: ofPlaces }: FeedMoment): string | undefined {
  if (measured === null || allowed === null) return undefined;
  if (measured < allowed) return `at least ${showMeasure(allowed, unit)} expected`;
  return `${showMeasure(allowed, unit)} ${unit === ofPlaces ? "possible" : "allowed"}`;
}

/** One stroke for each message, a dot for each other finding, and a line for now. For the eye: the story says the same. */
function Clock({ studio, moment, now }: Pick<MomentBarProps, "studio" | "moment" | "now">) {
  const { atMs, fromMs, toMs, claimed, near, verdict } = moment;
  const recording = studio.world.value?.playback;
  const state = studio.playback.value;
  const nowMs = useNow(now);
  const at = (ms: number): number => ((ms - fromMs) / Math.max(1, toMs - fromMs)) * WIDTH;
  const shownMs = recording === undefined || state === undefined ? undefined : positionAt(state, recording, nowMs);
  return (
    <svg class="moment-clock" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
      <line class="moment-axis" x1="0" x2={WIDTH} y1={HEIGHT - 6} y2={HEIGHT - 6} />
      {claimed.map(({ ms }, index) => (
        <line
          key={index}
          class="moment-message"
          x1={at(atMs + ms)}
          x2={at(atMs + ms)}
          y1={HEIGHT - 16}
          y2={HEIGHT - 6}
        />
      ))}
      {near.map(({ ms, kind }, index) => (
        <rect key={index} class={`mark-${kind}`} x={at(atMs + ms) - 2} y="4" width="4" height="8" />
      ))}
      <rect class={`mark-${verdict.kind}`} x={at(atMs) - 3} y="0" width="6" height={HEIGHT} />
      {shownMs === undefined ? null : <line class="moment-now" x1={at(shownMs)} x2={at(shownMs)} y1="0" y2={HEIGHT} />}
    </svg>
  );
}

function useNow(now: () => number): number {
  const time = useSignal(now());
  useEffect(() => {
    const timer = setInterval(() => {
      time.value = now();
    }, SHOW_EVERY_MS);
    return () => clearInterval(timer);
  }, [now, time]);
  return time.value;
}

/** The verdict as one file, as `wirewalk verdict export` writes it: of a live world by its server, of a file by the command. */
function Export({ studio, verdictStudio, moment }: Pick<MomentBarProps, "studio" | "verdictStudio" | "moment">) {
  const notice = useSignal<string | undefined>(undefined);
  const isBusy = useSignal(false);
  const world = verdictStudio.world.value;
  const { player, atMs, rule } = moment.verdict;
  if (studio === verdictStudio || world === undefined) {
    const file = studio.world.value?.playback?.file ?? "FILE";
    // A verdict as a file is one already.
    if (file.endsWith(".html")) return null;
    return (
      <span class="hint">
        To send it: <code>{`wirewalk verdict export ${file} ${moment.id}`}</code>
      </span>
    );
  }
  const save = async (): Promise<void> => {
    isBusy.value = true;
    notice.value = "Writing the file.";
    const found = await fetchCase({ world: world.name, player, atMs: Math.floor(atMs), rule });
    isBusy.value = false;
    notice.value = typeof found === "string" ? found : undefined;
    if (typeof found === "string") return;
    const url = URL.createObjectURL(found);
    const link = Object.assign(document.createElement("a"), { href: url, download: found.name });
    link.click();
    URL.revokeObjectURL(url);
  };
  return (
    <>
      <button type="button" class="quiet" disabled={isBusy.value} onClick={() => void save()}>
        Export
      </button>
      <span class="hint" role="status">
        {notice.value ?? ""}
      </span>
    </>
  );
}
