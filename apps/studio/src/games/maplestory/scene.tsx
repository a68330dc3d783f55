/** The map with everybody on it as truth and as ghost, the packets of the last seconds, and what each of them says. */
import { signal } from "@preact/signals";
import { render } from "preact";
import { dialectRules, type MapleMap } from "wirewalk/maplestory";
import { createRandom, type PlayerId, type Track } from "wirewalk/motion";
import { type FittedCanvas, fitCanvas } from "../../canvas.ts";
import { playerNames } from "../../player-names.ts";
import type { FeedObservation } from "../../studio.ts";
import type { PlaySession, PlayState, Scene, Stage } from "../game-view.ts";
import { watchPalette } from "../palette.ts";
import { type Actor, actorKey, policyNames } from "./actor.ts";
import { Actors } from "./actors.ts";
import { standingJson } from "./apply-message.ts";
import { type Camera, cameraFor, toMap, toScreen } from "./camera.ts";
import { drawFigure, drawVerdict } from "./figure-drawing.ts";
import {
  batchesOf,
  colourOf,
  type DrawnFigure,
  type Eyes,
  figuresOf,
  nearestFigure,
  sortActors,
  untoldOf,
} from "./figures.ts";
import { drawMap, drawTitle } from "./map-drawing.ts";
import { mapIdOf, mapOf } from "./maps.ts";
import { mapleColours } from "./marks.ts";
import { networkChoices } from "./networks.ts";
import { Bar, type BarState, Card, type CardState, type LaneRow, Lanes } from "./panel.tsx";
import { openParts, type Parts } from "./parts.ts";
import { type DrawnNode, drawNodes, drawUntold, drawWay, nearestNode } from "./path-drawing.ts";
import { type MaplePlay, playMaple } from "./play.ts";
import { Selection } from "./selection.ts";
import { type Lane, laneOf, type Place, placeAt } from "./time-line.ts";
import { drawTimeLine, LANE_PX, timeScale } from "./time-line-drawing.ts";
import { ONLOOKER_DELAY_MS, ViewClock } from "./view-clock.ts";
import { characterOf, relayOf, Watching } from "./watching.ts";
import { cardOf, laneRow } from "./words.ts";

/** With more on the map nodes hide everything: only who is looked at has them. */
const MAX_NODES_OF = 45;

/** How near to a node, to somebody, and to a mark on the time line means it, in CSS pixels. */
const NODE_PX = 9;
const FIGURE_PX = 22;
const MARK_PX = 4;

/** The words follow the drawing this often: faster, nobody can read. */
const WORDS_EVERY_MS = 150;
const ERRORS_EVERY_MS = 500;

/** How long a verdict stays on the drawing. */
const VERDICT_MS = 2_500;

/** Opens the view's scene in the stage's element. */
export function openMapleScene(stage: Stage): Scene {
  return new MapleScene(stage);
}

class MapleScene implements Scene {
  readonly #stage: Stage;
  readonly #dialect: string;
  readonly #map: MapleMap | undefined;
  readonly #actors: Actors;
  readonly #watching: Watching;
  readonly #looking: Selection;
  readonly #clock = new ViewClock();
  readonly #parts: Parts;
  readonly #palette: ReturnType<typeof watchPalette<(typeof mapleColours)[number]>>;
  readonly #stopObserving: () => void;
  readonly #bar = signal<BarState>({ policy: policyNames[0] ?? "", errors: [], network: 0 });
  readonly #rows = signal<readonly LaneRow[]>([]);
  readonly #card = signal<CardState | undefined>(undefined);
  #play: MaplePlay | undefined;
  #shownMs = 0;
  /** As drawn last, for the pointer. */
  #camera: Camera;
  #figures: readonly DrawnFigure[] = [];
  #nodes: readonly DrawnNode[] = [];
  #lanes: readonly Lane[] = [];
  /** Who is chosen here, for the list of players. */
  #followed: PlayerId | undefined;
  #wordsMs = Number.NEGATIVE_INFINITY;
  #errorsMs = Number.NEGATIVE_INFINITY;

  constructor(stage: Stage) {
    const { watched, element } = stage;
    this.#stage = stage;
    this.#dialect = watched.protocol.dialect;
    this.#map = mapOf(watched, mapIdOf(watched.room));
    this.#actors = new Actors({ dialect: this.#dialect, random: createRandom(1) });
    this.#watching = new Watching(this.#actors, this.#dialect);
    this.#looking = new Selection((key) => this.#actors.get(key));
    this.#camera = cameraFor({ width: 1, height: 1 }, this.#map, []);
    this.#parts = openParts(element);
    this.#palette = watchPalette(element, mapleColours);
    this.#stopObserving = watched.onObservation((observation) => this.#observe(observation));
    this.#listen();
    this.#render();
  }

  draw(nowMs: number): void {
    const { watched } = this.#stage;
    const play = this.#play;
    this.#followChosen();
    if (play === undefined) {
      this.#watching.update({ tracks: watched.tracks.latest, players: watched.players() }, nowMs);
    }
    this.#shownMs = this.#clock.at(nowMs, play === undefined ? ONLOOKER_DELAY_MS : 0);
    this.#actors.advance(this.#shownMs);
    const everybody = sortActors(this.#actors.all, play?.ownKey);
    const laned = everybody.filter(({ kind }) => kind === "player" || kind === "monster");
    const map = play?.map ?? this.#map;
    const eyes: Eyes = {
      nowMs,
      shownMs: this.#shownMs,
      play,
      policy: this.#bar.peek().policy,
      looking: this.#looking,
      settings: this.#stage.settings(),
      colours: this.#palette.current(),
    };
    this.#figures = figuresOf(everybody, eyes);
    this.#lanes = laned.map((actor) => laneOf(actor, this.#shownMs));
    this.#sayInWords(laned, map, eyes);
    this.#drawMap(map, everybody, eyes);
    this.#drawTimeLine(eyes);
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
    this.#palette.close();
    const { root, bar, lanes, card } = this.#parts;
    for (const part of [bar, lanes, card]) render(null, part);
    root.remove();
  }

  // --- What is told ------------------------------------------------------------------------------------------------------

  #observe(observation: FeedObservation): void {
    // Who plays hears everything from the game itself.
    if (this.#play !== undefined) return;
    const { player } = observation;
    const relay = player === this.#stage.watched.followed() ? relayOf(observation, this.#dialect) : undefined;
    const actor = this.#actors.get(actorKey("player", relay?.characterId ?? 0));
    const nowMs = performance.now();
    const before = standingJson(actor?.lastTold(nowMs));
    this.#watching.apply(observation, nowMs);
    if (relay === undefined) return;
    const after = standingJson(actor?.lastTold(nowMs));
    this.#stage.log({ sender: "server", payload: relay.payload, player, before, after });
  }

  /** What the game itself has no word for: names in `documented`, and that somebody has left. */
  #hearWhoIsHere({ ownKey, map }: MaplePlay): void {
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
    if (!dialectRules(this.#dialect).movementOnly) return;
    this.#actors.keep(({ key, kind }) => kind !== "player" || here.has(key));
  }

  // --- Pointing and choosing -----------------------------------------------------------------------------------------------

  #listen(): void {
    const { map, time, card } = this.#parts;
    map.addEventListener("pointermove", (event) => {
      const node = this.#nodeAt(event);
      if (node !== undefined) card.classList.toggle("maple-left", node.x > map.clientWidth / 2);
      this.#hover(node?.place);
    });
    map.addEventListener("click", (event) => {
      const node = this.#nodeAt(event);
      const at = toMap(this.#camera, { x: event.offsetX, y: event.offsetY });
      if (node !== undefined) this.#pin(node.place);
      else this.#select(nearestFigure(this.#figures, at, FIGURE_PX / this.#camera.scale)?.key);
    });
    time.addEventListener("pointermove", (event) => this.#hover(this.#placeAt(event)));
    time.addEventListener("click", (event) => {
      const place = this.#placeAt(event);
      if (place !== undefined) this.#pin(place);
      else this.#select(this.#lanes[Math.floor(event.offsetY / LANE_PX)]?.key);
    });
    for (const canvas of [map, time]) canvas.addEventListener("pointerleave", () => this.#hover(undefined));
  }

  #nodeAt({ offsetX, offsetY }: MouseEvent): DrawnNode | undefined {
    return nearestNode(this.#nodes, { x: offsetX, y: offsetY }, NODE_PX);
  }

  #placeAt({ offsetX, offsetY }: MouseEvent): Place | undefined {
    const lane = this.#lanes[Math.floor(offsetY / LANE_PX)];
    const scale = timeScale(this.#parts.time.clientWidth, this.#shownMs);
    const nearMs = scale.ms(MARK_PX) - scale.ms(0);
    return lane === undefined ? undefined : placeAt(lane, scale.ms(offsetX), nearMs);
  }

  #hover(place: Place | undefined): void {
    this.#looking.hover(place);
    this.#sayAtOnce();
  }

  #pin(place: Place): void {
    this.#looking.pin(place);
    this.#chosen();
  }

  /** Somebody is chosen; who is chosen already is let go. */
  #select(key: string | undefined): void {
    this.#looking.choose(key === this.#looking.selected ? undefined : key);
    this.#chosen();
  }

  #chosen(): void {
    const { watched } = this.#stage;
    const { selected } = this.#looking;
    this.#followed = [...watched.tracks.latest.values()].find((track) => this.#keyOf(track) === selected)?.player;
    watched.follow(this.#followed);
    this.#sayAtOnce();
    this.#backToPlay();
  }

  /** Somebody may have been chosen in the list of players. */
  #followChosen(): void {
    const { watched } = this.#stage;
    const followed = watched.followed();
    if (followed === this.#followed) return;
    this.#followed = followed;
    const track = followed === undefined ? undefined : watched.tracks.latest.get(followed);
    this.#looking.choose(track === undefined ? undefined : this.#keyOf(track));
    this.#sayAtOnce();
  }

  #keyOf({ player, details }: Track): string {
    const isOwn = this.#play !== undefined && player === this.#stage.watched.self();
    return isOwn ? (this.#play?.ownKey ?? "") : actorKey("player", characterOf(details));
  }

  /** The space bar is for jumping: it must not press again what was clicked last. */
  #backToPlay(): void {
    if (this.#play !== undefined) this.#stage.element.focus({ preventScroll: true });
  }

  // --- Words ---------------------------------------------------------------------------------------------------------------

  #render(): void {
    const { bar, lanes, card } = this.#parts;
    const choosePolicy = (policy: string): void => {
      this.#bar.value = { ...this.#bar.peek(), policy };
      this.#backToPlay();
    };
    const chooseNetwork = (network: number): void => {
      this.#bar.value = { ...this.#bar.peek(), network, errors: [] };
      this.#actors.setNetwork(networkChoices[network]?.conditions);
      this.#backToPlay();
    };
    render(<Bar state={this.#bar} choosePolicy={choosePolicy} chooseNetwork={chooseNetwork} />, bar);
    render(<Lanes rows={this.#rows} select={(key) => this.#select(key)} />, lanes);
    render(<Card state={this.#card} close={() => this.#select(this.#looking.selected)} />, card);
  }

  /** Words answer what is clicked at once, not with their next turn. */
  #sayAtOnce(): void {
    this.#wordsMs = Number.NEGATIVE_INFINITY;
  }

  #sayInWords(laned: readonly Actor[], map: MapleMap | undefined, eyes: Eyes): void {
    const { nowMs } = eyes;
    if (nowMs - this.#errorsMs >= ERRORS_EVERY_MS) {
      this.#errorsMs = nowMs;
      this.#bar.value = { ...this.#bar.peek(), errors: this.#actors.errors() };
    }
    if (nowMs - this.#wordsMs < WORDS_EVERY_MS) return;
    this.#wordsMs = nowMs;
    if (this.#play !== undefined) this.#hearWhoIsHere(this.#play);
    const lanes = this.#lanes;
    this.#rows.value = laned.flatMap((actor, index) => {
      const lane = lanes[index];
      return lane === undefined ? [] : [laneRow(actor, lane, eyes)];
    });
    this.#card.value = cardOf((key) => this.#actors.get(key), { dialect: this.#dialect, map }, eyes);
    if (!this.#looking.isHovering) this.#keepCardAway(this.#looking.selected);
  }

  /** The card lies over the map where there is no room beside it: not over who is looked at. */
  #keepCardAway(key: string | undefined): void {
    const figure = this.#figures.findLast((each) => each.key === key);
    if (figure === undefined) return;
    const share = toScreen(this.#camera, figure).x / this.#parts.map.clientWidth;
    if (share < 0.4 || share > 0.6) this.#parts.card.classList.toggle("maple-left", share > 0.6);
  }

  // --- Drawing -------------------------------------------------------------------------------------------------------------

  #drawMap(map: MapleMap | undefined, everybody: readonly Actor[], eyes: Eyes): void {
    const fitted = fitCanvas(this.#parts.map);
    if (fitted === undefined) return;
    const { colours, settings } = eyes;
    const figures = this.#figures;
    this.#camera = cameraFor(fitted, map, figures);
    drawMap(fitted, this.#camera, map, colours);
    if (map !== undefined) drawTitle(fitted, titleOf(map, this.#stage.watched.room), colours);
    this.#nodes = settings.trails ? this.#drawPaths(fitted, everybody, eyes) : [];
    for (const figure of figures) if (figure.as !== "truth") drawFigure(fitted, this.#camera, figure, colours);
    for (const figure of figures) if (figure.as === "truth") drawFigure(fitted, this.#camera, figure, colours);
    this.#drawVerdicts(fitted, eyes);
  }

  #drawPaths(fitted: FittedCanvas, everybody: readonly Actor[], eyes: Eyes): readonly DrawnNode[] {
    const { looking, colours } = eyes;
    const camera = this.#camera;
    const shown = everybody.filter(({ key, kind }) => kind !== "pet" || looking.has(key));
    const batches = shown.flatMap((actor) => batchesOf(actor, eyes));
    for (const drawn of batches) drawWay(fitted, camera, drawn, this.#dialect);
    for (const actor of shown) drawUntold(fitted, camera, untoldOf(actor, eyes), colourOf(actor, eyes));
    const noded = shown.length > MAX_NODES_OF ? batches.filter(({ inDetail }) => inDetail) : batches;
    return noded.flatMap((drawn) => drawNodes(fitted, camera, drawn, looking.at, colours));
  }

  /** The newest verdict of each player, where and when what it is about is shown. */
  #drawVerdicts(fitted: FittedCanvas, { nowMs, colours }: Eyes): void {
    const { watched } = this.#stage;
    const serverNowMs = watched.tracks.serverTime(nowMs);
    if (serverNowMs === undefined) return;
    const serverMs = serverNowMs - (nowMs - this.#shownMs);
    const done = new Set<PlayerId>();
    for (const { player, rule, kind, atMs } of watched.verdicts()) {
      // Newest first: whatever follows is older still.
      if (serverMs - atMs > VERDICT_MS) return;
      const track = watched.tracks.latest.get(player);
      if (atMs > serverMs || done.has(player) || track === undefined) continue;
      done.add(player);
      const figure = this.#figures.findLast(({ key }) => key === this.#keyOf(track));
      const colour = kind === "accept" ? colours["text-dim"] : colours[kind];
      const words = { text: `${rule} · ${kind}`, colour };
      const age = (serverMs - atMs) / VERDICT_MS;
      if (figure !== undefined) drawVerdict(fitted, this.#camera, figure, words, age, colours);
    }
  }

  #drawTimeLine({ colours }: Eyes): void {
    const { time } = this.#parts;
    const lanes = this.#lanes;
    time.style.height = `${Math.max(1, lanes.length) * LANE_PX}px`;
    const fitted = fitCanvas(time);
    if (fitted === undefined) return;
    const lagMs = ({ key }: Lane): number => this.#actors.lagMs(this.#actors.get(key)?.kind ?? "player");
    drawTimeLine(fitted, { lanes, shownMs: this.#shownMs, lagMs, chosen: this.#looking.at, palette: colours });
  }
}

/** The map's name; and whose the lists are, when the own character has walked out of the watched room. */
function titleOf({ title, mapId }: MapleMap, room: string): string {
  const elsewhere = mapIdOf(room) === mapId ? "" : `: you are here, the lists are of room ${room}`;
  return `${title}, map ${mapId}${elsewhere}`;
}
