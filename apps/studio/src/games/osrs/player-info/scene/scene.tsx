/** Two maps side by side, a chart of packet sizes below them, and a panel for the observer. */
import { signal } from "@preact/signals";
import { createRef, render } from "preact";
import type { PlayerId } from "wirewalk/motion";
import { type FittedCanvas, fitCanvas } from "../../../../draw/canvas.ts";
import { FixedStep } from "../../../../draw/fixed-step.ts";
import { playerNames } from "../../../../feed/player-names.ts";
import { showNumber } from "../../../../ui/format.ts";
import type { Scene, Stage } from "../../../game-view.ts";
import { watchPalette } from "../../../palette.ts";
import type { PanelState } from "../panel/panel.tsx";
import { tileOf } from "../play/agreement.ts";
import { skipsOf } from "../play/bits.ts";
import { lookWords } from "../play/looks.ts";
import { Observation } from "../play/observation.ts";
import type { SeenTick } from "../play/observed-client.ts";
import { playBody } from "../play/play.ts";
import { countQuarters, noQuarters } from "../play/quarters.ts";
import type { Size } from "./camera.ts";
import { drawChart, tickAt } from "./chart.ts";
import {
  type Dot,
  drawDifferences,
  drawDots,
  drawGround,
  drawSteps,
  drawView,
  nearestDot,
  playerInfoColours,
  type Role,
} from "./drawing.ts";
import { Frame, type FrameState } from "./frame.tsx";
import { drawLooks } from "./look-drawing.ts";
import { type Eye, LOADED_TILES, MapCamera } from "./map-camera.ts";
import { listenToHand, type MapHand, type Point } from "./map-pointer.ts";
import { Terrain, terrainPlace } from "./terrain.ts";

/** Cycles of the client in a second. */
const CYCLES_PER_SECOND = 50;
/** After a longer pause the client catches up at once. */
const LONGEST_PAUSE_MS = 2_000;

/** With more players on the screen, names hide the map. */
const MAX_NAMES = 24;

/** A click this near to a player selects it. */
const CLICK_PX = 12;

/** Time between updates of the panel: faster numbers cannot be read. */
const PANEL_EVERY_MS = 150;

/** Opens the view's scene in the stage's element. */
export function openPlayerInfoScene(stage: Stage): Scene {
  const { watched } = stage;
  const palette = watchPalette(stage.element, playerInfoColours);
  const observation = new Observation(watched, (record) => stage.log(record));
  const { server, client, check } = observation;
  const { demo } = watched.world;
  const camera = new MapCamera(demo === null ? undefined : terrainPlace);
  const terrain = demo === null ? undefined : new Terrain(demo.seed);
  const cycles = new FixedStep(CYCLES_PER_SECOND, LONGEST_PAUSE_MS);
  let isSmooth = !window.matchMedia("(prefers-reduced-motion: reduce)").matches;
  /** Number of the selected packet; undefined: the newest. */
  let heldNumber: number | undefined;
  /** Index of the player under the pointer. */
  let pointedAt: number | undefined;
  let names: { readonly of: unknown; readonly map: ReadonlyMap<PlayerId, string> } = { of: undefined, map: new Map() };
  let panelAtMs = Number.NEGATIVE_INFINITY;
  let lastMs: number | undefined;
  let measured: SeenTick | undefined;

  const refs = {
    server: createRef<HTMLCanvasElement>(),
    client: createRef<HTMLCanvasElement>(),
    chart: createRef<HTMLCanvasElement>(),
  };
  const state = signal<FrameState>(frameState());
  /** The panel changes at once, not with its next update. */
  const refreshPanel = (): void => {
    panelAtMs = Number.NEGATIVE_INFINITY;
  };
  const root = document.createElement("div");
  root.className = "pi-root";
  stage.element.append(root);
  render(
    <Frame
      state={state}
      {...refs}
      isRecorded={watched.world.playback !== undefined}
      zoom={(factor) => camera.zoom(factor, sizeOf(refs.server.current), undefined)}
      look={(at) => camera.look(at)}
      setSmooth={(smooth) => {
        isSmooth = smooth;
        refreshPanel();
      }}
      restart={() => observation.restart()}
      step={stepTo}
      inspect={(tick) => {
        const payload = observation.payloadOf(tick);
        if (payload !== undefined) stage.inspect(payload);
      }}
    />,
    root,
  );
  const stopObserving = watched.onObservation((observed, atMs) => {
    observation.take(observed, atMs);
    refreshPanel();
  });
  const stopHands = [
    listenToHand(refs.server.current, handOn(refs.server.current, serverDots)),
    listenToHand(refs.client.current, handOn(refs.client.current, clientDots)),
  ];
  const chooseTick = (event: MouseEvent): void => {
    const tick = tickAt(client.ticks, sizeOf(refs.chart.current).width, event.offsetX);
    heldNumber = tick === undefined || tick.number === heldNumber ? undefined : tick.number;
    refreshPanel();
  };
  refs.chart.current?.addEventListener("click", chooseTick);

  return {
    draw(nowMs) {
      if (observation.choose()) {
        heldNumber = undefined;
        camera.lookAtObserver();
        refreshPanel();
      }
      observation.look(nowMs);
      for (let due = cycles.due(nowMs); due > 0; due--) client.cycle();
      if (nowMs - panelAtMs >= PANEL_EVERY_MS) {
        panelAtMs = nowMs;
        state.value = frameState();
        measure();
      }
      camera.move(eye(), sizeOf(refs.server.current), nowMs - (lastMs ?? nowMs));
      lastMs = nowMs;
      drawServer(nowMs);
      drawClient(nowMs);
      const chart = fitted(refs.chart.current);
      if (chart !== undefined) drawChart(chart, client.ticks, heldNumber, palette.current());
    },
    rewind() {
      observation.forget();
      heldNumber = undefined;
      lastMs = undefined;
    },
    play: (changed) => playBody(stage, changed),
    close() {
      stopObserving();
      for (const stop of stopHands) stop();
      refs.chart.current?.removeEventListener("click", chooseTick);
      palette.close();
      render(null, root);
      root.remove();
    },
  };

  function nameOf(player: PlayerId | undefined): string | undefined {
    const players = watched.players();
    if (names.of !== players) names = { of: players, map: playerNames(players.values()) };
    return player === undefined ? undefined : names.map.get(player);
  }

  /** Players of another server have no session here: their names are in what the client knows of their looks. */
  function nameAt(index: number): string | undefined {
    return nameOf(server.byIndex.get(index)?.player) ?? client.looks?.of(index)?.name;
  }

  function eye(): Eye | undefined {
    const { view } = observation;
    if (view === undefined) return undefined;
    const tiles = 2 * view.distance + 1;
    const { decoder } = client;
    if (decoder === undefined) return { x: view.x + 0.5, z: view.z + 0.5, tiles };
    return { ...observation.placeOf(decoder.localIndex, isSmooth), tiles };
  }

  function handOn(canvas: HTMLCanvasElement | null, dots: () => readonly Dot[]): MapHand {
    const nearest = (at: Point): number | undefined =>
      nearestDot(dots(), camera.now, sizeOf(canvas), at, CLICK_PX)?.index;
    return {
      point(at) {
        pointedAt = at === undefined ? undefined : nearest(at);
        canvas?.classList.toggle("pi-over", pointedAt !== undefined);
      },
      click(at) {
        const index = nearest(at);
        const player = index === undefined ? undefined : server.byIndex.get(index)?.player;
        // Those of another server have no client here.
        if (player !== undefined && watched.players().has(player)) watched.follow(player);
      },
      drag: (dx, dy) => camera.drag(dx, dy),
      zoom: (factor, at) => camera.zoom(factor, sizeOf(canvas), at),
    };
  }

  function serverDots(): readonly Dot[] {
    const { decoder } = client;
    const self = observation.track;
    return Array.from(server.byIndex, ([index, track]): Dot => {
      const { level, x, z } = tileOf(track);
      const isLocal = decoder?.local[index] === 1;
      const role: Role = track === self ? "self" : decoder === undefined ? "unknown" : isLocal ? "local" : "external";
      // East is 0 and it turns counter-clockwise there.
      const facing = track.facingTurns === undefined ? undefined : Math.PI / 2 - track.facingTurns * 2 * Math.PI;
      return { index, x: x + 0.5, z: z + 0.5, level, role, facing, ...labelOf(index, role) };
    });
  }

  function clientDots(): readonly Dot[] {
    const { decoder } = client;
    if (decoder === undefined) return [];
    return Array.from(decoder.locals, (index): Dot => {
      const role = index === decoder.localIndex ? "self" : "local";
      const { x, z, orientation } = observation.placeOf(index, isSmooth);
      // North is 1024 of 2048, and it turns clockwise.
      const facing = ((orientation - 1024) / 1024) * Math.PI;
      const { label, isPointedAt } = labelOf(index, role);
      // The client has the name from the player's appearance.
      const called = label === undefined || isPointedAt ? label : (client.looks?.of(index)?.name ?? label);
      return { index, x, z, level: decoder.level[index] ?? 0, role, facing, label: called, isPointedAt };
    });
  }

  /** Names while there are few players; always those of the observer and of the player under the pointer. */
  function labelOf(index: number, role: Role): Pick<Dot, "label" | "isPointedAt"> {
    const isPointedAt = index === pointedAt;
    const inSight = client.decoder?.locals.length ?? server.byIndex.size;
    const isNamed = stage.settings().names && (role === "self" || (role !== "external" && inSight <= MAX_NAMES));
    if (!isPointedAt && !isNamed) return { label: undefined, isPointedAt };
    const player = server.byIndex.get(index)?.player;
    const name = player !== undefined && player === watched.self() ? "you" : (nameAt(index) ?? "nobody");
    return { label: isPointedAt ? `${name} · ${index}` : name, isPointedAt };
  }

  function groundOf(level = 0): HTMLCanvasElement | undefined {
    return terrain?.picture(palette.current(), level);
  }

  function drawServer(nowMs: number): void {
    const map = fitted(refs.server.current);
    if (map === undefined) return;
    const colours = palette.current();
    const { view } = observation;
    drawGround(map, camera.now, groundOf(view?.level), colours);
    if (view !== undefined) drawView(map, camera.now, view, undefined, colours);
    if (stage.settings().trails) drawSteps(map, camera.now, server.steps.all, nowMs, colours);
    drawDots(map, camera.now, serverDots(), view?.level ?? 0, colours);
  }

  function drawClient(nowMs: number): void {
    const map = fitted(refs.client.current);
    if (map === undefined) return;
    const colours = palette.current();
    const { decoder } = client;
    const view = observation.clientView;
    drawGround(map, camera.now, groundOf(view?.level), colours);
    if (decoder === undefined || view === undefined) return;
    drawView(map, camera.now, view, { ...decoder.scene, tiles: LOADED_TILES }, colours);
    if (stage.settings().trails) drawSteps(map, camera.now, observation.clientSteps.all, nowMs, colours);
    const dots = clientDots();
    drawDots(map, camera.now, dots, view.level, colours);
    drawLooks(map, camera.now, dots, (index) => client.looks?.of(index), colours);
    drawDifferences(map, camera.now, check.agreement.differences, colours);
  }

  /** The tick that the figures are of. */
  function measure(): void {
    const tick = client.ticks.at(-1);
    if (tick === undefined || tick === measured) return;
    measured = tick;
    const skips = skipsOf(tick.fields);
    const bits = (count: number): string => `${showNumber(count)} bits`;
    stage.measured([
      { name: "places skipped", value: showNumber(skips.players) },
      { name: "one by one", value: bits(skips.oneByOneBits) },
      { name: "as runs", value: bits(skips.bits) },
      { name: "saved", value: bits(skips.oneByOneBits - skips.bits) },
      { name: "the whole packet", value: bits(tick.packet.length * 8) },
    ]);
  }

  function shownTick(): SeenTick | undefined {
    const { ticks } = client;
    const held = heldNumber === undefined ? undefined : ticks.find(({ number }) => number === heldNumber);
    // The chart no longer has it.
    if (held === undefined) heldNumber = undefined;
    return held ?? ticks.at(-1);
  }

  function stepTo(by: -1 | 0 | 1): void {
    const { ticks } = client;
    const tick = shownTick();
    const next = by === 0 || tick === undefined ? undefined : ticks[ticks.indexOf(tick) + by];
    heldNumber = next === undefined || next === ticks.at(-1) ? undefined : next.number;
    refreshPanel();
  }

  function frameState(): FrameState {
    const { decoder, fault } = client;
    return {
      observer: observerState(),
      isReading: decoder !== undefined,
      agreement: check.agreement,
      fault,
      tick: shownTick(),
      isHeld: heldNumber !== undefined,
      passFlags: decoder?.dialect.passFlags,
      looks: shownLooks(),
      quarters: decoder === undefined ? noQuarters : countQuarters(decoder, server.byIndex.keys()),
      nameOf: nameAt,
      isSmooth,
    };
  }

  function shownLooks(): PanelState["looks"] {
    const { decoder, looks } = client;
    return Array.from(decoder?.locals ?? [], (index) => {
      const look = looks?.of(index);
      return { index, words: look === undefined ? [] : lookWords(look) };
    }).filter(({ words }) => words.length > 0);
  }

  function observerState(): PanelState["observer"] {
    const { observer, track, view } = observation;
    if (observer === undefined) return undefined;
    return {
      name: nameOf(observer) ?? `player ${observer}`,
      own: observer === watched.self(),
      index: client.decoder?.localIndex,
      tile: track === undefined ? undefined : tileOf(track),
      viewDistance: view?.distance,
      locals: client.decoder?.locals.length ?? 0,
    };
  }
}

function sizeOf(canvas: HTMLCanvasElement | null): Size {
  return { width: canvas?.clientWidth ?? 0, height: canvas?.clientHeight ?? 0 };
}

function fitted(canvas: HTMLCanvasElement | null): FittedCanvas | undefined {
  return canvas === null ? undefined : fitCanvas(canvas);
}
