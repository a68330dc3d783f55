/** How an attack ends. */

/** What an attack measured. */
export interface Outcome {
  readonly held: boolean;
  /** The measured figures, in words. */
  readonly figure: string;
}

/** The attack could not be run here, for this reason: no verdict about the server. */
export class CannotRun extends Error {
  override readonly name = "CannotRun";
}
