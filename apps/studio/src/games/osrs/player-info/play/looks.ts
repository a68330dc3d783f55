/**
 * What the client shows of players beside where they are: clothes, words, hits, bars, animations, tints and whom they look at,
 * from the mask blocks that it has read, each as long as the client shows it. Pure.
 */
import {
  type Appearance,
  appearanceFormOf,
  type MaskFields,
  type PlayerInfoDecoder,
  type PlayerInfoUpdate,
  readAppearance,
} from "wirewalk/osrs/player-info";
import { WireError } from "wirewalk/wire";

/** Cycles of 20 ms that words, hits and bars are shown. */
const WORDS_CYCLES = 150;
const HIT_CYCLES = 70;
const BAR_CYCLES = 300;
/** How long an animation is stands in the game's cache; here all are as long as two ticks. */
const ANIMATION_CYCLES = 60;

/** Added to a player's index where the target may be an NPC too: in revision 206, and in later ones. */
const OLD_PLAYER_TARGET = 0x8000;
const PLAYER_TARGET = 0x10000;
const NONE = 0xffff;
const REMOVED_BAR = 32_767;
const MOST_HITS = 4;

/** A number over a player. A hit of nothing has the value 0. */
export interface ShownHit {
  readonly value: number;
  readonly type: number;
}

/** All 0..1. */
export interface Tint {
  readonly hue: number;
  readonly saturation: number;
  readonly lightness: number;
  readonly weight: number;
}

/** One player as it looks now. Members are undefined while the client shows nothing of that kind. */
export interface Look {
  readonly wears: Appearance | undefined;
  /** Its name with the words around it. */
  readonly name: string | undefined;
  readonly says: string | undefined;
  readonly hits: readonly ShownHit[];
  /** 0..1 */
  readonly bar: number | undefined;
  readonly tint: Tint | undefined;
  readonly animation: number | undefined;
  readonly spot: number | undefined;
  readonly isFrozen: boolean;
  /** 0 solid, 1 invisible. */
  readonly transparency: number;
  /** Index of the player that it looks at. */
  readonly target: number | undefined;
}

interface Span {
  readonly from: number;
  readonly until: number;
}

interface Bar extends Span {
  readonly startFill: number;
  readonly endFill: number;
  readonly arrives: number;
}

interface Kept {
  says?: Span & { readonly text: string };
  hits: (Span & ShownHit)[];
  bar?: Bar;
  tint?: Span & Tint;
  animation?: Span & { readonly id: number };
  spot?: Span & { readonly id: number };
  frozen?: Span;
  transparency?: Span & { readonly to: number };
  before: string;
  after: string;
}

export class Looks {
  readonly #decoder: PlayerInfoDecoder;
  readonly #players = new Map<number, Kept>();
  readonly #read = new WeakMap<Uint8Array, Appearance>();
  #cycle = 0;

  constructor(decoder: PlayerInfoDecoder) {
    this.#decoder = decoder;
  }

  /** Takes the update of a packet that the decoder has just read. */
  take({ removed, masks }: PlayerInfoUpdate): void {
    for (const index of removed) this.#players.delete(index);
    for (const { index, blocks } of masks) {
      let kept = this.#players.get(index);
      if (kept === undefined) {
        kept = { hits: [], before: "", after: "" };
        this.#players.set(index, kept);
      }
      for (const [name, fields] of Object.entries(blocks)) this.#show(kept, name, fields);
    }
  }

  /** 20 ms later. */
  cycle(): void {
    this.#cycle += 1;
  }

  /** Undefined for a player that is out of view. */
  of(index: number): Look | undefined {
    const player = this.#decoder.player(index);
    if (player === undefined) return undefined;
    const kept = this.#players.get(index);
    const now = <T extends Span>(span: T | undefined): T | undefined =>
      span !== undefined && span.from <= this.#cycle && this.#cycle < span.until ? span : undefined;
    const wears = this.#appearance(player.appearance);
    const bar = now(kept?.bar);
    const base = this.#isOld ? OLD_PLAYER_TARGET : PLAYER_TARGET;
    const target = player.interacting - base;
    return {
      wears,
      name: wears === undefined ? undefined : `${kept?.before ?? ""}${wears.name}${kept?.after ?? ""}`,
      says: now(kept?.says)?.text,
      hits: kept?.hits.filter((hit) => now(hit) !== undefined) ?? [],
      bar: bar === undefined ? undefined : this.#fillOf(bar),
      tint: now(kept?.tint),
      animation: now(kept?.animation)?.id,
      spot: now(kept?.spot)?.id,
      isFrozen: now(kept?.frozen) !== undefined,
      transparency: now(kept?.transparency)?.to ?? 0,
      target: target > 0 && target < NONE ? target : undefined,
    };
  }

  get #isOld(): boolean {
    const face = this.#decoder.revision.blocks.find(({ name }) => name === "faceEntity");
    return face !== undefined && face.node.fields.length === 1;
  }

  #appearance(bytes: Uint8Array | undefined): Appearance | undefined {
    const form = appearanceFormOf(this.#decoder.revision);
    if (bytes === undefined || form === undefined) return undefined;
    let read = this.#read.get(bytes);
    if (read !== undefined) return read;
    try {
      read = readAppearance(bytes, form);
    } catch (error) {
      // A server may send anything: the client shows the player as it was, the page as nobody in particular.
      if (!(error instanceof WireError)) throw error;
      return undefined;
    }
    this.#read.set(bytes, read);
    return read;
  }

  #fillOf({ from, arrives, startFill, endFill }: Bar): number {
    const share = arrives > from ? Math.min(1, (this.#cycle - from) / (arrives - from)) : 1;
    return (startFill + (endFill - startFill) * share) / 255;
  }

  #show(kept: Kept, name: string, fields: MaskFields): void {
    const number = (member: string): number => numberIn(fields, member);
    const span = (delay: number, cycles: number): Span => {
      return { from: this.#cycle + delay, until: this.#cycle + delay + cycles };
    };
    switch (name) {
      case "nameExtras":
        kept.before = String(fields.beforeName);
        kept.after = `${fields.afterName}${fields.afterLevel}`;
        break;
      case "say":
        kept.says = { ...span(0, WORDS_CYCLES), text: String(fields.text) };
        break;
      case "hits":
      case "hitmarks":
      case "headBars":
        for (const hit of listIn(fields, "hits")) this.#hit(kept, hit);
        for (const bar of listIn(fields, "bars")) this.#bar(kept, bar);
        break;
      case "tinting":
        kept.tint = {
          ...span(number("start"), number("end") - number("start")),
          hue: number("hue") / 64,
          saturation: number("saturation") / 7,
          lightness: number("luminance") / 127,
          weight: Math.min(1, number("weight") / 128),
        };
        break;
      case "sequence":
        if (number("id") === NONE) delete kept.animation;
        else kept.animation = { ...span(number("delay"), ANIMATION_CYCLES), id: number("id") };
        break;
      case "spotAnimation":
        this.#spot(kept, fields);
        break;
      case "spotAnimations":
      case "oldSpotAnimations":
        for (const spot of listIn(fields, "animations")) this.#spot(kept, spot);
        break;
      case "freeze":
        kept.frozen = span(number("delay"), number("duration"));
        break;
      case "transparency":
        kept.transparency = {
          ...span(number("start"), number("end") - number("start")),
          to: (number("to") & 0xff) / 255,
        };
        break;
      default:
    }
  }

  #hit(kept: Kept, hit: MaskFields): void {
    // Nothing is shown of a hit without a type.
    if (hit.type === undefined) return;
    const from = this.#cycle + numberIn(hit, "delay");
    const shown = { from, until: from + HIT_CYCLES, value: numberIn(hit, "value"), type: numberIn(hit, "type") };
    kept.hits = [...kept.hits.filter(({ until }) => until > this.#cycle), shown].slice(-MOST_HITS);
  }

  #bar(kept: Kept, bar: MaskFields): void {
    const endTime = numberIn(bar, "endTime");
    if (endTime === REMOVED_BAR) {
      delete kept.bar;
      return;
    }
    const from = this.#cycle + numberIn(bar, "startTime");
    const startFill = numberIn(bar, "startFill");
    const endFill = endTime === 0 ? startFill : numberIn(bar, "endFill");
    const arrives = from + endTime;
    kept.bar = { from, arrives, until: arrives + BAR_CYCLES, startFill, endFill };
  }

  #spot(kept: Kept, spot: MaskFields): void {
    const id = numberIn(spot, "id");
    const from = this.#cycle + (numberIn(spot, "heightDelay") & 0xffff);
    if (id === NONE) delete kept.spot;
    else kept.spot = { from, until: from + ANIMATION_CYCLES, id };
  }
}

function numberIn(fields: MaskFields, member: string): number {
  const value = fields[member];
  return typeof value === "number" ? value : 0;
}

function listIn(fields: MaskFields, member: string): readonly MaskFields[] {
  const value = fields[member];
  return Array.isArray(value) ? (value as readonly MaskFields[]) : [];
}

/** A look in words, without clothes; none when there is nothing to say. */
export function lookWords({ says, hits, bar, tint, animation, spot, isFrozen, target }: Look): readonly string[] {
  const words: string[] = [];
  if (says !== undefined) words.push(`“${says}”`);
  for (const { value } of hits) words.push(value === 0 ? "missed" : `−${value}`);
  if (bar !== undefined) words.push(`${Math.round(bar * 100)} % left`);
  if (animation !== undefined) words.push(`animation ${animation}`);
  if (spot !== undefined) words.push(`spot animation ${spot}`);
  if (tint !== undefined) words.push("tinted");
  if (isFrozen) words.push("frozen");
  if (target !== undefined) words.push(`looks at ${target}`);
  return words;
}
