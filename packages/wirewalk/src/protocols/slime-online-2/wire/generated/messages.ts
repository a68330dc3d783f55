/** Made by `npm run build:codecs` from the descriptions of Slime Online 2: do not edit. */
import { bad, badField, badKey, badObject, booleanWords, cut, cutSlab, cutsWords, decodeLatin1, exactlyWords, longWords, no, noEndWords, noMessage, notRead, on, putText, slabFor, slabUsed, under, unknownName, wrong, zeroAt, zeroTextWords } from "../../../../wire/compiled/index.ts";
import type { Checks, CompiledDialect, Members } from "../../../../wire/compiled/index.ts";

export type DocumentedMovePlayerClient = { code: number; direction: "leftPress"; x: number; y: number } | { code: number; direction: "rightPress"; x: number; y: number } | { code: number; direction: "upPress"; x: number } | { code: number; direction: "downPress" } | { code: number; direction: "leftRelease"; x: number; y: number } | { code: number; direction: "rightRelease"; x: number; y: number } | { code: number; direction: "upRelease" } | { code: number; direction: "downRelease" } | { code: number; direction: "landing"; x: number; y: number } | { code: number; direction: "leftPressAir" } | { code: number; direction: "rightPressAir" } | { code: number; direction: "leftReleaseAir" } | { code: number; direction: "rightReleaseAir" };
export type DocumentedMovePlayerServer = { playerId: number; code: number; direction: "leftPress"; x: number; y: number } | { playerId: number; code: number; direction: "rightPress"; x: number; y: number } | { playerId: number; code: number; direction: "upPress"; x: number } | { playerId: number; code: number; direction: "downPress" } | { playerId: number; code: number; direction: "leftRelease"; x: number; y: number } | { playerId: number; code: number; direction: "rightRelease"; x: number; y: number } | { playerId: number; code: number; direction: "upRelease" } | { playerId: number; code: number; direction: "downRelease" } | { playerId: number; code: number; direction: "landing"; x: number; y: number } | { playerId: number; code: number; direction: "leftPressAir" } | { playerId: number; code: number; direction: "rightPressAir" } | { playerId: number; code: number; direction: "leftReleaseAir" } | { playerId: number; code: number; direction: "rightReleaseAir" };
export type V0106MovePlayerClient = { code: number; direction: "leftPress"; x: number; y: number } | { code: number; direction: "rightPress"; x: number; y: number } | { code: number; direction: "upPress"; x: number } | { code: number; direction: "downPress" } | { code: number; direction: "leftRelease"; x: number; y: number } | { code: number; direction: "rightRelease"; x: number; y: number } | { code: number; direction: "upRelease" } | { code: number; direction: "downRelease" } | { code: number; direction: "landing"; x: number; y: number } | { code: number; direction: "leftPressAir" } | { code: number; direction: "rightPressAir" } | { code: number; direction: "leftReleaseAir" } | { code: number; direction: "rightReleaseAir" };
export type V0106MovePlayerServer = { playerId: number; code: number; direction: "leftPress"; x: number; y: number } | { playerId: number; code: number; direction: "rightPress"; x: number; y: number } | { playerId: number; code: number; direction: "upPress"; x: number } | { playerId: number; code: number; direction: "downPress" } | { playerId: number; code: number; direction: "leftRelease"; x: number; y: number } | { playerId: number; code: number; direction: "rightRelease"; x: number; y: number } | { playerId: number; code: number; direction: "upRelease" } | { playerId: number; code: number; direction: "downRelease" } | { playerId: number; code: number; direction: "landing"; x: number; y: number } | { playerId: number; code: number; direction: "leftPressAir" } | { playerId: number; code: number; direction: "rightPressAir" } | { playerId: number; code: number; direction: "leftReleaseAir" } | { playerId: number; code: number; direction: "rightReleaseAir" };
export type V0106NewPlayerClient = { playerId: number; x: number; y: number };
export type V0106NewPlayerServer = { kind: "announce"; x: number; y: number; playerId: number; room: number; name: string; body: number; accessory1: number; accessory2: number } | { kind: "present"; x: number; y: number; playerId: number; left: boolean; right: boolean; up: boolean; down: boolean; upPress: boolean; room: number; name: string; body: number; accessory1: number; accessory2: number };
export type V0106LogoutClient = Record<string, never>;
export type V0106LogoutServer = { playerId: number };
export type V0106LoginClient = { version: string; user: string; password: string; mac: string };
export type V0106LoginServer = { result: "success"; playerId: number; time: number; motd: string; day: number; hour: number; minute: number; name: string; x: number; y: number; room: number; body: number; accessory1: number; accessory2: number; points: number; signature: number; quest: number; questStep: number; trees: number; built: number; emotes: number[]; outfits: Outfits; accessories: Outfits; items: Outfits; tools: number[] } | { result: "noAccount" } | { result: "wrongPassword" } | { result: "alreadyOnline" } | { result: "wrongVersion" } | { result: "banned" } | { result: "addressBanned" } | { result: "macBanned" };
export type V0106WarpClient = { room: number; x: number; y: number };
export type V0106WarpServer = { playerId: number; kind: "left" } | { kind: "command"; x: number; y: number; room: number } | { playerId: number; kind: "arrived"; x: number; y: number };
export type V0106Position = { kind: "correction"; playerId: number; x: number; y: number; left: boolean; right: boolean; up: boolean; down: boolean; upPress: boolean };
export type V0106ChatClient = { text: string };
export type V0106ChatServer = { playerId: number; text: string };
export type V0106PlayerStopClient = { x: number; y: number };
export type Outfits = number[];

/** Where the last reader has ended. */
var after = 0;
/** The same for callers of other modules. */
export const lastEnd = (): number => after;


const u16le = (b: Uint8Array, at: number): number => b[at]! | (b[at + 1]! << 8);
const i16le = (b: Uint8Array, at: number): number => ((b[at]! | (b[at + 1]! << 8)) << 16) >> 16;
const u32le = (b: Uint8Array, at: number): number => (b[at]! | (b[at + 1]! << 8) | (b[at + 2]! << 16) | (b[at + 3]! << 24)) >>> 0;
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
const putU16le = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (b[at + 1] = value >> 8), (value & 65535) === value);
const putI16le = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (b[at + 1] = value >> 8), ((value << 16) >> 16) === value);
const putU32le = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (b[at + 1] = value >> 8), (b[at + 2] = value >> 16), (b[at + 3] = value >> 24), (value >>> 0) === value);
const putU8 = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (value & 255) === value);

var documentedMovePlayerClientChecks: Checks = { text: `|code|u8
none|code|1 to 13
|x|u16le|y|u16le
|x|u16le|y|u16le
|x|u16le
|x|u16le|y|u16le
|x|u16le|y|u16le
|x|u16le|y|u16le
same|direction|leftPress
same|direction|rightPress
same|direction|upPress
same|direction|downPress
same|direction|leftRelease
same|direction|rightRelease
same|direction|upRelease
same|direction|downRelease
same|direction|landing
same|direction|leftPressAir
same|direction|rightPressAir
same|direction|leftReleaseAir
same|direction|rightReleaseAir
oneOf|code|1 to 13` };

var documentedMovePlayerServerChecks: Checks = { text: `|playerId|u16le|code|u8
none|code|1 to 13
|x|u16le|y|u16le
|x|u16le|y|u16le
|x|u16le
|x|u16le|y|u16le
|x|u16le|y|u16le
|x|u16le|y|u16le
same|direction|leftPress
same|direction|rightPress
same|direction|upPress
same|direction|downPress
same|direction|leftRelease
same|direction|rightRelease
same|direction|upRelease
same|direction|downRelease
same|direction|landing
same|direction|leftPressAir
same|direction|rightPressAir
same|direction|leftReleaseAir
same|direction|rightReleaseAir
oneOf|code|1 to 13` };

var v0106MovePlayerClientChecks: Checks = { text: `|code|u8
none|code|1 to 13
|x|u16le|y|u16le
|x|u16le|y|u16le
|x|i16le
|x|u16le|y|u16le
|x|u16le|y|u16le
|x|u16le|y|u16le
same|direction|leftPress
same|direction|rightPress
same|direction|upPress
same|direction|downPress
same|direction|leftRelease
same|direction|rightRelease
same|direction|upRelease
same|direction|downRelease
same|direction|landing
same|direction|leftPressAir
same|direction|rightPressAir
same|direction|leftReleaseAir
same|direction|rightReleaseAir
oneOf|code|1 to 13` };

var v0106MovePlayerServerChecks: Checks = { text: `|playerId|u16le|code|u8
none|code|1 to 13
|x|u16le|y|u16le
|x|u16le|y|u16le
|x|i16le
|x|u16le|y|u16le
|x|u16le|y|u16le
|x|u16le|y|u16le
same|direction|leftPress
same|direction|rightPress
same|direction|upPress
same|direction|downPress
same|direction|leftRelease
same|direction|rightRelease
same|direction|upRelease
same|direction|downRelease
same|direction|landing
same|direction|leftPressAir
same|direction|rightPressAir
same|direction|leftReleaseAir
same|direction|rightReleaseAir
oneOf|code|1 to 13` };

var v0106NewPlayerClientChecks: Checks = { text: `|playerId|u16le|x|u16le|y|u16le` };

var v0106NewPlayerServerChecks: Checks = { text: `|kind|u8
none|kind|1, 2
|x|u16le|y|u16le|playerId|u16le|room|u16le
0|name
1|name|64
|body|u16le|accessory1|u16le|accessory2|u16le
|x|u16le|y|u16le|playerId|u16le|left|u8
none|left|0, 1
|right|u8
none|right|0, 1
|up|u8
none|up|0, 1
|down|u8
none|down|0, 1
|upPress|u8
none|upPress|0, 1
|room|u16le
|body|u16le|accessory1|u16le|accessory2|u16le
2|name|64
3|left
integer|left|u8
3|right
integer|right|u8
3|up
integer|up|u8
3|down
integer|down|u8
3|upPress
integer|upPress|u8
oneOf|kind|announce, present`, kinds: [noEndWords, longWords, zeroTextWords, booleanWords] };

var v0106LogoutServerChecks: Checks = { text: `|playerId|u16le` };

var v0106LoginClientChecks: Checks = { text: `0|version
1|version|64
0|user
1|user|64
0|password
1|password|64
0|mac
1|mac|64
2|version|64
2|user|64
2|password|64
2|mac|64`, kinds: [noEndWords, longWords, zeroTextWords] };

var v0106LoginServerChecks: Checks = { text: `|result|u8
none|result|1, 2, 3, 4, 5, 6, 7, 8
|playerId|u16le|time|u32le
0|motd
1|motd|1024
|day|u8|hour|u8|minute|u8
0|name
1|name|64
|x|u16le|y|u16le|room|u16le|body|u16le|accessory1|u16le|accessory2|u16le|points|u32le|signature|u8|quest|u16le|questStep|u8|trees|u16le|built|u16le
2|emotes|8|emotes[]|8
2|tools|8|tools[]|8
3|motd|1024
3|name|64
list|emotes
4|emotes|5|items
integer|emotes[]|u8
list|tools
4|tools|9|items
integer|tools[]|u8
oneOf|result|success, noAccount, wrongPassword, alreadyOnline, wrongVersion, banned, addressBanned, macBanned`, kinds: [noEndWords, longWords, cutsWords, zeroTextWords, exactlyWords] };

var outfitsChecks: Checks = { text: `0||16|[]|16
list|
1||9|items
integer|[]|u16le`, kinds: [cutsWords, exactlyWords] };

var v0106WarpClientChecks: Checks = { text: `|room|u16le|x|u16le|y|u16le` };

var v0106WarpServerChecks: Checks = { text: `|playerId|u16le|kind|u8
none|kind|2
|x|u16le|y|u16le|room|u16le
|playerId|u16le|kind|u8
none|kind|1
|x|u16le|y|u16le
oneOf|kind|left, command, arrived
oneOf|kind|left
integer|kind|u8
same|kind|command
oneOf|kind|arrived` };

var v0106PositionChecks: Checks = { text: `|kind|u8
none|kind|2
|playerId|u16le|x|u16le|y|u16le|left|u8
none|left|0, 1
|right|u8
none|right|0, 1
|up|u8
none|up|0, 1
|down|u8
none|down|0, 1
|upPress|u8
none|upPress|0, 1
oneOf|kind|correction
integer|kind|u8
0|left
integer|left|u8
0|right
integer|right|u8
0|up
integer|up|u8
0|down
integer|down|u8
0|upPress
integer|upPress|u8`, kinds: [booleanWords] };

var v0106ChatClientChecks: Checks = { text: `0|text
1|text|1024
2|text|1024`, kinds: [noEndWords, longWords, zeroTextWords] };

var v0106ChatServerChecks: Checks = { text: `|playerId|u16le
0|text
1|text|1024
2|text|1024`, kinds: [noEndWords, longWords, zeroTextWords] };

var v0106PlayerStopClientChecks: Checks = { text: `|x|u16le|y|u16le` };

function readDocumentedMovePlayerClient(b: Uint8Array, at: number, end: number): DocumentedMovePlayerClient | undefined {
  if (end - at < 1) return cut(documentedMovePlayerClientChecks, 0, at, end);
  const code = b[at]!;
  switch (code) {
    case 1: {
      if (end - at < 5) return cut(documentedMovePlayerClientChecks, 2, at + 1, end);
      const x = u16le(b, at + 1);
      const y = u16le(b, at + 3);
      after = at + 5;
      return { code, direction: "leftPress", x, y };
    }
    case 2: {
      if (end - at < 5) return cut(documentedMovePlayerClientChecks, 3, at + 1, end);
      const x2 = u16le(b, at + 1);
      const y2 = u16le(b, at + 3);
      after = at + 5;
      return { code, direction: "rightPress", x: x2, y: y2 };
    }
    case 3: {
      if (end - at < 3) return cut(documentedMovePlayerClientChecks, 4, at + 1, end);
      const x3 = u16le(b, at + 1);
      after = at + 3;
      return { code, direction: "upPress", x: x3 };
    }
    case 4: {
      after = at + 1;
      return { code, direction: "downPress" };
    }
    case 5: {
      if (end - at < 5) return cut(documentedMovePlayerClientChecks, 5, at + 1, end);
      const x4 = u16le(b, at + 1);
      const y3 = u16le(b, at + 3);
      after = at + 5;
      return { code, direction: "leftRelease", x: x4, y: y3 };
    }
    case 6: {
      if (end - at < 5) return cut(documentedMovePlayerClientChecks, 6, at + 1, end);
      const x5 = u16le(b, at + 1);
      const y4 = u16le(b, at + 3);
      after = at + 5;
      return { code, direction: "rightRelease", x: x5, y: y4 };
    }
    case 7: {
      after = at + 1;
      return { code, direction: "upRelease" };
    }
    case 8: {
      after = at + 1;
      return { code, direction: "downRelease" };
    }
    case 9: {
      if (end - at < 5) return cut(documentedMovePlayerClientChecks, 7, at + 1, end);
      const x6 = u16le(b, at + 1);
      const y5 = u16le(b, at + 3);
      after = at + 5;
      return { code, direction: "landing", x: x6, y: y5 };
    }
    case 10: {
      after = at + 1;
      return { code, direction: "leftPressAir" };
    }
    case 11: {
      after = at + 1;
      return { code, direction: "rightPressAir" };
    }
    case 12: {
      after = at + 1;
      return { code, direction: "leftReleaseAir" };
    }
    case 13: {
      after = at + 1;
      return { code, direction: "rightReleaseAir" };
    }
    default: {
      return no(documentedMovePlayerClientChecks, 1, at, code);
    }
  }
}

function readDocumentedMovePlayerServer(b: Uint8Array, at: number, end: number): DocumentedMovePlayerServer | undefined {
  if (end - at < 3) return cut(documentedMovePlayerServerChecks, 0, at, end);
  const playerId = u16le(b, at);
  const code = b[at + 2]!;
  switch (code) {
    case 1: {
      if (end - at < 7) return cut(documentedMovePlayerServerChecks, 2, at + 3, end);
      const x = u16le(b, at + 3);
      const y = u16le(b, at + 5);
      after = at + 7;
      return { playerId, code, direction: "leftPress", x, y };
    }
    case 2: {
      if (end - at < 7) return cut(documentedMovePlayerServerChecks, 3, at + 3, end);
      const x2 = u16le(b, at + 3);
      const y2 = u16le(b, at + 5);
      after = at + 7;
      return { playerId, code, direction: "rightPress", x: x2, y: y2 };
    }
    case 3: {
      if (end - at < 5) return cut(documentedMovePlayerServerChecks, 4, at + 3, end);
      const x3 = u16le(b, at + 3);
      after = at + 5;
      return { playerId, code, direction: "upPress", x: x3 };
    }
    case 4: {
      after = at + 3;
      return { playerId, code, direction: "downPress" };
    }
    case 5: {
      if (end - at < 7) return cut(documentedMovePlayerServerChecks, 5, at + 3, end);
      const x4 = u16le(b, at + 3);
      const y3 = u16le(b, at + 5);
      after = at + 7;
      return { playerId, code, direction: "leftRelease", x: x4, y: y3 };
    }
    case 6: {
      if (end - at < 7) return cut(documentedMovePlayerServerChecks, 6, at + 3, end);
      const x5 = u16le(b, at + 3);
      const y4 = u16le(b, at + 5);
      after = at + 7;
      return { playerId, code, direction: "rightRelease", x: x5, y: y4 };
    }
    case 7: {
      after = at + 3;
      return { playerId, code, direction: "upRelease" };
    }
    case 8: {
      after = at + 3;
      return { playerId, code, direction: "downRelease" };
    }
    case 9: {
      if (end - at < 7) return cut(documentedMovePlayerServerChecks, 7, at + 3, end);
      const x6 = u16le(b, at + 3);
      const y5 = u16le(b, at + 5);
      after = at + 7;
      return { playerId, code, direction: "landing", x: x6, y: y5 };
    }
    case 10: {
      after = at + 3;
      return { playerId, code, direction: "leftPressAir" };
    }
    case 11: {
      after = at + 3;
      return { playerId, code, direction: "rightPressAir" };
    }
    case 12: {
      after = at + 3;
      return { playerId, code, direction: "leftReleaseAir" };
    }
    case 13: {
      after = at + 3;
      return { playerId, code, direction: "rightReleaseAir" };
    }
    default: {
      return no(documentedMovePlayerServerChecks, 1, at + 2, code);
    }
  }
}

function readV0106MovePlayerClient(b: Uint8Array, at: number, end: number): V0106MovePlayerClient | undefined {
  if (end - at < 1) return cut(v0106MovePlayerClientChecks, 0, at, end);
  const code = b[at]!;
  switch (code) {
    case 1: {
      if (end - at < 5) return cut(v0106MovePlayerClientChecks, 2, at + 1, end);
      const x = u16le(b, at + 1);
      const y = u16le(b, at + 3);
      after = at + 5;
      return { code, direction: "leftPress", x, y };
    }
    case 2: {
      if (end - at < 5) return cut(v0106MovePlayerClientChecks, 3, at + 1, end);
      const x2 = u16le(b, at + 1);
      const y2 = u16le(b, at + 3);
      after = at + 5;
      return { code, direction: "rightPress", x: x2, y: y2 };
    }
    case 3: {
      if (end - at < 3) return cut(v0106MovePlayerClientChecks, 4, at + 1, end);
      const x3 = i16le(b, at + 1);
      after = at + 3;
      return { code, direction: "upPress", x: x3 };
    }
    case 4: {
      after = at + 1;
      return { code, direction: "downPress" };
    }
    case 5: {
      if (end - at < 5) return cut(v0106MovePlayerClientChecks, 5, at + 1, end);
      const x4 = u16le(b, at + 1);
      const y3 = u16le(b, at + 3);
      after = at + 5;
      return { code, direction: "leftRelease", x: x4, y: y3 };
    }
    case 6: {
      if (end - at < 5) return cut(v0106MovePlayerClientChecks, 6, at + 1, end);
      const x5 = u16le(b, at + 1);
      const y4 = u16le(b, at + 3);
      after = at + 5;
      return { code, direction: "rightRelease", x: x5, y: y4 };
    }
    case 7: {
      after = at + 1;
      return { code, direction: "upRelease" };
    }
    case 8: {
      after = at + 1;
      return { code, direction: "downRelease" };
    }
    case 9: {
      if (end - at < 5) return cut(v0106MovePlayerClientChecks, 7, at + 1, end);
      const x6 = u16le(b, at + 1);
      const y5 = u16le(b, at + 3);
      after = at + 5;
      return { code, direction: "landing", x: x6, y: y5 };
    }
    case 10: {
      after = at + 1;
      return { code, direction: "leftPressAir" };
    }
    case 11: {
      after = at + 1;
      return { code, direction: "rightPressAir" };
    }
    case 12: {
      after = at + 1;
      return { code, direction: "leftReleaseAir" };
    }
    case 13: {
      after = at + 1;
      return { code, direction: "rightReleaseAir" };
    }
    default: {
      return no(v0106MovePlayerClientChecks, 1, at, code);
    }
  }
}

function readV0106MovePlayerServer(b: Uint8Array, at: number, end: number): V0106MovePlayerServer | undefined {
  if (end - at < 3) return cut(v0106MovePlayerServerChecks, 0, at, end);
  const playerId = u16le(b, at);
  const code = b[at + 2]!;
  switch (code) {
    case 1: {
      if (end - at < 7) return cut(v0106MovePlayerServerChecks, 2, at + 3, end);
      const x = u16le(b, at + 3);
      const y = u16le(b, at + 5);
      after = at + 7;
      return { playerId, code, direction: "leftPress", x, y };
    }
    case 2: {
      if (end - at < 7) return cut(v0106MovePlayerServerChecks, 3, at + 3, end);
      const x2 = u16le(b, at + 3);
      const y2 = u16le(b, at + 5);
      after = at + 7;
      return { playerId, code, direction: "rightPress", x: x2, y: y2 };
    }
    case 3: {
      if (end - at < 5) return cut(v0106MovePlayerServerChecks, 4, at + 3, end);
      const x3 = i16le(b, at + 3);
      after = at + 5;
      return { playerId, code, direction: "upPress", x: x3 };
    }
    case 4: {
      after = at + 3;
      return { playerId, code, direction: "downPress" };
    }
    case 5: {
      if (end - at < 7) return cut(v0106MovePlayerServerChecks, 5, at + 3, end);
      const x4 = u16le(b, at + 3);
      const y3 = u16le(b, at + 5);
      after = at + 7;
      return { playerId, code, direction: "leftRelease", x: x4, y: y3 };
    }
    case 6: {
      if (end - at < 7) return cut(v0106MovePlayerServerChecks, 6, at + 3, end);
      const x5 = u16le(b, at + 3);
      const y4 = u16le(b, at + 5);
      after = at + 7;
      return { playerId, code, direction: "rightRelease", x: x5, y: y4 };
    }
    case 7: {
      after = at + 3;
      return { playerId, code, direction: "upRelease" };
    }
    case 8: {
      after = at + 3;
      return { playerId, code, direction: "downRelease" };
    }
    case 9: {
      if (end - at < 7) return cut(v0106MovePlayerServerChecks, 7, at + 3, end);
      const x6 = u16le(b, at + 3);
      const y5 = u16le(b, at + 5);
      after = at + 7;
      return { playerId, code, direction: "landing", x: x6, y: y5 };
    }
    case 10: {
      after = at + 3;
      return { playerId, code, direction: "leftPressAir" };
    }
    case 11: {
      after = at + 3;
      return { playerId, code, direction: "rightPressAir" };
    }
    case 12: {
      after = at + 3;
      return { playerId, code, direction: "leftReleaseAir" };
    }
    case 13: {
      after = at + 3;
      return { playerId, code, direction: "rightReleaseAir" };
    }
    default: {
      return no(v0106MovePlayerServerChecks, 1, at + 2, code);
    }
  }
}

function readV0106NewPlayerClient(b: Uint8Array, at: number, end: number): V0106NewPlayerClient | undefined {
  if (end - at < 6) return cut(v0106NewPlayerClientChecks, 0, at, end);
  const playerId = u16le(b, at);
  const x = u16le(b, at + 2);
  const y = u16le(b, at + 4);
  after = at + 6;
  return { playerId, x, y };
}

function readV0106NewPlayerServer(b: Uint8Array, at: number, end: number): V0106NewPlayerServer | undefined {
  if (end - at < 1) return cut(v0106NewPlayerServerChecks, 0, at, end);
  const kind = b[at]!;
  switch (kind) {
    case 1: {
      if (end - at < 9) return cut(v0106NewPlayerServerChecks, 2, at + 1, end);
      const x = u16le(b, at + 1);
      const y = u16le(b, at + 3);
      const playerId = u16le(b, at + 5);
      const room = u16le(b, at + 7);
      at += 9;
      const nameEnd = zeroAt(b, at, end, 64);
      if (nameEnd === -2) return no(v0106NewPlayerServerChecks, 4, at);
      if (nameEnd < 0) return no(v0106NewPlayerServerChecks, 3, at, end - at);
      const name = decodeLatin1(b, at, nameEnd);
      at = nameEnd + 1;
      if (end - at < 6) return cut(v0106NewPlayerServerChecks, 5, at, end);
      const body = u16le(b, at);
      const accessory1 = u16le(b, at + 2);
      const accessory2 = u16le(b, at + 4);
      after = at + 6;
      return { kind: "announce", x, y, playerId, room, name, body, accessory1, accessory2 };
    }
    case 2: {
      if (end - at < 8) return cut(v0106NewPlayerServerChecks, 6, at + 1, end);
      const x2 = u16le(b, at + 1);
      const y2 = u16le(b, at + 3);
      const playerId2 = u16le(b, at + 5);
      const left = b[at + 7]!;
      if (left < 0 || left > 1) return no(v0106NewPlayerServerChecks, 7, at + 7, left);
      const left2 = left === 1;
      if (end - at < 9) return cut(v0106NewPlayerServerChecks, 8, at + 8, end);
      const right = b[at + 8]!;
      if (right < 0 || right > 1) return no(v0106NewPlayerServerChecks, 9, at + 8, right);
      const right2 = right === 1;
      if (end - at < 10) return cut(v0106NewPlayerServerChecks, 10, at + 9, end);
      const up = b[at + 9]!;
      if (up < 0 || up > 1) return no(v0106NewPlayerServerChecks, 11, at + 9, up);
      const up2 = up === 1;
      if (end - at < 11) return cut(v0106NewPlayerServerChecks, 12, at + 10, end);
      const down = b[at + 10]!;
      if (down < 0 || down > 1) return no(v0106NewPlayerServerChecks, 13, at + 10, down);
      const down2 = down === 1;
      if (end - at < 12) return cut(v0106NewPlayerServerChecks, 14, at + 11, end);
      const upPress = b[at + 11]!;
      if (upPress < 0 || upPress > 1) return no(v0106NewPlayerServerChecks, 15, at + 11, upPress);
      const upPress2 = upPress === 1;
      if (end - at < 14) return cut(v0106NewPlayerServerChecks, 16, at + 12, end);
      const room2 = u16le(b, at + 12);
      at += 14;
      const name2End = zeroAt(b, at, end, 64);
      if (name2End === -2) return no(v0106NewPlayerServerChecks, 4, at);
      if (name2End < 0) return no(v0106NewPlayerServerChecks, 3, at, end - at);
      const name2 = decodeLatin1(b, at, name2End);
      at = name2End + 1;
      if (end - at < 6) return cut(v0106NewPlayerServerChecks, 17, at, end);
      const body2 = u16le(b, at);
      const accessory12 = u16le(b, at + 2);
      const accessory22 = u16le(b, at + 4);
      after = at + 6;
      return { kind: "present", x: x2, y: y2, playerId: playerId2, left: left2, right: right2, up: up2, down: down2, upPress: upPress2, room: room2, name: name2, body: body2, accessory1: accessory12, accessory2: accessory22 };
    }
    default: {
      return no(v0106NewPlayerServerChecks, 1, at, kind);
    }
  }
}

function readV0106LogoutClient(_b: Uint8Array, at: number, _end: number): V0106LogoutClient | undefined {
  after = at;
  return {};
}

function readV0106LogoutServer(b: Uint8Array, at: number, end: number): V0106LogoutServer | undefined {
  if (end - at < 2) return cut(v0106LogoutServerChecks, 0, at, end);
  const playerId = u16le(b, at);
  after = at + 2;
  return { playerId };
}

function readV0106LoginClient(b: Uint8Array, at: number, end: number): V0106LoginClient | undefined {
  const versionEnd = zeroAt(b, at, end, 64);
  if (versionEnd === -2) return no(v0106LoginClientChecks, 1, at);
  if (versionEnd < 0) return no(v0106LoginClientChecks, 0, at, end - at);
  const version = decodeLatin1(b, at, versionEnd);
  at = versionEnd + 1;
  const userEnd = zeroAt(b, at, end, 64);
  if (userEnd === -2) return no(v0106LoginClientChecks, 3, at);
  if (userEnd < 0) return no(v0106LoginClientChecks, 2, at, end - at);
  const user = decodeLatin1(b, at, userEnd);
  at = userEnd + 1;
  const passwordEnd = zeroAt(b, at, end, 64);
  if (passwordEnd === -2) return no(v0106LoginClientChecks, 5, at);
  if (passwordEnd < 0) return no(v0106LoginClientChecks, 4, at, end - at);
  const password = decodeLatin1(b, at, passwordEnd);
  at = passwordEnd + 1;
  const macEnd = zeroAt(b, at, end, 64);
  if (macEnd === -2) return no(v0106LoginClientChecks, 7, at);
  if (macEnd < 0) return no(v0106LoginClientChecks, 6, at, end - at);
  const mac = decodeLatin1(b, at, macEnd);
  at = macEnd + 1;
  after = at;
  return { version, user, password, mac };
}

function readOutfits(b: Uint8Array, at: number, end: number): Outfits | undefined {
  if (end - at < 18) return cut(outfitsChecks, 0, at, end);
  const value = new Array<number>(9);
  for (let valueIndex = 0; valueIndex < 9; valueIndex++) {
    const valueItem = u16le(b, at);
    at += 2;
    value[valueIndex] = valueItem;
  }
  after = at;
  return value;
}

function readV0106LoginServer(b: Uint8Array, at: number, end: number): V0106LoginServer | undefined {
  if (end - at < 1) return cut(v0106LoginServerChecks, 0, at, end);
  const result = b[at]!;
  switch (result) {
    case 1: {
      if (end - at < 7) return cut(v0106LoginServerChecks, 2, at + 1, end);
      const playerId = u16le(b, at + 1);
      const time = u32le(b, at + 3);
      at += 7;
      const motdEnd = zeroAt(b, at, end, 1024);
      if (motdEnd === -2) return no(v0106LoginServerChecks, 4, at);
      if (motdEnd < 0) return no(v0106LoginServerChecks, 3, at, end - at);
      const motd = decodeLatin1(b, at, motdEnd);
      at = motdEnd + 1;
      if (end - at < 3) return cut(v0106LoginServerChecks, 5, at, end);
      const day = b[at]!;
      const hour = b[at + 1]!;
      const minute = b[at + 2]!;
      at += 3;
      const nameEnd = zeroAt(b, at, end, 64);
      if (nameEnd === -2) return no(v0106LoginServerChecks, 7, at);
      if (nameEnd < 0) return no(v0106LoginServerChecks, 6, at, end - at);
      const name = decodeLatin1(b, at, nameEnd);
      at = nameEnd + 1;
      if (end - at < 24) return cut(v0106LoginServerChecks, 8, at, end);
      const x = u16le(b, at);
      const y = u16le(b, at + 2);
      const room = u16le(b, at + 4);
      const body = u16le(b, at + 6);
      const accessory1 = u16le(b, at + 8);
      const accessory2 = u16le(b, at + 10);
      const points = u32le(b, at + 12);
      const signature = b[at + 16]!;
      const quest = u16le(b, at + 17);
      const questStep = b[at + 19]!;
      const trees = u16le(b, at + 20);
      const built = u16le(b, at + 22);
      at += 24;
      if (end - at < 5) return cut(v0106LoginServerChecks, 9, at, end);
      const emotes = new Array<number>(5);
      for (let emotesIndex = 0; emotesIndex < 5; emotesIndex++) {
        const emote = b[at]!;
        at += 1;
        emotes[emotesIndex] = emote;
      }
      const outfits = readOutfits(b, at, end);
      if (outfits === undefined) return on("outfits");
      at = after;
      const accessories = readOutfits(b, at, end);
      if (accessories === undefined) return on("accessories");
      at = after;
      const items = readOutfits(b, at, end);
      if (items === undefined) return on("items");
      at = after;
      if (end - at < 9) return cut(v0106LoginServerChecks, 10, at, end);
      const tools = new Array<number>(9);
      for (let toolsIndex = 0; toolsIndex < 9; toolsIndex++) {
        const tool = b[at]!;
        at += 1;
        tools[toolsIndex] = tool;
      }
      after = at;
      return { result: "success", playerId, time, motd, day, hour, minute, name, x, y, room, body, accessory1, accessory2, points, signature, quest, questStep, trees, built, emotes, outfits, accessories, items, tools };
    }
    case 2: {
      after = at + 1;
      return { result: "noAccount" };
    }
    case 3: {
      after = at + 1;
      return { result: "wrongPassword" };
    }
    case 4: {
      after = at + 1;
      return { result: "alreadyOnline" };
    }
    case 5: {
      after = at + 1;
      return { result: "wrongVersion" };
    }
    case 6: {
      after = at + 1;
      return { result: "banned" };
    }
    case 7: {
      after = at + 1;
      return { result: "addressBanned" };
    }
    case 8: {
      after = at + 1;
      return { result: "macBanned" };
    }
    default: {
      return no(v0106LoginServerChecks, 1, at, result);
    }
  }
}

function readV0106WarpClient(b: Uint8Array, at: number, end: number): V0106WarpClient | undefined {
  if (end - at < 6) return cut(v0106WarpClientChecks, 0, at, end);
  const room = u16le(b, at);
  const x = u16le(b, at + 2);
  const y = u16le(b, at + 4);
  after = at + 6;
  return { room, x, y };
}

function readV0106WarpServer(b: Uint8Array, at: number, end: number): V0106WarpServer | undefined {
  if (end - at === 3) {
    if (end - at < 3) return cut(v0106WarpServerChecks, 0, at, end);
    const playerId = u16le(b, at);
    const kind = b[at + 2]!;
    if (kind !== 2) return no(v0106WarpServerChecks, 1, at + 2, kind);
    const kind2 = "left";
    after = at + 3;
    return { playerId, kind: kind2 };
  }
  if (end - at === 6) {
    if (end - at < 6) return cut(v0106WarpServerChecks, 2, at, end);
    const x = u16le(b, at);
    const y = u16le(b, at + 2);
    const room = u16le(b, at + 4);
    after = at + 6;
    return { kind: "command", x, y, room };
  }
  if (end - at < 3) return cut(v0106WarpServerChecks, 3, at, end);
  const playerId2 = u16le(b, at);
  const kind3 = b[at + 2]!;
  if (kind3 !== 1) return no(v0106WarpServerChecks, 4, at + 2, kind3);
  const kind4 = "arrived";
  if (end - at < 7) return cut(v0106WarpServerChecks, 5, at + 3, end);
  const x2 = u16le(b, at + 3);
  const y2 = u16le(b, at + 5);
  after = at + 7;
  return { playerId: playerId2, kind: kind4, x: x2, y: y2 };
}

function readV0106Position(b: Uint8Array, at: number, end: number): V0106Position | undefined {
  if (end - at < 1) return cut(v0106PositionChecks, 0, at, end);
  const kind = b[at]!;
  if (kind !== 2) return no(v0106PositionChecks, 1, at, kind);
  const kind2 = "correction";
  if (end - at < 8) return cut(v0106PositionChecks, 2, at + 1, end);
  const playerId = u16le(b, at + 1);
  const x = u16le(b, at + 3);
  const y = u16le(b, at + 5);
  const left = b[at + 7]!;
  if (left < 0 || left > 1) return no(v0106PositionChecks, 3, at + 7, left);
  const left2 = left === 1;
  if (end - at < 9) return cut(v0106PositionChecks, 4, at + 8, end);
  const right = b[at + 8]!;
  if (right < 0 || right > 1) return no(v0106PositionChecks, 5, at + 8, right);
  const right2 = right === 1;
  if (end - at < 10) return cut(v0106PositionChecks, 6, at + 9, end);
  const up = b[at + 9]!;
  if (up < 0 || up > 1) return no(v0106PositionChecks, 7, at + 9, up);
  const up2 = up === 1;
  if (end - at < 11) return cut(v0106PositionChecks, 8, at + 10, end);
  const down = b[at + 10]!;
  if (down < 0 || down > 1) return no(v0106PositionChecks, 9, at + 10, down);
  const down2 = down === 1;
  if (end - at < 12) return cut(v0106PositionChecks, 10, at + 11, end);
  const upPress = b[at + 11]!;
  if (upPress < 0 || upPress > 1) return no(v0106PositionChecks, 11, at + 11, upPress);
  const upPress2 = upPress === 1;
  after = at + 12;
  return { kind: kind2, playerId, x, y, left: left2, right: right2, up: up2, down: down2, upPress: upPress2 };
}

function readV0106ChatClient(b: Uint8Array, at: number, end: number): V0106ChatClient | undefined {
  const textEnd = zeroAt(b, at, end, 1024);
  if (textEnd === -2) return no(v0106ChatClientChecks, 1, at);
  if (textEnd < 0) return no(v0106ChatClientChecks, 0, at, end - at);
  const text = decodeLatin1(b, at, textEnd);
  at = textEnd + 1;
  after = at;
  return { text };
}

function readV0106ChatServer(b: Uint8Array, at: number, end: number): V0106ChatServer | undefined {
  if (end - at < 2) return cut(v0106ChatServerChecks, 0, at, end);
  const playerId = u16le(b, at);
  at += 2;
  const textEnd = zeroAt(b, at, end, 1024);
  if (textEnd === -2) return no(v0106ChatServerChecks, 2, at);
  if (textEnd < 0) return no(v0106ChatServerChecks, 1, at, end - at);
  const text = decodeLatin1(b, at, textEnd);
  at = textEnd + 1;
  after = at;
  return { playerId, text };
}

function readV0106PlayerStopClient(b: Uint8Array, at: number, end: number): V0106PlayerStopClient | undefined {
  if (end - at < 4) return cut(v0106PlayerStopClientChecks, 0, at, end);
  const x = u16le(b, at);
  const y = u16le(b, at + 2);
  after = at + 4;
  return { x, y };
}

function writeDocumentedMovePlayerClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const code = v.code as number;
  switch (code) {
    case 1: {
      b[at] = 1;
      const direction = v.direction as string;
      if (direction !== "leftPress") return bad(documentedMovePlayerClientChecks, 8, direction);
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y)
        )
      )
        return badField(documentedMovePlayerClientChecks, 2, "", v);
      at += 5;
      break;
    }
    case 2: {
      b[at] = 2;
      const direction2 = v.direction as string;
      if (direction2 !== "rightPress") return bad(documentedMovePlayerClientChecks, 9, direction2);
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y)
        )
      )
        return badField(documentedMovePlayerClientChecks, 2, "", v);
      at += 5;
      break;
    }
    case 3: {
      if (v.y !== undefined) return badKey("", v, "y");
      b[at] = 3;
      const direction3 = v.direction as string;
      if (direction3 !== "upPress") return bad(documentedMovePlayerClientChecks, 10, direction3);
      if (!putU16le(b, at + 1, v.x)) return badField(documentedMovePlayerClientChecks, 2, "", v);
      at += 3;
      break;
    }
    case 4: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 4;
      const direction4 = v.direction as string;
      if (direction4 !== "downPress") return bad(documentedMovePlayerClientChecks, 11, direction4);
      at += 1;
      break;
    }
    case 5: {
      b[at] = 5;
      const direction5 = v.direction as string;
      if (direction5 !== "leftRelease") return bad(documentedMovePlayerClientChecks, 12, direction5);
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y)
        )
      )
        return badField(documentedMovePlayerClientChecks, 2, "", v);
      at += 5;
      break;
    }
    case 6: {
      b[at] = 6;
      const direction6 = v.direction as string;
      if (direction6 !== "rightRelease") return bad(documentedMovePlayerClientChecks, 13, direction6);
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y)
        )
      )
        return badField(documentedMovePlayerClientChecks, 2, "", v);
      at += 5;
      break;
    }
    case 7: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 7;
      const direction7 = v.direction as string;
      if (direction7 !== "upRelease") return bad(documentedMovePlayerClientChecks, 14, direction7);
      at += 1;
      break;
    }
    case 8: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 8;
      const direction8 = v.direction as string;
      if (direction8 !== "downRelease") return bad(documentedMovePlayerClientChecks, 15, direction8);
      at += 1;
      break;
    }
    case 9: {
      b[at] = 9;
      const direction9 = v.direction as string;
      if (direction9 !== "landing") return bad(documentedMovePlayerClientChecks, 16, direction9);
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y)
        )
      )
        return badField(documentedMovePlayerClientChecks, 2, "", v);
      at += 5;
      break;
    }
    case 10: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 10;
      const direction10 = v.direction as string;
      if (direction10 !== "leftPressAir") return bad(documentedMovePlayerClientChecks, 17, direction10);
      at += 1;
      break;
    }
    case 11: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 11;
      const direction11 = v.direction as string;
      if (direction11 !== "rightPressAir") return bad(documentedMovePlayerClientChecks, 18, direction11);
      at += 1;
      break;
    }
    case 12: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 12;
      const direction12 = v.direction as string;
      if (direction12 !== "leftReleaseAir") return bad(documentedMovePlayerClientChecks, 19, direction12);
      at += 1;
      break;
    }
    case 13: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 13;
      const direction13 = v.direction as string;
      if (direction13 !== "rightReleaseAir") return bad(documentedMovePlayerClientChecks, 20, direction13);
      at += 1;
      break;
    }
    default: {
      return bad(documentedMovePlayerClientChecks, 21, code);
    }
  }
  return at;
}

function writeDocumentedMovePlayerServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU16le(b, at, v.playerId)) return badField(documentedMovePlayerServerChecks, 0, "", v);
  const code = v.code as number;
  switch (code) {
    case 1: {
      b[at + 2] = 1;
      const direction = v.direction as string;
      if (direction !== "leftPress") return bad(documentedMovePlayerServerChecks, 8, direction);
      if (
        !(
          putU16le(b, at + 3, v.x) &&
          putU16le(b, at + 5, v.y)
        )
      )
        return badField(documentedMovePlayerServerChecks, 2, "", v);
      at += 7;
      break;
    }
    case 2: {
      b[at + 2] = 2;
      const direction2 = v.direction as string;
      if (direction2 !== "rightPress") return bad(documentedMovePlayerServerChecks, 9, direction2);
      if (
        !(
          putU16le(b, at + 3, v.x) &&
          putU16le(b, at + 5, v.y)
        )
      )
        return badField(documentedMovePlayerServerChecks, 2, "", v);
      at += 7;
      break;
    }
    case 3: {
      if (v.y !== undefined) return badKey("", v, "y");
      b[at + 2] = 3;
      const direction3 = v.direction as string;
      if (direction3 !== "upPress") return bad(documentedMovePlayerServerChecks, 10, direction3);
      if (!putU16le(b, at + 3, v.x)) return badField(documentedMovePlayerServerChecks, 2, "", v);
      at += 5;
      break;
    }
    case 4: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 4;
      const direction4 = v.direction as string;
      if (direction4 !== "downPress") return bad(documentedMovePlayerServerChecks, 11, direction4);
      at += 3;
      break;
    }
    case 5: {
      b[at + 2] = 5;
      const direction5 = v.direction as string;
      if (direction5 !== "leftRelease") return bad(documentedMovePlayerServerChecks, 12, direction5);
      if (
        !(
          putU16le(b, at + 3, v.x) &&
          putU16le(b, at + 5, v.y)
        )
      )
        return badField(documentedMovePlayerServerChecks, 2, "", v);
      at += 7;
      break;
    }
    case 6: {
      b[at + 2] = 6;
      const direction6 = v.direction as string;
      if (direction6 !== "rightRelease") return bad(documentedMovePlayerServerChecks, 13, direction6);
      if (
        !(
          putU16le(b, at + 3, v.x) &&
          putU16le(b, at + 5, v.y)
        )
      )
        return badField(documentedMovePlayerServerChecks, 2, "", v);
      at += 7;
      break;
    }
    case 7: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 7;
      const direction7 = v.direction as string;
      if (direction7 !== "upRelease") return bad(documentedMovePlayerServerChecks, 14, direction7);
      at += 3;
      break;
    }
    case 8: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 8;
      const direction8 = v.direction as string;
      if (direction8 !== "downRelease") return bad(documentedMovePlayerServerChecks, 15, direction8);
      at += 3;
      break;
    }
    case 9: {
      b[at + 2] = 9;
      const direction9 = v.direction as string;
      if (direction9 !== "landing") return bad(documentedMovePlayerServerChecks, 16, direction9);
      if (
        !(
          putU16le(b, at + 3, v.x) &&
          putU16le(b, at + 5, v.y)
        )
      )
        return badField(documentedMovePlayerServerChecks, 2, "", v);
      at += 7;
      break;
    }
    case 10: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 10;
      const direction10 = v.direction as string;
      if (direction10 !== "leftPressAir") return bad(documentedMovePlayerServerChecks, 17, direction10);
      at += 3;
      break;
    }
    case 11: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 11;
      const direction11 = v.direction as string;
      if (direction11 !== "rightPressAir") return bad(documentedMovePlayerServerChecks, 18, direction11);
      at += 3;
      break;
    }
    case 12: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 12;
      const direction12 = v.direction as string;
      if (direction12 !== "leftReleaseAir") return bad(documentedMovePlayerServerChecks, 19, direction12);
      at += 3;
      break;
    }
    case 13: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 13;
      const direction13 = v.direction as string;
      if (direction13 !== "rightReleaseAir") return bad(documentedMovePlayerServerChecks, 20, direction13);
      at += 3;
      break;
    }
    default: {
      return bad(documentedMovePlayerServerChecks, 21, code);
    }
  }
  return at;
}

function writeV0106MovePlayerClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const code = v.code as number;
  switch (code) {
    case 1: {
      b[at] = 1;
      const direction = v.direction as string;
      if (direction !== "leftPress") return bad(v0106MovePlayerClientChecks, 8, direction);
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y)
        )
      )
        return badField(v0106MovePlayerClientChecks, 2, "", v);
      at += 5;
      break;
    }
    case 2: {
      b[at] = 2;
      const direction2 = v.direction as string;
      if (direction2 !== "rightPress") return bad(v0106MovePlayerClientChecks, 9, direction2);
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y)
        )
      )
        return badField(v0106MovePlayerClientChecks, 2, "", v);
      at += 5;
      break;
    }
    case 3: {
      if (v.y !== undefined) return badKey("", v, "y");
      b[at] = 3;
      const direction3 = v.direction as string;
      if (direction3 !== "upPress") return bad(v0106MovePlayerClientChecks, 10, direction3);
      if (!putI16le(b, at + 1, v.x)) return badField(v0106MovePlayerClientChecks, 4, "", v);
      at += 3;
      break;
    }
    case 4: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 4;
      const direction4 = v.direction as string;
      if (direction4 !== "downPress") return bad(v0106MovePlayerClientChecks, 11, direction4);
      at += 1;
      break;
    }
    case 5: {
      b[at] = 5;
      const direction5 = v.direction as string;
      if (direction5 !== "leftRelease") return bad(v0106MovePlayerClientChecks, 12, direction5);
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y)
        )
      )
        return badField(v0106MovePlayerClientChecks, 2, "", v);
      at += 5;
      break;
    }
    case 6: {
      b[at] = 6;
      const direction6 = v.direction as string;
      if (direction6 !== "rightRelease") return bad(v0106MovePlayerClientChecks, 13, direction6);
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y)
        )
      )
        return badField(v0106MovePlayerClientChecks, 2, "", v);
      at += 5;
      break;
    }
    case 7: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 7;
      const direction7 = v.direction as string;
      if (direction7 !== "upRelease") return bad(v0106MovePlayerClientChecks, 14, direction7);
      at += 1;
      break;
    }
    case 8: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 8;
      const direction8 = v.direction as string;
      if (direction8 !== "downRelease") return bad(v0106MovePlayerClientChecks, 15, direction8);
      at += 1;
      break;
    }
    case 9: {
      b[at] = 9;
      const direction9 = v.direction as string;
      if (direction9 !== "landing") return bad(v0106MovePlayerClientChecks, 16, direction9);
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y)
        )
      )
        return badField(v0106MovePlayerClientChecks, 2, "", v);
      at += 5;
      break;
    }
    case 10: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 10;
      const direction10 = v.direction as string;
      if (direction10 !== "leftPressAir") return bad(v0106MovePlayerClientChecks, 17, direction10);
      at += 1;
      break;
    }
    case 11: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 11;
      const direction11 = v.direction as string;
      if (direction11 !== "rightPressAir") return bad(v0106MovePlayerClientChecks, 18, direction11);
      at += 1;
      break;
    }
    case 12: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 12;
      const direction12 = v.direction as string;
      if (direction12 !== "leftReleaseAir") return bad(v0106MovePlayerClientChecks, 19, direction12);
      at += 1;
      break;
    }
    case 13: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at] = 13;
      const direction13 = v.direction as string;
      if (direction13 !== "rightReleaseAir") return bad(v0106MovePlayerClientChecks, 20, direction13);
      at += 1;
      break;
    }
    default: {
      return bad(v0106MovePlayerClientChecks, 21, code);
    }
  }
  return at;
}

function writeV0106MovePlayerServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU16le(b, at, v.playerId)) return badField(v0106MovePlayerServerChecks, 0, "", v);
  const code = v.code as number;
  switch (code) {
    case 1: {
      b[at + 2] = 1;
      const direction = v.direction as string;
      if (direction !== "leftPress") return bad(v0106MovePlayerServerChecks, 8, direction);
      if (
        !(
          putU16le(b, at + 3, v.x) &&
          putU16le(b, at + 5, v.y)
        )
      )
        return badField(v0106MovePlayerServerChecks, 2, "", v);
      at += 7;
      break;
    }
    case 2: {
      b[at + 2] = 2;
      const direction2 = v.direction as string;
      if (direction2 !== "rightPress") return bad(v0106MovePlayerServerChecks, 9, direction2);
      if (
        !(
          putU16le(b, at + 3, v.x) &&
          putU16le(b, at + 5, v.y)
        )
      )
        return badField(v0106MovePlayerServerChecks, 2, "", v);
      at += 7;
      break;
    }
    case 3: {
      if (v.y !== undefined) return badKey("", v, "y");
      b[at + 2] = 3;
      const direction3 = v.direction as string;
      if (direction3 !== "upPress") return bad(v0106MovePlayerServerChecks, 10, direction3);
      if (!putI16le(b, at + 3, v.x)) return badField(v0106MovePlayerServerChecks, 4, "", v);
      at += 5;
      break;
    }
    case 4: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 4;
      const direction4 = v.direction as string;
      if (direction4 !== "downPress") return bad(v0106MovePlayerServerChecks, 11, direction4);
      at += 3;
      break;
    }
    case 5: {
      b[at + 2] = 5;
      const direction5 = v.direction as string;
      if (direction5 !== "leftRelease") return bad(v0106MovePlayerServerChecks, 12, direction5);
      if (
        !(
          putU16le(b, at + 3, v.x) &&
          putU16le(b, at + 5, v.y)
        )
      )
        return badField(v0106MovePlayerServerChecks, 2, "", v);
      at += 7;
      break;
    }
    case 6: {
      b[at + 2] = 6;
      const direction6 = v.direction as string;
      if (direction6 !== "rightRelease") return bad(v0106MovePlayerServerChecks, 13, direction6);
      if (
        !(
          putU16le(b, at + 3, v.x) &&
          putU16le(b, at + 5, v.y)
        )
      )
        return badField(v0106MovePlayerServerChecks, 2, "", v);
      at += 7;
      break;
    }
    case 7: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 7;
      const direction7 = v.direction as string;
      if (direction7 !== "upRelease") return bad(v0106MovePlayerServerChecks, 14, direction7);
      at += 3;
      break;
    }
    case 8: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 8;
      const direction8 = v.direction as string;
      if (direction8 !== "downRelease") return bad(v0106MovePlayerServerChecks, 15, direction8);
      at += 3;
      break;
    }
    case 9: {
      b[at + 2] = 9;
      const direction9 = v.direction as string;
      if (direction9 !== "landing") return bad(v0106MovePlayerServerChecks, 16, direction9);
      if (
        !(
          putU16le(b, at + 3, v.x) &&
          putU16le(b, at + 5, v.y)
        )
      )
        return badField(v0106MovePlayerServerChecks, 2, "", v);
      at += 7;
      break;
    }
    case 10: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 10;
      const direction10 = v.direction as string;
      if (direction10 !== "leftPressAir") return bad(v0106MovePlayerServerChecks, 17, direction10);
      at += 3;
      break;
    }
    case 11: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 11;
      const direction11 = v.direction as string;
      if (direction11 !== "rightPressAir") return bad(v0106MovePlayerServerChecks, 18, direction11);
      at += 3;
      break;
    }
    case 12: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 12;
      const direction12 = v.direction as string;
      if (direction12 !== "leftReleaseAir") return bad(v0106MovePlayerServerChecks, 19, direction12);
      at += 3;
      break;
    }
    case 13: {
      if (v.x !== undefined || v.y !== undefined) return badKey("", v, "x|y");
      b[at + 2] = 13;
      const direction13 = v.direction as string;
      if (direction13 !== "rightReleaseAir") return bad(v0106MovePlayerServerChecks, 20, direction13);
      at += 3;
      break;
    }
    default: {
      return bad(v0106MovePlayerServerChecks, 21, code);
    }
  }
  return at;
}

function writeV0106NewPlayerClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU16le(b, at, v.playerId) &&
      putU16le(b, at + 2, v.x) &&
      putU16le(b, at + 4, v.y)
    )
  )
    return badField(v0106NewPlayerClientChecks, 0, "", v);
  return at + 6;
}

function writeV0106NewPlayerServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const kind = v.kind as string;
  switch (kind) {
    case "announce": {
      b[at] = 1;
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y) &&
          putU16le(b, at + 5, v.playerId) &&
          putU16le(b, at + 7, v.room)
        )
      )
        return badField(v0106NewPlayerServerChecks, 2, "", v);
      const name = v.name as string;
      at += 9;
      const end$1 = putText(b, at, name, 1, 64);
      if (end$1 < 0) return bad(v0106NewPlayerServerChecks, 18, name);
      b[end$1] = 0;
      at = end$1 + 1;
      if (
        !(
          putU16le(b, at, v.body) &&
          putU16le(b, at + 2, v.accessory1) &&
          putU16le(b, at + 4, v.accessory2)
        )
      )
        return badField(v0106NewPlayerServerChecks, 5, "", v);
      at += 6;
      break;
    }
    case "present": {
      b[at] = 2;
      if (
        !(
          putU16le(b, at + 1, v.x) &&
          putU16le(b, at + 3, v.y) &&
          putU16le(b, at + 5, v.playerId)
        )
      )
        return badField(v0106NewPlayerServerChecks, 2, "", v);
      const left = v.left as boolean;
      if (typeof left !== "boolean") return bad(v0106NewPlayerServerChecks, 19, left);
      const bit2 = left ? 1 : 0;
      b[at + 7] = bit2;
      const right = v.right as boolean;
      if (typeof right !== "boolean") return bad(v0106NewPlayerServerChecks, 21, right);
      const bit3 = right ? 1 : 0;
      b[at + 8] = bit3;
      const up = v.up as boolean;
      if (typeof up !== "boolean") return bad(v0106NewPlayerServerChecks, 23, up);
      const bit4 = up ? 1 : 0;
      b[at + 9] = bit4;
      const down = v.down as boolean;
      if (typeof down !== "boolean") return bad(v0106NewPlayerServerChecks, 25, down);
      const bit5 = down ? 1 : 0;
      b[at + 10] = bit5;
      const upPress = v.upPress as boolean;
      if (typeof upPress !== "boolean") return bad(v0106NewPlayerServerChecks, 27, upPress);
      const bit6 = upPress ? 1 : 0;
      b[at + 11] = bit6;
      if (!putU16le(b, at + 12, v.room)) return badField(v0106NewPlayerServerChecks, 2, "", v);
      const name2 = v.name as string;
      at += 14;
      const end$2 = putText(b, at, name2, 1, 64);
      if (end$2 < 0) return bad(v0106NewPlayerServerChecks, 18, name2);
      b[end$2] = 0;
      at = end$2 + 1;
      if (
        !(
          putU16le(b, at, v.body) &&
          putU16le(b, at + 2, v.accessory1) &&
          putU16le(b, at + 4, v.accessory2)
        )
      )
        return badField(v0106NewPlayerServerChecks, 5, "", v);
      at += 6;
      break;
    }
    default: {
      return bad(v0106NewPlayerServerChecks, 29, kind);
    }
  }
  return at;
}

function writeV0106LogoutClient(_b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  return at;
}

function writeV0106LogoutServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU16le(b, at, v.playerId)) return badField(v0106LogoutServerChecks, 0, "", v);
  return at + 2;
}

function writeV0106LoginClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const version = v.version as string;
  const end$1 = putText(b, at, version, 1, 64);
  if (end$1 < 0) return bad(v0106LoginClientChecks, 8, version);
  b[end$1] = 0;
  at = end$1 + 1;
  const user = v.user as string;
  const end$2 = putText(b, at, user, 1, 64);
  if (end$2 < 0) return bad(v0106LoginClientChecks, 9, user);
  b[end$2] = 0;
  at = end$2 + 1;
  const password = v.password as string;
  const end$3 = putText(b, at, password, 1, 64);
  if (end$3 < 0) return bad(v0106LoginClientChecks, 10, password);
  b[end$3] = 0;
  at = end$3 + 1;
  const mac = v.mac as string;
  const end$4 = putText(b, at, mac, 1, 64);
  if (end$4 < 0) return bad(v0106LoginClientChecks, 11, mac);
  b[end$4] = 0;
  at = end$4 + 1;
  return at;
}

function writeOutfits(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(outfitsChecks, 1, v);
  const count = v.length;
  if (count !== 9) return bad(outfitsChecks, 2, count);
  for (let i = 0; i < count; i++) {
    const item = v[i] as number;
    if (!putU16le(b, at, item)) return bad(outfitsChecks, 3, item, i);
    at += 2;
  }
  return at;
}

function writeV0106LoginServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const result = v.result as string;
  switch (result) {
    case "success": {
      b[at] = 1;
      if (
        !(
          putU16le(b, at + 1, v.playerId) &&
          putU32le(b, at + 3, v.time)
        )
      )
        return badField(v0106LoginServerChecks, 2, "", v);
      const motd = v.motd as string;
      at += 7;
      const end$1 = putText(b, at, motd, 1, 1024);
      if (end$1 < 0) return bad(v0106LoginServerChecks, 11, motd);
      b[end$1] = 0;
      at = end$1 + 1;
      if (
        !(
          putU8(b, at, v.day) &&
          putU8(b, at + 1, v.hour) &&
          putU8(b, at + 2, v.minute)
        )
      )
        return badField(v0106LoginServerChecks, 5, "", v);
      const name = v.name as string;
      at += 3;
      const end$2 = putText(b, at, name, 1, 64);
      if (end$2 < 0) return bad(v0106LoginServerChecks, 12, name);
      b[end$2] = 0;
      at = end$2 + 1;
      if (
        !(
          putU16le(b, at, v.x) &&
          putU16le(b, at + 2, v.y) &&
          putU16le(b, at + 4, v.room) &&
          putU16le(b, at + 6, v.body) &&
          putU16le(b, at + 8, v.accessory1) &&
          putU16le(b, at + 10, v.accessory2) &&
          putU32le(b, at + 12, v.points) &&
          putU8(b, at + 16, v.signature) &&
          putU16le(b, at + 17, v.quest) &&
          putU8(b, at + 19, v.questStep) &&
          putU16le(b, at + 20, v.trees) &&
          putU16le(b, at + 22, v.built)
        )
      )
        return badField(v0106LoginServerChecks, 8, "", v);
      const emotes = v.emotes as readonly unknown[];
      if (!Array.isArray(emotes)) return bad(v0106LoginServerChecks, 13, emotes);
      const count = emotes.length;
      if (count !== 5) return bad(v0106LoginServerChecks, 14, count);
      at += 24;
      for (let i = 0; i < count; i++) {
        const item = emotes[i] as number;
        if (!putU8(b, at, item)) return bad(v0106LoginServerChecks, 15, item, i);
        at += 1;
      }
      at = writeOutfits(b, at, v.outfits as readonly unknown[]);
      if (at < 0) return under("outfits");
      at = writeOutfits(b, at, v.accessories as readonly unknown[]);
      if (at < 0) return under("accessories");
      at = writeOutfits(b, at, v.items as readonly unknown[]);
      if (at < 0) return under("items");
      const tools = v.tools as readonly unknown[];
      if (!Array.isArray(tools)) return bad(v0106LoginServerChecks, 16, tools);
      const count2 = tools.length;
      if (count2 !== 9) return bad(v0106LoginServerChecks, 17, count2);
      for (let i2 = 0; i2 < count2; i2++) {
        const item2 = tools[i2] as number;
        if (!putU8(b, at, item2)) return bad(v0106LoginServerChecks, 18, item2, i2);
        at += 1;
      }
      break;
    }
    case "noAccount": {
      b[at] = 2;
      at += 1;
      break;
    }
    case "wrongPassword": {
      b[at] = 3;
      at += 1;
      break;
    }
    case "alreadyOnline": {
      b[at] = 4;
      at += 1;
      break;
    }
    case "wrongVersion": {
      b[at] = 5;
      at += 1;
      break;
    }
    case "banned": {
      b[at] = 6;
      at += 1;
      break;
    }
    case "addressBanned": {
      b[at] = 7;
      at += 1;
      break;
    }
    case "macBanned": {
      b[at] = 8;
      at += 1;
      break;
    }
    default: {
      return bad(v0106LoginServerChecks, 19, result);
    }
  }
  return at;
}

function writeV0106WarpClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU16le(b, at, v.room) &&
      putU16le(b, at + 2, v.x) &&
      putU16le(b, at + 4, v.y)
    )
  )
    return badField(v0106WarpClientChecks, 0, "", v);
  return at + 6;
}

function writeV0106WarpServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const kind = v.kind as string;
  const kind2 = v.kind as string;
  if (kind2 === "left") {
    if (!putU16le(b, at, v.playerId)) return badField(v0106WarpServerChecks, 0, "", v);
    const kind3 = v.kind as string;
    const number = kind3 === "left" ? 2 : undefined;
    if (number === undefined) return bad(v0106WarpServerChecks, 7, kind3);
    b[at + 2] = number;
    at += 3;
  } else {
    const kind4 = v.kind as string;
    if (kind4 === "command") {
      const kind5 = v.kind as string;
      if (kind5 !== "command") return bad(v0106WarpServerChecks, 9, kind5);
      if (
        !(
          putU16le(b, at, v.x) &&
          putU16le(b, at + 2, v.y) &&
          putU16le(b, at + 4, v.room)
        )
      )
        return badField(v0106WarpServerChecks, 2, "", v);
      at += 6;
    } else {
      const kind6 = v.kind as string;
      if (kind6 === "arrived") {
        if (!putU16le(b, at, v.playerId)) return badField(v0106WarpServerChecks, 0, "", v);
        const kind7 = v.kind as string;
        const number2 = kind7 === "arrived" ? 1 : undefined;
        if (number2 === undefined) return bad(v0106WarpServerChecks, 10, kind7);
        b[at + 2] = number2;
        if (
          !(
            putU16le(b, at + 3, v.x) &&
            putU16le(b, at + 5, v.y)
          )
        )
          return badField(v0106WarpServerChecks, 2, "", v);
        at += 7;
      } else {
        return bad(v0106WarpServerChecks, 6, kind);
      }
    }
  }
  return at;
}

function writeV0106Position(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const kind = v.kind as string;
  const number = kind === "correction" ? 2 : undefined;
  if (number === undefined) return bad(v0106PositionChecks, 12, kind);
  b[at] = number;
  if (
    !(
      putU16le(b, at + 1, v.playerId) &&
      putU16le(b, at + 3, v.x) &&
      putU16le(b, at + 5, v.y)
    )
  )
    return badField(v0106PositionChecks, 2, "", v);
  const left = v.left as boolean;
  if (typeof left !== "boolean") return bad(v0106PositionChecks, 14, left);
  const bit2 = left ? 1 : 0;
  b[at + 7] = bit2;
  const right = v.right as boolean;
  if (typeof right !== "boolean") return bad(v0106PositionChecks, 16, right);
  const bit3 = right ? 1 : 0;
  b[at + 8] = bit3;
  const up = v.up as boolean;
  if (typeof up !== "boolean") return bad(v0106PositionChecks, 18, up);
  const bit4 = up ? 1 : 0;
  b[at + 9] = bit4;
  const down = v.down as boolean;
  if (typeof down !== "boolean") return bad(v0106PositionChecks, 20, down);
  const bit5 = down ? 1 : 0;
  b[at + 10] = bit5;
  const upPress = v.upPress as boolean;
  if (typeof upPress !== "boolean") return bad(v0106PositionChecks, 22, upPress);
  const bit6 = upPress ? 1 : 0;
  b[at + 11] = bit6;
  return at + 12;
}

function writeV0106ChatClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const text = v.text as string;
  const end$1 = putText(b, at, text, 1, 1024);
  if (end$1 < 0) return bad(v0106ChatClientChecks, 2, text);
  b[end$1] = 0;
  at = end$1 + 1;
  return at;
}

function writeV0106ChatServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU16le(b, at, v.playerId)) return badField(v0106ChatServerChecks, 0, "", v);
  const text = v.text as string;
  at += 2;
  const end$1 = putText(b, at, text, 1, 1024);
  if (end$1 < 0) return bad(v0106ChatServerChecks, 3, text);
  b[end$1] = 0;
  at = end$1 + 1;
  return at;
}

function writeV0106PlayerStopClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU16le(b, at, v.x) &&
      putU16le(b, at + 2, v.y)
    )
  )
    return badField(v0106PlayerStopClientChecks, 0, "", v);
  return at + 4;
}


export type DocumentedClientMessage = { message: "movePlayer"; value: DocumentedMovePlayerClient };

function readDocumentedClientMessage(b: Uint8Array, id = b[0]! * 256 + b[1]!, at = 2): DocumentedClientMessage {
  const end = b.length;
  let message: DocumentedClientMessage["message"];
  let value: DocumentedClientMessage["value"] | undefined;
  switch (id) {
    case 8: {
      message = "movePlayer";
      value = readDocumentedMovePlayerClient(b, at, end);
      break;
    }
    default: throw noMessage(documented, "client", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as DocumentedClientMessage;
}

function writeDocumentedClientMessage({ message, value: v }: DocumentedClientMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(5 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 0;
      b[at + 1] = 8;
      end = writeDocumentedMovePlayerClient(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(documented, "client", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export type DocumentedServerMessage = { message: "movePlayer"; value: DocumentedMovePlayerServer };

function readDocumentedServerMessage(b: Uint8Array, id = b[0]! * 256 + b[1]!, at = 2): DocumentedServerMessage {
  const end = b.length;
  let message: DocumentedServerMessage["message"];
  let value: DocumentedServerMessage["value"] | undefined;
  switch (id) {
    case 8: {
      message = "movePlayer";
      value = readDocumentedMovePlayerServer(b, at, end);
      break;
    }
    default: throw noMessage(documented, "server", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as DocumentedServerMessage;
}

function writeDocumentedServerMessage({ message, value: v }: DocumentedServerMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(7 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 0;
      b[at + 1] = 8;
      end = writeDocumentedMovePlayerServer(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(documented, "server", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export const documented: CompiledDialect<DocumentedClientMessage, DocumentedServerMessage> = {
  dialect: "documented",
  idName: "type",
  ids: {
    client: { movePlayer: 8 },
    server: { movePlayer: 8 },
  },
  read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? readDocumentedClientMessage(b, id, at) : readDocumentedServerMessage(b, id, at)) as never,
  write: ((sender: string, m: never, before?: number) => sender === "client" ? writeDocumentedClientMessage(m, before) : writeDocumentedServerMessage(m, before)) as never,
};

export type DocumentedLittleEndianClientMessage = { message: "movePlayer"; value: DocumentedMovePlayerClient };

function readDocumentedLittleEndianClientMessage(b: Uint8Array, id = b[0]! + b[1]! * 256, at = 2): DocumentedLittleEndianClientMessage {
  const end = b.length;
  let message: DocumentedLittleEndianClientMessage["message"];
  let value: DocumentedLittleEndianClientMessage["value"] | undefined;
  switch (id) {
    case 8: {
      message = "movePlayer";
      value = readDocumentedMovePlayerClient(b, at, end);
      break;
    }
    default: throw noMessage(documentedLittleEndian, "client", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as DocumentedLittleEndianClientMessage;
}

function writeDocumentedLittleEndianClientMessage({ message, value: v }: DocumentedLittleEndianClientMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(5 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 8;
      b[at + 1] = 0;
      end = writeDocumentedMovePlayerClient(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(documentedLittleEndian, "client", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export type DocumentedLittleEndianServerMessage = { message: "movePlayer"; value: DocumentedMovePlayerServer };

function readDocumentedLittleEndianServerMessage(b: Uint8Array, id = b[0]! + b[1]! * 256, at = 2): DocumentedLittleEndianServerMessage {
  const end = b.length;
  let message: DocumentedLittleEndianServerMessage["message"];
  let value: DocumentedLittleEndianServerMessage["value"] | undefined;
  switch (id) {
    case 8: {
      message = "movePlayer";
      value = readDocumentedMovePlayerServer(b, at, end);
      break;
    }
    default: throw noMessage(documentedLittleEndian, "server", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as DocumentedLittleEndianServerMessage;
}

function writeDocumentedLittleEndianServerMessage({ message, value: v }: DocumentedLittleEndianServerMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(7 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 8;
      b[at + 1] = 0;
      end = writeDocumentedMovePlayerServer(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(documentedLittleEndian, "server", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export const documentedLittleEndian: CompiledDialect<DocumentedLittleEndianClientMessage, DocumentedLittleEndianServerMessage> = {
  dialect: "documentedLittleEndian",
  idName: "type",
  ids: {
    client: { movePlayer: 8 },
    server: { movePlayer: 8 },
  },
  read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? readDocumentedLittleEndianClientMessage(b, id, at) : readDocumentedLittleEndianServerMessage(b, id, at)) as never,
  write: ((sender: string, m: never, before?: number) => sender === "client" ? writeDocumentedLittleEndianClientMessage(m, before) : writeDocumentedLittleEndianServerMessage(m, before)) as never,
};

export type V0106ClientMessage = { message: "movePlayer"; value: V0106MovePlayerClient } | { message: "newPlayer"; value: V0106NewPlayerClient } | { message: "logout"; value: V0106LogoutClient } | { message: "ping"; value: V0106LogoutClient } | { message: "login"; value: V0106LoginClient } | { message: "warp"; value: V0106WarpClient } | { message: "chat"; value: V0106ChatClient } | { message: "playerStop"; value: V0106PlayerStopClient };

function readV0106ClientMessage(b: Uint8Array, id = b[0]! + b[1]! * 256, at = 2): V0106ClientMessage {
  const end = b.length;
  let message: V0106ClientMessage["message"];
  let value: V0106ClientMessage["value"] | undefined;
  switch (id) {
    case 2: {
      message = "movePlayer";
      value = readV0106MovePlayerClient(b, at, end);
      break;
    }
    case 1: {
      message = "newPlayer";
      value = readV0106NewPlayerClient(b, at, end);
      break;
    }
    case 6: {
      message = "logout";
      value = readV0106LogoutClient(b, at, end);
      break;
    }
    case 9: {
      message = "ping";
      value = readV0106LogoutClient(b, at, end);
      break;
    }
    case 10: {
      message = "login";
      value = readV0106LoginClient(b, at, end);
      break;
    }
    case 14: {
      message = "warp";
      value = readV0106WarpClient(b, at, end);
      break;
    }
    case 17: {
      message = "chat";
      value = readV0106ChatClient(b, at, end);
      break;
    }
    case 43: {
      message = "playerStop";
      value = readV0106PlayerStopClient(b, at, end);
      break;
    }
    default: throw noMessage(v0106, "client", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as V0106ClientMessage;
}

function writeV0106ClientMessage({ message, value: v }: V0106ClientMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(1025 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 2;
      b[at + 1] = 0;
      end = writeV0106MovePlayerClient(b, at + free, v as Members);
      break;
    }
    case "newPlayer": {
      b[at] = 1;
      b[at + 1] = 0;
      end = writeV0106NewPlayerClient(b, at + free, v as Members);
      break;
    }
    case "logout": {
      b[at] = 6;
      b[at + 1] = 0;
      end = writeV0106LogoutClient(b, at + free, v as Members);
      break;
    }
    case "ping": {
      b[at] = 9;
      b[at + 1] = 0;
      end = writeV0106LogoutClient(b, at + free, v as Members);
      break;
    }
    case "login": {
      b[at] = 10;
      b[at + 1] = 0;
      end = writeV0106LoginClient(b, at + free, v as Members);
      break;
    }
    case "warp": {
      b[at] = 14;
      b[at + 1] = 0;
      end = writeV0106WarpClient(b, at + free, v as Members);
      break;
    }
    case "chat": {
      b[at] = 17;
      b[at + 1] = 0;
      end = writeV0106ChatClient(b, at + free, v as Members);
      break;
    }
    case "playerStop": {
      b[at] = 43;
      b[at + 1] = 0;
      end = writeV0106PlayerStopClient(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(v0106, "client", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export type V0106ServerMessage = { message: "movePlayer"; value: V0106MovePlayerServer } | { message: "newPlayer"; value: V0106NewPlayerServer } | { message: "logout"; value: V0106LogoutServer } | { message: "ping"; value: V0106LogoutClient } | { message: "login"; value: V0106LoginServer } | { message: "warp"; value: V0106WarpServer } | { message: "position"; value: V0106Position } | { message: "chat"; value: V0106ChatServer } | { message: "playerStop"; value: V0106NewPlayerClient };

function readV0106ServerMessage(b: Uint8Array, id = b[0]! + b[1]! * 256, at = 2): V0106ServerMessage {
  const end = b.length;
  let message: V0106ServerMessage["message"];
  let value: V0106ServerMessage["value"] | undefined;
  switch (id) {
    case 2: {
      message = "movePlayer";
      value = readV0106MovePlayerServer(b, at, end);
      break;
    }
    case 1: {
      message = "newPlayer";
      value = readV0106NewPlayerServer(b, at, end);
      break;
    }
    case 6: {
      message = "logout";
      value = readV0106LogoutServer(b, at, end);
      break;
    }
    case 9: {
      message = "ping";
      value = readV0106LogoutClient(b, at, end);
      break;
    }
    case 10: {
      message = "login";
      value = readV0106LoginServer(b, at, end);
      break;
    }
    case 14: {
      message = "warp";
      value = readV0106WarpServer(b, at, end);
      break;
    }
    case 15: {
      message = "position";
      value = readV0106Position(b, at, end);
      break;
    }
    case 17: {
      message = "chat";
      value = readV0106ChatServer(b, at, end);
      break;
    }
    case 43: {
      message = "playerStop";
      value = readV0106NewPlayerClient(b, at, end);
      break;
    }
    default: throw noMessage(v0106, "server", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as V0106ServerMessage;
}

function writeV0106ServerMessage({ message, value: v }: V0106ServerMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(1192 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 2;
      b[at + 1] = 0;
      end = writeV0106MovePlayerServer(b, at + free, v as Members);
      break;
    }
    case "newPlayer": {
      b[at] = 1;
      b[at + 1] = 0;
      end = writeV0106NewPlayerServer(b, at + free, v as Members);
      break;
    }
    case "logout": {
      b[at] = 6;
      b[at + 1] = 0;
      end = writeV0106LogoutServer(b, at + free, v as Members);
      break;
    }
    case "ping": {
      b[at] = 9;
      b[at + 1] = 0;
      end = writeV0106LogoutClient(b, at + free, v as Members);
      break;
    }
    case "login": {
      b[at] = 10;
      b[at + 1] = 0;
      end = writeV0106LoginServer(b, at + free, v as Members);
      break;
    }
    case "warp": {
      b[at] = 14;
      b[at + 1] = 0;
      end = writeV0106WarpServer(b, at + free, v as Members);
      break;
    }
    case "position": {
      b[at] = 15;
      b[at + 1] = 0;
      end = writeV0106Position(b, at + free, v as Members);
      break;
    }
    case "chat": {
      b[at] = 17;
      b[at + 1] = 0;
      end = writeV0106ChatServer(b, at + free, v as Members);
      break;
    }
    case "playerStop": {
      b[at] = 43;
      b[at + 1] = 0;
      end = writeV0106NewPlayerClient(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(v0106, "server", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export const v0106: CompiledDialect<V0106ClientMessage, V0106ServerMessage> = {
  dialect: "v0106",
  idName: "type",
  ids: {
    client: { movePlayer: 2, newPlayer: 1, logout: 6, ping: 9, login: 10, warp: 14, chat: 17, playerStop: 43 },
    server: { movePlayer: 2, newPlayer: 1, logout: 6, ping: 9, login: 10, warp: 14, position: 15, chat: 17, playerStop: 43 },
  },
  read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? readV0106ClientMessage(b, id, at) : readV0106ServerMessage(b, id, at)) as never,
  write: ((sender: string, m: never, before?: number) => sender === "client" ? writeV0106ClientMessage(m, before) : writeV0106ServerMessage(m, before)) as never,
};
