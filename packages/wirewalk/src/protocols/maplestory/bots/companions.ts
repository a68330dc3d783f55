/** The pet and the summon of a bot: each follows its owner, records itself as the client does, and has messages of its own. */

import type { MapleMap } from "../maps/map.ts";
import { stateOfBody } from "../movement/character.ts";
import { pathFor } from "../movement/client-messages.ts";
import { PathRecorder, petRecording } from "../movement/recorder.ts";
import { createWalker, type Keys, stepWalker, type Walker } from "../movement/walker.ts";
import type { MapleClientMessage } from "../wire/codec.ts";
import type { DialectRules } from "../wire/dialect.ts";
import type { Path, Tail } from "../wire/messages.ts";

/** How near its owner one stays, and the distance from which on it appears beside it, pixels. */
const nearPx = { pet: 50, summon: 110 } as const;
const LOST_PX = 250;

type Kind = keyof typeof nearPx;

interface Companion {
  readonly kind: Kind;
  readonly body: Walker;
  readonly recorder: PathRecorder;
}

/** The companions of one character. The server knows both by the character's number, until game code adds others. */
export class Companions {
  readonly #characterId: number;
  readonly #dialect: DialectRules;
  #all: Companion[] = [];

  constructor(characterId: number, dialect: DialectRules) {
    this.#characterId = characterId;
    this.#dialect = dialect;
  }

  /** The owner has entered a map: both appear beside it. */
  enter(map: MapleMap, owner: Readonly<Walker>): void {
    this.#all = (["pet", "summon"] as const).map((kind) => called(kind, map, owner, this.#dialect));
  }

  /** One step of the owner. Returns the paths that are due. */
  step(map: MapleMap, owner: Readonly<Walker>): readonly MapleClientMessage[] {
    const sent: MapleClientMessage[] = [];
    for (const [at, companion] of this.#all.entries()) {
      const { kind, body, recorder } = companion;
      const dx = owner.x - body.x;
      if (Math.hypot(dx, owner.y - body.y) > LOST_PX) {
        // It appears beside its owner: the recorded movement is sent, and a new recording starts.
        const left = recorder.flush();
        if (left !== undefined) sent.push(this.#message(kind, left));
        this.#all[at] = called(kind, map, owner, this.#dialect);
        continue;
      }
      const keys: Keys = Math.abs(dx) < nearPx[kind] ? {} : dx < 0 ? { left: true } : { right: true };
      const path = recorder.record(stepWalker(body, keys, map, this.#dialect.stepMs), 0);
      if (path !== undefined) sent.push(this.#message(kind, path));
    }
    return sent;
  }

  #message(kind: Kind, recorded: Path & Tail): MapleClientMessage {
    const id = this.#characterId;
    const path = pathFor(this.#dialect, recorded);
    return kind === "pet"
      ? { message: "movePet", value: { petId: BigInt(id), ...path } }
      : { message: "moveSummon", value: { summonId: id, ...path } };
  }
}

function called(kind: Kind, map: MapleMap, owner: Readonly<Walker>, { fragments }: DialectRules): Companion {
  const body = createWalker(map, owner);
  body.spring = undefined;
  const start = stateOfBody(body, map);
  return { kind, body, recorder: new PathRecorder({ ...petRecording, start, startsMoving: fragments.startsMoving }) };
}
