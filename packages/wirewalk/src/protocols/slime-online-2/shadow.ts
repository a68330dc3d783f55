/** A world of Slime Online 2 beside another server: a player is where that server puts it. */
import type { Verdict } from "../../motion/index.ts";
import type { Side, WireMessage } from "../codec.ts";
import type { Gap, SavedSight, Sight } from "../shadow.ts";
import { ShadowedWorld } from "../world-kit/shadowed-world.ts";
import type { SlimeClientMessage, SlimeServerMessage } from "./wire/codec.ts";
import { dialectRules } from "./wire/dialect.ts";
import type { SlimeRule } from "./world/rules.ts";
import { SlimeWorld, type SlimeWorldOptions } from "./world/world.ts";

/** Rules that need the shape of the room. */
const roomRules: readonly SlimeRule[] = ["unreachable", "no-door", "walked-off", "landing-missing"];
/** Rules that need the keys that are held. */
const keyRules: readonly SlimeRule[] = [
  "transition",
  "released-twice",
  "lifted-before",
  "up-in-air",
  "walked-off",
  "landing-missing",
];
/** Rules that need a known place. */
const placeRules: readonly SlimeRule[] = ["teleport", "unreachable"];

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
  rules: [...keyRules, ...placeRules, "no-door", "anti-cheat"],
};

class SlimeSight implements Sight {
  readonly #gaps = new Set<Gap>();
  readonly #hasLogin: boolean;
  /** A finding was silenced. The anti-cheat has counted it, so its own findings mean nothing from then on. */
  #hasSilenced = false;

  constructor(dialect: string, saved?: SavedSight) {
    this.#hasLogin = !dialectRules(dialect).movementOnly;
    if (saved === undefined) {
      if (this.#hasLogin) this.#gaps.add(noAnswer);
      return;
    }
    if (saved.noAnswer === 1) this.#gaps.add(noAnswer);
    if (saved.noRoom === 1) this.#gaps.add(noRoom);
    if (saved.noKeys === 1) this.#gaps.add(noKeys);
    this.#hasSilenced = saved.hasSilenced === 1;
  }

  save(): SavedSight {
    const has = (gap: Gap): number => Number(this.#gaps.has(gap));
    return {
      noAnswer: has(noAnswer),
      noRoom: has(noRoom),
      noKeys: has(noKeys),
      hasSilenced: Number(this.#hasSilenced),
    };
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
    return message === "movePlayer" || message === "playerStop" || message === "warp" ? [...this.#gaps] : [];
  }

  silences({ rule }: Verdict): boolean {
    const isSilent = [...this.#gaps].some(({ rules = [] }) => rules.includes(rule));
    this.#hasSilenced ||= isSilent;
    return isSilent || (this.#hasSilenced && rule === "anti-cheat");
  }
}

/** A world beside another server: a player is where the other server puts it. */
export function openShadowWorld(
  options: SlimeWorldOptions,
): ShadowedWorld<SlimeClientMessage, SlimeServerMessage, SlimeWorld> {
  return new ShadowedWorld({
    world: new SlimeWorld(options),
    unknownRules: [],
    openSight: (saved) => new SlimeSight(options.dialect, saved),
    observe(world, player, message, nowMs) {
      const sent = message as SlimeServerMessage;
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
  });
}
