/** The window of the game with the mice of all sessions, and a panel with their measurements. */
import { signal } from "@preact/signals";
import { render } from "preact";
import type { PlayerId, Track } from "wirewalk/motion";
import { canvasPoint, GAME_WIDTH, PLAYBACK_DELAY_MS } from "wirewalk/osrs/mouse";
import { fitCanvas, sizeOf } from "../../../../draw/canvas.ts";
import { playerNames } from "../../../../feed/player-names.ts";
import type { Scene, Stage } from "../../../game-view.ts";
import { watchPalette } from "../../../palette.ts";
import { isOfMoment } from "../../../shown-verdicts.ts";
import { Panel, type PanelState, PROFILE_MS, type SessionRow } from "../panel/panel.tsx";
import { handFigures } from "../play/hand-figures.ts";
import { gameWindow, type MousePlay, playMouse } from "../play/play.ts";
import { readingOf, SeenSessions } from "../play/sessions.ts";
import {
  drawLines,
  drawMarks,
  drawPending,
  drawPointers,
  drawWindow,
  type Figure,
  mouseColours,
  nearestFigure,
  windowWidth,
} from "./drawing.ts";
import { drawnPath, type Pointer, speedProfile } from "./path.ts";
import { speedRamp, speedStops } from "./speed-ramp.ts";

/** The selected path is drawn this far back; one among many not so far, or paths would fill the window. */
const SELECTED_MS = 12_000;
const OTHERS_MS = 5_000;

/** Weight of the other paths while one is selected. */
const OTHERS_WEIGHT = 0.35;

/** A click this near to a path selects it, in pixels of the window. */
const CLICK_PX = 24;

/** With more sessions than this, names hide the paths: only the own and the selected one are named. */
const MAX_NAMES = 24;

/** Time between updates of the panel: faster numbers cannot be read. */
const PANEL_EVERY_MS = 150;

interface SessionFigure extends Figure {
  readonly player: PlayerId;
}

/** Opens the view's scene in the stage's element. */
export function openMouseScene(stage: Stage): Scene {
  const root = document.createElement("div");
  root.className = "mouse-scene";
  const frame = document.createElement("div");
  frame.className = "mouse-frame";
  const canvas = document.createElement("canvas");
  canvas.className = "mouse-window";
  canvas.setAttribute("aria-hidden", "true");
  const side = document.createElement("div");
  side.className = "mouse-panel";
  frame.append(canvas);
  root.append(frame, side);
  stage.element.append(root);

  const palette = watchPalette(stage.element, mouseColours);
  const sessions = new SeenSessions();
  const stopObserving = stage.watched.onObservation((observation) => sessions.apply(observation));
  let knownChoice: PlayerId | undefined;
  const state = signal<PanelState>({ rows: [], colours: [] });
  let selected: PlayerId | undefined;
  let figures: readonly SessionFigure[] = [];
  let gameWidth = GAME_WIDTH;
  let ramp = { of: palette.current(), colours: rampOf(palette.current()) };
  let play: MousePlay | undefined;
  let knownSelf: PlayerId | undefined;
  let lastServerMs = 0;
  let panelAtMs = Number.NEGATIVE_INFINITY;

  const select = (player: PlayerId | undefined): void => {
    selected = player;
    if (player !== undefined && player !== stage.watched.chosen()) stage.watched.follow(player);
    knownChoice = stage.watched.chosen();
    // The panel changes at once, not with its next update.
    panelAtMs = Number.NEGATIVE_INFINITY;
  };
  const click = (event: PointerEvent): void => {
    // While playing a click belongs to the game.
    if (play !== undefined) return;
    const { x, y } = canvasPoint(gameWindow(canvas), event.clientX, event.clientY);
    const scale = gameWidth / GAME_WIDTH;
    select(nearestFigure(figures, { x: x * scale, y: y * scale }, CLICK_PX * scale)?.player);
  };
  canvas.addEventListener("pointerdown", click);
  render(<Panel state={state} select={select} isRecorded={stage.watched.world.playback !== undefined} />, side);

  return {
    surface: {
      canvas,
      toCanvas({ x, y }) {
        const scale = sizeOf(canvas).width / gameWidth;
        return { x: x * scale, y: y * scale };
      },
    },
    draw(nowMs) {
      const fittedCanvas = fitCanvas(canvas);
      const colours = palette.current();
      if (colours !== ramp.of) ramp = { of: colours, colours: rampOf(colours) };
      const players = stage.watched.players();
      // Before the list of players arrives, no player is known to have left.
      if (players.size > 0) sessions.keep(players);
      const self = stage.watched.self();
      if (self !== knownSelf) {
        knownSelf = self;
        // Shown beside the drawing and not in the inspector: on a phone that would cover what one draws on.
        if (self !== undefined) selected = self;
        panelAtMs = Number.NEGATIVE_INFINITY;
      }
      const choice = stage.watched.chosen();
      if (choice !== knownChoice) {
        knownChoice = choice;
        if (choice !== undefined) select(choice);
      }
      const serverMs = stage.watched.tracks.serverTime(nowMs);
      // Another server's clock: earlier observations are of the server before.
      if (serverMs !== undefined && serverMs < lastServerMs - SELECTED_MS) sessions.clear();
      lastServerMs = serverMs ?? lastServerMs;
      const shownMs = lastServerMs - PLAYBACK_DELAY_MS;
      figures = figuresAt(shownMs, self);
      if (nowMs - panelAtMs >= PANEL_EVERY_MS) {
        panelAtMs = nowMs;
        state.value = panelState(shownMs);
        stage.measured(handFigures(figures.map(({ player }) => sessions.get(player)?.kinematics)));
      }
      if (fittedCanvas === undefined) return;
      // While this page plays, the window keeps the size of our own game.
      gameWidth = play === undefined ? windowWidth(figures, gameWidth) : GAME_WIDTH;
      const fitted = { ...fittedCanvas, gameWidth };
      const { trails, serverTracks } = stage.settings();
      drawWindow(fitted, colours);
      const shown = serverTracks ? figures : figures.filter(({ own }) => !own);
      if (trails) {
        const looked = shown.filter((figure) => figure.selected);
        const others = shown.filter((figure) => !figure.selected);
        const weight = looked.length === 0 ? 0.9 : OTHERS_WEIGHT;
        drawLines(fitted, pathsOf(others), ramp.colours, weight);
        for (const { path } of others) drawMarks(fitted, path, colours, weight * 0.8);
        drawLines(fitted, pathsOf(looked), ramp.colours, 1);
        for (const { path } of looked) drawMarks(fitted, path, colours, 1);
      }
      if (play !== undefined) drawPending(fitted, play.pending(nowMs), colours);
      drawPointers(fitted, shown, colours);
    },
    rewind() {
      sessions.clear();
      lastServerMs = 0;
    },
    play(changed) {
      const session = playMouse(stage, canvas, (next) => {
        canvas.classList.toggle("mouse-recording", next.state === "playing");
        if (next.state === "over") play = undefined;
        changed(next);
      });
      play = session;
      return session;
    },
    close() {
      play?.leave();
      stopObserving();
      palette.close();
      canvas.removeEventListener("pointerdown", click);
      render(null, side);
      root.remove();
    },
  };

  function figuresAt(shownMs: number, self: PlayerId | undefined): readonly SessionFigure[] {
    const players = stage.watched.players();
    const names = playerNames(players.values());
    const hasNames = stage.settings().names && stage.watched.moment() === undefined;
    const isOf = play === undefined ? isOfMoment(stage.watched) : undefined;
    const found: SessionFigure[] = [];
    for (const track of stage.watched.tracks.latest.values()) {
      const { player } = track;
      if (isOf?.(player) === false) continue;
      const session = sessions.get(player);
      const own = player === self;
      const isSelected = player === selected;
      const isNamed = hasNames && (own || isSelected || players.size <= MAX_NAMES);
      const path =
        session === undefined ? undefined : drawnPath(session, shownMs, isSelected ? SELECTED_MS : OTHERS_MS);
      found.push({
        player,
        own,
        selected: isSelected,
        reading: readingOf(session?.kinematics),
        label: isNamed ? (own ? "you" : names.get(player)) : undefined,
        // Before its first packet arrives here, the pointer is where the server's track says.
        path: path?.pointer === undefined ? { ...noPath, pointer: pointerOf(track) } : path,
      });
    }
    return found.sort((a, b) => Number(a.selected) - Number(b.selected) || Number(a.own) - Number(b.own));
  }

  function panelState(shownMs: number): PanelState {
    const names = playerNames(stage.watched.players().values());
    const rows = figures
      .map((figure): SessionRow => {
        const { player, own, reading, path } = figure;
        const name = names.get(player) ?? `#${player}`;
        const { score } = sessions.get(player)?.kinematics ?? {};
        return { player, name, own, reading, score, stance: path.pointer?.stance ?? "unknown" };
      })
      // What looks like a machine stands where it is seen.
      .sort(
        (a, b) =>
          Number(b.own) - Number(a.own) ||
          Number(b.reading === "machine") - Number(a.reading === "machine") ||
          a.player - b.player,
      );
    const row = rows.find(({ player }) => player === selected);
    const colours = ramp.colours;
    if (row === undefined) return { rows, colours };
    const session = sessions.get(row.player);
    return {
      rows,
      colours,
      card: {
        row,
        kinematics: session?.kinematics,
        packet: session?.packets.at(-1),
        profile: session === undefined ? [] : speedProfile(session, shownMs, PROFILE_MS),
        shownMs,
      },
    };
  }
}

const noPath = { lines: [], rests: [], ends: [], exits: [] };

function pathsOf(figures: readonly Figure[]): readonly Figure["path"][] {
  return figures.map(({ path }) => path);
}

function rampOf(colours: Readonly<Record<(typeof speedStops)[number], string>>): readonly string[] {
  return speedRamp(speedStops.map((name) => colours[name]));
}

function pointerOf({ position, stance }: Track): Pointer | undefined {
  if (stance !== "move" && stance !== "rest") return undefined;
  return { x: position.x, y: position.y, stance: stance === "move" ? "moving" : "resting" };
}
