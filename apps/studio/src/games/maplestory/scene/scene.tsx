/** The map with all actors as truth and as ghost, the packets of the last seconds, and the fields of each. */
import { type ReadonlySignal, signal } from "@preact/signals";
import { render } from "preact";
import { mapleDialectRules, type Point } from "wirewalk/maplestory";
import type { MapArea, MapleMap } from "wirewalk/maplestory/maps";
import { createRandom, type PlayerId, type Track } from "wirewalk/motion";
import type { FeedObservation } from "../../../app/studio.ts";
import { type FittedCanvas, fitCanvas, sizeOf } from "../../../draw/canvas.ts";
import { playerNames } from "../../../feed/player-names.ts";
import { followSight, type Sight } from "../../../ui/sight.ts";
import type { PlaySession, PlayState, Scene, SceneSurface, Stage, ViewSettings } from "../../game-view.ts";
import { listenToKeys } from "../../keyboard.ts";
import { LabelSpace } from "../../labels.ts";
import { watchPalette } from "../../palette.ts";
import { verdictColour, verdictText } from "../../shown-verdicts.ts";
import { Bar, type BarState, showPx } from "../panel/bar.tsx";
import { Card, type CardState } from "../panel/card.tsx";
import { type LaneRow, Lanes } from "../panel/lanes.tsx";
import { ViewBar, type ViewBarState } from "../panel/view-bar.tsx";
import { type Actor, actorKey, policyNames } from "../play/actor.ts";
import { Actors } from "../play/actors.ts";
import { knownMap, type MapState, mapIdOf, mapOf } from "../play/maps.ts";
import { networkChoices } from "../play/networks.ts";
import { type MaplePlay, playMaple } from "../play/play.ts";
import { characterOf, SpectatorFeed } from "../play/spectator-feed.ts";
import { areaOf, type Camera, cameraFor, toMap, toScreen } from "./camera.ts";
import { type Evidence, evidenceOf, hasEvidence, piecesOf, pointOf } from "./evidence.ts";
import { drawNames, drawVerdict, FigurePictures } from "./figure-drawing.ts";
import {
  batchesOf,
  colourOf,
  type DrawnFigure,
  figuresOf,
  nameOf,
  nearestFigure,
  SortedActors,
  unsentOf,
  type ViewState,
} from "./figures.ts";
import { drawCoordinates, drawPortalWords, drawTitle, highlightEvidence } from "./map-drawing.ts";
import { MapLayer } from "./map-layer.ts";
import { mapleColours } from "./marks.ts";
import { cardOf, laneRow } from "./panel-state.ts";
import { openParts, type Parts } from "./parts.ts";
import {
  type DrawnBatch,
  type DrawnNode,
  drawNodes,
  drawUnsent,
  drawWays,
  isPathIn,
  nearestNode,
} from "./path-drawing.ts";
import { Selection } from "./selection.ts";
import { type Lane, laneOf, type Place, placeAt } from "./time-line.ts";
import { drawTimeLine, LANE_PX, timeScale } from "./time-line-drawing.ts";
import { SPECTATOR_DELAY_MS, ViewClock } from "./view-clock.ts";
import { isLarge, ViewFinder, type ViewMode } from "./view-finder.ts";

/** With more actors than this, nodes and ways without a packet would hide the map: only those of the selection are drawn. */
const MAX_NODES_OF = 45;
/** The newest verdicts on the drawing at most: words of more would hide it. */
const MOST_VERDICTS = 20;

/** How near the pointer must be to a node, to an actor and to a mark on the time line, in CSS pixels. */
const NODE_PX = 9;
const FIGURE_PX = 22;
const MARK_PX = 4;

/** How often the lists and the card are updated: nobody can read faster. */
const WORDS_EVERY_MS = 150;
const ERRORS_EVERY_MS = 500;
/** How often the lanes are drawn, as the time line under them: they move by 90 pixels a second. */
const LANES_EVERY_MS = 45;

/** Pixels of the map around what is in view, within which figures and paths are drawn: names and bodies reach into it. */
const REACH_PX = 160;
/** The pointer has moved the map when it went so far, in CSS pixels: a click may shake. */
const DRAG_PX = 5;
/** A notch of a wheel, in the pixels that browsers report, and what it zooms by. */
const WHEEL_PX = 100;
const WHEEL_FACTOR = 1.2;

/** Lanes that keep their room when they are gone, at most. */
const MOST_ROOMY_LANES = 8;

/** Rules that are about monsters by another name. */
const judgedMonsters: ReadonlySet<string> = new Set([
  "aggro-far",
  "aggro-rate",
  "vacuum-pull",
  "vacuum-side",
  "vacuum-box",
]);

/** The page names whom a verdict is about, and draws where the server had it. */
function momentSettings(settings: ViewSettings): ViewSettings {
  return { ...settings, names: false, serverTracks: false, trails: false };
}

/** How long a verdict stays on the drawing. */
const VERDICT_MS = 2_500;

/** Opens the view's scene in the stage's element. */
export function openMapleScene(stage: Stage): Scene {
  return new MapleScene(stage);
}

class MapleScene implements Scene {
  readonly #stage: Stage;
  readonly #dialect: string;
  readonly #map: ReadonlySignal<MapState>;
  readonly #finder = new ViewFinder();
  readonly #layer = new MapLayer();
  readonly #pictures = new FigurePictures();
  readonly #order = new SortedActors();
  readonly #actors: Actors;
  readonly #feed: SpectatorFeed;
  readonly #selection: Selection;
  #clock = new ViewClock();
  readonly #parts: Parts;
  readonly #palette: ReturnType<typeof watchPalette<(typeof mapleColours)[number]>>;
  readonly #stopObserving: () => void;
  readonly #stopKeys: () => void;
  readonly #stopSight: () => void;
  readonly #viewBar = signal<ViewBarState>({ mode: "whole", isLarge: false, notice: undefined });
  readonly #bar = signal<BarState>({ policy: policyNames[0] ?? "", errors: [], network: 0 });
  readonly #rows = signal<readonly LaneRow[]>([]);
  readonly #card = signal<CardState | undefined>(undefined);
  #play: MaplePlay | undefined;
  #shownMs = 0;
  /** As drawn last, for the pointer. */
  #camera: Camera;
  #mapWidth = 1;
  #figures: readonly DrawnFigure[] = [];
  #nodes: readonly DrawnNode[] = [];
  /** Those that have a lane, in order. */
  #laned: readonly Actor[] = [];
  /** What is in sight of the lanes. */
  #sight: Sight = { top: 0, height: 0 };
  /** What the lanes were drawn of last. */
  #drawnLanes: {
    readonly atMs: number;
    readonly chosen?: Place | undefined;
    readonly sight?: Sight;
    readonly colours?: object;
    readonly width?: number;
    readonly height?: number;
  } = { atMs: Number.NEGATIVE_INFINITY };
  /** Lanes that have room, at least: the map keeps its height while players come and go. */
  #roomyLanes = 1;
  /** The player selected here, for the list of players. */
  #followed: PlayerId | undefined;
  #wordsMs = Number.NEGATIVE_INFINITY;
  #errorsMs = Number.NEGATIVE_INFINITY;

  constructor(stage: Stage) {
    const { watched, element } = stage;
    this.#stage = stage;
    this.#dialect = watched.world.dialect;
    this.#map = mapOf(watched, mapIdOf(watched.room));
    this.#actors = new Actors({ dialect: this.#dialect, random: createRandom(1) });
    this.#feed = new SpectatorFeed(this.#actors, this.#dialect);
    this.#selection = new Selection((key) => this.#actors.get(key));
    this.#camera = cameraFor({ width: 1, height: 1 }, undefined, []);
    this.#parts = openParts(element);
    this.#palette = watchPalette(element, mapleColours);
    this.#stopObserving = watched.onObservation((observation, atMs) => this.#observe(observation, atMs));
    this.#stopKeys = this.#listen();
    this.#stopSight = followSight(this.#parts.line, (sight) => {
      this.#sight = sight;
    });
    this.#render();
  }

  draw(nowMs: number): void {
    const { watched } = this.#stage;
    const play = this.#play;
    this.#followChosen();
    if (play === undefined) {
      this.#feed.update({ tracks: watched.tracks.latest, players: watched.players() }, nowMs);
    }
    this.#shownMs = this.#clock.at(nowMs, play === undefined ? SPECTATOR_DELAY_MS : 0);
    this.#actors.advance(this.#shownMs);
    const all = this.#order.of(this.#actors.all, play?.ownKey).filter(this.#isShown());
    this.#laned = all.filter(({ kind }) => kind === "player" || kind === "monster");
    const map = play?.map ?? knownMap(this.#map.peek());
    const view: ViewState = {
      nowMs,
      shownMs: this.#shownMs,
      play,
      policy: this.#bar.peek().policy,
      selection: this.#selection,
      settings: watched.moment() === undefined ? this.#stage.settings() : momentSettings(this.#stage.settings()),
      colours: this.#palette.current(),
    };
    this.#figures = figuresOf(all, view);
    this.#updateWords(map, view);
    this.#drawMap(map, all, view);
    this.#drawTimeLine(view);
  }

  /** Of the seconds of a verdict: whom it is about, and the monsters where it is about one. */
  #isShown(): (actor: Actor) => boolean {
    const { watched } = this.#stage;
    const moment = this.#play === undefined ? watched.moment() : undefined;
    if (moment === undefined) return () => true;
    const track = watched.tracks.latest.get(moment.verdict.player);
    const key = track === undefined ? undefined : this.#keyOf(track);
    const mover = moment.claimed.find(({ isJudged }) => isJudged)?.mover;
    const isOfAll = judgedMonsters.has(moment.verdict.rule);
    const isMonster = ({ kind, id }: Actor): boolean => kind === "monster" && (isOfAll || mover === `monster ${id}`);
    return (actor) => actor.key === key || isMonster(actor);
  }

  play(changed: (state: PlayState) => void): PlaySession {
    this.#actors.clear();
    this.#select(undefined);
    this.#play = playMaple(this.#stage, this.#actors, (state) => {
      if (state.state === "over") {
        this.#play = undefined;
        this.#actors.clear();
      }
      changed(state);
    });
    return this.#play;
  }

  close(): void {
    this.#play?.leave();
    this.#stopObserving();
    this.#stopKeys();
    this.#stopSight();
    this.#palette.close();
    const { root, bar, viewBar, lanes, card } = this.#parts;
    for (const part of [bar, viewBar, lanes, card]) render(null, part);
    root.remove();
  }

  // --- Observations ------------------------------------------------------------------------------------------------------

  #observe(observation: FeedObservation, atMs: number): void {
    // A player receives everything from the game's own socket.
    if (this.#play === undefined) this.#feed.apply(observation, atMs);
  }

  get surface(): SceneSurface {
    return {
      canvas: this.#parts.map,
      toCanvas: (place) => toScreen(this.#camera, place),
      pieces: (verdict) => {
        const map = knownMap(this.#map.peek());
        return map === undefined ? [] : piecesOf(evidenceOf(verdict, map));
      },
    };
  }

  rewind(): void {
    if (this.#play !== undefined) return;
    this.#actors.clear();
    this.#clock = new ViewClock();
  }

  /** Adds what the game's messages do not have: names in `documented`, and that a player has left. */
  #updatePresence({ ownKey, map }: MaplePlay): void {
    const { watched } = this.#stage;
    if (map?.mapId !== mapIdOf(watched.room)) return;
    const names = playerNames(watched.players().values());
    const here = new Set([ownKey]);
    for (const { player, details } of watched.tracks.latest.values()) {
      const actor = this.#actors.get(actorKey("player", characterOf(details)));
      if (actor === undefined) continue;
      actor.name ??= names.get(player);
      here.add(actor.key);
    }
    if (!mapleDialectRules(this.#dialect).movementOnly) return;
    this.#actors.keep(({ key, kind }) => kind !== "player" || here.has(key));
  }

  // --- Selection -----------------------------------------------------------------------------------------------

  /** Gives what ends the keys: the rest ends with its elements. */
  #listen(): () => void {
    const { map, time, card } = this.#parts;
    const drag = this.#listenToDrags(map);
    map.addEventListener("pointermove", (event) => {
      if (drag.isOn()) return;
      const node = this.#nodeAt(event);
      if (node !== undefined) card.classList.toggle("maple-left", node.x > sizeOf(map).width / 2);
      this.#hover(node?.place);
    });
    map.addEventListener("click", (event) => {
      if (drag.wasOn()) return;
      const node = this.#nodeAt(event);
      const at = toMap(this.#camera, { x: event.offsetX, y: event.offsetY });
      if (node !== undefined) this.#pin(node.place);
      else this.#select(nearestFigure(this.#figures, at, FIGURE_PX / this.#camera.scale)?.key);
    });
    time.addEventListener("pointermove", (event) => this.#hover(this.#placeAt(event)));
    time.addEventListener("click", (event) => {
      const place = this.#placeAt(event);
      if (place !== undefined) this.#pin(place);
      else this.#select(this.#laneAt(event)?.key);
    });
    for (const canvas of [map, time]) canvas.addEventListener("pointerleave", () => this.#hover(undefined));
    const onKey = (_key: "map", isDown: boolean): void => {
      if (isDown) this.#chooseMode(this.#viewBar.peek().mode === "whole" ? "near" : "whole");
    };
    return listenToKeys({ codes: { KeyM: "map" }, onKey }, { window, document });
  }

  /** The map is moved by dragging, and zoomed by a wheel with Ctrl or Cmd: without them the page scrolls. */
  #listenToDrags(map: HTMLCanvasElement): { isOn(): boolean; wasOn(): boolean } {
    let from: { readonly x: number; readonly y: number } | undefined;
    let isDragged = false;
    map.addEventListener("pointerdown", ({ offsetX, offsetY, button, pointerType }) => {
      isDragged = false;
      // A finger scrolls the page.
      if (button === 0 && pointerType !== "touch") from = { x: offsetX, y: offsetY };
    });
    map.addEventListener("pointermove", ({ offsetX, offsetY, buttons, pointerId }) => {
      if (from === undefined) return;
      if ((buttons & 1) === 0) {
        from = undefined;
        return;
      }
      const [dx, dy] = [offsetX - from.x, offsetY - from.y];
      if (!isDragged && Math.hypot(dx, dy) < DRAG_PX) return;
      if (!isDragged) map.setPointerCapture(pointerId);
      isDragged = true;
      from = { x: offsetX, y: offsetY };
      this.#finder.pan(this.#camera, sizeOf(map), dx, dy);
    });
    map.addEventListener("pointerup", () => {
      from = undefined;
    });
    map.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && !event.metaKey) return;
        event.preventDefault();
        const factor = WHEEL_FACTOR ** (-event.deltaY / WHEEL_PX);
        this.#finder.zoom(this.#camera, sizeOf(map), { x: event.offsetX, y: event.offsetY }, factor);
      },
      { passive: false },
    );
    return { isOn: () => from !== undefined && isDragged, wasOn: () => isDragged };
  }

  #chooseMode(mode: ViewMode): void {
    this.#finder.choose(mode);
    this.#backToPlay();
  }

  #nodeAt({ offsetX, offsetY }: MouseEvent): DrawnNode | undefined {
    return nearestNode(this.#nodes, { x: offsetX, y: offsetY }, NODE_PX);
  }

  #laneAt({ offsetY }: MouseEvent): Actor | undefined {
    return this.#laned[Math.floor((offsetY + this.#sight.top) / LANE_PX)];
  }

  #placeAt(event: MouseEvent): Place | undefined {
    const actor = this.#laneAt(event);
    const scale = timeScale(sizeOf(this.#parts.time).width, this.#shownMs);
    const nearMs = scale.ms(MARK_PX) - scale.ms(0);
    return actor === undefined ? undefined : placeAt(laneOf(actor, this.#shownMs), scale.ms(event.offsetX), nearMs);
  }

  #hover(place: Place | undefined): void {
    this.#selection.hover(place);
    this.#updateWordsNow();
  }

  #pin(place: Place): void {
    this.#selection.pin(place);
    this.#chosen();
  }

  /** Selects an actor; a second time deselects it. */
  #select(key: string | undefined): void {
    this.#selection.choose(key === this.#selection.selected ? undefined : key);
    this.#chosen();
  }

  #chosen(): void {
    const { watched } = this.#stage;
    const { selected } = this.#selection;
    this.#followed = [...watched.tracks.latest.values()].find((track) => this.#keyOf(track) === selected)?.player;
    watched.follow(this.#followed);
    this.#updateWordsNow();
    this.#backToPlay();
  }

  /** Follows a selection in the list of players. */
  #followChosen(): void {
    const { watched } = this.#stage;
    const followed = watched.followed();
    if (followed === this.#followed) return;
    const track = followed === undefined ? undefined : watched.tracks.latest.get(followed);
    // Its track may come after its name.
    if (followed !== undefined && track === undefined) return;
    this.#followed = followed;
    this.#selection.choose(track === undefined ? undefined : this.#keyOf(track));
    this.#updateWordsNow();
  }

  #keyOf({ player, details }: Track): string {
    const isOwn = this.#play !== undefined && player === this.#stage.watched.self();
    return isOwn ? (this.#play?.ownKey ?? "") : actorKey("player", characterOf(details));
  }

  /** The space bar makes the character jump: it must not press the last clicked button again. */
  #backToPlay(): void {
    if (this.#play !== undefined) this.#stage.element.focus({ preventScroll: true });
  }

  // --- Lists and card ---------------------------------------------------------------------------------------------------------------

  #render(): void {
    const { bar, viewBar, lanes, card } = this.#parts;
    render(<ViewBar state={this.#viewBar} choose={(mode) => this.#chooseMode(mode)} />, viewBar);
    const choosePolicy = (policy: string): void => {
      this.#bar.value = { ...this.#bar.peek(), policy };
      this.#backToPlay();
    };
    const chooseNetwork = (network: number): void => this.#chooseNetwork(network);
    render(<Bar state={this.#bar} choosePolicy={choosePolicy} chooseNetwork={chooseNetwork} />, bar);
    render(<Lanes rows={this.#rows} select={(key) => this.#select(key)} />, lanes);
    render(<Card state={this.#card} close={() => this.#select(this.#selection.selected)} />, card);
  }

  #chooseNetwork(network: number): void {
    this.#bar.value = { ...this.#bar.peek(), network, errors: [] };
    this.#actors.setNetwork(networkChoices[network]?.conditions);
    this.#backToPlay();
  }

  worsen(): void {
    this.#chooseNetwork(networkChoices.length - 1);
  }

  #measured(): void {
    const { errors, network } = this.#bar.peek();
    this.#stage.measured([
      { name: "network", value: networkChoices[network]?.name ?? "" },
      ...policyNames.flatMap((name, index) => {
        const error = errors[index];
        return error === undefined ? [] : [{ name: `${name} error`, value: `${showPx(error.meanPx)} px` }];
      }),
    ]);
  }

  /** Updates the lists and the card with the next frame, as after a click. */
  #updateWordsNow(): void {
    this.#wordsMs = Number.NEGATIVE_INFINITY;
  }

  #updateWords(map: MapleMap | undefined, view: ViewState): void {
    const { nowMs } = view;
    if (nowMs - this.#errorsMs >= ERRORS_EVERY_MS) {
      this.#errorsMs = nowMs;
      this.#bar.value = { ...this.#bar.peek(), errors: this.#actors.errors() };
      this.#measured();
    }
    if (nowMs - this.#wordsMs < WORDS_EVERY_MS) return;
    this.#wordsMs = nowMs;
    if (this.#play !== undefined) this.#updatePresence(this.#play);
    this.#rows.value = this.#laneRows(view);
    this.#card.value = cardOf((key) => this.#actors.get(key), { dialect: this.#dialect, map }, view);
    if (!this.#selection.isHovering) this.#keepCardAway(this.#selection.selected);
  }

  /** Lanes out of sight stay as they are: of a hundred, ten are in it. */
  #laneRows(view: ViewState): readonly LaneRow[] {
    const known = new Map(this.#rows.peek().map((row) => [row.key, row]));
    const { first, end } = this.#lanesInSight(this.#sight.height);
    return this.#laned.map((actor, index) => {
      const row = known.get(actor.key);
      const isAsWas = row?.name === nameOf(actor) && row.selected === (actor.key === view.selection.selected);
      if (row !== undefined && isAsWas && (index < first || index >= end)) return row;
      return laneRow(actor, laneOf(actor, this.#shownMs), view);
    });
  }

  /** Places of the lanes that are in sight of a list with this height. */
  #lanesInSight(height: number): { readonly first: number; readonly end: number } {
    const { top } = this.#sight;
    return { first: Math.floor(top / LANE_PX), end: Math.ceil((top + height) / LANE_PX) };
  }

  /** On small screens the card covers a part of the map: not the part with the selected actor. */
  #keepCardAway(key: string | undefined): void {
    const figure = this.#figures.findLast((each) => each.key === key);
    if (figure === undefined) return;
    const share = toScreen(this.#camera, figure).x / this.#mapWidth;
    if (share < 0.4 || share > 0.6) this.#parts.card.classList.toggle("maple-left", share > 0.6);
  }

  // --- Drawing -------------------------------------------------------------------------------------------------------------

  #drawMap(map: MapleMap | undefined, all: readonly Actor[], view: ViewState): void {
    const fitted = fitCanvas(this.#parts.map);
    if (fitted === undefined) return;
    const { colours, settings } = view;
    this.#mapWidth = fitted.width;
    const evidence = map === undefined ? undefined : evidenceOf(this.#stage.watched.openVerdict(), map);
    const target = this.#targetOf(evidence, view);
    // Of an unknown map, all places are shown.
    const wanted = this.#finder.camera(fitted, map, map === undefined ? this.#figures : [], target, performance.now());
    const camera = this.#layer.draw(fitted, wanted, map, colours);
    this.#camera = camera;
    this.#showView(fitted, map);
    const area = areaOf(camera, fitted, REACH_PX * camera.scale);
    this.#figures = this.#figures.filter((figure) => isIn(area, figure));
    const figures = this.#figures;
    if (map !== undefined) drawCoordinates(fitted, camera, colours);
    this.#nodes = settings.trails ? this.#drawPaths(fitted, all, area, view) : [];
    const pictures = this.#pictures;
    pictures.begin(fitted, camera, colours);
    for (const figure of figures) if (figure.as !== "truth") pictures.draw(fitted, camera, figure, colours);
    for (const figure of figures) if (figure.as === "truth") pictures.draw(fitted, camera, figure, colours);
    // Over the bodies: the one that it is about stands on it.
    const isMarked = evidence !== undefined && this.#stage.watched.moment() === undefined;
    const marks = !isMarked ? [] : highlightEvidence(fitted, camera, evidence, colours);
    const space = new LabelSpace(fitted.width);
    for (const mark of marks) space.take(mark);
    if (map !== undefined) {
      space.take(drawTitle(fitted, titleOf(map, this.#stage.watched.room), colours));
      drawPortalWords(fitted, camera, map, colours, space);
    }
    drawNames(fitted, space, camera, figures, colours);
    this.#drawVerdicts(fitted, space, view);
  }

  /** What is followed: the verdict that is open, the own character, the selected actor, else the first player. */
  #targetOf(evidence: Evidence | undefined, { play }: ViewState): Point | undefined {
    if (play === undefined && evidence !== undefined && hasEvidence(evidence)) {
      const [first] = evidence.footholds;
      const { stateBefore } = this.#stage.watched.openVerdict() ?? {};
      const at = evidence.place ?? pointOf(stateBefore?.at) ?? pointOf(stateBefore);
      if (at !== undefined) return at;
      if (first !== undefined) return { x: (first.x1 + first.x2) / 2, y: (first.y1 + first.y2) / 2 };
    }
    const key = play?.ownKey ?? this.#selection.selected;
    const followed = this.#figures.findLast((figure) => figure.key === key);
    // In a recording nobody is followed at first, and where players enter may be far from all of them.
    return followed ?? this.#figures.find(({ kind, as }) => kind === "player" && as === "truth");
  }

  #showView(size: FittedCanvas, map: MapleMap | undefined): void {
    const next = { mode: this.#finder.modeOn(size, map), isLarge: isLarge(size, map), notice: this.#noticeOf(map) };
    const shown = this.#viewBar.peek();
    if (next.mode !== shown.mode || next.isLarge !== shown.isLarge || next.notice !== shown.notice) {
      this.#viewBar.value = next;
    }
  }

  /** Why there is no map. */
  #noticeOf(map: MapleMap | undefined): string | undefined {
    if (map !== undefined) return undefined;
    const state = this.#map.peek();
    const name = `map ${mapIdOf(this.#stage.watched.room)}`;
    if (state.state === "loading") return `Loading ${name}.`;
    if (state.state === "unknown" && state.reason !== undefined) return `${name} cannot be drawn: ${state.reason}`;
    return `The server has no ${name}. Drop its maps here: a folder of Map.wz as XML, .nx, .wz or .zip.`;
  }

  #drawPaths(fitted: FittedCanvas, all: readonly Actor[], area: MapArea, view: ViewState): readonly DrawnNode[] {
    const { selection, colours } = view;
    const camera = this.#camera;
    const inView = new Set(this.#figures.map(({ key }) => key));
    const batches: DrawnBatch[] = [];
    const shown = all.filter((actor) => {
      if (actor.kind === "pet" && !selection.has(actor.key)) return false;
      const paths = batchesOf(actor, view).filter(({ batch }) => isPathIn(batch, this.#dialect, area));
      batches.push(...paths);
      return paths.length > 0 || inView.has(actor.key);
    });
    const isCrowd = shown.length > MAX_NODES_OF;
    drawWays(fitted, camera, batches, this.#dialect, isCrowd);
    for (const actor of shown) {
      if (isCrowd && !selection.has(actor.key) && actor.key !== view.play?.ownKey) continue;
      drawUnsent(fitted, camera, unsentOf(actor, view), colourOf(actor, view));
    }
    const noded = isCrowd ? batches.filter(({ inDetail }) => inDetail) : batches;
    return noded.flatMap((drawn) => drawNodes(fitted, camera, drawn, selection.at, colours));
  }

  /** The newest verdict of each player, drawn when the drawing reaches its time. */
  #drawVerdicts(fitted: FittedCanvas, space: LabelSpace, { nowMs, colours }: ViewState): void {
    const { watched } = this.#stage;
    // The page draws that of whom it is about.
    if (watched.moment() !== undefined) return;
    const serverNowMs = watched.tracks.serverTime(nowMs);
    if (serverNowMs === undefined) return;
    const serverMs = serverNowMs - (nowMs - this.#shownMs);
    const done = new Set<PlayerId>();
    let drawn = 0;
    for (const verdict of watched.verdicts()) {
      const { player, atMs } = verdict;
      // Newest first: the rest is older.
      if (serverMs - atMs > VERDICT_MS) return;
      const track = watched.tracks.latest.get(player);
      if (atMs > serverMs || done.has(player) || track === undefined) continue;
      done.add(player);
      const figure = this.#figures.findLast(({ key }) => key === this.#keyOf(track));
      const words = { text: verdictText(verdict), colour: verdictColour(verdict, colours) };
      const age = (serverMs - atMs) / VERDICT_MS;
      if (figure === undefined) continue;
      drawVerdict(fitted, space, this.#camera, figure, words, age, colours);
      drawn += 1;
      if (drawn === MOST_VERDICTS) return;
    }
  }

  #drawTimeLine({ colours }: ViewState): void {
    const { time } = this.#parts;
    const laned = this.#laned;
    this.#roomyLanes = Math.min(MOST_ROOMY_LANES, Math.max(this.#roomyLanes, laned.length));
    // Of a hundred lanes the frame shows ten: a canvas with all of them would take longer than the map.
    const inSightPx = Math.min(laned.length * LANE_PX, this.#sight.height);
    const height = `${Math.max(this.#roomyLanes * LANE_PX, inSightPx)}px`;
    // Setting it makes the browser lay out the page, even when it is the same.
    if (time.style.height !== height) time.style.height = height;
    const { width, height: heightPx } = sizeOf(time);
    const atMs = performance.now();
    const chosen = this.#selection.at;
    const before = this.#drawnLanes;
    const isAsWas =
      before.chosen === chosen &&
      before.sight === this.#sight &&
      before.colours === colours &&
      before.width === width &&
      before.height === heightPx;
    if (isAsWas && atMs - before.atMs < LANES_EVERY_MS) return;
    const fitted = fitCanvas(time);
    if (fitted === undefined) return;
    this.#drawnLanes = { atMs, chosen, sight: this.#sight, colours, width, height: heightPx };
    const lagMs = ({ key }: Lane): number => this.#actors.lagMs(this.#actors.get(key)?.kind ?? "player");
    const { first, end } = this.#lanesInSight(heightPx);
    const lanes = laned.slice(first, end).map((actor) => laneOf(actor, this.#shownMs));
    const scrolledPx = this.#sight.top - first * LANE_PX;
    drawTimeLine(fitted, { lanes, shownMs: this.#shownMs, lagMs, chosen, palette: colours, scrolledPx });
  }
}

/** The map's name, what is special of it, and the room of the lists when the own character has left the watched room. */
function titleOf(map: MapleMap, room: string): string {
  const { title, mapId, linkedTo, swims, flies, friction, omitted } = map;
  const words = [
    ...(title === String(mapId) ? [`Map ${mapId}`] : [title, `map ${mapId}`]),
    ...(linkedTo === undefined ? [] : [`as map ${linkedTo}`]),
    ...(swims ? ["under water"] : []),
    ...(flies ? ["players fly"] : []),
    ...(friction < 1 ? [`ice, friction ${friction}`] : []),
    ...(omitted.length === 0 ? [] : [`${omitted.length} parts could not be read`]),
  ];
  const elsewhere = mapIdOf(room) === mapId ? "" : `: you are here, the lists are of room ${room}`;
  return `${words.join(", ")}${elsewhere}`;
}

function isIn({ left, top, right, bottom }: MapArea, { x, y }: Point): boolean {
  return x >= left && x <= right && y >= top && y <= bottom;
}
