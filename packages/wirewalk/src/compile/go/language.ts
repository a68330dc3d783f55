/** Go 1.19: a package of one file for a dialect, with structs, sealed interfaces, and errors as values. */
import type { Language } from "../language.ts";
import { goDriver } from "./driver.ts";
import { goModule, goPackage } from "./module.ts";
import { goTest } from "./test.ts";
import { goTypeNames } from "./types.ts";

export const go: Language = {
  name: "go",
  title: "Go 1.19",
  reserved: goTypeNames,
  codec: (source) => ({ name: `${goPackage(source)}.go`, text: goModule(source) }),
  test: (source, vectors) => ({
    name: `${goPackage(source)}_test.go`,
    text: goTest(goPackage(source), source.header, vectors),
  }),
  driver: (source) => ({ name: `${goPackage(source)}proof.go`, text: goDriver(source) }),
};
