/**
 * The players that each observer has in view: all within its distance, which shrinks when there are too many and grows
 * again when there is room; plus the players that it is shown first, minus those that it is never shown.
 */
import { PLAYER_SLOTS, SET_WORDS } from "../constants.ts";
import { countBits, type EngineMemory, exclude, include, inSet, LOCAL } from "./engine-memory.ts";
import { indicesOf, packRows, type SavedStandings, unpackRows } from "./saved-engine.ts";
import { ViewSets } from "./view.ts";

/** While a shrunk view is nearly full, it tries to grow once in this many ticks. */
const GROW_TICKS = 5;
/** A view grows only into so many tenths of its limit, so that it does not shrink again at once. */
const GROW_TENTHS = 9;

/** How an observer is shown a player: before others, like others, or not at all. */
export type Standing = "first" | "ordinary" | "never";

/** Chooses views, observer by observer. */
export class ObserverViews {
  readonly #memory: EngineMemory;
  readonly #sets: ViewSets;
  readonly #viewDistance: number;
  readonly #maxLocals: number;
  #tick = 0;

  constructor(memory: EngineMemory, viewDistance: number, maxLocals: number) {
    this.#memory = memory;
    this.#sets = new ViewSets(memory);
    this.#viewDistance = viewDistance;
    this.#maxLocals = maxLocals;
  }

  /** Sets how an observer is shown a player from the next packet on. */
  stand(observer: number, index: number, standing: Standing): void {
    const { first, never } = this.#memory;
    const base = observer * SET_WORDS;
    (standing === "first" ? include : exclude)(first, index, base);
    (standing === "never" ? include : exclude)(never, index, base);
    let any = 0;
    for (let word = base; word < base + SET_WORDS; word++) any |= (first[word] as number) | (never[word] as number);
    this.#memory.choosy[observer] = any === 0 ? 0 : 1;
  }

  /** A player has left: the slot's next player is ordinary to all observers. */
  forgetPlayer(index: number): void {
    for (let observer = 1; observer < PLAYER_SLOTS; observer++) {
      if (this.#memory.choosy[observer] === 1) this.stand(observer, index, "ordinary");
    }
  }

  /** All players are ordinary to an observer again. */
  forgetStandings(observer: number): void {
    const { first, never } = this.#memory;
    const base = observer * SET_WORDS;
    first.fill(0, base, base + SET_WORDS);
    never.fill(0, base, base + SET_WORDS);
    this.#memory.choosy[observer] = 0;
  }

  saveStandings(): SavedStandings {
    const { first, never } = this.#memory;
    const indices = indicesOf(this.#memory.choosy);
    return {
      indices,
      first: packRows(first, indices, SET_WORDS),
      never: packRows(never, indices, SET_WORDS),
    };
  }

  /** Takes over checked data. */
  restoreStandings({ indices, first, never }: SavedStandings): void {
    this.#memory.choosy.fill(0);
    for (const index of indices) this.#memory.choosy[index] = 1;
    this.#memory.first.fill(0);
    this.#memory.never.fill(0);
    unpackRows(first, indices, SET_WORDS, this.#memory.first);
    unpackRows(never, indices, SET_WORDS, this.#memory.never);
  }

  /** Number of players that are not hidden. */
  get visible(): number {
    return this.#sets.count;
  }

  beginTick(tick: number): void {
    this.#tick = tick;
    this.#sets.beginTick();
  }

  /** Puts the players that the observer is to have in view into `memory.view`. Returns their number. */
  choose(observer: number): number {
    const radius = this.#memory.radius[observer] as number;
    const limit = this.#maxLocals;
    const { view } = this.#memory;
    let count = this.#viewAt(observer, radius, view);
    if (count > limit) {
      count = this.#shrink(observer, radius);
      if (count > limit) count = this.#crowd(observer);
    } else if (radius < this.#viewDistance) {
      const side = radius * 2 + 1;
      // Whole numbers, so that both cores decide alike.
      const fits = count * (side + 2) * (side + 2) * 10 <= limit * GROW_TENTHS * side * side;
      if (fits || (this.#tick + observer) % GROW_TICKS === 0) {
        const memory = this.#memory;
        const more = this.#viewAt(observer, radius + 1, memory.otherView);
        if (more * 10 <= limit * GROW_TENTHS) {
          this.#memory.radius[observer] = radius + 1;
          memory.view = memory.otherView;
          memory.otherView = view;
          count = more;
        }
      }
    }
    return count;
  }

  /**
   * Shrinks a view to the greatest distance that fits, or to 0: one tile if that is enough, otherwise by binary search.
   */
  #shrink(observer: number, radius: number): number {
    const { view } = this.#memory;
    let low = 0;
    let high = radius - 1;
    let middle = high;
    while (low < high) {
      if (this.#viewAt(observer, middle, view) <= this.#maxLocals) low = middle;
      else high = middle - 1;
      middle = (low + high + 1) >> 1;
    }
    this.#memory.radius[observer] = Math.max(low, 0);
    return this.#viewAt(observer, Math.max(low, 0), view);
  }

  #viewAt(observer: number, radius: number, view: Int32Array): number {
    const { level, x, z, first, never, farView } = this.#memory;
    const onLevel = level[observer] as number;
    const atX = x[observer] as number;
    const atZ = z[observer] as number;
    let count = this.#sets.within(view, onLevel, atX, atZ, radius);
    const self = observer >> 5;
    const bit = 1 << (observer & 31);
    if (((view[self] as number) & bit) === 0) {
      view[self] = (view[self] as number) | bit;
      count++;
    }
    if (this.#memory.choosy[observer] === 0) return count;
    const base = observer * SET_WORDS;
    this.#sets.within(farView, onLevel, atX, atZ, this.#viewDistance);
    count = 0;
    for (let word = 0; word < SET_WORDS; word++) {
      let seen = (view[word] as number) | ((farView[word] as number) & (first[base + word] as number));
      seen &= ~(never[base + word] as number);
      view[word] = seen;
      count += countBits(seen);
    }
    return count;
  }

  /**
   * The observer's own tile has more players than the view may hold. Takes the observer, players with standing `first`,
   * players already in view, then others by index, from a start that differs by observer and tick.
   */
  #crowd(observer: number): number {
    const { view, state, first } = this.#memory;
    const base = observer * SET_WORDS;
    const wanted = view.slice();
    view.fill(0);
    include(view, observer);
    let count = 1;
    const start = (observer * 37 + this.#tick * 11) & (PLAYER_SLOTS - 1);
    const take = (from: (word: number) => number): void => {
      for (let step = 0; step < PLAYER_SLOTS && count < this.#maxLocals; step++) {
        const index = (start + step) & (PLAYER_SLOTS - 1);
        const word = index >> 5;
        if (((((wanted[word] as number) & from(word)) >>> (index & 31)) & 1) === 0 || inSet(view, index)) continue;
        include(view, index);
        count++;
      }
    };
    take((word) => first[base + word] as number);
    take((word) => state[(base + word) * 2 + LOCAL] as number);
    take(() => -1);
    return count;
  }
}
