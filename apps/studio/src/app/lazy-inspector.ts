/** The page's inspector, which is loaded when the address asks for it: `#inspect`. */
import { type ReadonlySignal, signal } from "@preact/signals";
import type { VNode } from "preact";
import type { NamedFile } from "../files/file-kind.ts";
import type { InspectorPage } from "../inspect/index.ts";

/** What the chunk of the inspector gives. */
export interface OpenedInspector {
  readonly inspector: { openLink(hash: string): boolean; openFile(file: NamedFile): Promise<void> };
  view(): VNode;
}

export interface LazyInspectorOptions {
  /** Loads the chunk. Rejects when it cannot be loaded. */
  readonly load: () => Promise<(page: InspectorPage) => OpenedInspector>;
  readonly page: InspectorPage;
}

/** The start of the inspector's addresses. */
const HASH = /^#inspect(?:\?|$)/;

export class LazyInspector {
  readonly #options: LazyInspectorOptions;
  readonly #isOpen = signal(false);
  readonly #view = signal<VNode | undefined>(undefined);
  readonly #fault = signal<string | undefined>(undefined);
  #opened: Promise<OpenedInspector> | undefined;

  constructor(options: LazyInspectorOptions) {
    this.#options = options;
  }

  get isOpen(): ReadonlySignal<boolean> {
    return this.#isOpen;
  }

  /** Undefined until it is loaded. */
  get view(): ReadonlySignal<VNode | undefined> {
    return this.#view;
  }

  /** Why it cannot be loaded, in a sentence. */
  get fault(): ReadonlySignal<string | undefined> {
    return this.#fault;
  }

  /** Opens or closes it as the address says, and opens the packet in the address. */
  look(hash: string): void {
    this.#isOpen.value = HASH.test(hash);
    if (this.#isOpen.peek()) void this.#open((inspector) => inspector.openLink(hash));
  }

  /** Opens a file in it. The address is to be that of the inspector. */
  openFile(file: NamedFile): void {
    void this.#open((inspector) => inspector.openFile(file));
  }

  async #open(use: (inspector: OpenedInspector["inspector"]) => unknown): Promise<void> {
    try {
      this.#opened ??= this.#options.load().then((open) => open(this.#options.page));
      const opened = await this.#opened;
      use(opened.inspector);
      this.#view.value ??= opened.view();
    } catch {
      this.#fault.value =
        "The inspector could not be loaded. The server may have been updated since this page was opened.";
    }
  }
}
