/**
 * Changes the messages by which a server sends its client to another server: the relay writes the address of one of its listeners into
 * them. All other messages pass with the same bytes. The direction waits while a listener is opened.
 */
import { openTap, type RedirectAddress, type Redirecting, type Tap, type WireMessage } from "wirewalk/protocol";
import { attempt } from "../connection-reader.ts";
import type { ReadGame } from "../connection-tap.ts";
import type { Line, LineStage } from "../pipe.ts";

export interface RedirectStageOptions extends ReadGame {
  readonly redirecting: Redirecting;
  /** Opens a listener whose connections go to an address, and returns where it listens. Rejects with the reason when it cannot. */
  readonly open: (to: RedirectAddress) => Promise<RedirectAddress>;
  /** A message was given the address of a listener, or passed unchanged: `failed` is the reason. */
  readonly redirected: (
    message: string,
    from: RedirectAddress,
    result: { readonly to: RedirectAddress } | { readonly failed: string },
  ) => void;
}

/** What the answer to an upgrade to WebSocket begins with: no frames of the game over TCP follow. */
const HTTP = Buffer.from("HTTP/");

/** The stage of one connection. What the client sends passes untouched. */
export function redirectStage(options: RedirectStageOptions): LineStage {
  return (sender, next, drained) =>
    sender === "client" ? passing(next, drained) : new RedirectLine(options, next, drained);
}

function passing(next: Line, drained: () => void): Line {
  return {
    get heldBytes() {
      return next.heldBytes;
    },
    push: (bytes) => next.push(bytes),
    drained,
    end: () => next.end(),
    reset: () => next.reset(),
    close: () => next.close(),
  };
}

class RedirectLine implements Line {
  readonly #options: RedirectStageOptions;
  readonly #tap: Tap;
  readonly #next: Line;
  readonly #drained: () => void;
  /** Carried and not passed on yet: what the tap has taken, and what came while a listener was opened. */
  #taken: Uint8Array = new Uint8Array(0);
  #waiting: Uint8Array[] = [];
  /** The tap has refused what it has taken: what was complete before that is passed on first. */
  #hasFailed = false;
  #isFirst = true;
  #isOpening = false;
  #isLost = false;
  #isClosed = false;
  /** The sender has ended its direction while a listener was opened. */
  #hasEnded = false;
  /** The rest of the line holds enough for now. */
  #isBlocked = false;

  constructor(options: RedirectStageOptions, next: Line, drained: () => void) {
    this.#options = options;
    this.#tap = openTap(options.protocol, options);
    this.#next = next;
    this.#drained = drained;
  }

  get heldBytes(): number {
    let bytes = this.#taken.length + this.#next.heldBytes;
    for (const each of this.#waiting) bytes += each.length;
    return bytes;
  }

  push(bytes: Uint8Array): boolean {
    if (this.#isOpening) this.#waiting.push(bytes);
    else this.#take(bytes);
    return !this.#isOpening && !this.#isBlocked;
  }

  drained(): void {
    this.#isBlocked = false;
    if (!this.#isOpening) this.#drained();
  }

  end(): void {
    if (this.#isOpening) {
      this.#hasEnded = true;
      return;
    }
    // Half a frame is passed on as it is.
    if (this.#taken.length > 0) this.#pass(this.#taken);
    this.#taken = new Uint8Array(0);
    this.#next.end();
  }

  reset(): void {
    this.#next.reset();
  }

  close(): void {
    this.#isClosed = true;
    this.#taken = new Uint8Array(0);
    this.#waiting = [];
    this.#next.close();
  }

  #pass(bytes: Uint8Array): void {
    if (!this.#next.push(bytes)) this.#isBlocked = true;
  }

  #take(bytes: Uint8Array): void {
    if (this.#isLost) {
      this.#pass(bytes);
      return;
    }
    const isWeb = this.#isFirst && HTTP.equals(bytes.subarray(0, HTTP.length));
    this.#isFirst = false;
    if (isWeb) {
      this.#isLost = true;
      this.#pass(bytes);
      return;
    }
    this.#taken = this.#taken.length === 0 ? bytes : Buffer.concat([this.#taken, bytes]);
    this.#hasFailed = attempt(() => this.#tap.push("server", bytes)) !== undefined;
    this.#read();
  }

  /** Passes on what is complete, until a listener has to be opened. */
  #read(): void {
    const out: Uint8Array[] = [];
    let redirect: { readonly message: WireMessage; readonly payload: Uint8Array } | undefined;
    let passed = 0;
    const failure = attempt(() => {
      while (redirect === undefined) {
        const tapped = this.#tap.next("server");
        if (tapped === undefined) return;
        const { payload } = tapped;
        if (payload !== undefined && tapped.message !== undefined && this.#addressOf(tapped.message) !== undefined) {
          redirect = { message: tapped.message, payload: payload.slice() };
          return;
        }
        const bytes = payload === undefined ? tapped.unframed : this.#tap.frame("server", payload);
        out.push(bytes);
        passed += bytes.length;
      }
    });
    this.#taken = this.#taken.subarray(passed);
    if (out.length > 0) this.#pass(out.length === 1 ? (out[0] as Uint8Array) : Buffer.concat(out));
    if (redirect !== undefined) void this.#redirect(redirect.message, redirect.payload);
    else if (this.#hasFailed || failure !== undefined) this.#lose();
  }

  #addressOf(message: WireMessage): RedirectAddress | undefined {
    return this.#options.redirecting.addressOf(message);
  }

  async #redirect(message: WireMessage, payload: Uint8Array): Promise<void> {
    const { redirected, open } = this.#options;
    const from = this.#addressOf(message) as RedirectAddress;
    this.#isOpening = true;
    let changed = payload;
    try {
      const to = await open(from);
      changed = this.#withAddress(message, payload, to);
      redirected(message.message, from, { to });
    } catch (error) {
      redirected(message.message, from, { failed: error instanceof Error ? error.message : String(error) });
    }
    if (this.#isClosed) return;
    this.#isOpening = false;
    const bytes = this.#tap.frame("server", changed);
    this.#taken = this.#taken.subarray(bytes.length);
    this.#pass(bytes);
    this.#goOn();
  }

  #withAddress(message: WireMessage, payload: Uint8Array, to: RedirectAddress): Uint8Array {
    const { protocol, dialect, redirecting } = this.#options;
    const changed = protocol.codec(dialect).write("server", redirecting.withAddress(message, to));
    if (changed.length === payload.length) return changed;
    throw new RangeError(`the message would have ${changed.length} bytes instead of ${payload.length}`);
  }

  /** Reads what has come while the listener was opened. */
  #goOn(): void {
    this.#read();
    while (!this.#isOpening) {
      const bytes = this.#waiting.shift();
      if (bytes === undefined) break;
      this.#take(bytes);
    }
    if (this.#isOpening) return;
    if (this.#hasEnded) this.end();
    else if (!this.#isBlocked) this.#drained();
  }

  /** From here on it passes unchanged. The reader beside the path says why: it reads the same bytes. */
  #lose(): void {
    this.#isLost = true;
    const rest = this.#taken;
    this.#taken = new Uint8Array(0);
    if (rest.length > 0) this.#pass(rest);
  }
}
