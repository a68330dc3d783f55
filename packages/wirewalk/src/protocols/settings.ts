/** A number that an installation may set. */
export interface SettingInfo {
  readonly summary: string;
  /** The game's own value; in a configured protocol the value that was set. */
  readonly default: number;
}

/** A game with numbers that an installation may set, such as the opcodes of a revision. Capability `settings` of a `Protocol`. */
export interface Settings<P> {
  /** By name. */
  readonly values: Readonly<Record<string, SettingInfo>>;
  /** The same game with other settings. Throws `RangeError` for an unknown setting or an invalid value. */
  configure(settings: Readonly<Record<string, number>>): P;
}
