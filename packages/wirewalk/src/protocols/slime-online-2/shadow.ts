/** A world of Slime Online 2 beside another server: a player is where that server puts it. */
import type { Verdict } from "../../motion/index.ts";
import type { Side, WireMessage } from "../codec.ts";
import type { Gap, Shadowing, Sight } from "../shadow.ts";
import type { SlimeServerMessage } from "./wire/codec.ts";
import { dialectRules } from "./wire/dialect.ts";
import type { SlimeRule } from "./world/rules.ts";
import { SlimeWorld } from "./world/world.ts";

/** What needs the shape of the room. */
const roomRules: readonly SlimeRule[] = ["off-ground", "walked-off", "landing-missing"];
/** What needs the keys that are held. */
const keyRules: readonly SlimeRule[] = [
  "transition",
  "no-key",
  "released-twice",
  "lifted-before",
  "up-in-air",
  "walked-off",
  "landing-missing",
];
/** What needs a place that is known. */
const placeRules: readonly SlimeRule[] = ["teleport", "axis-speed", "saved-up", "late-burst"];

const noAnswer: Gap = {
  reason: "no answer of the server to its login has been seen, so that its room and its place are not known",
  rules: [...placeRules, ...roomRules, "login-twice", "anti-cheat"],
};
const noRoom: Gap = {
  reason: "messages of the server that are not described may have sent it to another room",
  rules: [...roomRules, "anti-cheat"],
};
const noKeys: Gap = {
  reason: "messages of the client that could not be read may have been keys",
  rules: [...keyRules, ...placeRules, "anti-cheat"],
};

class SlimeSight implements Sight {
  readonly #gaps = new Set<Gap>();
  readonly #hasLogin: boolean;
  /** A finding was silenced: the anti-cheat has counted it nevertheless. */
  #hasSilenced = false;

  constructor(dialect: string) {
    this.#hasLogin = !dialectRules(dialect).movementOnly;
    if (this.#hasLogin) this.#gaps.add(noAnswer);
  }

  get isAdmitted(): boolean {
    return !this.#gaps.has(noAnswer);
  }

  saw(sender: Side, message: WireMessage): void {
    if (sender === "client" || !this.#hasLogin) return;
    const sent = message as SlimeServerMessage;
    const isAnswer = sent.message === "login" && sent.value.result === "success";
    if (isAnswer) this.#gaps.delete(noAnswer);
    if (isAnswer || (sent.message === "warp" && sent.value.kind === "command")) this.#gaps.delete(noRoom);
  }

  missed(sender: Side): void {
    this.#gaps.add(sender === "server" ? noRoom : noKeys);
  }

  gaps({ message }: WireMessage): readonly Gap[] {
    return message === "movePlayer" || message === "playerStop" ? [...this.#gaps] : [];
  }

  silences({ rule }: Verdict): boolean {
    const isSilent = [...this.#gaps].some(({ rules = [] }) => rules.includes(rule));
    this.#hasSilenced ||= isSilent;
    return isSilent || (this.#hasSilenced && rule === "anti-cheat");
  }
}

/** Capability `shadow`. */
export const slimeShadow: Shadowing = {
  unknownRules: [],
  openSight: (dialect) => new SlimeSight(dialect),
  observe(world, player, message, nowMs) {
    const sent = message as SlimeServerMessage;
    if (!(world instanceof SlimeWorld)) return;
    if (sent.message === "warp" && sent.value.kind === "command") {
      const { room, x, y } = sent.value;
      world.warp(player, room, x, y, nowMs);
    }
    if (sent.message === "login" && sent.value.result === "success") {
      const { room, x, y } = sent.value;
      world.place(player, room, x, y, nowMs);
    }
    // The correction of this player or of another: the client's own id at the other server is not known.
    if (sent.message === "position") world.allowAnywhere(player, nowMs);
  },
};
