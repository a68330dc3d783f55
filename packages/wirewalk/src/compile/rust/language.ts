/** Rust 2021: one file for a dialect, with structs and enums, for `no_std` with `alloc`, without unsafe code. */
import type { Language } from "../language.ts";
import { snakeCase } from "../typed/naming.ts";
import { rustDriver } from "./driver.ts";
import { rustModule } from "./module.ts";
import { rustTest } from "./test.ts";
import { rustTypeNames } from "./types.ts";

export const rust: Language = {
  name: "rust",
  title: "Rust 2021",
  reserved: rustTypeNames,
  codec: (source) => ({ name: `${moduleOf(source)}.rs`, text: rustModule(source) }),
  test: (source, vectors) => ({
    name: `${moduleOf(source)}_test.rs`,
    text: rustTest(moduleOf(source), source.header, vectors),
  }),
  driver: (source) => ({ name: `${moduleOf(source)}_proof.rs`, text: rustDriver(moduleOf(source), source.dialect) }),
};

/** `slime_online_2_v0106`. */
const moduleOf = ({ game, dialect }: Parameters<Language["codec"]>[0]): string =>
  snakeCase(`${game}-${dialect.dialect.dialect}`);
