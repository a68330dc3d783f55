/** One room on a canvas, drawn from the feed's tracks while watching and from the game's own messages while playing. */
import type { FeedVerdict } from "@wirewalk/server/feed";
import type { PlayerId, Track } from "wirewalk/motion";
import type { DemoRoom, RoomDoor } from "wirewalk/slime-online-2/maps";
import type { MovementState } from "wirewalk/slime-online-2/movement";
import type { JsonObject } from "wirewalk/wire";
import { fitCanvas } from "../../../draw/canvas.ts";
import type { TrailPoint } from "../../../feed/track-buffer.ts";
import type { Scene, ScenePiece, Stage } from "../../game-view.ts";
import { LabelSpace } from "../../labels.ts";
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
import { playSlime, roomOf, type SlimePlay } from "../play/play.ts";
import {
  type Camera,
  cameraFor,
  drawBeyond,
  drawCorrection,
  drawFollowed,
  drawLabel,
  drawOutline,
  drawRoom,
  drawSlime,
  drawTrail,
  drawVerdict,
  drawWater,
  focusOf,
  HEIGHT,
  type HeldKeys,
  isBeyond,
  NARROW_PX,
  nearestSlime,
  type SlimeLook,
} from "./drawing.ts";

/** How long a correction is drawn. */
const CORRECTION_MS = 2_500;

interface Figure {
  readonly player: PlayerId;
  readonly own: boolean;
  readonly look: SlimeLook;
  readonly keys: HeldKeys;
  readonly trail: readonly TrailPoint[];
}

/** Opens the scene in the stage's element. */
export function openSlimeScene(stage: Stage): Scene {
  const canvas = document.createElement("canvas");
  canvas.className = "scene-canvas";
  canvas.setAttribute("aria-hidden", "true");
  stage.element.append(canvas);
  const palette = watchPalette(stage.element);
  const trails = new PlayedTrails();
  const room = roomOf(stage.watched);
  const stillness = window.matchMedia("(prefers-reduced-motion: reduce)");
  let play: SlimePlay | undefined;
  /** As drawn last, for the pointer. */
  let drawn: { readonly camera: Camera; readonly figures: readonly Figure[] } | undefined;
  const click = ({ offsetX, offsetY }: PointerEvent): void => {
    if (drawn === undefined) return;
    const player = nearestSlime(drawn.camera, drawn.figures, { x: offsetX, y: offsetY });
    if (player !== undefined) stage.watched.follow(player);
  };
  canvas.addEventListener("pointerdown", click);

  return {
    surface: {
      canvas,
      toCanvas({ x, y }) {
        const { left, top, scale } = drawn?.camera ?? {};
        if (left === undefined || top === undefined || scale === undefined) return undefined;
        // A slime stands on its place.
        return { x: left + x * scale, y: top + (y - HEIGHT / 2) * scale };
      },
      pieces: ({ stateBefore }) => doorPieces(stateBefore, room),
    },
    draw(nowMs) {
      const fitted = fitCanvas(canvas);
      if (fitted === undefined) return;
      const colours = palette.current();
      const settings = stage.settings();
      const tracks = stage.watched.tracks.sample(nowMs);
      const isOf = play === undefined ? isOfMoment(stage.watched) : undefined;
      const all = play === undefined ? watched(stage, tracks, nowMs, colours) : played(play, nowMs);
      const figures = isOf === undefined ? all : all.filter(({ player }) => isOf(player));
      const followed = stage.watched.followed();
      const own = play?.own?.state;
      const looked = figures.find(({ player }) => player === followed)?.look;
      const camera = cameraFor(fitted, room, focusOf(own, looked, stillness.matches));
      drawn = { camera, figures };
      drawRoom(fitted, camera, room, colours);
      if (settings.trails) {
        for (const { trail, look } of figures) drawTrail(fitted, camera, trail, look, look.colour);
      }
      if (play !== undefined && settings.serverTracks) {
        for (const { position } of tracks) drawOutline(fitted, camera, position.x, position.y, colours);
      }
      for (const { look, player } of figures)
        if (player === followed && isOf === undefined) drawFollowed(fitted, camera, look, colours);
      for (const { look, own } of figures) drawSlime(fitted, camera, look, colours, own);
      drawWater(fitted, camera, room, colours);
      const names = shownNames(stage.watched, settings);
      const serverMs = stage.watched.tracks.serverTime(nowMs) ?? Number.POSITIVE_INFINITY;
      const verdicts = shownVerdicts(taggedVerdicts(stage.watched), serverMs);
      const labels = new LabelSpace(fitted.width);
      const isChosen = ({ player, own: isOwn }: Figure): boolean => isOwn || player === followed;
      // The chosen ones first, those beyond the edge last: they make room.
      const rank = (figure: Figure): number => (isBeyond(fitted, camera, figure.look) ? 2 : isChosen(figure) ? 0 : 1);
      for (const figure of figures.toSorted((a, b) => rank(a) - rank(b))) {
        const { player, look, keys, own: isOwn } = figure;
        const name = isOwn ? "you" : names.get(player);
        const found = verdicts.get(player);
        if (isBeyond(fitted, camera, look)) {
          // On a phone the colour says what followed: the words would lie on half of the ground.
          const says = fitted.width < NARROW_PX ? ({ rule }: FeedVerdict) => rule : verdictText;
          const parts = [name, found === undefined ? undefined : says(found.verdict)];
          const text = parts.filter((part) => part !== undefined).join(" · ");
          const colour = found === undefined ? look.colour : verdictColour(found.verdict, colours);
          drawBeyond(fitted, camera, look, { text, colour }, colours, labels);
          continue;
        }
        drawLabel(fitted, camera, look, { name, keys, own: isChosen(figure) }, colours, labels);
        if (found === undefined) continue;
        const words = { text: verdictText(found.verdict), colour: verdictColour(found.verdict, colours) };
        drawVerdict(fitted, camera, look, words, found.age, colours, labels);
      }
      const correction = play?.own?.correction;
      const age = correction === undefined ? 1 : (nowMs - correction.atMs) / CORRECTION_MS;
      if (correction !== undefined && age < 1) drawCorrection(fitted, camera, correction, age, colours);
    },
    play(changed) {
      const session = playSlime(stage, (state) => {
        if (state.state === "over") play = undefined;
        changed(state);
      });
      play = session;
      return session;
    },
    close() {
      play?.leave();
      palette.close();
      canvas.removeEventListener("pointerdown", click);
      canvas.remove();
    },
  };

  /** The own slime and the ghosts. A player without a received message is drawn where the server has it. */
  function played(session: SlimePlay, nowMs: number): readonly Figure[] {
    const colours = palette.current();
    const players = stage.watched.players();
    // Before the list of players has arrived, no ghost is removed.
    if (players.size > 0) session.ghosts.keep(players);
    const self = session.self;
    const figures: Figure[] = [];
    for (const track of stage.watched.tracks.sample(nowMs)) {
      if (track.player !== self && !session.ghosts.has(track.player)) {
        figures.push(figureOfTrack(track, stage.watched.tracks.trail(track.player, nowMs), colours));
      }
    }
    for (const { player, body, x, y } of session.ghosts.draw(nowMs)) {
      if (player === self) continue;
      figures.push(figureOfState(player, body.state, { x, y }, false, colours, nowMs));
    }
    const own = session.own;
    if (own !== undefined) {
      own.advance(nowMs);
      const at = own.drawnAt(nowMs);
      figures.push(figureOfState(self ?? 0, own.state, at, true, colours, nowMs));
    }
    return figures;
  }

  function figureOfState(
    player: PlayerId,
    state: Readonly<MovementState>,
    at: { readonly x: number; readonly y: number },
    own: boolean,
    colours: Palette,
    nowMs: number,
  ): Figure {
    return {
      player,
      own,
      look: {
        ...at,
        hsp: state.hsp,
        vsp: state.free ? state.vsp : 0,
        facesRight: state.sprDir === 1,
        crouches: state.idown && !state.free,
        colour: colourOf(player, own, colours),
      },
      keys: { left: state.ileft, right: state.iright, up: state.iup, down: state.idown },
      // The own slime keeps its trail when its id becomes known.
      trail: trails.add(own ? 0 : player, at, nowMs),
    };
  }
}

/** The way out that a verdict is about, as the room has it. */
function doorPieces({ door, at, room: to }: JsonObject, room: DemoRoom | undefined): readonly ScenePiece[] {
  const place = door ?? (to === undefined ? undefined : at);
  if (typeof place !== "object" || place === null || !("x" in place) || !("y" in place)) return [];
  const { x, y } = place;
  if (typeof x !== "number" || typeof y !== "number") return [];
  const found = room?.doors?.find((each) => isAt(each, x, y));
  const { w = 0, h = 0 } = found ?? {};
  const [left, top] = [x - w / 2, y - h / 2 + HEIGHT / 2];
  const corners = [
    { x: left, y: top },
    { x: left + w, y: top },
    { x: left + w, y: top + h },
    { x: left, y: top + h },
    { x: left, y: top },
  ];
  const leads = found?.to.room === undefined ? "" : ` to room ${found.to.room}`;
  return [{ places: corners, words: `the door${leads}` }];
}

function isAt({ x, y, w = 0, h = 0 }: RoomDoor, middleX: number, middleY: number): boolean {
  return Math.abs(x + w / 2 - middleX) < 1 && Math.abs(y + h / 2 - middleY) < 1;
}

function watched(stage: Stage, tracks: readonly Track[], nowMs: number, colours: Palette): readonly Figure[] {
  return tracks.map((track) => figureOfTrack(track, stage.watched.tracks.trail(track.player, nowMs), colours));
}

function figureOfTrack(track: Track, trail: readonly TrailPoint[], colours: Palette): Figure {
  const { position, velocity, details } = track;
  const flies = track.stance === "jump" || track.stance === "fall";
  return {
    player: track.player,
    own: false,
    look: {
      x: position.x,
      y: position.y,
      hsp: velocity.x / 60,
      vsp: flies ? velocity.y / 60 : 0,
      facesRight: track.facingTurns < 0.25 || track.facingTurns > 0.75,
      crouches: track.stance === "crouch",
      colour: colourOf(track.player, false, colours),
    },
    keys: {
      left: isHeld(details, "left"),
      right: isHeld(details, "right"),
      up: isHeld(details, "up"),
      down: isHeld(details, "down"),
    },
    trail,
  };
}

function isHeld(details: JsonObject | undefined, key: string): boolean {
  return details?.[key] === true;
}

function colourOf(player: PlayerId, own: boolean, colours: Palette): string {
  return own ? colours.accent : playerColour(colours, player);
}
