/** Pseudonyms of accounts in recordings, which hold no address and no login. */
import { createHmac } from "node:crypto";
import type { Runtime } from "../runtime/runtime.ts";

const SECRET_BYTES = 32;
const PSEUDONYM_DIGITS = 16;

export class Pseudonyms {
  /** From which they are made: equal accounts have equal pseudonyms wherever it is known. */
  readonly secret: Buffer;

  /** The default secret is forgotten at the end of the process. */
  constructor(runtime: Pick<Runtime, "randomBytes">, secret?: Buffer) {
    this.secret = secret ?? runtime.randomBytes(SECRET_BYTES);
  }

  /**
   * Given to a world instead of an account: the same for equal accounts. The kind stays, and whether a name follows the address:
   * worlds go by that.
   */
  of = (account: string): string => {
    const colon = account.indexOf(":");
    const parts = account.slice(colon + 1).split(" ", 2);
    const hidden = [parts[0], account].slice(0, parts.length).map((part) => this.#digest(part ?? ""));
    return `${account.slice(0, colon + 1)}${hidden.join(" ")}`;
  };

  #digest(text: string): string {
    return createHmac("sha256", this.secret).update(text).digest("hex").slice(0, PSEUDONYM_DIGITS);
  }
}
