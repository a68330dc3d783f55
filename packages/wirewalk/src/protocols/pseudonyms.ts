/** Pseudonyms of players in a file: `player-1`, `player-2` in the order in which their names come. */

export class Pseudonyms {
  readonly #names = new Map<string, string>();

  /** Equal names have equal pseudonyms. One has at most 11 characters up to the 9,999th player: every game's names have as many. */
  of(name: string): string {
    const known = this.#names.get(name);
    if (known !== undefined) return known;
    const pseudonym = `player-${this.#names.size + 1}`;
    this.#names.set(name, pseudonym);
    return pseudonym;
  }
}
