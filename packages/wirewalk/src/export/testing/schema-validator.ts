/** The JSON Schema validator of the tests. */
import { createRequire } from "node:module";
import type { JsonObject } from "../../wire/index.ts";

interface Validate {
  (value: unknown): boolean;
  readonly errors?: readonly { readonly instancePath: string; readonly message?: string }[] | null;
}

interface Ajv {
  compile(schema: JsonObject): Validate;
}

/** A check by ajv for draft 2020-12, in which an unknown keyword or an ignored one is an error. Throws for a wrong schema. */
export function schemaValidator(schema: JsonObject): Validate {
  const { Ajv2020 } = createRequire(import.meta.url)("ajv/dist/2020.js") as {
    readonly Ajv2020: new (options: object) => Ajv;
  };
  return new Ajv2020({ strict: true, strictRequired: false, strictTypes: false, validateFormats: false }).compile(
    schema,
  );
}
