/** A guided tour: five rooms, each with a claim beside a figure of what happens there now. A chunk of its own. */
import "./tour.css";
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import type { Studio } from "../studio.ts";
import { showAmount, showNumber } from "../ui/format.ts";
import type { WireEntry } from "../wire-log.ts";

interface Scene {
  readonly game: string;
  readonly room: string;
  readonly title: string;
  readonly claim: string;
  /** What is measured now; undefined as long as nothing has come. */
  figure(studio: Studio): string | undefined;
}

/** Figures are of the last seconds. */
const SECONDS = 5;

function lately(studio: Studio, sender: WireEntry["sender"], now = performance.now()): readonly WireEntry[] {
  const sinceMs = now - SECONDS * 1_000;
  return studio.wire.shown.value.filter((entry) => entry.sender === sender && entry.atMs >= sinceMs);
}

function rateOf(entries: readonly WireEntry[]): string | undefined {
  if (entries.length === 0) return undefined;
  const bytes = entries.reduce((sum, { payload }) => sum + payload.length, 0);
  return `${showNumber(entries.length / SECONDS)} messages and ${showNumber(bytes / SECONDS)} bytes a second`;
}

const scenes: readonly Scene[] = [
  {
    game: "slime-online-2",
    room: "1",
    title: "Only keys are sent",
    claim:
      "A slime sends which key went down or up, and where it was. Every other client computes the same movement from it. A message that claims too long a way is refused, and costs the cheater alone.",
    figure: (studio) => rateOf(lately(studio, "client")),
  },
  {
    game: "osrs",
    room: "world",
    title: "Who does nothing takes no bits",
    claim:
      "The server sends each player the movement of all others once a tick, bit by bit. A skip covers all players that did nothing: compare the bits of a packet with the number of players.",
    figure(studio) {
      const entry = studio.wire.shown.value.find(({ sender, payload }) => sender === "server" && payload.length > 2);
      const players = studio.players.value.size;
      if (entry === undefined || players === 0) return undefined;
      const bits = entry.payload.length * 8;
      return `${bits} bits in the last packet for ${showAmount(players, "player")}: ${showNumber(bits / players)} bits each. Whole positions take 30 bits each.`;
    },
  },
  {
    game: "maplestory",
    room: "1",
    title: "Half a second in one packet",
    claim:
      "A client sends what it did in the last 510 ms, as fragments of movement. Other clients play it later, as a ghost. Choose a worse network above the lanes: the error of each policy is measured beside its name.",
    figure: (studio) => rateOf(lately(studio, "client")),
  },
  {
    game: "scrap-mechanic",
    room: "1",
    title: "The server owns the place",
    claim:
      "A client sends its keys and its look 40 times a second. The server computes where it is and sends it back. Press Play and choose a bad line: the page shows how far its prediction was off.",
    figure: (studio) => rateOf(lately(studio, "client")),
  },
  {
    game: "osrs",
    room: "mouse",
    title: "A hand is not a program",
    claim:
      "The client sends the way of the mouse. Strokes of a hand are curved and corrected at their end, those of a program are straight or repeat. A score alone never bans.",
    figure: (studio) => rateOf(lately(studio, "client")),
  },
];

export interface TourProps {
  readonly studio: Studio;
  readonly close: () => void;
}

export function Tour({ studio, close }: TourProps) {
  const at = useSignal(0);
  const served = studio.worlds.value;
  const shown = scenes.filter(({ game }) => served.some(({ protocol }) => protocol === game));
  const scene = shown[Math.min(at.value, shown.length - 1)];
  useEffect(() => {
    const world = served.find(({ protocol }) => protocol === scene?.game);
    const isThere = world?.name === studio.world.peek()?.name && scene?.room === studio.room.peek();
    if (world !== undefined && scene !== undefined && !isThere) studio.watch(world, scene.room);
  }, [scene]);
  if (scene === undefined) return null;
  return (
    <section class="tour" aria-label="Tour">
      <p class="tour-step">
        {at.value + 1} of {shown.length}
      </p>
      <div>
        <h2>{scene.title}</h2>
        <p>{scene.claim}</p>
        <p class="tour-figure" aria-live="off">
          {scene.figure(studio) ?? "Waiting for messages."}
        </p>
      </div>
      <div class="tour-buttons">
        <button type="button" class="quiet" disabled={at.value === 0} onClick={() => at.value--}>
          Back
        </button>
        {at.value + 1 < shown.length ? (
          <button type="button" class="primary" onClick={() => at.value++}>
            Next
          </button>
        ) : null}
        <button type="button" class="quiet" onClick={close}>
          End the tour
        </button>
      </div>
    </section>
  );
}
