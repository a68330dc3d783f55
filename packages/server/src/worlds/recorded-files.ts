/** The files that a run has written, by the name of their world: seconds that are no longer in memory are read from them. */
import type { RecordingSink } from "@wirewalk/recording/node";

export class RecordedFiles {
  readonly #files = new Map<string, string[]>();

  /** Paths of a world's files, in order. */
  of(world: string): readonly string[] {
    return this.#files.get(world) ?? [];
  }

  /** The sink, whose files are remembered. */
  remembered(world: string, sink: RecordingSink): RecordingSink {
    return {
      open: async (epochMs) => {
        const output = await sink.open(epochMs);
        this.#files.set(world, [...this.of(world), output.name]);
        return output;
      },
    };
  }

  /** A file is there no more. */
  removed(file: string): void {
    for (const [world, files] of this.#files) {
      this.#files.set(
        world,
        files.filter((each) => each !== file),
      );
    }
  }
}
