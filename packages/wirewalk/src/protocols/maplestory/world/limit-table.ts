/**
 * The limits of the rules: names, units, defaults, bounds and sources. Everything that shows or sets them goes by this table.
 * Limits of honest play are those that operators have published, unless the standard marks them as ours.
 *
 * Source: docs/protocols/maplestory.md 8.
 */
import type { RuleLimit } from "../../settings.ts";
import { walkConstants } from "../movement/walker.ts";
import type { MapleRule } from "./rules.ts";

interface MapleLimit extends RuleLimit {
  readonly rules: readonly MapleRule[];
}

const paths = ["speed", "flight", "teleport", "gain"] as const;
const clocks = ["wall-clock", "gain"] as const;
const late = ["field-key", "monster-elsewhere", "monster-control", "monster-head", "wall-clock"] as const;

/** A row of the table. */
function limit(
  [value, unit]: readonly [number, string],
  [least, most]: readonly [number, number],
  source: string,
  rules: readonly MapleRule[],
  summary: string,
): MapleLimit {
  return { summary, unit, default: value, least, most, source, rules };
}

function count(...row: Parameters<typeof limit>): MapleLimit {
  return { ...limit(...row), isWhole: true };
}

const speeds = [1, 10_000] as const;
const pixels = [0, 65_535] as const;
const counts = [0, 1000] as const;
const minute = [0, 60_000] as const;
const hour = [0, 3_600_000] as const;
const day = [1000, 86_400_000] as const;

export const mapleLimitTable = {
  walkPxPerSecond: limit(
    [walkConstants.walk, "px/s"],
    speeds,
    "standard 8.2",
    paths,
    "The fastest walk; skills and potions multiply it",
  ),
  jumpPxPerSecond: limit(
    [walkConstants.jump, "px/s"],
    speeds,
    "standard 8.2",
    paths,
    "The fastest rise; skills multiply it",
  ),
  fallPxPerSecond: limit(
    [680, "px/s"],
    speeds,
    "standard 8.2",
    paths,
    "The fastest fall: measured falls are slightly faster than 670",
  ),
  walkImpulse: limit(
    [1.1, "times"],
    [1, 100],
    "standard 8.2",
    ["speed"],
    "How much faster than its walk an impulse may be",
  ),
  jumpImpulse: limit(
    [1.05, "times"],
    [1, 100],
    "standard 8.2",
    ["speed"],
    "How much faster than its jump an impulse may be",
  ),
  slackPx: limit(
    [3, "px"],
    pixels,
    "standard 8.2",
    ["speed", "teleport", "vacuum-pull"],
    "Rounding of the places and of the time of one piece of a movement",
  ),
  grabPx: limit(
    [14, "px"],
    pixels,
    "standard 8.2",
    [...paths, "ladder"],
    "Grabbing a ladder moves the player to it at once, by up to this",
  ),
  teleportPx: limit(
    [150, "px"],
    pixels,
    "standard 8.1",
    ["teleport"],
    "From so far beyond its time on a movement is a teleport, and below that it is high speed",
  ),
  instantPx: limit(
    [30, "px"],
    pixels,
    "standard 8.1",
    ["teleport-skill"],
    "An instant without a skill moves no further: sitting down on a chair",
  ),
  entryPx: limit(
    [100, "px"],
    pixels,
    "standard 8.1",
    ["start", "teleport"],
    "How far from the portal the first path on a map may start: the client falls to the ground",
  ),
  documentedStartPx: limit(
    [60, "px"],
    pixels,
    "standard 8.2.5",
    ["teleport"],
    "How far off the extrapolated end of a `documented` path may be: where the next one begins, or the player after it connects again",
  ),
  benignStartPx: limit(
    [2, "px"],
    pixels,
    "standard 8.1",
    ["start", "monster-head"],
    "Some clients round a start by this much",
  ),
  gainPx: limit(
    [50, "px"],
    pixels,
    "standard 8.2.1",
    ["gain"],
    "What a player's paths may exceed the rules by in all: more is corrected",
  ),
  gainNoticePx: limit([20, "px"], pixels, "standard 8.2.1", ["gain"], "More of it is flagged"),
  roundingPx: limit(
    [1, "px"],
    pixels,
    "standard 8.2.1",
    ["gain"],
    "Both ends of a movement are rounded by half a pixel",
  ),
  forgivenPxPerSecond: limit(
    [1, "px/s"],
    [0, 1000],
    "standard 8.2.1",
    ["gain"],
    "By how much a gain decreases: a client may round otherwise. 1.05 times the walking speed is 6 px a second",
  ),
  flightSlackPx: limit(
    [3, "px"],
    pixels,
    "standard 8.2.3",
    ["flight"],
    "How far above the way of a full jump a node may be: rounding of places and times",
  ),
  groundPx: limit(
    [10, "px"],
    pixels,
    "standard 8.2.3",
    ["flight", "foothold", "water"],
    "How near the ground a player is on it: rounding, and the edge of a slope",
  ),
  wallPx: limit(
    [20, "px"],
    pixels,
    "standard 8.2.4",
    ["wall", "gain"],
    "What a way through a wall adds to the gain where it is only flagged: the third of them is put back",
  ),
  onWaterMs: limit(
    [300, "ms"],
    minute,
    "standard 8.2.4",
    ["water"],
    "For how long a path may stand in water where no ground is: the stance may follow late",
  ),
  swimPxPerSecond: limit(
    [140, "px/s"],
    speeds,
    "standard 8.2.4",
    paths,
    "The fastest way sideways in water; skills and potions multiply it",
  ),
  flyPxPerSecond: limit([200, "px/s"], speeds, "standard 8.2.4", paths, "The same on maps where players fly"),
  springPxPerSecond: limit(
    [2000, "px/s"],
    speeds,
    "standard 8.2.4",
    paths,
    "How fast a spring throws a body up where the map does not say: no map says more",
  ),
  seatPx: limit(
    [60, "px"],
    pixels,
    "standard 8.2.4",
    ["teleport-skill"],
    "How far from a seat of the map a player may be that sits down on it",
  ),
  portalPx: limit(
    [100, "px"],
    pixels,
    "standard 8.2.4",
    ["start", "teleport", "teleport-skill"],
    "How far from a portal a way through it within its map may begin and end",
  ),
  farPortalPx: limit(
    [300, "px"],
    pixels,
    "standard 8.4",
    ["portal"],
    "How far from a portal a player may be that another server has let through it: servers refuse from 632 on",
  ),
  airPushes: count(
    [3, "pushes"],
    counts,
    "standard 8.2.3",
    ["flight"],
    "Impulses in the air that are believed: hits of monsters may follow each other",
  ),
  airPushesPerMinute: limit(
    [30, "pushes/min"],
    counts,
    "standard 8.2.3",
    ["flight"],
    "How many more are believed: after a hit a player cannot be hit for 2 s",
  ),
  correctionsApartMs: limit(
    [5000, "ms"],
    minute,
    "standard 8.2.2",
    ["corrections"],
    "Corrections that are closer are one: what the client had sent before it knew",
  ),
  maxCorrections: count(
    [10, "corrections"],
    counts,
    "standard 8.2.2",
    ["corrections"],
    "Corrections within the short window that are an accident; one more is a ban",
  ),
  correctionWindowMs: limit([300_000, "ms"], day, "standard 8.2.2", ["corrections"], "The short window"),
  maxCorrectionsLong: count(
    [20, "corrections"],
    counts,
    "standard 8.2.2",
    ["corrections"],
    "The same within the long window",
  ),
  correctionWindowLongMs: limit([3_600_000, "ms"], day, "standard 8.2.2", ["corrections"], "The long window"),
  banMs: limit(
    [3_600_000, "ms"],
    [1000, 31_536_000_000],
    "standard 8.2.2",
    ["corrections"],
    "How long an account is banned",
  ),
  departedMs: limit(
    [3_600_000, "ms"],
    hour,
    "standard 8.2.2",
    ["corrections", "gain", "teleport"],
    "How long a character that left keeps its place, gain and corrections",
  ),
  honestMonsterPxPerSecond: limit(
    [253, "px/s"],
    speeds,
    "standard 8.3",
    ["vacuum-pull"],
    "The fastest of published honest paths: what all of a controller's monsters exceed it by adds up",
  ),
  pullPx: limit([150, "px"], pixels, "standard 8.3", ["vacuum-pull"], "By how much they may exceed it in all"),
  pullPxPerSecond: limit([5, "px/s"], [0, 1000], "standard 8.3", ["vacuum-pull"], "By how much that decreases"),
  monsterGroundPx: limit(
    [10, "px"],
    pixels,
    "standard 8.3",
    ["monster-ground"],
    "How far from the ground a walking monster may be: rounding, and the edge of a slope",
  ),
  monsterHeadPx: limit(
    [150, "px"],
    pixels,
    "standard 8.3",
    ["monster-head"],
    "From the last end of a monster to its next start",
  ),
  boxPx: limit([25, "px"], pixels, "standard 8.3", ["vacuum-box"], "The size of a box of monsters"),
  honestInBox: count(
    [5, "monsters"],
    counts,
    "standard 8.3",
    ["vacuum-box"],
    "Monsters of a controller in one box in honest play",
  ),
  vacuumInBox: count([10, "monsters"], counts, "standard 8.3", ["vacuum-box"], "Monsters in one box that are flagged"),
  vacuumImbalance: limit(
    [0.7, "share"],
    [0, 1],
    "standard 8.3",
    ["vacuum-side"],
    "Left against right over a long distance: honest below 0.1, a vacuum has 0.7",
  ),
  imbalanceWindowPx: limit(
    [20_000, "px"],
    [1, 10_000_000],
    "standard 8.3",
    ["vacuum-side"],
    "The distance after which that counts: a shorter one may be all to one side",
  ),
  idleMonsterMs: limit(
    [15_000, "ms"],
    [1000, 3_600_000],
    "standard 9.1",
    ["monster-idle", "monster-control"],
    "A monster that its controller has not moved for this long is given to another; in `documented` the next that moves it drives it",
  ),
  attackMs: limit(
    [3000, "ms"],
    minute,
    "standard 8.3",
    ["monster-control"],
    "For how long a player may take over a monster that it has attacked",
  ),
  aggroPx: limit(
    [300, "px"],
    pixels,
    "standard 8.3",
    ["aggro-far"],
    "How near a monster must be to notice a player: what both have moved while the messages were under way",
  ),
  aggroMost: count(
    [20, "messages"],
    [1, 1000],
    "standard 8.3",
    ["aggro-rate"],
    "Messages of monsters that noticed a player that may be saved up: a connection may hold them back",
  ),
  aggroPerSecond: limit(
    [1, "messages/s"],
    [0, 1000],
    "standard 8.3",
    ["aggro-rate"],
    "The same as a rate: the client sends one a second at most",
  ),
  farAggroMost: count(
    [5, "messages"],
    counts,
    "standard 8.3",
    ["aggro-far"],
    "Those from further away that are benign: the client may see a monster where it was before a stall",
  ),
  farAggroEveryMs: limit(
    [15_000, "ms"],
    [1, 3_600_000],
    "standard 8.3",
    ["aggro-far"],
    "One more of these in each such time",
  ),
  clockTolerance: limit(
    [1.01, "s/s"],
    [1, 2],
    "standard 7.1",
    clocks,
    "How much faster than ours a client's clock may run: quartz does not, the timer of a busy machine does",
  ),
  recordingMs: limit(
    [1000, "ms"],
    minute,
    "standard 7.1",
    clocks,
    "What a client records before it sends: 510, and as much for one whose steps are late",
  ),
  lateStepsMs: limit(
    [1310, "ms"],
    minute,
    "standard 7.1",
    clocks,
    "What a client with late steps has not played yet when it answers a ping: at most 60 steps, 1,800, of which `recordingMs` has 490",
  ),
  jitterMs: limit(
    [1000, "ms"],
    minute,
    "standard 7.1",
    clocks,
    "By how much delays differ in `documented`, which has no pings: 500 of jitter, and a packet that is lost and sent again twice",
  ),
  lateMaxMs: limit(
    [6000, "ms"],
    minute,
    "standard 7.1",
    clocks,
    "How late a message may be by a stall of its line, in `documented`",
  ),
  stalledMaxMs: limit([6000, "ms"], minute, "standard 7.1", clocks, "What stalls of the server itself may add to it"),
  longSilenceMs: limit(
    [6000, "ms"],
    [200, 3_600_000],
    "standard 7.1",
    clocks,
    "Longer silences in `documented` may have delayed more: TCP sends a lost packet again for two minutes",
  ),
  longBurstMs: limit(
    [10_000, "ms"],
    minute,
    "standard 7.1",
    clocks,
    "Within this time after such a silence arrives what it delayed",
  ),
  longMostMs: limit([150_000, "ms"], hour, "standard 7.1", clocks, "What such a silence may have delayed"),
  believedSilences: limit(
    [3, "silences"],
    counts,
    "standard 7.1",
    clocks,
    "Such silences that are believed: on the wire they are the same as a client that waits and then walks for all of that time at once",
  ),
  silencesPerMinute: limit([1, "silences/min"], counts, "standard 7.1", clocks, "How many more are believed"),
  movingSilenceCost: limit(
    [1, "silences"],
    counts,
    "standard 7.1",
    clocks,
    "What a silence counts of a player that moved before it",
  ),
  restingSilenceCost: limit(
    [2, "silences"],
    counts,
    "standard 7.1",
    clocks,
    "The same of one that rested: it sends nothing, so most of its silences have delayed nothing",
  ),
  savedUpOnceMs: limit(
    [8000, "ms"],
    hour,
    "standard 7.1",
    clocks,
    "What a player may report at once after a silence that began at rest, beyond what any message may be late by",
  ),
  savedUpMs: limit([14_000, "ms"], hour, "standard 7.1", clocks, "The same over all such silences"),
  savedUpMsPerMinute: limit([4000, "ms/min"], minute, "standard 7.1", clocks, "How much of that is forgiven"),
  silenceMs: limit(
    [60_000, "ms"],
    [1000, 60_000],
    "standard 7.1.1",
    late,
    "Nothing is late any more after this time: the client has answered a ping, or is disconnected",
  ),
  pingMs: limit(
    [5000, "ms"],
    [100, 60_000],
    "standard 10.5",
    late,
    "How often a client is pinged: a pong proves that it has received everything before, and sent everything before",
  ),
  pongMs: limit(
    [55_000, "ms"],
    [1000, 3_600_000],
    "standard 10.5",
    late,
    "A client that has not answered a ping for this long is disconnected",
  ),
  takeOverMs: limit(
    [15_000, "ms"],
    hour,
    "standard 8.2.2",
    ["character-online"],
    "A connection that has not answered a ping for this long gives its character to another one of the same address and name",
  ),
  loginMs: limit(
    [30_000, "ms"],
    [1000, 3_600_000],
    "standard 10.1",
    ["not-on-a-map"],
    "A client that does not name its character for this long is disconnected",
  ),
} as const satisfies Readonly<Record<string, MapleLimit>>;
