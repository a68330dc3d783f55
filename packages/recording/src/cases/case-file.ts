/**
 * A **case** is a verdict in one file: an HTML page that needs no network. It holds the seconds around the verdict as a recording, the
 * facts about it, the maps that it needs, and the script that shows and judges it. Everything on the page comes from these parts; the
 * facts have the hash of each other part, so a signature of the facts covers the whole file.
 *
 * ```ts
 * const html = writeCase({ facts, recording, maps: undefined, viewer });
 * const { facts, damage } = await readCase(html); // damage: [] for a file as it was written
 * ```
 */
import { formatHex, type JsonObject } from "wirewalk/wire";

/** The layout of a case. A reader reads all that were released. */
export const CASE_FORMAT = 1;

/** The largest case that is written: what one may attach to a message. */
export const MAX_CASE_BYTES = 1_000_000;
/** The largest case that is read: a hostile file may claim anything. */
export const MAX_READ_BYTES = 8_000_000;

/** A limit of the rule, as it was when the case was made. */
export interface CaseLimit {
  readonly name: string;
  readonly unit: string;
  /** In force when the verdict was given. */
  readonly value: number;
  /** The game's own value at that time: another one in force was chosen by the server's owner. */
  readonly own: number;
  readonly summary: string;
  readonly source: string;
}

/** What an operator did about the verdict, as the player may know it: no note, and nobody's name. */
export interface CaseAction {
  /** `dismiss`, `warn`, `kick`, `ban` or `lift`. */
  readonly action: string;
  /** Milliseconds since 1970. */
  readonly atMs: number;
  /** What the player was told; empty for nothing. */
  readonly reason: string;
  /** Of a ban, in milliseconds since 1970; null for other actions. */
  readonly untilMs: number | null;
}

/** What a case says of its verdict. Plain JSON. */
export interface CaseFacts {
  readonly format: number;
  /** Of the library that made it. */
  readonly library: string;
  /** When it was made, as ISO 8601. */
  readonly made: string;
  readonly game: string;
  readonly title: string;
  readonly dialect: string;
  readonly room: string;
  readonly verdict: {
    readonly id: string;
    readonly kind: string;
    readonly rule: string;
    readonly reason: string;
    readonly measured: number | null;
    readonly allowed: number | null;
    readonly unit: string;
    /** Milliseconds since 1970. */
    readonly epochMs: number;
  };
  readonly player: { readonly number: number; readonly name: string; readonly account: string };
  /** Whether others have pseudonyms. */
  readonly others: "pseudonyms" | "names";
  readonly rule: { readonly title: string; readonly finds: string; readonly answer: string };
  readonly limits: readonly CaseLimit[];
  /** For people: what happened, answer by answer, the sentences of each in lines. */
  readonly story: readonly string[];
  /** What each of them answers; empty for the first one. Absent in files of earlier versions. */
  readonly questions?: readonly string[];
  /** Seconds of play before and after the verdict. */
  readonly beforeMs: number;
  readonly afterMs: number;
  /** In the order in which it was done. Absent where it is not known. */
  readonly actions?: readonly CaseAction[];
  /** Of the judgement: see `judgeCase`. */
  readonly digest: string;
  /** SHA-256 of the other parts in hexadecimal digits. */
  readonly parts: { readonly recording: string; readonly maps: string | null; readonly viewer: string };
}

/** Ed25519, both in base64. */
export interface CaseSignature {
  /** The public key: 32 bytes. */
  readonly key: string;
  /** Of the facts as they stand in the file, in UTF-8: 64 bytes. */
  readonly value: string;
}

export interface CaseParts {
  /** The facts as JSON, as {@link factsText} gives them. */
  readonly facts: string;
  readonly recording: Uint8Array;
  /** Places that the world used, by name, as the game's `WorldMaps.parts` gives them. */
  readonly maps: string | undefined;
  /** The script of the page, which shows the facts and judges again. */
  readonly viewer: string;
  readonly signature: CaseSignature | undefined;
}

/** A case that was read. */
export interface CaseFile extends Omit<CaseParts, "facts"> {
  readonly facts: CaseFacts;
  readonly factsText: string;
  /** What is not as it was written; empty for a file that is whole. */
  readonly damage: readonly string[];
}

/** A file is no case, or of a layout that this version does not know. */
export class CaseError extends Error {
  override readonly name = "CaseError";
}

/** The text of facts that stands in a case. Its last member is the hash of the text before it. */
export async function factsText(facts: CaseFacts): Promise<string> {
  const text = inScript(JSON.stringify(facts)).slice(0, -1);
  return `${text}${SUM_START}${await hexHashOf(new TextEncoder().encode(text))}"}`;
}

const SUM_START = ',"sum":"';

async function hasItsSum(text: string): Promise<boolean> {
  const at = text.lastIndexOf(SUM_START);
  const sum = await hexHashOf(new TextEncoder().encode(text.slice(0, at)));
  return at > 0 && text.slice(at) === `${SUM_START}${sum}"}`;
}

/** JSON that may stand within a script element: `<` would end it, and two characters that JSON allows end a line of a script. */
function inScript(json: string): string {
  return json.replaceAll("<", "\\u003c").replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}

const STYLE = [
  ":root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif}",
  "body{max-width:60rem;margin:0 auto;padding:1rem}",
  "h1{font-size:1.4rem}h2{font-size:1.1rem;margin-top:2rem}",
  "table{border-collapse:collapse;width:100%;margin:1rem 0}caption{text-align:left;font-weight:600}th,td{text-align:left;padding:.2rem .8rem .2rem 0;vertical-align:top}",
  "td{font-variant-numeric:tabular-nums;overflow-wrap:anywhere}",
  "main>p:first-of-type{border-left:.25rem solid;padding-left:.75rem}details{margin:1rem 0}summary{cursor:pointer;padding:.5rem 0}",
  "code,pre{font-family:ui-monospace,monospace;font-size:.9em}pre{overflow-x:auto}",
  "button{font:inherit;padding:.5rem 1rem;min-height:2.75rem;cursor:pointer}",
  "svg{max-width:100%;height:auto}",
  ".same{color:light-dark(#0a6b2d,#63d68a)}.other{color:light-dark(#a3201a,#ff8f87)}",
].join("\n");

/** What stands between the parts, in order. The last one is the end of the file. */
function framesOf(hashes: { readonly viewer: string; readonly style: string }): readonly string[] {
  const policy = [
    "default-src 'none'",
    `script-src 'sha256-${hashes.viewer}'`,
    `style-src 'sha256-${hashes.style}'`,
    "img-src data:",
    "connect-src 'none'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  return [
    `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>A verdict of Wirewalk</title>
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main id="case"><p>This page shows a verdict. It needs JavaScript, and no network.</p></main>
<script type="application/json" id="case-facts">`,
    `</script>
<script type="application/json" id="case-signature">`,
    `</script>
<script type="application/json" id="case-maps">`,
    `</script>
<script type="text/plain" id="case-recording">`,
    `</script>
<script>`,
    `</script>
</body>
</html>
`,
  ];
}

/** The file. Throws `RangeError` for one that is too large, and for a script that cannot stand in a page. */
export async function writeCase(parts: CaseParts): Promise<string> {
  const { facts, recording, maps, viewer, signature } = parts;
  if (/<\/script|<!--/i.test(viewer)) throw new RangeError("Cannot write a case: its script holds the end of a script");
  const frames = framesOf({ viewer: await hashOf(viewer), style: await hashOf(STYLE) });
  const contents = [facts, inScript(JSON.stringify(signature ?? null)), maps ?? "null", toBase64(recording), viewer];
  const html = frames.map((frame, index) => frame + (contents[index] ?? "")).join("");
  const bytes = new TextEncoder().encode(html).length;
  if (bytes > MAX_CASE_BYTES) throw new RangeError(`Cannot write a case of ${bytes} bytes: at most ${MAX_CASE_BYTES}`);
  return html;
}

/** The text of the places of a case. */
export function mapsText(places: JsonObject): string {
  return inScript(JSON.stringify(places));
}

const FACTS = /<script type="application\/json" id="case-facts">([^<]*)<\/script>/;
const SIGNATURE = /<script type="application\/json" id="case-signature">([^<]*)<\/script>/;
const MAPS = /<script type="application\/json" id="case-maps">([^<]*)<\/script>/;
const RECORDING = /<script type="text\/plain" id="case-recording">([^<]*)<\/script>/;
const VIEWER_START = "</script>\n<script>";
const VIEWER_END = "</script>\n</body>\n</html>\n";

/** Reads a case, and names what was changed in it. Throws {@link CaseError} for what is no case. */
export async function readCase(html: string): Promise<CaseFile> {
  if (html.length > MAX_READ_BYTES) throw new CaseError(`${html.length} bytes, a case has at most ${MAX_CASE_BYTES}`);
  const [facts, signature, maps, recording] = [FACTS, SIGNATURE, MAPS, RECORDING].map(
    (pattern) => pattern.exec(html)?.[1],
  );
  if (facts === undefined) throw new CaseError("it is no case of wirewalk verdict export");
  const start = html.lastIndexOf(VIEWER_START);
  const isWhole = start >= 0 && html.endsWith(VIEWER_END);
  const viewer = isWhole ? html.slice(start + VIEWER_START.length, -VIEWER_END.length) : "";
  const file = await readCaseTexts({ facts, signature, maps, recording, viewer });
  // What stands around the parts is the same in every case.
  if (file.damage.length > 0 || (await writtenAgain({ ...file, facts })) === html) return file;
  return { ...file, damage: ["the page around the parts was changed"] };
}

/** The texts of the parts of a case, as its page has them. */
export interface CaseTexts {
  readonly facts: string;
  readonly signature: string | undefined;
  readonly maps: string | undefined;
  readonly recording: string | undefined;
  readonly viewer: string;
}

/** Reads the parts of a case: for a page that shows itself, and so does not know what stands around them. Throws {@link CaseError}. */
export async function readCaseTexts(texts: CaseTexts): Promise<CaseFile> {
  const { facts: text, viewer } = texts;
  const facts = factsOf(text);
  const damage: string[] = (await hasItsSum(text)) ? [] : ["the facts of the case were changed"];
  const maps = texts.maps === undefined || texts.maps === "null" ? undefined : texts.maps;
  const signature = signatureOf(texts.signature, damage);
  const recording = bytesOf(texts.recording, damage);
  const bytes = new TextEncoder();
  const found = {
    recording: await hexHashOf(recording),
    maps: maps === undefined ? null : await hexHashOf(bytes.encode(maps)),
    viewer: await hexHashOf(bytes.encode(viewer)),
  };
  for (const part of ["recording", "maps", "viewer"] as const) {
    if (found[part] !== facts.parts[part]) damage.push(`the ${part} of the case is not the one that its facts name`);
  }
  return { facts, factsText: text, recording, maps, viewer, signature, damage };
}

async function writtenAgain(parts: CaseParts): Promise<string | undefined> {
  try {
    return await writeCase(parts);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** Whether the signature of a case is that of its key. False for a case without one. */
export async function isSigned({ factsText: text, signature }: CaseFile): Promise<boolean> {
  if (signature === undefined) return false;
  const { subtle } = globalThis.crypto;
  try {
    const key = await subtle.importKey("raw", fromBase64(signature.key), { name: "Ed25519" }, false, ["verify"]);
    return await subtle.verify("Ed25519", key, fromBase64(signature.value), new TextEncoder().encode(text));
  } catch {
    return false;
  }
}

/** SHA-256 in hexadecimal digits, as facts have it. */
export async function hexHashOf(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return formatHex(new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", bytes)), { separator: "" });
}

async function hashOf(text: string): Promise<string> {
  const hash = await globalThis.crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return toBase64(new Uint8Array(hash));
}

// --- Parts -------------------------------------------------------------------------------------------------------------------

function factsOf(text: string): CaseFacts {
  const facts = orUndefined(() => JSON.parse(text) as unknown);
  const wrong = (what: string): CaseError => new CaseError(`its facts are damaged: ${what}`);
  if (!isObject(facts)) throw wrong("they are no JSON object");
  const { format } = facts;
  if (typeof format !== "number") throw wrong("format");
  if (format !== CASE_FORMAT)
    throw new CaseError(`it is a case of layout ${format}, and this version reads ${CASE_FORMAT}`);
  for (const name of ["library", "made", "game", "title", "dialect", "room", "digest"]) {
    if (typeof facts[name] !== "string") throw wrong(name);
  }
  for (const name of ["beforeMs", "afterMs"]) {
    const value = facts[name];
    if (typeof value !== "number" || value < 0 || value > 60_000) throw wrong(name);
  }
  const { verdict, player, rule, limits, story, questions = [], actions, parts, others } = facts;
  if (
    !isObject(verdict) ||
    !["id", "kind", "rule", "reason", "unit"].every((name) => typeof verdict[name] === "string")
  )
    throw wrong("verdict");
  if (!["measured", "allowed"].every((name) => verdict[name] === null || typeof verdict[name] === "number"))
    throw wrong("verdict");
  if (typeof verdict.epochMs !== "number") throw wrong("verdict");
  if (!isObject(player) || typeof player.number !== "number") throw wrong("player");
  if (typeof player.name !== "string" || typeof player.account !== "string") throw wrong("player");
  if (others !== "pseudonyms" && others !== "names") throw wrong("others");
  if (
    !isObject(rule) ||
    ![rule.title, rule.finds].every((each) => typeof each === "string") ||
    typeof rule.answer !== "string"
  )
    throw wrong("rule");
  if (!Array.isArray(limits) || !limits.every(isLimit)) throw wrong("limits");
  if (![story, questions].every((texts) => Array.isArray(texts) && texts.every((each) => typeof each === "string")))
    throw wrong("story");
  if (actions !== undefined && !(Array.isArray(actions) && actions.every(isAction))) throw wrong("actions");
  if (!isObject(parts) || typeof parts.recording !== "string" || typeof parts.viewer !== "string") throw wrong("parts");
  if (parts.maps !== null && typeof parts.maps !== "string") throw wrong("parts");
  return facts as unknown as CaseFacts;
}

function isLimit(limit: unknown): boolean {
  if (!isObject(limit)) return false;
  return (
    ["name", "unit", "summary", "source"].every((name) => typeof limit[name] === "string") &&
    ["value", "own"].every((name) => typeof limit[name] === "number")
  );
}

function isAction(each: unknown): boolean {
  if (!isObject(each) || typeof each.action !== "string" || typeof each.reason !== "string") return false;
  return typeof each.atMs === "number" && (each.untilMs === null || typeof each.untilMs === "number");
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function orUndefined<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}

function signatureOf(text: string | undefined, damage: string[]): CaseSignature | undefined {
  if (text === "null") return undefined;
  const found = text === undefined ? undefined : orUndefined(() => JSON.parse(text) as unknown);
  if (isObject(found) && typeof found.key === "string" && typeof found.value === "string") {
    return { key: found.key, value: found.value };
  }
  damage.push("the signature of the case is unreadable");
  return undefined;
}

function bytesOf(text: string | undefined, damage: string[]): Uint8Array<ArrayBuffer> {
  const bytes = text === undefined ? undefined : orUndefined(() => fromBase64(text));
  if (bytes === undefined) damage.push("the recording of the case is unreadable");
  return bytes ?? new Uint8Array(0);
}

// The functions of typed arrays for this are not in every browser and not in Node 22.

/** Characters that are made at once: a call takes so many arguments. */
const PIECE = 0x8000;

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += PIECE) text += String.fromCharCode(...bytes.subarray(at, at + PIECE));
  return btoa(text);
}

/** Throws for what is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const characters = atob(text);
  return Uint8Array.from(characters, (character) => character.charCodeAt(0));
}
