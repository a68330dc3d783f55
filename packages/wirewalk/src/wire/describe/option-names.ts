/**
 * The names of options. One that no description has would be dropped unseen, and the description would say something else: every
 * constructor refuses it here.
 */
import { nearest } from "../nearest.ts";
import { refuseType } from "./refusals.ts";

/** Every name that the options of a type have; of a union, those of all its forms. */
export type OptionNames<T> = Readonly<Record<T extends unknown ? Extract<keyof T, string> : never, true>>;

/**
 * Throws `TypeError` for an option that is not in `known`. `path` says where the description stands. A constructor does not know its
 * place yet and gives its own name. `what` says whose options they are.
 */
export function checkNames<T extends object>(path: string, given: T, known: OptionNames<T>, what = "it"): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(known, name));
  if (unknown === undefined) return;
  const near = nearest(unknown, Object.keys(known));
  const hint = near === undefined ? `known are ${Object.keys(known).join(", ")}` : `did you mean ${near}?`;
  refuseType(path, `${what} has no option ${unknown}; ${hint}`);
}
