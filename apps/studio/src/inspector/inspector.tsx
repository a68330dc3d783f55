/** Whatever is selected: a message, a player, a verdict, a ban, a rule. The finding comes first. */
import type { FeedBan, FeedVerdict } from "@wirewalk/server/feed";
import type { PlayerId } from "wirewalk/motion";
import type { PayloadTrace, Protocol } from "wirewalk/protocol";
import type { JsonObject } from "wirewalk/wire";
import { verdictKey } from "../app/inspected.ts";
import { canBeJoined, type Studio } from "../app/studio.ts";
import { messageJson, type TracePayload, traceRecord, verdictBytes } from "../feed/protocol-tools.ts";
import type { WireEntry } from "../feed/wire-log.ts";
import type { RoomView } from "../games/game-view.ts";
import type { DrawnPacket } from "../games/packet-effect.ts";
import { entryTime, whoOf } from "../lists/wire-list.tsx";
import { isShownMoment, MomentStory } from "../moment/lazy-moment.tsx";
import { showAmount, showClock, showJson, showNumber } from "../ui/format.ts";
import { lazy } from "../ui/lazy.tsx";
import { ruleTitle } from "../ui/rule-title.ts";
import { VerdictBadge } from "../ui/verdict-badge.tsx";
import { CopyRow } from "./copy-row.tsx";
import { MessageView } from "./message-view.tsx";
import { Title } from "./title.tsx";

const Known = lazy(async () => (await import("./known.tsx")).Known, "what the server knew");
const RuleCard = lazy(async () => (await import("./rule-card.tsx")).RuleCard, "the rule");

export interface InspectorProps {
  readonly studio: Studio;
  /** Whose verdicts are looked at: beside the seconds of one of them the live world. */
  readonly verdictStudio: Studio;
  /** Reads the messages; undefined while no protocol is watched. */
  readonly trace: TracePayload | undefined;
  readonly view: RoomView | undefined;
  /** The game of the watched room; undefined until it is loaded. */
  readonly protocol: Protocol | undefined;
}

export function Inspector({ studio, verdictStudio, trace, view, protocol }: InspectorProps) {
  const chosen = studio.inspected.value;
  // In one column it would be below the fold: what is selected rises over the lower half of the screen.
  const isRaised = chosen !== undefined && !studio.opensNewest.value;
  return (
    <aside class={`panel inspector ${isRaised ? "is-raised" : ""}`} aria-label="Inspector">
      {isRaised ? (
        <button type="button" class="quiet insp-close" onClick={() => studio.openNewest()}>
          Close
        </button>
      ) : null}
      {chosen === undefined || (trace === undefined && (chosen.kind === "entry" || chosen.kind === "verdict")) ? (
        <Nothing studio={studio} />
      ) : chosen.kind === "entry" && trace !== undefined ? (
        <MessageCard studio={studio} trace={trace} protocol={protocol} entry={chosen.entry} />
      ) : chosen.kind === "verdict" && trace !== undefined ? (
        <VerdictCard
          studio={studio}
          live={canBeJoined(verdictStudio.world.value) ? verdictStudio.world.value?.name : undefined}
          trace={trace}
          protocol={protocol}
          verdict={chosen.verdict}
          group={chosen.group ?? [chosen.verdict]}
        />
      ) : chosen.kind === "player" ? (
        <PlayerCard studio={studio} player={chosen.player} view={view} />
      ) : chosen.kind === "ban" ? (
        <BanCard ban={chosen.ban} />
      ) : chosen.kind === "rule" ? (
        <RuleCard studio={studio} rule={chosen.rule} protocol={protocol} />
      ) : null}
    </aside>
  );
}

function Nothing({ studio }: { readonly studio: Studio }) {
  const followed = studio.followed.value;
  return (
    <div class="nothing">
      <p class="path" aria-hidden="true">
        <span>finding</span> <span>fields</span> <span>bits</span> <span>effect</span>
      </p>
      <p class="hint">
        {followed === undefined
          ? "Select a player, a message or a verdict: what it means stands here, down to the bit."
          : `The newest message of ${studio.nameOf(followed)} opens here as soon as it comes.`}
      </p>
    </div>
  );
}

/** A message for the drawing of its effect. */
function drawnOf(
  { studio, protocol }: Pick<InspectorProps, "studio" | "protocol">,
  sender: "client" | "server",
  trace: PayloadTrace,
  state: JsonObject | undefined,
  room: string | undefined,
): { readonly protocol: string | undefined; readonly drawn: DrawnPacket | undefined } {
  const world = studio.world.value;
  if (world === undefined || trace.message === undefined) return { protocol: undefined, drawn: undefined };
  const { dialect } = world;
  const json = messageJson(world, protocol)(sender, trace);
  const drawn = {
    part: "",
    dialect,
    sender,
    message: trace.message.message,
    json,
    before: undefined,
    state,
    room: world.demo === null ? undefined : room,
  };
  return { protocol: world.protocol, drawn };
}

interface MessageCardProps {
  readonly studio: Studio;
  readonly trace: TracePayload;
  readonly protocol: Protocol | undefined;
  readonly entry: WireEntry;
}

function MessageCard({ studio, trace, protocol, entry }: MessageCardProps) {
  const { id, sender, payload, player, before } = entry;
  const traced = traceRecord(trace, entry);
  const who = whoOf(studio, entry);
  return (
    <>
      <Title title={traced.message?.message ?? "Not a message"}>
        {sender === "client" ? "Sent" : "Received"} · message {id.toLocaleString("en")} ·{" "}
        {showAmount(payload.length, "byte")} ·{" "}
        {player === undefined ? (
          who
        ) : (
          <button type="button" class="plain" onClick={() => studio.select({ kind: "player", player })}>
            {who}
          </button>
        )}{" "}
        {sender === "client" ? "→ server" : "← server"} · {entryTime(entry)}
        {studio.opensNewest.value ? (
          studio.view.viewing.value.state === "live" && studio.connection.value.state === "open" ? (
            <span class="newest"> · the newest message, a new one every 3&nbsp;s</span>
          ) : null
        ) : (
          <>
            {" "}
            ·{" "}
            <button type="button" class="plain" onClick={() => studio.openNewest()}>
              Show the newest
            </button>
          </>
        )}
      </Title>
      <MessageView
        key={id}
        sender={sender}
        payload={payload}
        trace={traced}
        before={before}
        after={entry.after ?? entry.moved.value}
        verdict={entry.verdict.value}
        ruleTitle={ruleTitle(protocol, entry.verdict.value?.rule ?? "")}
        {...drawnOf({ studio, protocol }, sender, traced, before, studio.room.value)}
      />
      <CopyRow studio={studio} sender={sender} payload={payload} trace={traced} />
    </>
  );
}

interface VerdictCardProps {
  readonly studio: Studio;
  /** The name of the live world that it is of; undefined for a verdict of a recording or a relay. */
  readonly live: string | undefined;
  readonly trace: TracePayload;
  readonly protocol: Protocol | undefined;
  readonly verdict: FeedVerdict;
  readonly group: readonly FeedVerdict[];
}

function VerdictCard({ studio, live, trace, protocol, verdict, group }: VerdictCardProps) {
  const payload = verdictBytes(verdict.message);
  const traced = trace("client", payload);
  // What another server did is judged as well, and no message of the client says it.
  const isOfMessage = payload.length > 0;
  const at = group.findIndex((each) => verdictKey(each) === verdictKey(verdict));
  const step = (by: number) => () => {
    const next = group[at + by];
    if (next !== undefined) studio.select({ kind: "verdict", verdict: next, group });
  };
  return (
    <>
      <Title title={ruleTitle(protocol, verdict.rule)}>
        <button type="button" class="plain" onClick={() => studio.select({ kind: "player", player: verdict.player })}>
          {studio.nameOf(verdict.player)}
        </button>{" "}
        in room {verdict.room} ·{" "}
        <button type="button" class="plain" onClick={() => studio.select({ kind: "rule", rule: verdict.rule })}>
          The rule
        </button>
      </Title>
      {group.length < 2 ? null : (
        <p class="insp-steps">
          <button type="button" class="quiet" disabled={at <= 0} onClick={step(-1)}>
            ‹ <span class="unseen">newer</span>
          </button>
          <span class="hint">
            {at + 1} of the last {group.length}
          </span>
          <button type="button" class="quiet" disabled={at >= group.length - 1} onClick={step(1)}>
            › <span class="unseen">older</span>
          </button>
        </p>
      )}
      <MomentStory studio={studio} verdict={verdict} live={live} />
      {protocol === undefined ? null : <Known verdict={verdict} protocol={protocol} />}
      <details class="step" open={!isShownMoment(studio, verdict)}>
        <summary>For the developer: the message, its bytes and the state</summary>
        <MessageView
          key={verdictKey(verdict)}
          sender="client"
          payload={payload}
          trace={traced}
          before={verdict.stateBefore}
          verdict={verdict}
          ruleTitle={ruleTitle(protocol, verdict.rule)}
          {...drawnOf({ studio, protocol }, "client", traced, verdict.stateBefore, verdict.room)}
        />
        {isOfMessage ? <CopyRow studio={studio} sender="client" payload={payload} trace={traced} /> : null}
      </details>
    </>
  );
}

interface PlayerCardProps {
  readonly studio: Studio;
  readonly player: PlayerId;
  readonly view: RoomView | undefined;
}

function PlayerCard({ studio, player, view }: PlayerCardProps) {
  const row = studio.roster.value.find((each) => each.player.player === player);
  const verdicts = studio.verdicts.value.filter(({ verdicts: [{ player: of }] }) => of === player);
  const messages = studio.wire.shown.value.filter((entry) => entry.player === player);
  const budgets = studio.budgets.value;
  const { position, stance, details, velocity } = row?.track ?? {};
  const round = (value: number): string => showJson(Math.round(value * 100) / 100);
  const facts: readonly (readonly [name: string, value: string])[] = [
    // Of a mouse that has not sent its place yet.
    ...(position === undefined || stance === "unknown"
      ? []
      : ([
          [
            "place",
            [position.x, position.y, position.z].flatMap((at) => (at === undefined ? [] : [round(at)])).join(", "),
          ],
        ] as const)),
    ...(velocity === undefined ? [] : ([["speed per second", `${round(velocity.x)}, ${round(velocity.y)}`]] as const)),
    ...Object.entries(details ?? {}).map(([name, value]) => [name, showJson(value)] as const),
  ];
  return (
    <>
      <Title title={studio.nameOf(player)}>
        Player {player} ·{" "}
        {row === undefined ? "has left the room" : (view?.describe(details, stance ?? "") ?? stance ?? "")}
      </Title>
      <section class="step">
        <h3>Verdicts</h3>
        {verdicts.length === 0 ? (
          <p class="hint">No rule has found anything.</p>
        ) : (
          <ul class="card-list">
            {verdicts.map((group) => (
              <li key={group.key}>
                <button
                  type="button"
                  class="card-row"
                  onClick={() => studio.select({ kind: "verdict", verdict: group.verdicts[0], group: group.verdicts })}
                >
                  <VerdictBadge kind={group.verdicts[0].kind} /> {group.verdicts[0].rule}{" "}
                  <span class="count">× {group.total}</span>
                </button>
              </li>
            ))}
          </ul>
        )}
      </section>
      {budgets?.player !== player || budgets.budgets.length === 0 ? null : (
        <section class="step">
          <h3>Limits that add up over time</h3>
          <ul class="budgets">
            {budgets.budgets.map(({ name, rule, used, limit, unit }) => (
              <li key={name} title={rule}>
                <span>{name}</span>
                <svg class="bar" aria-hidden="true" preserveAspectRatio="none" viewBox="0 0 100 1">
                  <rect class="bar-track" width="100" height="1" />
                  <rect
                    class={used > limit ? "budget-over" : "budget-used"}
                    width={Math.min(100, Math.max(0, (used / Math.max(limit, 1e-9)) * 100))}
                    height="1"
                  />
                </svg>
                <span class="num">
                  {showNumber(Math.max(0, used))} of {showNumber(limit)} {unit}
                </span>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section class="step">
        <h3>As the server has it</h3>
        {facts.length === 0 ? <p class="hint">No position yet.</p> : null}
        <dl class="facts-list">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </section>
      <section class="step">
        <h3>Wire</h3>
        <p class="hint">
          {messages.length === 0
            ? "Its messages appear in the list of the wire, in both directions."
            : `${showAmount(messages.filter(({ sender }) => sender === "client").length, "message")} sent, ${
                messages.filter(({ sender }) => sender === "server").length
              } received, as far as the page has kept them.`}
        </p>
        {messages[0] === undefined ? null : (
          <button type="button" class="quiet" onClick={() => studio.openNewest()}>
            Open the newest message
          </button>
        )}
      </section>
    </>
  );
}

function BanCard({ ban }: { readonly ban: FeedBan }) {
  const day = (atMs: number): string => `${new Date(atMs).toLocaleDateString("en-CA")} ${showClock(atMs)}`;
  return (
    <>
      <Title title={ban.name}>Banned by {ban.holdsOn}</Title>
      <section class="find find-reject" aria-label="Finding">
        <p>
          <strong>{ban.rule}</strong>
        </p>
        <p>{ban.reason}</p>
        <p class="hint">
          From {day(ban.fromMs)} until {day(ban.untilMs)}.
        </p>
      </section>
      <p class="hint">
        {ban.holdsOn === "login"
          ? "The ban applies to a login whose password was checked."
          : "The name is what other players saw: it was not checked. The address that the ban applies to is not shown."}
      </p>
    </>
  );
}
