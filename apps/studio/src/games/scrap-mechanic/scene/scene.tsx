/** The ground with all players: at the server's tracks while watching; predicted, and as ghosts, while playing. */
import { signal } from "@preact/signals";
import { render } from "preact";
import type { PlayerId, Track } from "wirewalk/motion";
import { systemClock } from "wirewalk/net";
import { places } from "wirewalk/scrap-mechanic/movement";
import { type FittedCanvas, fitCanvas, sizeOf } from "../../../draw/canvas.ts";
import { playerNames } from "../../../feed/player-names.ts";
import type { TrailPoint } from "../../../feed/track-buffer.ts";
import type { Scene, Stage } from "../../game-view.ts";
import { LabelSpace, shortName } from "../../labels.ts";
import { type Palette, playerColour, watchPalette } from "../../palette.ts";
import { PlayedTrails } from "../../played-trails.ts";
import {
  isOfMoment,
  shownNames,
  shownVerdicts,
  taggedVerdicts,
  verdictColour,
  verdictText,
} from "../../shown-verdicts.ts";
import { bufferRows } from "../panel/buffer-rows.ts";
import { lineChoices } from "../panel/line-choices.ts";
import { Panel, type PanelState } from "../panel/panel.tsx";
import { showLength } from "../play/agreement.ts";
import { type Camera, CameraMan, toScreen } from "../play/camera.ts";
import { bodyWords, bufferOfTrack, type Figure, figureOfTrack, placeNameOf } from "../play/figure.ts";
import { CORRECTION_MS } from "../play/own-character.ts";
import { playScrap, type ScrapPlay } from "../play/play.ts";
import { WorseNetwork } from "../play/worse-network.ts";
import { drawDials } from "./dials.ts";
import {
  bodyPlace,
  drawBeyond,
  drawBuffer,
  drawFigure,
  drawLabel,
  drawTruth,
  drawVerdict,
  type ScrapPalette,
  scrapColours,
} from "./figure-drawing.ts";
import { drawCorrection, drawGround, drawScale, drawTrail } from "./ground-drawing.ts";
import { drawPlace } from "./place-drawing.ts";
import { ViewBar, type ViewBarState } from "./view-bar.tsx";

/** The numbers follow the drawing this often: faster, nobody can read. */
const PANEL_EVERY_MS = 150;

/** A click this near to a body means it, in CSS pixels. */
const CLICK_PX = 24;

/** With more than this, names and keys hide the ground: only the own and the chosen player show theirs. */
const MAX_LABELS = 30;

/** From farther than this, in pixels per metre, bars under bodies would hide their neighbours. */
const BUFFER_SCALE = 11;

/** How fast the wheel zooms. */
const ZOOM_PER_PIXEL = 1 / 500;

/** Somebody on the drawing. */
interface Shown {
  readonly figure: Figure;
  readonly own: boolean;
  readonly colour: string;
  readonly trail: readonly TrailPoint[];
}

/** The character by the other model is drawn where it is this far from the own one. */
const OTHER_MODEL_METRES = 0.05;

/** Opens the view's scene in the stage's element. */
export function openScrapScene(stage: Stage): Scene {
  const { watched } = stage;
  const place = places[placeNameOf(watched.world.settings)];
  const parts = openParts(stage.element);
  const { canvas } = parts;
  const palette = watchPalette(stage.element, scrapColours);
  const cameraMan = new CameraMan();
  const trails = new PlayedTrails();
  const network = new WorseNetwork(systemClock);
  const panel = signal<PanelState>({ rows: [], line: lineState() });
  const viewBar = signal<ViewBarState>({ follows: false, canFollow: false, status: undefined });
  let play: ScrapPlay | undefined;
  let chosen: PlayerId | undefined;
  let knownChoice: PlayerId | undefined;
  /** Whether the camera stays with the own character, or with the one that is chosen. */
  let follows = false;
  let figures: readonly Shown[] = [];
  let camera: Camera = { x: 0, y: 0, scale: 1 };
  let panelAtMs = Number.NEGATIVE_INFINITY;

  const refresh = (): void => {
    panelAtMs = Number.NEGATIVE_INFINITY;
  };
  const choose = (player: PlayerId | undefined): void => {
    chosen = player;
    follows = player !== undefined || play !== undefined;
    if (player !== undefined && player !== watched.chosen()) watched.follow(player);
    knownChoice = watched.chosen();
    refresh();
  };
  /** A player selected elsewhere on the page is chosen here too, unless the camera is the own character's. */
  const takeChoice = (): void => {
    const choice = watched.chosen();
    if (choice === knownChoice) return;
    knownChoice = choice;
    if (choice !== undefined && play === undefined) choose(choice);
  };
  const follow = (next: boolean): void => {
    follows = next;
    refresh();
  };
  const click = (event: PointerEvent): void => {
    // While playing a click belongs to the game.
    if (play === undefined) choose(nearest({ x: event.offsetX, y: event.offsetY }));
  };
  const wheel = (event: WheelEvent): void => {
    event.preventDefault();
    cameraMan.zoom(Math.exp(-event.deltaY * ZOOM_PER_PIXEL));
  };
  canvas.addEventListener("pointerdown", click);
  canvas.addEventListener("wheel", wheel, { passive: false });
  const refocus = (): void => {
    if (play !== undefined) stage.element.focus();
  };
  render(
    <Panel
      state={panel}
      choose={choose}
      changeLine={(settings) => {
        network.change(settings);
        refresh();
      }}
      refocus={refocus}
    />,
    parts.side,
  );
  render(
    <ViewBar
      state={viewBar}
      follow={(next) => {
        follow(next);
        refocus();
      }}
    />,
    parts.bar,
  );

  return {
    surface: { canvas, toCanvas: (place) => toScreen(camera, sizeOf(canvas), place) },
    draw(nowMs) {
      play?.frame(nowMs);
      takeChoice();
      const fitted = fitCanvas(canvas);
      const colours = palette.current();
      const tracks = watched.tracks.sample(nowMs);
      const isOf = play === undefined ? isOfMoment(watched) : undefined;
      const all = play?.own === undefined ? ofTracks(tracks, nowMs, colours) : ofPlay(play, tracks, nowMs, colours);
      figures = isOf === undefined ? all : all.filter(({ figure }) => isOf(figure.player));
      if (nowMs - panelAtMs >= PANEL_EVERY_MS) {
        panelAtMs = nowMs;
        panel.value = panelState(nowMs);
        measure(panel.peek());
        viewBar.value = { follows, canFollow: target() !== undefined, status: status() };
      }
      if (fitted === undefined) return;
      const shown = figures.map(({ figure }) => figure);
      camera = cameraMan.look(fitted, follows ? target() : undefined, shown, nowMs);
      drawAll(fitted, tracks, nowMs, colours);
    },
    play(changed) {
      const session = playScrap(stage, {
        surface: canvas,
        network,
        changed(state) {
          canvas.classList.toggle("scrap-playing", state.state === "playing");
          if (state.state === "over") {
            play = undefined;
            follows = chosen !== undefined;
          }
          refresh();
          changed(state);
        },
      });
      play = session;
      chosen = undefined;
      follows = true;
      return session;
    },
    worsen() {
      const bad = lineChoices.at(-1);
      if (bad !== undefined) network.change(bad.settings);
      refresh();
    },
    close() {
      play?.leave();
      palette.close();
      canvas.removeEventListener("pointerdown", click);
      canvas.removeEventListener("wheel", wheel);
      render(null, parts.side);
      render(null, parts.bar);
      parts.root.remove();
    },
  };

  function measure({ prediction, line }: PanelState): void {
    if (prediction === undefined) {
      stage.measured([]);
      return;
    }
    const { agreement, drift, jitter } = prediction;
    stage.measured([
      { name: "packets lost", value: `${line.lost} of ${line.sent}` },
      { name: "prediction off by", value: showLength(agreement.error) },
      { name: "drift", value: showLength(drift) },
      { name: "jitter", value: showLength(jitter) },
      { name: "corrected", value: `${agreement.corrected} of ${agreement.reports}` },
    ]);
  }

  function drawAll(fitted: FittedCanvas, tracks: readonly Track[], nowMs: number, colours: ScrapPalette): void {
    const settings = stage.settings();
    const followed = target();
    drawGround(fitted, camera, colours);
    drawPlace(fitted, camera, place, colours);
    if (settings.trails) {
      for (const { figure, trail, colour } of figures) drawTrail(fitted, camera, trail, figure, colour);
    }
    if (play !== undefined && settings.serverTracks) {
      for (const track of tracks) drawTruth(fitted, camera, figureOfTrack(track, place.ground), colours);
    }
    const other = play?.own?.byOtherModel;
    if (other !== undefined && other.apart > OTHER_MODEL_METRES) {
      drawTruth(fitted, camera, other.figure, { ...colours, text: colours.accent });
    }
    for (const correction of play?.own?.corrections(nowMs) ?? []) {
      drawCorrection(fitted, camera, correction, (nowMs - correction.atMs) / CORRECTION_MS, colours);
    }
    const inSight = figures.filter(({ figure, colour }) => !drawBeyond(fitted, camera, figure, colour));
    for (const { figure, own, colour } of inSight) {
      drawFigure(fitted, camera, figure, { colour, own, chosen: figure.player === chosen }, colours);
      const track = watched.tracks.latest.get(figure.player);
      const isNear = own || figure.player === chosen || camera.scale >= BUFFER_SCALE;
      if (track !== undefined && isNear) drawBuffer(fitted, camera, figure, bufferOfTrack(track), colours);
    }
    const names = shownNames(watched, settings);
    const labels = new LabelSpace(fitted.width);
    const isStrong = ({ figure, own }: Shown): boolean => own || figure.player === chosen;
    // The chosen ones first: the others make room.
    for (const shown of [...inSight.filter(isStrong), ...inSight.filter((each) => !isStrong(each))]) {
      const { figure, own } = shown;
      const strong = isStrong(shown);
      const hasLabel = strong || figures.length <= MAX_LABELS;
      const named = own ? "you" : hasLabel ? names.get(figure.player) : undefined;
      const state = bodyWords(figure);
      const short = named === undefined ? undefined : shortName(named);
      const name = short === undefined || state === "" ? short : `${short} · ${state}`;
      drawLabel(fitted, camera, figure, { name, hasKeys: hasLabel, strong }, colours, labels);
    }
    const serverMs = watched.tracks.serverTime(nowMs);
    for (const [player, { verdict, age }] of shownVerdicts(taggedVerdicts(watched), serverMs ?? Infinity)) {
      const figure = inSight.find((shown) => shown.figure.player === player)?.figure;
      const words = { text: verdictText(verdict), colour: verdictColour(verdict, colours) };
      if (figure !== undefined) drawVerdict(fitted, camera, figure, words, age, colours);
    }
    drawScale(fitted, camera, colours);
    const looked = figures.find(({ figure }) => figure === followed);
    if (looked !== undefined) drawDials(fitted, looked.figure, looked.colour, colours);
  }

  function ofTracks(tracks: readonly Track[], nowMs: number, colours: Palette): readonly Shown[] {
    return tracks.map((track) => ({
      figure: figureOfTrack(track, place.ground),
      own: false,
      colour: playerColour(colours, track.player),
      trail: watched.tracks.trail(track.player, nowMs),
    }));
  }

  /** The own character and the ghosts. A player in no update yet is drawn at the server's position. */
  function ofPlay(
    { own, ghosts }: ScrapPlay,
    tracks: readonly Track[],
    nowMs: number,
    colours: Palette,
  ): readonly Shown[] {
    const shown: Shown[] = [];
    const untold = tracks.filter(({ player }) => player !== own?.character && !ghosts.has(player));
    shown.push(...ofTracks(untold, nowMs, colours));
    for (const figure of ghosts.draw(nowMs)) {
      const colour = playerColour(colours, figure.player);
      shown.push({ figure, own: false, colour, trail: trails.add(figure.player, figure, nowMs) });
    }
    if (own !== undefined) {
      const figure = own.figure(nowMs);
      shown.push({ figure, own: true, colour: colours.accent, trail: trails.add(figure.player, figure, nowMs) });
    }
    return shown;
  }

  /** Whom the camera may follow: one that was chosen, or oneself. */
  function target(): Figure | undefined {
    const byChoice = figures.find(({ figure }) => figure.player === chosen);
    return (byChoice ?? figures.find(({ own }) => own))?.figure;
  }

  function nearest(at: { readonly x: number; readonly y: number }): PlayerId | undefined {
    const fitted = fitCanvas(canvas);
    if (fitted === undefined) return undefined;
    let best: PlayerId | undefined;
    let bestPx = CLICK_PX;
    for (const { figure } of figures) {
      const place = bodyPlace(fitted, camera, figure);
      const px = Math.hypot(place.x - at.x, place.y - at.y);
      if (px > bestPx) continue;
      bestPx = px;
      best = figure.player;
    }
    return best;
  }

  /** One line over the drawing: how to play, or that one only watches. */
  function status(): string | undefined {
    if (play === undefined) {
      return figures.length === 0 || watched.moment() !== undefined
        ? undefined
        : "Play to have a character of your own.";
    }
    if (play.own === undefined) return undefined;
    if (play.own.hint !== undefined) return play.own.hint;
    return document.pointerLockElement === canvas
      ? "The mouse looks; Esc gives it back."
      : window.matchMedia("(pointer: coarse)").matches
        ? "Drag the ground to look around."
        : "Click the ground to look with the mouse, or drag.";
  }

  function lineState(): PanelState["line"] {
    const { up, down } = network.counts;
    return { settings: network.settings, sent: up.sent + down.sent, lost: up.lost + down.lost };
  }

  function panelState(nowMs: number): PanelState {
    const own = play?.own;
    const names = playerNames(watched.players().values());
    const isOf = play === undefined ? isOfMoment(watched) : undefined;
    const latest = [...watched.tracks.latest.values()].filter(({ player }) => isOf?.(player) ?? true);
    const rows = bufferRows(latest, { names, self: own?.character, chosen });
    const state = { rows, line: lineState() };
    if (own === undefined) return state;
    const { errors, unconfirmedTicks } = own;
    const ghostDelayMs = play?.ghosts.delayMs ?? 0;
    const agreement = own.agreement.summary(nowMs);
    const { byOtherModel, model } = own;
    const models = { model, other: byOtherModel.model, apart: byOtherModel.apart };
    const { drift, jitter } = errors;
    const prediction = { agreement, drift, jitter, unconfirmedTicks, ghostDelayMs, models, nowMs };
    return { ...state, prediction };
  }
}

interface Parts {
  readonly root: HTMLElement;
  readonly canvas: HTMLCanvasElement;
  readonly bar: HTMLElement;
  readonly side: HTMLElement;
}

function openParts(element: HTMLElement): Parts {
  const make = (name: string, into: HTMLElement): HTMLElement => {
    const part = document.createElement("div");
    part.className = name;
    into.append(part);
    return part;
  };
  const root = make("scrap-scene", element);
  const frame = make("scrap-frame", root);
  const canvas = document.createElement("canvas");
  canvas.className = "scene-canvas";
  canvas.setAttribute("aria-hidden", "true");
  frame.append(canvas);
  return { root, canvas, bar: make("scrap-bar", frame), side: make("scrap-panel", root) };
}
