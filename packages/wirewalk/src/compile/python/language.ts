/** Python 3.11: one module for a dialect, with typed dataclasses that have slots, and enums. */
import type { Language } from "../language.ts";
import { snakeCase } from "../typed/naming.ts";
import { pythonDriver } from "./driver.ts";
import { pythonModule } from "./module.ts";
import { pythonTest } from "./test.ts";
import { pythonTypeNames } from "./types.ts";

export const python: Language = {
  name: "python",
  title: "Python 3.11",
  reserved: pythonTypeNames,
  codec: (source) => ({ name: `${moduleOf(source)}.py`, text: pythonModule(source) }),
  test: (source, vectors) => ({
    name: `test_${moduleOf(source)}.py`,
    text: pythonTest(moduleOf(source), source.header, vectors),
  }),
  driver: (source) => ({ name: `${moduleOf(source)}_proof.py`, text: pythonDriver(moduleOf(source), source.dialect) }),
};

/** `slime_online_2_v0106`. */
const moduleOf = ({ game, dialect }: Parameters<Language["codec"]>[0]): string =>
  snakeCase(`${game}-${dialect.dialect.dialect}`);
