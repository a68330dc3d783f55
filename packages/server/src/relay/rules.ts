/**
 * The rule file of a relay: messages that it drops or changes. With rules the relay reads messages on their way and writes them
 * anew, so that ciphers with memory stay in step. A message that no rule names passes with the same payload.
 */
import type { Protocol, Side, WireMessage } from "wirewalk/protocol";
import { type JsonObject, type JsonValue, WireError } from "wirewalk/wire";
import { attempt } from "./connection-reader.ts";
import { ConnectionTap, type ReadGame } from "./connection-tap.ts";
import type { Line, LineStage } from "./pipe.ts";

/** One rule. */
export interface RelayRule {
  /** The side that sends the message. Default: both. */
  readonly direction?: Side;
  /** The name of the message. */
  readonly message: string;
  /** Only messages with these values, by path: `{ "start.x": 5, "fragments[0].kind": "jump" }`. Default: all. */
  readonly where?: Readonly<Record<string, JsonValue>>;
  /** The message is not passed on. Either this or `set`. */
  readonly drop?: true;
  /** New values by path. */
  readonly set?: Readonly<Record<string, JsonValue>>;
}

/** Rules in a file, at most. */
const MAX_RULES = 1_000;
const OVER_WEBSOCKET = "Cannot apply rules: the client connects by WebSocket, expected the game's frames over TCP";
const MEMBERS = ["direction", "message", "where", "drop", "set"];

/** Reads a rule file for a game. Throws `RangeError` that names the rule and what is wrong with it. */
export function parseRules(
  text: string,
  { protocol, dialect }: Pick<ReadGame, "protocol" | "dialect">,
): readonly RelayRule[] {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new RangeError(`not JSON: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (!Array.isArray(json)) throw new RangeError("a rule file is a list of rules");
  if (json.length > MAX_RULES) throw new RangeError(`${json.length} rules are over the limit of ${MAX_RULES}`);
  return json.map((each: unknown, index) => parseRule(each, index + 1, protocol, dialect));
}

function parseRule(json: unknown, number: number, protocol: Protocol, dialect: string): RelayRule {
  const wrong = (why: string): RangeError => new RangeError(`rule ${number}: ${why}`);
  if (!isObject(json)) throw wrong("it must be an object");
  const unknown = Object.keys(json).find((name) => !MEMBERS.includes(name));
  if (unknown !== undefined) throw wrong(`unknown member '${unknown}', expected ${MEMBERS.join(", ")}`);
  const { direction, message, where, drop, set } = json;
  if (direction !== undefined && direction !== "client" && direction !== "server") {
    throw wrong("direction must be client or server");
  }
  if (typeof message !== "string") throw wrong("message must be the name of a message");
  const { messages } = protocol.codec(dialect);
  const known = messages.filter(({ sender }) => direction === undefined || sender === direction);
  if (!known.some((each) => each.message === message)) {
    const names = [...new Set(known.map((each) => each.message))].join(", ");
    throw wrong(`no message '${message}' of dialect ${dialect}, expected ${names}`);
  }
  if (drop !== undefined && drop !== true) throw wrong("drop must be true");
  if ((drop === undefined) === (set === undefined)) throw wrong("it needs either drop or set");
  for (const [name, values] of Object.entries({ where, set })) {
    if (values === undefined) continue;
    if (!isObject(values) || Object.keys(values).length === 0)
      throw wrong(`${name} must be an object of values by path`);
    for (const path of Object.keys(values)) {
      if (stepsOf(path) === undefined)
        throw wrong(`${name} has a wrong path '${path}', expected as start.x or fragments[0].x`);
    }
  }
  return json as unknown as RelayRule;
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** `fragments[0].x`: `fragments`, 0, `x`. Undefined for an invalid path. */
function stepsOf(path: string): readonly (string | number)[] | undefined {
  if (!/^[a-zA-Z]\w*(?:\[\d{1,6}\]|\.[a-zA-Z]\w*)*$/.test(path)) return undefined;
  return path.split(/[.[\]]+/).flatMap((step) => (step === "" ? [] : [/^\d/.test(step) ? Number(step) : step]));
}

type Container = Record<string | number, JsonValue | undefined>;

function valueAt(json: JsonValue, path: string): JsonValue | undefined {
  let value: JsonValue | undefined = json;
  for (const step of stepsOf(path) ?? []) {
    if (typeof value !== "object" || value === null) return undefined;
    value = (value as Container)[step];
  }
  return value;
}

/** Throws `RangeError` for a path that the message does not have. */
function setAt(json: JsonValue, path: string, value: JsonValue): void {
  const steps = stepsOf(path) ?? [];
  const last = steps.at(-1) as string | number;
  const parent = steps.slice(0, -1).reduce<JsonValue | undefined>((at, step) => {
    return typeof at === "object" && at !== null ? (at as Container)[step] : undefined;
  }, json);
  if (typeof parent !== "object" || parent === null || !Object.hasOwn(parent, last)) {
    throw new RangeError(`it has no ${path}`);
  }
  (parent as Container)[last] = value;
}

export interface RuleEvents {
  /** A rule has changed or dropped a message; `failed` is why it could not: the message passed unchanged. */
  applied(direction: Side, rule: number, action: "drop" | "set", message: string, failed?: string): void;
  /** A direction can no longer be read. `isReset`: rules have changed what came before, so the connection cannot go on. */
  lost(direction: Side, reason: string, isReset: boolean): void;
}

/** Judges what passes, on its way, so that a message of the client may be held back. */
export interface PathJudge {
  /** False: the message is not passed on. */
  message(sender: Side, message: WireMessage, payload: Uint8Array): boolean;
  /** A message that could not be read, or that is not described. */
  missed(sender: Side, payload: Uint8Array): void;
  /** A direction cannot be read any further. */
  lost(sender: Side): void;
}

export interface RuleStageOptions extends ReadGame {
  readonly rules: readonly RelayRule[];
  /** Default: what passes is judged beside the path, and all of it passes. */
  readonly judge?: PathJudge | undefined;
  readonly events: RuleEvents;
  /** Resets both ends. */
  readonly abort: () => void;
}

/** The stage of one connection. */
export function ruleStage(options: RuleStageOptions): LineStage {
  const tap = new ConnectionTap(options);
  return (sender, next, drained) => new RuleLine(tap, sender, options, next, drained);
}

class RuleLine implements Line {
  readonly #tap: ConnectionTap;
  readonly #sender: Side;
  readonly #options: RuleStageOptions;
  readonly #next: Line;
  readonly #drained: () => void;
  /** What was carried of the frame that is not complete. */
  #tail = new Uint8Array(0);
  #hasChanged = false;
  #isLost = false;

  constructor(tap: ConnectionTap, sender: Side, options: RuleStageOptions, next: Line, drained: () => void) {
    this.#tap = tap;
    this.#sender = sender;
    this.#options = options;
    this.#next = next;
    this.#drained = drained;
  }

  get heldBytes(): number {
    return this.#tail.length + this.#next.heldBytes;
  }

  push(bytes: Uint8Array): boolean {
    if (this.#isLost) return this.#next.push(bytes);
    const carried = Buffer.concat([this.#tail, bytes]);
    const out: Uint8Array[] = [];
    const failure = this.#read(bytes, out);
    if (failure !== undefined) return this.#lose(failure, carried);
    this.#tail = carried.subarray(carried.length - this.#tap.pendingBytes(this.#sender));
    return out.length === 0 || this.#next.push(Buffer.concat(out));
  }

  drained(): void {
    this.#drained();
  }

  end(): void {
    // Half a frame is passed on as it is.
    if (this.#tail.length > 0) this.#next.push(this.#tail);
    this.#tail = new Uint8Array(0);
    this.#next.end();
  }

  reset(): void {
    this.#next.reset();
  }

  close(): void {
    this.#next.close();
  }

  /** Adds what the bytes become. The error that broke the stream, after what was complete before it. */
  #read(bytes: Uint8Array, out: Uint8Array[]): WireError | undefined {
    const failure = attempt(() => this.#tap.push(this.#sender, bytes));
    if (this.#tap.isWebSocket) return new WireError("bad-state", OVER_WEBSOCKET, 0);
    const next = attempt(() => {
      for (;;) {
        const tapped = this.#tap.next(this.#sender);
        if (tapped === undefined) return;
        if (tapped.payload === undefined) out.push(tapped.unframed);
        else {
          const { message } = tapped;
          if (!this.#judge(message, tapped.payload)) {
            this.#hasChanged = true;
            continue;
          }
          const payload = message === undefined ? tapped.payload : this.#apply(message, tapped.payload);
          if (payload !== undefined) out.push(this.#tap.frame(this.#sender, payload));
        }
      }
    });
    // The first error has the cause: after it the tap says only that the stream was refused.
    return failure ?? next;
  }

  /** False for a message that is held back. */
  #judge(message: WireMessage | undefined, payload: Uint8Array): boolean {
    const { judge, protocol, dialect } = this.#options;
    if (judge === undefined) return true;
    if (message !== undefined && protocol.codec(dialect).undescribed?.(this.#sender, payload) === undefined) {
      return judge.message(this.#sender, message, payload);
    }
    judge.missed(this.#sender, payload);
    return true;
  }

  #lose(failure: WireError, carried: Uint8Array): boolean {
    const { events, abort, judge } = this.#options;
    this.#isLost = true;
    judge?.lost(this.#sender);
    events.lost(this.#sender, failure.message, this.#hasChanged);
    if (this.#hasChanged) {
      abort();
      return false;
    }
    // Nothing was changed: what was carried is what the receiver expects, from the first byte that it has not received.
    this.#tail = new Uint8Array(0);
    return this.#next.push(carried);
  }

  /** The payload to pass on; undefined for a dropped message. */
  #apply(message: WireMessage, payload: Uint8Array): Uint8Array | undefined {
    const { rules, events, protocol, dialect } = this.#options;
    const codec = protocol.codec(dialect);
    let json: JsonObject | undefined;
    let changed: Uint8Array = payload;
    for (const [index, rule] of rules.entries()) {
      if (rule.message !== message.message || (rule.direction ?? this.#sender) !== this.#sender) continue;
      json ??= structuredClone(codec.toJson(this.#sender, message));
      const value = json.value as JsonObject;
      if (!Object.entries(rule.where ?? {}).every(([path, wanted]) => isEqual(valueAt(value, path), wanted))) continue;
      if (rule.drop === true) {
        this.#hasChanged = true;
        events.applied(this.#sender, index + 1, "drop", message.message);
        return undefined;
      }
      const edited = structuredClone(json);
      try {
        for (const [path, given] of Object.entries(rule.set ?? {})) setAt(edited.value as JsonValue, path, given);
        changed = codec.write(this.#sender, codec.fromJson(this.#sender, edited));
        json = edited;
        this.#hasChanged = true;
        events.applied(this.#sender, index + 1, "set", message.message);
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        events.applied(this.#sender, index + 1, "set", message.message, why);
      }
    }
    return changed;
  }
}

function isEqual(a: JsonValue | undefined, b: JsonValue): boolean {
  return a === b || (a !== undefined && JSON.stringify(a) === JSON.stringify(b));
}
