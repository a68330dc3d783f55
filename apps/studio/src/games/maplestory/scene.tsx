/** The map with everybody on it as truth and as ghost, the packets of the last seconds, and what each of them says. */
import { signal } from "@preact/signals";
import type { FeedVerdict } from "@wirewalk/server/feed";
import { render } from "preact";
import { dialectRules, type MapleMap, type Point } from "wirewalk/maplestory";
import { createRandom, type PlayerId, type Track } from "wirewalk/motion";
import type { JsonObject } from "wirewalk/wire";
import { fitCanvas } from "../../canvas.ts";
import { playerNames } from "../../player-names.ts";
import type { Scene, Stage } from "../game-view.ts";
import { playerColour, watchPalette } from "../palette.ts";
import { type Actor, actorKey, policyNames, type Standing } from "./actor.ts";
import { Actors } from "./actors.ts";
import type { Batch } from "./batch.ts";
import { type Camera, cameraFor, toScreen } from "./camera.ts";
import { drawFigure, drawVerdict, type Figure } from "./figure-drawing.ts";
import { drawMap } from "./map-drawing.ts";
import { mapIdOf, mapOf } from "./maps.ts";
import { type MaplePalette, mapleColours } from "./marks.ts";
import { networkChoices } from "./networks.ts";
import { Bar, type BarState, Card, type CardState, type LaneRow, Lanes } from "./panel.tsx";
import { type DrawnBatch, type DrawnNode, drawNodes, drawUntold, drawWay, nearestNode } from "./path-drawing.ts";
import { type MaplePlay, playMaple } from "./play.ts";
import { type Lane, laneOf, type Place, placeAt } from "./time-line.ts";
import { drawTimeLine, LANE_PX, timeScale } from "./time-line-drawing.ts";
import { ONLOOKER_DELAY_MS, ViewClock } from "./view-clock.ts";
import { characterOf, relayOf, Watching } from "./watching.ts";

/** Packets stay on the map so long: of somebody who is looked at, and of one among many. */
const SELECTED_PATH_MS = 4_000;
const PATH_MS = 1_900;

/** With more players, and more of all kinds, names and nodes hide everything: only who is looked at has them. */
const MAX_NAMES = 20;
const MAX_NODES_OF = 45;

/** How near to a node, and to somebody, means it, in CSS pixels. */
const NODE_PX = 9;
const FIGURE_PX = 22;
const MARK_PX = 4;

/** The words follow the drawing this often: faster, nobody can read. */
const WORDS_EVERY_MS = 150;
const ERRORS_EVERY_MS = 500;

/** How long a verdict stays on the drawing. */
const VERDICT_MS = 2_500;

/** The way that nobody was told of yet is drawn in steps of the client. */
const STEP_MS = 30;

/** Opens the view's scene in the stage's element. */
export function openMapleScene(stage: Stage): Scene {
  const { watched } = stage;
  const { dialect } = watched.protocol;
  const actors = new Actors({ dialect, random: createRandom(1) });
  const watching = new Watching(actors, dialect);
  const clock = new ViewClock();
  const watchedMap = mapOf(watched, mapIdOf(watched.room));
  const parts = openParts(stage.element);
  const palette = watchPalette(stage.element, mapleColours);
  const bar = signal<BarState>({ policy: policyNames[0] ?? "", errors: [], network: 0 });
  const rows = signal<readonly LaneRow[]>([]);
  const card = signal<CardState | undefined>(undefined);

  let play: MaplePlay | undefined;
  let shownMs = 0;
  let camera: Camera = cameraFor({ width: 1, height: 1 }, watchedMap, []);
  let figures: readonly DrawnFigure[] = [];
  let nodes: readonly DrawnNode[] = [];
  let lanes: readonly Lane[] = [];
  /** Somebody whose newest packet is looked at. */
  let selected: string | undefined;
  /** The same for the list of players, if it is one. */
  let followed: PlayerId | undefined;
  /** A packet that is looked at, kept though it is gone from the time line. */
  let pinned: LookedAt | undefined;
  let hovered: LookedAt | undefined;
  let wordsMs = Number.NEGATIVE_INFINITY;
  let errorsMs = Number.NEGATIVE_INFINITY;

  const stopObserving = watched.onObservation((observation) => {
    // Who plays hears everything from the game itself.
    if (play !== undefined) return;
    const relay = observation.player === watched.followed() ? relayOf(observation, dialect) : undefined;
    const actor = actors.get(actorKey("player", relay?.characterId ?? 0));
    const nowMs = performance.now();
    const before = standingJson(actor?.lastTold(nowMs));
    watching.apply(observation, nowMs);
    if (relay === undefined) return;
    const { player } = observation;
    stage.log({
      sender: "server",
      payload: relay.payload,
      player,
      before,
      after: standingJson(actor?.lastTold(nowMs)),
    });
  });

  const look = (place: Place | undefined): LookedAt | undefined => {
    const batch = actors.get(place?.key ?? "")?.batches.find(({ number }) => number === place?.batch);
    return place === undefined || batch === undefined ? undefined : { ...place, of: batch };
  };
  const refresh = (): void => {
    // Words answer at once, not with their next turn.
    wordsMs = Number.NEGATIVE_INFINITY;
  };
  /** The space bar is for jumping: it must not press again what was clicked last. */
  const backToPlay = (): void => {
    if (play !== undefined) stage.element.focus({ preventScroll: true });
  };
  const select = (key: string | undefined): void => {
    selected = key === selected ? undefined : key;
    pinned = undefined;
    followed = [...watched.tracks.latest.values()].find((track) => keyOf(track) === selected)?.player;
    watched.follow(followed);
    refresh();
    backToPlay();
  };
  /** Somebody was chosen in the list of players. */
  const followChosen = (): void => {
    if (watched.followed() === followed) return;
    followed = watched.followed();
    const track = followed === undefined ? undefined : watched.tracks.latest.get(followed);
    selected = track === undefined ? undefined : keyOf(track);
    pinned = undefined;
    refresh();
  };
  const keyOf = ({ player, details }: Track): string =>
    play !== undefined && player === watched.self() ? play.ownKey : actorKey("player", characterOf(details));
  const pointAt = (place: Place | undefined): void => {
    hovered = look(place);
    refresh();
  };
  const onMap = (event: MouseEvent): DrawnNode | undefined =>
    nearestNode(nodes, { x: event.offsetX, y: event.offsetY }, NODE_PX);
  const onTimeLine = (event: MouseEvent): Place | undefined => {
    const lane = lanes[Math.floor(event.offsetY / LANE_PX)];
    const scale = timeScale(parts.time.clientWidth, shownMs);
    const nearMs = scale.ms(MARK_PX) - scale.ms(0);
    return lane === undefined ? undefined : placeAt(lane, scale.ms(event.offsetX), nearMs);
  };
  const pin = (place: Place): void => {
    pinned = look(place);
    selected = place.key;
    refresh();
  };
  parts.map.addEventListener("pointermove", (event) => {
    const node = onMap(event);
    if (node !== undefined) parts.card.classList.toggle("maple-left", node.x > parts.map.clientWidth / 2);
    pointAt(node?.place);
  });
  parts.map.addEventListener("pointerleave", () => pointAt(undefined));
  parts.map.addEventListener("click", (event) => {
    const node = onMap(event);
    if (node !== undefined) pin(node.place);
    else select(nearestFigure(figures, camera, { x: event.offsetX, y: event.offsetY })?.key);
  });
  parts.time.addEventListener("pointermove", (event) => pointAt(onTimeLine(event)));
  parts.time.addEventListener("pointerleave", () => pointAt(undefined));
  parts.time.addEventListener("click", (event) => {
    const place = onTimeLine(event);
    if (place !== undefined) pin(place);
    else select(lanes[Math.floor(event.offsetY / LANE_PX)]?.key);
  });

  const chooseNetwork = (network: number): void => {
    bar.value = { ...bar.peek(), network, errors: [] };
    actors.setNetwork(networkChoices[network]?.conditions);
    backToPlay();
  };
  const choosePolicy = (policy: string): void => {
    bar.value = { ...bar.peek(), policy };
    backToPlay();
  };
  render(<Bar state={bar} choosePolicy={choosePolicy} chooseNetwork={chooseNetwork} />, parts.bar);
  render(<Lanes rows={rows} select={select} />, parts.lanes);
  render(<Card state={card} close={() => select(undefined)} />, parts.card);

  return {
    draw(nowMs) {
      followChosen();
      if (play === undefined) watching.update({ tracks: watched.tracks.latest, players: watched.players() }, nowMs);
      shownMs = clock.at(nowMs, play === undefined ? ONLOOKER_DELAY_MS : 0);
      actors.advance(shownMs);
      const everybody = sortedActors(actors, play?.ownKey);
      const laned = everybody.filter(({ kind }) => kind === "player" || kind === "monster");
      lanes = laned.map((actor) => laneOf(actor, shownMs));
      const colours = palette.current();
      const map = play === undefined ? watchedMap : play.map;
      const hasNames = everybody.filter(({ kind }) => kind === "player").length <= MAX_NAMES;
      figures = everybody.flatMap((actor) => figuresOf(actor, colours, nowMs, hasNames));
      if (nowMs - errorsMs >= ERRORS_EVERY_MS) {
        errorsMs = nowMs;
        bar.value = { ...bar.peek(), errors: actors.errors() };
      }
      if (nowMs - wordsMs >= WORDS_EVERY_MS) {
        wordsMs = nowMs;
        if (play !== undefined) hearWhoIsHere(play);
        rows.value = laned.map((actor) => rowOf(actor, colours));
        card.value = cardOf(map, colours);
      }
      drawTheMap(map, everybody, colours, nowMs);
      drawTheTimeLine(colours);
    },
    play(changed) {
      actors.clear();
      select(undefined);
      play = playMaple(stage, actors, (state) => {
        if (state.state === "over") {
          play = undefined;
          actors.clear();
        }
        changed(state);
      });
      return play;
    },
    close() {
      play?.leave();
      stopObserving();
      palette.close();
      for (const part of [parts.bar, parts.lanes, parts.card]) render(null, part);
      parts.root.remove();
    },
  };

  // --- Who is drawn how --------------------------------------------------------------------------------------------------

  /** What the game itself has no word for: names in `documented`, and that somebody has left. */
  function hearWhoIsHere({ ownKey, map }: MaplePlay): void {
    if (map?.mapId !== mapIdOf(watched.room)) return;
    const names = playerNames(watched.players().values());
    const here = new Set([ownKey]);
    for (const { player, details } of watched.tracks.latest.values()) {
      const actor = actors.get(actorKey("player", characterOf(details)));
      if (actor === undefined) continue;
      actor.name ??= names.get(player);
      here.add(actor.key);
    }
    if (!dialectRules(dialect).neighbours) actors.keep(({ key, kind }) => kind !== "player" || here.has(key));
  }

  function isLookedAt({ key }: Actor): boolean {
    return key === selected || key === hovered?.key;
  }

  function truthOf(
    actor: Actor,
    nowMs: number,
  ): (Point & { readonly state: number; readonly isLive: boolean }) | undefined {
    const own = actor.key === play?.ownKey ? play.own(nowMs) : undefined;
    if (own !== undefined) return { ...own, isLive: true };
    const driven = actor.kind === "monster" ? play?.driven(actor.id) : undefined;
    const truth = actor.truth(shownMs);
    if (driven !== undefined) return { state: truth?.state ?? 0, x: driven.x, y: driven.y, isLive: true };
    return truth === undefined ? undefined : { ...truth, isLive: play === undefined };
  }

  /** The ghost below, the truth above it. */
  function figuresOf(actor: Actor, colours: MaplePalette, nowMs: number, hasNames: boolean): readonly DrawnFigure[] {
    const { serverTracks, names } = stage.settings();
    const own = actor.key === play?.ownKey;
    const truth = truthOf(actor, nowMs);
    const ghost = actor.ghost(bar.peek().policy);
    const hasName = names && (own || isLookedAt(actor) || (actor.kind === "player" && hasNames));
    const common = {
      key: actor.key,
      kind: actor.kind,
      colour: colourOf(actor, colours),
      own,
      selected: isLookedAt(actor),
      label: undefined,
    };
    const label = hasName ? nameOf(actor) : undefined;
    const drawn: DrawnFigure[] = [];
    if (ghost !== undefined) drawn.push({ ...common, ...placeOf(ghost), as: "ghost" });
    if (truth?.isLive) drawn.push({ ...common, ...placeOf(truth), as: "truth" });
    else if (truth !== undefined && serverTracks && actor.kind !== "pet")
      drawn.push({ ...common, ...placeOf(truth), as: "told" });
    // The name is where the eye is: above the truth, or above the ghost of whom nothing else is known.
    return drawn.map((figure) => (figure.as === (truth?.isLive ? "truth" : "ghost") ? { ...figure, label } : figure));
  }

  function colourOf(actor: Actor, colours: MaplePalette): string {
    if (actor.key === play?.ownKey) return colours.accent;
    return actor.kind === "monster" ? colours["maple-monster"] : playerColour(colours, actor.id);
  }

  function drawnBatches(actor: Actor, colours: MaplePalette): readonly DrawnBatch[] {
    const inDetail = isLookedAt(actor);
    const keptMs = inDetail ? SELECTED_PATH_MS : PATH_MS;
    const batches = actor.batches.filter(({ arrivesMs }) => arrivesMs <= shownMs);
    return batches.flatMap((batch): DrawnBatch[] => {
      const age = (shownMs - actor.endOf(batch)) / keptMs;
      const isPinned = actor.key === pinned?.key && batch.number === pinned.batch;
      if (age >= 1 && !isPinned) return [];
      const strength = isPinned ? 1 : (inDetail ? 1 : 0.75) * (1 - Math.max(0, age)) ** 0.6;
      return [{ key: actor.key, batch, colour: colourOf(actor, colours), strength, inDetail }];
    });
  }

  // --- Drawing -------------------------------------------------------------------------------------------------------------

  function drawTheMap(
    map: MapleMap | undefined,
    everybody: readonly Actor[],
    colours: MaplePalette,
    nowMs: number,
  ): void {
    const fitted = fitCanvas(parts.map);
    if (fitted === undefined) return;
    camera = cameraFor(fitted, map, figures);
    drawMap(fitted, camera, map, colours);
    if (map !== undefined) drawTitle(fitted, map, play === undefined ? undefined : watched.room, colours);
    nodes = [];
    if (stage.settings().trails) {
      const shown = everybody.filter((actor) => actor.kind !== "pet" || isLookedAt(actor));
      const batches = shown.flatMap((actor) => drawnBatches(actor, colours));
      for (const drawn of batches) drawWay(fitted, camera, drawn, dialect);
      for (const actor of shown) drawUntold(fitted, camera, untoldOf(actor, nowMs), colourOf(actor, colours));
      const noded = shown.length > MAX_NODES_OF ? batches.filter(({ inDetail }) => inDetail) : batches;
      nodes = noded.flatMap((drawn) => drawNodes(fitted, camera, drawn, hovered ?? pinned, colours));
    }
    for (const figure of figures) if (figure.as !== "truth") drawFigure(fitted, camera, figure, colours);
    for (const figure of figures) if (figure.as === "truth") drawFigure(fitted, camera, figure, colours);
    drawVerdicts(fitted, colours, nowMs);
  }

  /** Since the last packet that was heard: of an onlooker's actors it is known, of others only of the own one. */
  function untoldOf(actor: Actor, nowMs: number): readonly Point[] {
    if (actor.key === play?.ownKey) {
      const own = play.own(nowMs);
      return own === undefined ? [] : [...play.untold, own];
    }
    const last = actor.batches.findLast(({ arrivesMs }) => arrivesMs <= shownMs);
    if (play !== undefined || actor.truth(shownMs)?.known !== "told") return [];
    const points: Point[] = [];
    const fromMs = last === undefined ? shownMs : Math.max(actor.endOf(last), shownMs - ONLOOKER_DELAY_MS);
    for (let atMs = fromMs; atMs < shownMs; atMs += STEP_MS) points.push(actor.truth(atMs) ?? { x: 0, y: 0 });
    return points;
  }

  function drawVerdicts(fitted: NonNullable<ReturnType<typeof fitCanvas>>, colours: MaplePalette, nowMs: number): void {
    const serverNowMs = watched.tracks.serverTime(nowMs);
    if (serverNowMs === undefined) return;
    // With what they are about, which is shown late.
    const serverMs = serverNowMs - (nowMs - shownMs);
    const tracks = watched.tracks.latest;
    const done = new Set<number>();
    for (const verdict of watched.verdicts()) {
      // Newest first: whatever follows is older still.
      if (serverMs - verdict.atMs > VERDICT_MS) return;
      if (verdict.atMs > serverMs || done.has(verdict.player)) continue;
      done.add(verdict.player);
      const track = tracks.get(verdict.player);
      const key = track === undefined ? undefined : keyOf(track);
      const figure = figures.findLast((each) => each.key === key);
      const age = (serverMs - verdict.atMs) / VERDICT_MS;
      if (figure !== undefined) drawVerdict(fitted, camera, figure, wordsOf(verdict, colours), age, colours);
    }
  }

  function drawTheTimeLine(colours: MaplePalette): void {
    parts.time.style.height = `${Math.max(1, lanes.length) * LANE_PX}px`;
    const fitted = fitCanvas(parts.time);
    if (fitted === undefined) return;
    const lagMs = ({ key }: Lane): number => actors.lagMs(actors.get(key)?.kind ?? "player");
    drawTimeLine(fitted, { lanes, shownMs, lagMs, chosen: hovered ?? pinned, palette: colours });
  }

  // --- Words ---------------------------------------------------------------------------------------------------------------

  function nameOf(actor: Actor): string {
    if (actor.name !== undefined && actor.name !== "") return actor.name;
    return `${actor.kind === "monster" ? "mob" : actor.kind} ${actor.id}`;
  }

  function rowOf(actor: Actor, colours: MaplePalette): LaneRow {
    const { key, kind } = actor;
    const block = lanes.find((lane) => lane.key === key)?.blocks.findLast(({ isOpen }) => !isOpen);
    const last = block === undefined ? undefined : { durationMs: block.batch.durationMs, lateMs: block.lateMs };
    return { key, kind, name: nameOf(actor), selected: key === selected, colour: colourOf(actor, colours), last };
  }

  function cardOf(map: MapleMap | undefined, colours: MaplePalette): CardState | undefined {
    const at = hovered ?? pinned;
    const actor = actors.get(at?.key ?? selected ?? "");
    if (actor === undefined) return undefined;
    const batch = at?.of ?? actor.batches.findLast(({ arrivesMs }) => arrivesMs <= shownMs);
    const [ghost, truth] = [actor.ghost(bar.peek().policy), truthOf(actor, performance.now())];
    return {
      name: nameOf(actor),
      kind: actor.kind,
      colour: colourOf(actor, colours),
      driver: actor.driver,
      ghost,
      behindPx: ghost === undefined || truth === undefined ? 0 : Math.hypot(ghost.x - truth.x, ghost.y - truth.y),
      batch,
      lateMs: batch === undefined ? 0 : Math.max(0, batch.arrivesMs - actor.endOf(batch)),
      fragment: at?.fragment,
      pinned: hovered === undefined,
      dialect,
      map,
    };
  }
}

interface LookedAt extends Place {
  readonly of: Batch;
}

interface DrawnFigure extends Figure {
  readonly key: string;
}

/** The place that a server knows, for the wire log. */
function standingJson(told: Standing | undefined): JsonObject {
  return told === undefined ? {} : { x: told.x, y: told.y, state: told.state };
}

function placeOf({ x, y, state }: Point & { readonly state: number }) {
  return { x, y, state };
}

/** The own character, then players by name, then the rest by number: lanes keep their places. */
function sortedActors(actors: Actors, own: string | undefined): readonly Actor[] {
  const rank = ({ key, kind }: Actor): number => (key === own ? 0 : kind === "player" ? 1 : kind === "monster" ? 2 : 3);
  return [...actors.all].sort(
    (a, b) => rank(a) - rank(b) || (a.name ?? "").localeCompare(b.name ?? "", "en", { numeric: true }) || a.id - b.id,
  );
}

function nearestFigure(figures: readonly DrawnFigure[], camera: Camera, at: Point): DrawnFigure | undefined {
  let best: DrawnFigure | undefined;
  let bestPx = FIGURE_PX;
  for (const figure of figures) {
    const { x, y } = toScreen(camera, { x: figure.x, y: figure.y - 20 });
    const px = Math.hypot(x - at.x, y - at.y);
    if (px > bestPx) continue;
    best = figure;
    bestPx = px;
  }
  return best;
}

function wordsOf(verdict: FeedVerdict, colours: MaplePalette) {
  const colour = verdict.kind === "accept" ? colours["text-dim"] : colours[verdict.kind];
  return { text: `${verdict.rule} · ${verdict.kind}`, colour };
}

/** The map's name; and whose the lists are, when the own character has walked out of the watched room. */
function drawTitle(
  { context }: { readonly context: CanvasRenderingContext2D },
  map: MapleMap,
  room: string | undefined,
  colours: MaplePalette,
): void {
  const elsewhere =
    room === undefined || mapIdOf(room) === map.mapId ? "" : `: you are here, the lists are of room ${room}`;
  context.font = "600 11.5px system-ui, sans-serif";
  context.textAlign = "left";
  context.textBaseline = "top";
  context.fillStyle = colours["text-dim"];
  context.fillText(`${map.title}, map ${map.mapId}${elsewhere}`, 8, 7);
}

/** The elements that a scene is made of. */
function openParts(element: HTMLElement) {
  const create = <K extends keyof HTMLElementTagNameMap>(tag: K, className: string): HTMLElementTagNameMap[K] => {
    const node = document.createElement(tag);
    node.className = className;
    return node;
  };
  const root = create("div", "maple-scene");
  const layout = create("div", "maple-layout");
  const bar = create("div", "maple-bar");
  const frame = create("div", "maple-frame");
  const map = create("canvas", "maple-map");
  const card = create("div", "maple-side");
  const line = create("div", "maple-line");
  const lanes = create("div", "maple-lanes");
  const time = create("canvas", "maple-time");
  // Lists and cards say the same in words.
  for (const canvas of [map, time]) canvas.setAttribute("aria-hidden", "true");
  frame.append(map);
  line.append(lanes, time);
  layout.append(bar, frame, card, line);
  root.append(layout);
  element.append(root);
  return { root, bar, map, card, lanes, time };
}
