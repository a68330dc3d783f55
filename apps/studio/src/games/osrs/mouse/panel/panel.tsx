/** The list of sessions with their scores, and the kinematics of the selected one. */
import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import type { PlayerId } from "wirewalk/motion";
import { MIN_STROKES, type MouseFinding, type MouseSummary } from "wirewalk/osrs/mouse";
import { fitCanvas } from "../../../../draw/canvas.ts";
import { showAmount, showNumber } from "../../../../ui/format.ts";
import { type BesidePeople, besidePeople, type Strip } from "../play/beside-people.ts";
import { peopleRanges } from "../play/people-ranges.ts";
import type { Reading, SeenKinematics, SeenPacket } from "../play/sessions.ts";
import { drawProfile } from "../scene/drawing.ts";
import type { PointerStance, SpeedSample } from "../scene/path.ts";
import { FASTEST_PX_PER_SECOND } from "../scene/speed-ramp.ts";

/** How far back the speed profile goes. */
export const PROFILE_MS = 10_000;

/** A line of the list. */
export interface SessionRow {
  readonly player: PlayerId;
  readonly name: string;
  readonly own: boolean;
  readonly reading: Reading;
  /** Undefined until the server has sent it. */
  readonly score: number | undefined;
  readonly stance: PointerStance;
}

/** The selected session. */
export interface SessionCard {
  readonly row: SessionRow;
  readonly kinematics: SeenKinematics | undefined;
  /** The last one. */
  readonly packet: SeenPacket | undefined;
  readonly profile: readonly SpeedSample[];
  /** Where the profile ends. */
  readonly shownMs: number;
}

export interface PanelState {
  readonly rows: readonly SessionRow[];
  readonly card?: SessionCard;
  /** The speed ramp. */
  readonly colours: readonly string[];
}

export interface PanelProps {
  readonly state: ReadonlySignal<PanelState>;
  readonly select: (player: PlayerId | undefined) => void;
  /** Nobody can join what is played. */
  readonly isRecorded: boolean;
}

const words: Readonly<Record<Reading, string>> = {
  early: "too early",
  human: "like a hand",
  unclear: "unclear",
  machine: "like a machine",
};

export function Panel({ state, select, isRecorded }: PanelProps) {
  const { rows, card, colours } = state.value;
  if (card !== undefined) return <Card card={card} colours={colours} close={() => select(undefined)} />;
  if (rows.length === 0) {
    return (
      <p class="empty">
        No mouse is here.
        {isRecorded ? null : (
          <>
            {" "}
            Play and move yours over the window, or start bots: <code>wirewalk bots osrs/mouse</code>
          </>
        )}
      </p>
    );
  }
  return (
    <section aria-label="Sessions">
      <h3>
        Sessions <span class="hint">hand or machine?</span>
      </h3>
      <ul>
        {rows.map((row) => (
          <li key={row.player}>
            <Row row={row} select={() => select(row.player)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function Row({ row, select }: { readonly row: SessionRow; readonly select: () => void }) {
  const { name, own, reading, score, stance } = row;
  return (
    <button type="button" class="mouse-row" title="Show its kinematics" onClick={select}>
      <span class={`mark legend-mouse-${reading}`} aria-hidden="true" />
      <span class="mouse-name">{own ? "you" : name}</span>
      <span class="mouse-word">
        {stance === "outside" || stance === "unknown" ? `${stanceWords[stance]} · ` : ""}
        {words[reading]}
      </span>
      <ScoreBar score={score} reading={reading} />
    </button>
  );
}

const stanceWords: Readonly<Record<PointerStance, string>> = {
  moving: "moving",
  resting: "resting",
  outside: "outside",
  unknown: "place unknown",
};

/** Hidden from screen readers: the words beside it say the same. */
function ScoreBar({ score, reading }: { readonly score: number | undefined; readonly reading: Reading }) {
  const share = reading === "early" ? 0 : (score ?? 0);
  return (
    <svg class="bar mouse-score" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1">
      <rect class="bar-track" width="100" height="1" />
      <rect class={`mouse-bar-${reading}`} width={reading === "early" ? 0 : Math.max(2, share * 100)} height="1" />
    </svg>
  );
}

interface CardProps {
  readonly card: SessionCard;
  readonly colours: readonly string[];
  readonly close: () => void;
}

function Card({ card, colours, close }: CardProps) {
  const { row, kinematics, packet } = card;
  return (
    <section class="mouse-card" aria-label={`Kinematics of ${row.own ? "your mouse" : row.name}`}>
      <h3>
        <span class={`mark legend-mouse-${row.reading}`} aria-hidden="true" />
        <span class="mouse-name">{row.own ? "you" : row.name}</span>
        <button type="button" class="quiet" onClick={close}>
          ‹ All
        </button>
      </h3>
      <Score row={row} kinematics={kinematics} />
      <Profile card={card} colours={colours} />
      {kinematics === undefined ? null : (
        <>
          <Findings findings={kinematics.findings} isEarly={row.reading === "early"} />
          {row.reading === "early" ? null : <Beside all={besidePeople(kinematics.summary.measures)} />}
          <Measures summary={kinematics.summary} />
        </>
      )}
      <p class="hint">{packet === undefined ? "No packet seen here yet." : packetWords(packet)}</p>
    </section>
  );
}

function Score({ row, kinematics }: { readonly row: SessionRow; readonly kinematics: SeenKinematics | undefined }) {
  const strokes = kinematics?.summary.strokes ?? 0;
  return (
    <>
      <p class="mouse-verdict">
        <strong>{words[row.reading]}</strong>
        <span>
          score <b>{kinematics === undefined || row.reading === "early" ? "–" : kinematics.score.toFixed(2)}</b>
        </span>
      </p>
      <ScoreBar score={kinematics?.score} reading={row.reading} />
      <p class="hint">
        {row.reading === "early"
          ? `${strokes} of the ${MIN_STROKES} strokes that a finding needs. The server sends a score every five strokes.`
          : `From ${showAmount(strokes, "stroke")}: evidence to look at, never a ban.`}
      </p>
    </>
  );
}

function Profile({ card, colours }: { readonly card: SessionCard; readonly colours: readonly string[] }) {
  const ref = useRef<HTMLCanvasElement>(null);
  const { profile, shownMs, row } = card;
  useEffect(() => {
    const fitted = ref.current === null ? undefined : fitCanvas(ref.current);
    if (fitted !== undefined) drawProfile(fitted, profile, { fromMs: shownMs - PROFILE_MS, toMs: shownMs }, colours);
  });
  const now =
    row.stance === "moving" ? `${showNumber(Math.round(profile.at(-1)?.speed ?? 0))} px/s` : stanceWords[row.stance];
  return (
    <figure class="mouse-profile">
      <figcaption>
        <span>
          Speed{" "}
          <span class="hint">
            last {PROFILE_MS / 1000} s, to {FASTEST_PX_PER_SECOND.toLocaleString("en")} px/s
          </span>
        </span>
        <b>{now}</b>
      </figcaption>
      <span aria-hidden="true">
        <canvas ref={ref} />
      </span>
    </figure>
  );
}

const ruleWords: Readonly<Record<MouseFinding["rule"], string>> = {
  "identical-strokes": "identical strokes",
  "constant-speed": "constant speed",
  "straight-lines": "straight lines",
  "abrupt-stops": "abrupt stops",
  "perfect-rhythm": "perfect rhythm",
  "perfect-sampling": "perfect sampling",
  jumps: "jumps",
  "smooth-speed": "smooth speed",
  "smooth-turns": "smooth turns",
  "repeated-shapes": "repeated shapes",
  "repeated-strokes": "repeated strokes",
  "unlike-people": "unlike people",
};

function Findings({ findings, isEarly }: { readonly findings: readonly MouseFinding[]; readonly isEarly: boolean }) {
  if (findings.length === 0) {
    return isEarly ? null : <p class="mouse-clear">No rule has found anything unusual.</p>;
  }
  return (
    <ul class="mouse-findings" aria-label="Why">
      {findings.map(({ rule, reason, measured, allowed, unit }) => (
        <li key={rule}>
          <span class="mouse-rule">
            <b>{ruleWords[rule] ?? rule}</b>{" "}
            <FindingBar measured={measured} allowed={allowed} unit={unit} people={peopleRanges[rule]} />
          </span>
          <span class="hint">{`${reason}. ${allowedWords({ rule, allowed, unit })}`}</span>
        </li>
      ))}
    </ul>
  );
}

function allowedWords({ rule, allowed, unit }: Pick<MouseFinding, "rule" | "allowed" | "unit">): string {
  if (unit === "sd") return `A person is about 1 from the mean of people, and under ${showNumber(allowed)}.`;
  const show = (value: number): string =>
    unit === "rad" ? `${showNumber(value)} rad` : `${showNumber(value * 100)} %`;
  const people = peopleRanges[rule];
  if (people !== undefined) return `People: ${show(people[0])} to ${show(people[1])}.`;
  return `A hand ${unit === "share" ? "stays under" : "varies by more than"} ${show(allowed)}.`;
}

/** Measured as a bar, allowed as a line through it, where people are as a band. A variation has a scale of its own. */
function FindingBar({
  measured,
  allowed,
  unit,
  people,
}: Pick<MouseFinding, "measured" | "allowed" | "unit"> & {
  readonly people: readonly [low: number, high: number] | undefined;
}) {
  const top = unit === "share" ? 1 : Math.max(measured, allowed, people?.[1] ?? 0) * 1.5;
  return (
    <svg class="bar mouse-finding-bar" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1">
      <rect class="bar-track" width="100" height="1" />
      {people === undefined ? null : (
        <rect
          class="mouse-bar-human"
          x={(people[0] / top) * 100}
          width={((people[1] - people[0]) / top) * 100}
          height="1"
        />
      )}
      <rect class="mouse-bar-machine" width={Math.max(1, (measured / top) * 100)} height="1" />
      <rect class="mouse-bar-allowed" x={(allowed / top) * 100 - 0.75} width="1.5" height="1" />
    </svg>
  );
}

/** Rows that are seen without a click. */
const UNUSUAL = 4;

function Beside({ all }: { readonly all: readonly BesidePeople[] }) {
  if (all.length === 0) return null;
  const row = (each: BesidePeople) => <BesideRow key={each.name} beside={each} />;
  return (
    <section class="mouse-beside" aria-label="Strokes beside those of people">
      <h4>
        Beside people <span class="hint">the most unusual first: mean and spread over the strokes</span>
      </h4>
      <ul>{all.slice(0, UNUSUAL).map(row)}</ul>
      {all.length <= UNUSUAL ? null : (
        <details>
          <summary>{all.length - UNUSUAL} more</summary>
          <ul>{all.slice(UNUSUAL).map(row)}</ul>
        </details>
      )}
    </section>
  );
}

const outWords: Readonly<Record<BesidePeople["out"], string>> = {
  "": "",
  mean: "out of people's range",
  "too alike": "strokes are too alike",
  "too varied": "strokes vary too much",
};

function BesideRow({ beside: { name, own, people, out, strip } }: { readonly beside: BesidePeople }) {
  return (
    <li>
      <span class="mouse-beside-name">
        <b>{name}</b> <span class="mouse-beside-own">{own}</span>
      </span>
      <StripBar strip={strip} isOut={out !== ""} />
      <span class="hint">
        {`People: ${people}.`}
        {out === "" ? null : <strong>{` ${outWords[out]}`}</strong>}
      </span>
    </li>
  );
}

/** The band is where people's means are, the line the session's mean, the bar its spread. Words beside it say the same. */
function StripBar({ strip, isOut }: { readonly strip: Strip; readonly isOut: boolean }) {
  const [from, to] = strip.people;
  const [left, right] = strip.spread;
  return (
    <svg class="bar mouse-strip" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 3">
      <rect class="bar-track" width="100" height="3" />
      <rect class="mouse-bar-human" x={from * 100} width={(to - from) * 100} height="3" opacity="0.45" />
      <rect
        class={isOut ? "mouse-bar-machine" : "mouse-bar-allowed"}
        x={left * 100}
        y="1"
        width={Math.max((right - left) * 100, 1)}
        height="1"
      />
      <rect class="mouse-bar-allowed" x={strip.mean * 100 - 0.75} width="1.5" height="3" />
    </svg>
  );
}

interface Measure {
  readonly label: string;
  readonly of: (summary: MouseSummary) => string;
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;
const thousands = (value: number): string => `${showNumber(value / 1000)} k`;

/** Medians over the strokes. */
const measures: readonly Measure[] = [
  { label: "straightness", of: ({ straightness }) => percent(straightness) },
  { label: "corrections", of: ({ corrections }) => `${showNumber(corrections)} a stroke` },
  { label: "mean speed", of: ({ meanSpeed }) => `${Math.round(meanSpeed)} px/s` },
  { label: "peak speed", of: ({ peakSpeed }) => `${Math.round(peakSpeed)} px/s` },
  { label: "peak comes at", of: ({ peakAt }) => percent(peakAt) },
  { label: "speed varies", of: ({ speedVariation }) => percent(speedVariation) },
  { label: "acceleration", of: ({ acceleration }) => `${thousands(acceleration)} px/s²` },
  { label: "jerk", of: ({ jerk }) => `${thousands(jerk)} px/s³` },
  { label: "curvature", of: ({ curvature }) => `${showNumber(curvature * 1000)} rad/kpx` },
  { label: "dwell", of: ({ dwellMs }) => `${Math.round(dwellMs)} ms` },
  { label: "dwell varies", of: ({ dwellVariation }) => percent(dwellVariation) },
  { label: "sampling varies", of: ({ intervalVariation }) => percent(intervalVariation) },
  { label: "roughness", of: ({ roughness }) => showNumber(roughness) },
  { label: "turn a sample", of: ({ turn }) => `${showNumber(turn)} rad` },
];

function Measures({ summary }: { readonly summary: MouseSummary }) {
  return (
    <dl class="mouse-measures" aria-label="Medians over the strokes">
      {measures.map(({ label, of }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{of(summary)}</dd>
        </div>
      ))}
    </dl>
  );
}

function packetWords({ packet, bytes, records, spanMs, early, cutBytes }: SeenPacket): string {
  const cut = cutBytes === 0 ? "" : `, ${cutBytes} bytes cut`;
  const why = early ? ", sent by a click" : "";
  return `Packet ${packet}: ${showAmount(records, "record")} in ${bytes} bytes, ${showNumber(spanMs / 1000)} s${why}${cut}.`;
}
