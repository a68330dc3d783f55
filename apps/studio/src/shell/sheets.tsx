/** Dialogs of the page: what it is, and its keys. A chunk of its own, since few visits open one. */
import "./sheets.css";
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { RoomView } from "../games/game-view.ts";

export type Sheet = "about" | "keys" | undefined;

export interface SheetsProps {
  readonly sheet: Signal<Sheet>;
  readonly view: RoomView | undefined;
}

export function Sheets({ sheet, view }: SheetsProps) {
  const close = (): void => {
    sheet.value = undefined;
  };
  if (sheet.value === "about") return <About close={close} />;
  if (sheet.value === "keys") return <Keys close={close} view={view} />;
  return null;
}

interface FrameProps {
  readonly title: string;
  readonly close: () => void;
  readonly children?: ComponentChildren;
}

function Frame({ title, close, children }: FrameProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    dialog.current?.showModal();
  }, []);
  return (
    <dialog ref={dialog} class="sheet" aria-labelledby="sheet-title" onClose={close}>
      <h2>
        <span id="sheet-title">{title}</span>
        <button type="button" class="quiet" onClick={close}>
          Close
        </button>
      </h2>
      {children}
    </dialog>
  );
}

function About({ close }: { readonly close: () => void }) {
  return (
    <Frame title="What is this?" close={close}>
      <p>
        Wirewalk reads, writes, checks and shows how players move in online games: the packets of five game protocols,
        down to the bit. What you see here is a server that runs those games with programmed players (bots), not the
        games themselves.
      </p>
      <p>
        The large drawing is a room as the server has it. Under it stands the last minute: its messages, and what the
        rules found. The lists show the same in rows. Whatever you select, anywhere, opens in the inspector: what
        happened first, then the fields of the message, its bytes and bits, and its effect.
      </p>
      <dl>
        <dt>Message</dt>
        <dd>What a client and a server send each other: “right key pressed at 448, 160” in seven bytes.</dd>
        <dt>Verdict</dt>
        <dd>
          What a rule found about one message, with what it measured and what it allows. Refused messages change
          nothing.
        </dd>
        <dt>Ban</dt>
        <dd>Follows from repeated verdicts, ends by itself, and keeps its evidence.</dd>
        <dt>Play</dt>
        <dd>Joins the room with a player of your own: other clients see it, and the rules judge it like any other.</dd>
      </dl>
      <p>
        <a href="docs/start.html">Five-minute start</a>, <a href="docs/concepts.html">concepts</a> and{" "}
        <a href="docs/">all of the documentation</a>.
      </p>
    </Frame>
  );
}

const keys: readonly (readonly [keys: string, does: string])[] = [
  ["Tab", "to the next part; a list is one stop"],
  ["↑ ↓ Home End", "within a list: the next row, which opens in the inspector"],
  ["← →", "within tabs, games, rooms and the time line"],
  ["K", "pause and resume"],
  ["J, L", "to the message before, to the message after"],
  ["1 to 5", "wire, players, verdicts, bans, traffic"],
  ["/", "search the messages"],
  ["?", "this list"],
  ["Esc", "closes this list; gives the mouse back to the page while playing"],
];

function Keys({ close, view }: { readonly close: () => void; readonly view: RoomView | undefined }) {
  const own = [...(view?.gestures ?? []), ...(view?.controls ?? [])];
  return (
    <Frame title="Keys" close={close}>
      <dl>
        {keys.map(([names, does]) => [
          <dt key={names}>
            <kbd>{names}</kbd>
          </dt>,
          <dd key={does}>{does}</dd>,
        ])}
      </dl>
      {own.length === 0 ? null : (
        <>
          <p class="hint sheet-part">In this room; the keys of a game while you play it:</p>
          <dl>
            {own.map(({ keys: names, does }) => [
              <dt key={names}>
                <kbd>{names}</kbd>
              </dt>,
              <dd key={does}>{does}</dd>,
            ])}
          </dl>
        </>
      )}
    </Frame>
  );
}
