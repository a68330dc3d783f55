/** The places of a set that a world has used: recordings and saved worlds name them by their digests. */
export class UsedMaps {
  readonly #digests: Map<string, string>;

  /** With those of a saved world. */
  constructor(saved: Iterable<readonly [string, string]> = []) {
    this.#digests = new Map(saved);
  }

  /** In the order in which they were first used. */
  get digests(): ReadonlyMap<string, string> {
    return this.#digests;
  }

  /** A place is used. The digest is asked for once. */
  note(place: string, digest: () => string | undefined): void {
    if (this.#digests.has(place)) return;
    const found = digest();
    if (found !== undefined) this.#digests.set(place, found);
  }

  /**
   * Throws `RangeError` for places of which a set has another form, or which it does not have: a world that was saved with them would go
   * on differently.
   */
  mustBeIn(maps: { digest(place: string): string | undefined; readonly name: string } | undefined): void {
    for (const [place, digest] of this.#digests) {
      const found = maps?.digest(place);
      if (found === digest) continue;
      const from = maps === undefined ? "no maps are given" : `${maps.name} has ${found ?? "no such place"}`;
      throw new RangeError(`Map ${place} was ${digest}, ${from}`);
    }
  }
}
