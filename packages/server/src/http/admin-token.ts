/**
 * The **admin token**: what the page, its feed and the metrics ask for where others can connect. Programs send it as
 * `Authorization: Bearer TOKEN`. A browser sends it once in a form and then shows a cookie, which no script can read and which
 * no page of another site can have sent. A token of 16 characters cannot be guessed over HTTP, so tries are not counted.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import type { IncomingMessage } from "node:http";

/** Fewer characters could be guessed. */
export const MIN_TOKEN_LENGTH = 16;
const COOKIE = "wirewalk-admin";
/** The form holds a token. */
const MAX_FORM_BYTES = 4096;

export class AdminToken {
  #token: string;
  /** The cookie is a proof of the token, good until the server ends or has another token. */
  readonly #secret: Buffer;

  /** Throws `RangeError` for a token that is too short or has other characters than visible ASCII. */
  constructor(token: string, secret: Buffer) {
    this.#token = checkToken(token);
    this.#secret = secret;
  }

  /** Takes another token: cookies of the one before end. Throws like the constructor. */
  change(token: string): void {
    this.#token = checkToken(token);
  }

  /** True when the request has the token or its cookie. */
  isIn({ authorization, cookie }: IncomingMessage["headers"]): boolean {
    const [, bearer] = /^Bearer +(\S+)$/i.exec(authorization ?? "") ?? [];
    if (bearer !== undefined && isSame(bearer, this.#token)) return true;
    return cookiesOf(cookie).some((value) => isSame(value, this.#proof()));
  }

  /** Reads the form of a POST: the cookie to set when its token is right, otherwise undefined. */
  async logIn(request: IncomingMessage, isSecure: boolean): Promise<string | undefined> {
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > MAX_FORM_BYTES) return undefined;
      chunks.push(chunk);
    }
    const given = new URLSearchParams(Buffer.concat(chunks).toString("utf8")).get("token")?.trim() ?? "";
    if (!isSame(given, this.#token)) return undefined;
    return `${COOKIE}=${this.#proof()}; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`;
  }

  #proof(): string {
    return createHmac("sha256", this.#secret).update(this.#token).digest("hex");
  }
}

function checkToken(token: string): string {
  if (token.length < MIN_TOKEN_LENGTH || !/^[\x21-\x7e]+$/.test(token)) {
    throw new RangeError(
      `Cannot use the admin token: it must have at least ${MIN_TOKEN_LENGTH} visible ASCII characters, it has ${token.length}`,
    );
  }
  return token;
}

/** Takes the same time wherever the texts differ, and whatever their lengths. */
function isSame(given: string, expected: string): boolean {
  const hash = (text: string): Buffer => createHash("sha256").update(text).digest();
  return timingSafeEqual(hash(given), hash(expected));
}

/** Cookies do not know ports: another server of this machine may have one of the same name. */
function cookiesOf(header: string | undefined): readonly string[] {
  return (header ?? "").split(";").flatMap((pair) => {
    const [name = "", value = ""] = pair.trim().split("=", 2);
    return name === COOKIE ? [value] : [];
  });
}

/** What is looked at is behind the `#` of the address, which no server is sent: the form's own address keeps it, and the answer leads there. */
const KEEP_PLACE = "document.forms[0].action+=location.hash";

/** What the form may do, for its `content-security-policy`. */
export const LOGIN_POLICY = `default-src 'none'; script-src 'sha256-${createHash("sha256").update(KEEP_PLACE).digest("base64")}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

/** The page of a browser without the cookie. */
export const LOGIN_FORM = `<!doctype html>
<html lang="en"><meta charset="utf-8"><title>Wirewalk</title>
<form method="post" action="/login">
<label>Admin token <input type="password" name="token" autocomplete="current-password" required autofocus></label>
<button>Open the page</button>
</form>
<script>${KEEP_PLACE}</script>
</html>
`;
