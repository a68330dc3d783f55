/** `wirewalk verdict export` and `wirewalk verdict check`: a verdict as one file to send. */
import { createPrivateKey, createPublicKey, type KeyObject, sign } from "node:crypto";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type {
  CaseAction,
  CaseFacts,
  CaseFile,
  CaseSignature,
  Judgement,
  Recording,
  RuleChange,
} from "@wirewalk/recording";
import { escapeControls, WireError } from "wirewalk/wire";
import { type CommandContext, ExitCode, FailedError, type Finish, UsageError } from "../context.ts";
import { fileReason } from "../files/file-reason.ts";
import { ofFile, readRecording, recordingMaps, type SessionFlags } from "../files/recording-input.ts";
import type { MapsFlags } from "../input/maps.ts";
import { write } from "../output/output.ts";
import { keptActions } from "./verdict-actions.ts";

export interface ExportCaseFlags extends Omit<SessionFlags, "pseudonyms"> {
  readonly out?: string;
  readonly names?: true;
  readonly data?: string;
  readonly key?: string;
  readonly before?: number;
  readonly after?: number;
}

export interface CheckCaseFlags extends MapsFlags {
  readonly key?: string;
  readonly json?: true;
}

export async function exportCase(
  context: CommandContext,
  file: string,
  id: string,
  flags: ExportCaseFlags,
): Promise<void> {
  const { checkRecordedMaps, makeCase, recordedWorld } = await import("@wirewalk/recording");
  const { nodeDecompress, nodeMeans } = await import("@wirewalk/recording/node");
  if (!/^\d/.test(id)) throw new UsageError(`'${id}' is no id of a verdict: one is as 13250-1a2b3c4d`);
  const { out, names, data, key, before, after, ...session } = flags;
  const signWith = key === undefined ? undefined : await privateKey(key);
  const chosen = recordingMaps(context, flags);
  const recording = await readRecording(context, file, session, chosen);
  const maps = await ofFile(file, () => chosen.ofRecording(file, recording));
  if (maps !== undefined) await ofFile(file, () => checkRecordedMaps(recording, maps));
  const actions = data === undefined ? undefined : await ofFile(file, () => actionsOfCase(data, recording, id));
  const { html, notes } = await ofFile(file, async () =>
    makeCase(recording, id, {
      protocols: context.protocols,
      maps,
      decompress: nodeDecompress,
      means: nodeMeans,
      viewer: await viewerOf(recordedWorld(recording).protocol),
      others: names === true ? "names" : "pseudonyms",
      actions,
      ...(before === undefined ? {} : { beforeMs: before * 1000 }),
      ...(after === undefined ? {} : { afterMs: after * 1000 }),
      ...(signWith === undefined ? {} : { sign: signWith }),
    }),
  );
  for (const note of notes) await write(context.stderr, `${escapeControls(`wirewalk: ${file}: ${note}`)}\n`);
  if (out === undefined) await write(context.stdout, html);
  else {
    await writeFile(out, html).catch((error: unknown) => {
      throw new FailedError(`Cannot write ${out}: ${fileReason(error)}`);
    });
  }
}

/** What was done about a verdict, as its file says it. */
async function actionsOfCase(data: string, recording: Recording, id: string): Promise<readonly CaseAction[]> {
  const { findVerdict, recordedWorld } = await import("@wirewalk/recording");
  const { caseActions } = await import("@wirewalk/server");
  const whole = findVerdict(recording, id).id;
  return caseActions(await keptActions(data, recordedWorld(recording).protocol, whole));
}

/** The script that shows cases of a game. Throws {@link FailedError} for a game without one. */
async function viewerOf(game: string): Promise<string> {
  const { casesFolder } = await import("@wirewalk/server");
  const folder = casesFolder();
  if (folder === undefined) throw new FailedError("the page is not built: npm run build:studio");
  try {
    return await readFile(join(folder, `${game}.js`), "utf8");
  } catch {
    throw new FailedError(`the page of a case is made for the games of this build, and ${game} is none of them`);
  }
}

/** Signs with the key of a file. Throws {@link UsageError} for what is no private Ed25519 key. */
async function privateKey(file: string): Promise<(facts: Uint8Array) => CaseSignature> {
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new UsageError(`--key ${file}: ${fileReason(error)}`);
  });
  let key: KeyObject;
  try {
    key = createPrivateKey(text);
  } catch {
    throw new UsageError(`--key ${file}: it is no private key in PEM`);
  }
  if (key.asymmetricKeyType !== "ed25519") throw new UsageError(`--key ${file}: it is no Ed25519 key`);
  // The last bytes of the form that holds a public key are the key itself.
  const raw = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-KEY_BYTES);
  return (facts) => ({ key: raw.toString("base64"), value: sign(null, facts, key).toString("base64") });
}

const KEY_BYTES = 32;

/** What the check of a case found. */
interface Checked {
  readonly result: "same" | "changed" | "edited";
  readonly file: string;
  readonly id: string | undefined;
  readonly signedBy: string | null;
  /** Why it is edited, or what this build says otherwise. */
  readonly reasons: readonly string[];
  readonly digest: { readonly file: string; readonly now: string | null } | undefined;
}

export async function checkCase(
  context: CommandContext,
  file: string,
  flags: CheckCaseFlags,
  finish: Finish,
): Promise<void> {
  const checked = await check(context, file, flags);
  const text = flags.json === true ? JSON.stringify(checked) : textOf(checked);
  await write(context.stdout, `${escapeControls(text)}\n`);
  if (checked.result !== "same") finish(checked.result === "changed" ? ExitCode.failed : ExitCode.refused);
}

function textOf({ result, file, id, signedBy, reasons, digest }: Checked): string {
  const signature = signedBy === null ? "not signed: anybody could have made it" : `signed with the key ${signedBy}`;
  if (result === "edited") return `${file}: edited or damaged: ${reasons.join("; ")}`;
  if (result === "same") return `${file}: the same verdict, ${id}, digest ${digest?.now}; ${signature}`;
  return `${file}: judged otherwise now: ${reasons.join("; ")}; ${signature}`;
}

async function check(context: CommandContext, file: string, flags: CheckCaseFlags): Promise<Checked> {
  const { CaseError, editedFacts, isSigned, judgeCase, limitsOfToday, openCase, readCase, ruleChanges } = await import(
    "@wirewalk/recording"
  );
  const { nodeDecompress } = await import("@wirewalk/recording/node");
  const edited = (reasons: readonly string[], read?: CaseFile): Checked => {
    return { result: "edited", file, id: read?.facts.verdict.id, signedBy: null, reasons, digest: undefined };
  };
  const text = await textOfFile(file);
  if (text === undefined) return edited(["it is larger than any case"]);
  try {
    const read = await readCase(text);
    const { facts, signature, damage } = read;
    if (damage.length > 0) return edited(damage, read);
    if (signature !== undefined && !(await isSigned(read)))
      return edited(["its signature is not that of its key"], read);
    if (flags.key !== undefined && signature?.key !== flags.key) {
      return edited(
        [signature === undefined ? "it is not signed" : `it is signed with another key, ${signature.key}`],
        read,
      );
    }
    const contradicted = editedFacts(facts, openCase(read, nodeDecompress));
    if (contradicted.length > 0) return edited(contradicted, read);
    const game = context.protocols[facts.game];
    const given = game === undefined ? undefined : recordingMaps(context, flags).of(game);
    const judging = { protocols: context.protocols, decompress: nodeDecompress, maps: given };
    const judged = judgeCase(read, judging);
    const today = game === undefined ? undefined : limitsOfToday(facts, game);
    const byToday = today === undefined ? judged : judgeCase(read, judging, today);
    const isSame = byToday.isFound && (today !== undefined || byToday.digest === facts.digest);
    return {
      result: isSame ? "same" : "changed",
      file,
      id: facts.verdict.id,
      signedBy: signature?.key ?? null,
      reasons: isSame ? [] : changedReasons(facts, byToday, game === undefined ? [] : ruleChanges(facts, game)),
      digest: { file: facts.digest, now: byToday.problem === undefined ? byToday.digest : null },
    };
  } catch (error) {
    const isOfFile = error instanceof CaseError || error instanceof RangeError || error instanceof WireError;
    if (isOfFile && !(error instanceof UsageError)) {
      return edited([error.message]);
    }
    throw error;
  }
}

function changedReasons(
  { library, digest }: CaseFacts,
  judged: Judgement,
  changes: readonly RuleChange[],
): readonly string[] {
  const named = changes.map(({ name, before, now }) => `${name} was: ${before}; now: ${now}`);
  if (judged.problem !== undefined) return [judged.problem, ...named];
  const what = judged.isFound
    ? `the verdict is found, and others are not the same (digest ${digest})`
    : "the verdict is not found";
  const why = named.length > 0 ? named : [`no limit of the rule has changed since wirewalk ${library}: its code has`];
  return [what, ...why, ...(judged.difference === undefined ? [] : [judged.difference])];
}

/** Undefined for a file that is too large to be a case. Throws {@link FailedError} for one that cannot be read. */
async function textOfFile(file: string): Promise<string | undefined> {
  const { MAX_READ_BYTES } = await import("@wirewalk/recording");
  try {
    if ((await stat(file)).size > MAX_READ_BYTES) return undefined;
    return await readFile(file, "utf8");
  } catch (error) {
    throw new FailedError(`${file}: ${fileReason(error)}`);
  }
}
