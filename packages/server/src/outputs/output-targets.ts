/** Where events are told, as data: a thread is given it. */
import { checkTemplate, defaultTemplates, type Templates } from "./template.ts";

interface Target {
  /** In metrics and logs: `webhook`, `webhook-2`. */
  readonly name: string;
  /** `penalties`: penalties and actions of operators alone. */
  readonly what: "all" | "penalties";
  readonly templates: Templates;
}

export interface WebhookTarget extends Target {
  readonly kind: "webhook" | "discord";
  readonly url: string;
  /** Signs what is sent, as Standard Webhooks do. Default: nothing is signed. */
  readonly secret?: string | undefined;
  /** Requests in a minute, each with one event; retries count. */
  readonly perMinute: number;
}

export type OutputTarget =
  | WebhookTarget
  | (Target & { readonly kind: "file"; readonly path: string })
  | (Target & { readonly kind: "stdout" })
  | (Target & {
      readonly kind: "syslog";
      readonly transport: "udp" | "tcp";
      readonly host: string;
      readonly port: number;
    })
  /** Rows of the database that the store is. */
  | (Target & { readonly kind: "store" });

export const DEFAULT_PER_MINUTE = 30;
export const MAX_PER_MINUTE = 6_000;
const SYSLOG_PORT = 514;
const MIN_SECRET = 16;
/** Before a secret in base64, as Standard Webhooks have it. */
const BASE64_SECRET = "whsec_";

/** What is chosen beside the place. */
export interface TargetOptions {
  readonly what?: string | undefined;
  readonly secret?: string | undefined;
  readonly perMinute?: number | undefined;
  readonly templates?: Partial<Templates> | undefined;
}

/** A target of its kind and place. `RangeError` says what is wrong with it. */
export function outputTarget(kind: string, place: string, name: string, options: TargetOptions = {}): OutputTarget {
  const { secret, perMinute } = options;
  const isWeb = kind === "webhook" || kind === "discord";
  const { what = isWeb ? "penalties" : "all" } = options;
  if (what !== "all" && what !== "penalties") throw new RangeError(`what must be all or penalties, got ${what}`);
  const templates = { ...defaultTemplates, ...options.templates };
  for (const template of Object.values(templates)) checkTemplate(template);
  if (!isWeb && (secret !== undefined || perMinute !== undefined)) {
    throw new RangeError(`${kind} has neither a secret nor a rate`);
  }
  const common = { name, what, templates } as const;
  switch (kind) {
    case "webhook":
    case "discord": {
      const { protocol } = urlOf(place);
      if (protocol !== "https:" && protocol !== "http:")
        throw new RangeError("the address must begin with https:// or http://");
      if (kind === "discord" && secret !== undefined)
        throw new RangeError("Discord checks no signature: it has no secret");
      if (secret !== undefined) checkSecret(secret);
      const rate = perMinute ?? DEFAULT_PER_MINUTE;
      if (!(Number.isInteger(rate) && rate >= 1 && rate <= MAX_PER_MINUTE)) {
        throw new RangeError(`per-minute must be within 1..${MAX_PER_MINUTE}, got ${rate}`);
      }
      return { ...common, kind, url: place, perMinute: rate, ...(secret === undefined ? {} : { secret }) };
    }
    case "file":
      if (place === "") throw new RangeError("file needs a path, as file=verdicts.jsonl");
      return { ...common, kind, path: place };
    case "stdout":
    case "store":
      if (place !== "") throw new RangeError(`${kind} takes no place, got ${place}`);
      return { ...common, kind };
    case "syslog": {
      const { protocol, hostname, port, pathname } = urlOf(place === "" ? "udp://127.0.0.1" : place);
      const transport = protocol === "udp:" ? "udp" : protocol === "tcp:" ? "tcp" : undefined;
      if (transport === undefined || hostname === "" || !["", "/"].includes(pathname)) {
        throw new RangeError(`${place} is not as udp://127.0.0.1:514 or tcp://logs.example.org:601`);
      }
      const host = hostname.replaceAll(/[[\]]/g, "");
      return { ...common, kind, transport, host, port: port === "" ? SYSLOG_PORT : Number(port) };
    }
    default:
      throw new RangeError(`unknown output ${kind}, expected webhook, discord, file, stdout, syslog or store`);
  }
}

/** The key of a secret: the bytes of its base64 after `whsec_`, any other text as it is. */
export function keyOf(secret: string): Buffer {
  return secret.startsWith(BASE64_SECRET)
    ? Buffer.from(secret.slice(BASE64_SECRET.length), "base64")
    : Buffer.from(secret);
}

/** What is no base64 would be a shorter key, or none. */
function checkSecret(secret: string): void {
  if (secret.startsWith(BASE64_SECRET) && !/^[A-Za-z0-9+/]*={0,2}$/.test(secret.slice(BASE64_SECRET.length))) {
    throw new RangeError(`a secret that begins with ${BASE64_SECRET} goes on in base64`);
  }
  const { length } = keyOf(secret);
  if (length < MIN_SECRET) throw new RangeError(`a secret has at least ${MIN_SECRET} bytes, this one has ${length}`);
}

function urlOf(text: string): URL {
  if (URL.canParse(text)) return new URL(text);
  // Anyone who knows the address of a webhook can write there, so it is not repeated.
  throw new RangeError(text === "" ? "it needs an address" : "what it is given is no address");
}
