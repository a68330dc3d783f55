/**
 * **Webhooks**: one POST for each event, in the form of Standard Webhooks 1.0 (headers `webhook-id`, `webhook-timestamp` and, with a secret,
 * `webhook-signature`), or in Discord's. Requests are limited in number, tried again with growing rests, and never wait long for an answer.
 * What a receiver answers is not believed further than its status: redirects are not followed, and its body is not read.
 */
import { createHmac, randomUUID } from "node:crypto";
import { Agent, request } from "node:http";
import { request as requestSecure, Agent as SecureAgent } from "node:https";
import type { OutputEvent } from "./output-events.ts";
import { keyOf, type WebhookTarget } from "./output-targets.ts";
import type { Sender } from "./sender.ts";
import { textOf } from "./template.ts";

/** An answer takes no longer. */
const ANSWER_MS = 10_000;
const TRIES = 5;
/** Rests between tries: 1, 2, 4 and 8 s. */
const FIRST_REST_MS = 1_000;
/** A receiver may ask for a longer rest, and for no longer one than this. */
const MAX_REST_MS = 60_000;
const MINUTE_MS = 60_000;
/** Letters of a message; Discord refuses more. */
const MAX_CONTENT = 2_000;

/** What a test replaces. */
export interface WebhookTimes {
  readonly nowMs: () => number;
  readonly rest: (ms: number) => Promise<void>;
  readonly answerMs: number;
}

const realTimes: WebhookTimes = {
  nowMs: () => Date.now(),
  rest: (ms) => new Promise((resolve) => void setTimeout(resolve, ms)),
  answerMs: ANSWER_MS,
};

export class Webhook implements Sender {
  readonly #target: WebhookTarget;
  readonly #times: WebhookTimes;
  readonly #url: URL;
  readonly #agent: Agent | SecureAgent;
  /** When requests of the last minute went out. */
  #sentMs: number[] = [];
  /** Until then the receiver wants none. */
  #restsUntilMs = 0;

  constructor(target: WebhookTarget, times: WebhookTimes = realTimes) {
    this.#target = target;
    this.#times = times;
    this.#url = new URL(target.url);
    this.#agent = new (this.#url.protocol === "https:" ? SecureAgent : Agent)({ keepAlive: true, maxSockets: 1 });
  }

  async send(event: OutputEvent): Promise<void> {
    const id = `msg_${randomUUID()}`;
    const body = JSON.stringify(this.#target.kind === "discord" ? this.#discord(event) : this.#standard(event));
    let why = "";
    for (let tries = 1; tries <= TRIES; tries += 1) {
      await this.#turn();
      const { status, retryAfterMs, problem } = await this.#post(id, body);
      if (status >= 200 && status < 300) return;
      why = problem ?? `status ${status}`;
      // What the receiver does not want, it does not want the next time either; 408 and 429 ask for another try.
      if (status >= 300 && status < 500 && status !== 408 && status !== 429) break;
      const rest = Math.min(MAX_REST_MS, Math.max(retryAfterMs ?? 0, FIRST_REST_MS * 2 ** (tries - 1)));
      this.#restsUntilMs = this.#times.nowMs() + rest;
    }
    throw new Error(why);
  }

  close(): void {
    this.#agent.destroy();
  }

  #standard(event: OutputEvent): object {
    const timestamp = new Date(event.epochMs).toISOString();
    return { type: `wirewalk.${event.event}`, timestamp, text: textOf(event, this.#target.templates), data: event };
  }

  #discord(event: OutputEvent): object {
    const content = textOf(event, this.#target.templates, escapeMarkdown).slice(0, MAX_CONTENT);
    // A name such as @everyone calls nobody.
    return { content, allowed_mentions: { parse: [] } };
  }

  /** Waits until the rate and the receiver allow a request. */
  async #turn(): Promise<void> {
    for (;;) {
      const nowMs = this.#times.nowMs();
      this.#sentMs = this.#sentMs.filter((atMs) => nowMs - atMs < MINUTE_MS);
      const [first = nowMs] = this.#sentMs;
      const byRate = this.#sentMs.length < this.#target.perMinute ? 0 : first + MINUTE_MS - nowMs;
      const waitMs = Math.max(byRate, this.#restsUntilMs - nowMs);
      if (waitMs <= 0) break;
      await this.#times.rest(waitMs);
    }
    this.#sentMs.push(this.#times.nowMs());
  }

  /** Status 0 where there is no answer. Never rejects. */
  #post(
    id: string,
    body: string,
  ): Promise<{ readonly status: number; readonly retryAfterMs?: number | undefined; readonly problem?: string }> {
    const { secret, kind } = this.#target;
    const seconds = Math.floor(this.#times.nowMs() / 1000);
    const headers: Record<string, string | number> = {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "user-agent": "wirewalk",
      ...(kind === "discord" ? {} : { "webhook-id": id, "webhook-timestamp": seconds }),
      ...(secret === undefined ? {} : { "webhook-signature": signatureOf({ id, seconds, body, secret }) }),
    };
    return new Promise((resolve) => {
      const send = this.#url.protocol === "https:" ? requestSecure : request;
      const sent = send(this.#url, { method: "POST", headers, agent: this.#agent }, (response) => {
        const { statusCode: status = 0 } = response;
        resolve({ status, retryAfterMs: this.#retryAfterMs(response.headers["retry-after"]) });
        // A short answer leaves the connection open for the next; an endless one is cut, and one that does not end in time.
        response.on("error", () => {});
        response.on("close", () => clearTimeout(timer));
        if (Number(response.headers["content-length"]) <= MAX_CONTENT) response.resume();
        else response.destroy();
      });
      const timer = setTimeout(() => sent.destroy(new Error("no answer in time")), this.#times.answerMs);
      sent.on("error", (error: NodeJS.ErrnoException) => {
        clearTimeout(timer);
        resolve({ status: 0, problem: error.code ?? error.message });
      });
      sent.end(body);
    });
  }

  /** `Retry-After` has seconds, or a date (RFC 9110, 10.2.3). */
  #retryAfterMs(value: string | undefined): number | undefined {
    if (value === undefined) return undefined;
    const ms = /^\s*\d/.test(value) ? Number(value) * 1000 : Date.parse(value) - this.#times.nowMs();
    return ms >= 0 ? ms : undefined;
  }
}

/** `v1,` and the base64 of HMAC-SHA256 of `id.seconds.body`. A secret `whsec_…` is base64, any other is taken as it is. */
export function signatureOf({
  id,
  seconds,
  body,
  secret,
}: {
  readonly id: string;
  readonly seconds: number;
  readonly body: string;
  readonly secret: string;
}): string {
  const key = keyOf(secret);
  return `v1,${createHmac("sha256", key).update(`${id}.${seconds}.${body}`).digest("base64")}`;
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\*_~`|>#[\]()<:@-]/g, "\\$&");
}
