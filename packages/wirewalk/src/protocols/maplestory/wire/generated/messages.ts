/** Made by `npm run build:codecs` from the descriptions of MapleStory: do not edit. */
import { allZero, bad, badField, badKey, badObject, bigAt, bigWords, bytesAt, cut, cutBit, cutSlab, cutsWords, decodeLatin1, endWords, exactlyWords, itemsWords, lengthOf, memberOf, no, noBit, noMessage, notRead, on, paddingWords, putBig, putBytes, putText, slabFor, slabUsed, textWords, under, unknownName, wrong } from "../../../../wire/compiled/index.ts";
import type { Checks, CompiledDialect, Members } from "../../../../wire/compiled/index.ts";

export type V62MovePlayerClient = { fieldKey: number; start: { x: number; y: number }; fragments: Fragments; keypad: Keypad; box: Box };
export type V62MoveLife = { mobId: number; moveId: number; flags: number; actionAndDirection: number; target: Uint8Array; moveFlags: number; unknown: number; start: { x: number; y: number }; fragments: Fragments; keypad: Keypad; box: Box };
export type V62MovePetClient = { petId: bigint; start: { x: number; y: number }; fragments: Fragments; keypad: Keypad; box: Box };
export type V62MoveSummonClient = { summonId: number; start: { x: number; y: number }; fragments: Fragments; keypad: Keypad; box: Box };
export type V62MovePlayerServer = { characterId: number; start: { x: number; y: number }; fragments: Fragments };
export type V62MoveMonster = { mobId: number; flags: number; actionAndDirection: number; target: Uint8Array; start: { x: number; y: number }; fragments: Fragments };
export type V62MovePetServer = { characterId: number; slot: number; start: { x: number; y: number }; fragments: Fragments };
export type V62MoveSummonServer = { characterId: number; summonId: number; start: { x: number; y: number }; fragments: Fragments };
export type V62MoveMonsterResponse = { mobId: number; moveId: number; nextAttack: number; mp: number; skillId: number; skillLevel: number };
export type V62PlayerLoggedIn = { characterId: number; reserved: number };
export type V62Pong = Record<string, never>;
export type V62Aggro = { mobId: number; unknown: number };
export type V62ServerIp = { result: number; mode: number; ip?: Ip; port?: number; characterId?: number; authenCode?: number; premium?: number; refused?: Uint8Array };
export type V62ChangeChannel = { moves: number; ip?: Ip; port?: number; refused?: Uint8Array };
export type V62ChangeMap = { channel: number; fieldKey: number; target: { content: "map"; notices: number; mapId: number; spawnPoint: number; hp: number; chase: number; time: bigint } | { content: "character"; data: Uint8Array } };
export type V62ShowPlayer = { characterId: number; name: string; guild: string; emblem: Uint8Array; effects: Uint8Array; gender: number; skin: number; face: number; megaphone: number; hair: number; equipment: Equipment; masked: Equipment; weapon: number; pets: Pets; unknown: number; itemEffect: number; chair: number; x: number; y: number; state: number; extras: Uint8Array };
export type V62RemovePlayer = { characterId: number };
export type V62ShowMonster = { mobId: number; spawn: Spawn };
export type V62RemoveMonster = { mobId: number; animation: number };
export type V62ControlMonster = { mode: "stop"; mobId: number } | { mode: "control"; mobId: number; spawn: Spawn } | { mode: "controlWithAggro"; mobId: number; spawn: Spawn };
export type V83MovePlayerClient = { fieldKey: number; fieldCrc: number; start: { x: number; y: number }; fragments: Fragments2; keypad: Keypad; box: Box };
export type V83MoveLife = { mobId: number; moveId: number; flags: number; actionAndDirection: number; target: Uint8Array; moveFlags: number; unknown: number; flyTargetX: number; flyTargetY: number; start: { x: number; y: number }; fragments: Fragments2; keypad: Keypad; box: Box };
export type V83MovePetClient = { petId: bigint; start: { x: number; y: number }; fragments: Fragments2; keypad: Keypad; box: Box };
export type V83MoveSummonClient = { summonId: number; start: { x: number; y: number }; fragments: Fragments2; keypad: Keypad; box: Box };
export type V83MovePlayerServer = { characterId: number; start: { x: number; y: number }; fragments: Fragments2 };
export type V83MoveMonster = { mobId: number; notForceLanding: number; nextAttackPossible: number; actionAndDirection: number; target: Uint8Array; start: { x: number; y: number }; fragments: Fragments2 };
export type V83MovePetServer = { characterId: number; slot: number; start: { x: number; y: number }; fragments: Fragments2 };
export type V83MoveSummonServer = { characterId: number; summonId: number; start: { x: number; y: number }; fragments: Fragments2 };
export type V83MoveDragonClient = { start: { x: number; y: number }; fragments: Fragments2; keypad: Keypad; box: Box };
export type V83PlayerLoggedIn = { characterId: number; rest: Uint8Array };
export type V83Aggro = { mobId: number; distance: number };
export type V83ChangeMap = { channel: number; fieldKey: number; target: { content: "map"; notices: number; revive: number; mapId: number; spawnPoint: number; hp: number; chase: number; chaseX?: number; chaseY?: number; time: bigint } | { content: "character"; notices: number; seeds: Pets; data: Uint8Array } };
export type V83ShowPlayer = { characterId: number; level: number; look: Uint8Array };
export type V83ShowMonster = { mobId: number; spawn: Spawn2 };
export type V83RemoveMonster = { mobId: number; animation: number; swallowedBy?: number; rest: Uint8Array };
export type V83ControlMonster = { mode: "stop"; mobId: number } | { mode: "control"; mobId: number; spawn: Spawn2 } | { mode: "controlWithAggro"; mobId: number; spawn: Spawn2 };
export type V95MovePlayerClient = { debug0: number; debug1: number; fieldKey: number; debug2: number; debug3: number; fieldCrc: number; crcKey: number; crc: number; start: Start; fragments: Fragments3; keypad: Keypad; box: Box };
export type V95MoveLife = { mobId: number; moveId: number; flags: number; actionAndDirection: number; target: Uint8Array; ballTargets: BallTargets; areaTimes: AreaTimes; moveFlags: number; unknown: number; flyTargetX: number; flyTargetY: number; unknownCrc: number; start: Start; fragments: Fragments3; keypad: Keypad; box: Box; chasing: number; hasTarget: number; chasingNow: number; chasingHack: number; chaseMs: number };
export type V95MovePetClient = { petId: bigint; start: Start; fragments: Fragments3; keypad: Keypad; box: Box };
export type V95MoveSummonClient = { summonId: number; start: Start; fragments: Fragments3; keypad: Keypad; box: Box };
export type V95MovePlayerServer = { characterId: number; start: Start; fragments: Fragments3 };
export type V95MoveMonster = { mobId: number; notForceLanding: number; notChangeAction: number; nextAttackPossible: number; actionAndDirection: number; target: Uint8Array; ballTargets: BallTargets; areaTimes: AreaTimes; start: Start; fragments: Fragments3 };
export type V95MovePetServer = { characterId: number; slot: number; start: Start; fragments: Fragments3 };
export type V95MoveSummonServer = { characterId: number; summonId: number; start: Start; fragments: Fragments3 };
export type V95MoveDragonClient = { start: Start; fragments: Fragments3; keypad: Keypad; box: Box };
export type V95ChangeMap = { options: Array<{ type: number; value: number }>; channel: number; oldDriver: number; fieldKey: number; target: { content: "map"; notices: number; revive: number; mapId: number; spawnPoint: number; hp: number; chase: number; chaseX?: number; chaseY?: number; time: bigint } | { content: "character"; notices: number; seeds: Pets; data: Uint8Array } };
export type V95ShowMonster = { mobId: number; spawn: Spawn3 };
export type V95ControlMonster = { mode: "stop"; mobId: number } | { mode: "control"; mobId: number; spawn: Spawn3 } | { mode: "controlWithAggro"; mobId: number; spawn: Spawn3 };
export type DocumentedMovePlayerClient = { head: Uint8Array; fragments: Fragments4; tail: Uint8Array };
export type DocumentedMoveLife = { mobId: number; moveId: number; flags: number; actionAndDirection: number; target: Uint8Array; moveFlags: number; unknown: number; opaque: Uint8Array; fragments: Fragments4; rest: Uint8Array };
export type DocumentedMovePetClient = { petId: bigint; opaque: Uint8Array; fragments: Fragments4; rest: Uint8Array };
export type DocumentedMoveSummonClient = { summonId: number; opaque: Uint8Array; fragments: Fragments4; rest: Uint8Array };
export type DocumentedMovePlayerServer = { characterId: number; opaque: Uint8Array; fragments: Fragments4; rest: Uint8Array };
export type DocumentedMoveMonster = { mobId: number; flags: number; actionAndDirection: number; target: Uint8Array; opaque: Uint8Array; fragments: Fragments4; rest: Uint8Array };
export type DocumentedMovePetServer = { characterId: number; slot: number; opaque: Uint8Array; fragments: Fragments4; rest: Uint8Array };
export type DocumentedMoveSummonServer = { characterId: number; summonId: number; opaque: Uint8Array; fragments: Fragments4; rest: Uint8Array };
export type DocumentedShowMonster = { mobId: number; spawn: { template: number; x: number; y: number; state: number; foothold: number } };
export type Fragments = Array<{ type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "equipment"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number }>;
export type Keypad = number[];
export type Box = { left: number; top: number; right: number; bottom: number };
export type Ip = number[];
export type Equipment = Array<{ slot: number; item: number }>;
export type Pets = number[];
export type Spawn = { status: "controlled" | "notControlled"; template: number; statusMask: Uint8Array; x: number; y: number; state: number; originFoothold: number; foothold: number; appear: number; team: number; effect: number };
export type Fragments2 = Array<{ type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "equipment" | "bare"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number }>;
export type Spawn2 = { status: "controlled" | "notControlled"; template: number; statusMask: Uint8Array; withStatuses?: Uint8Array; x?: number; y?: number; state?: number; originFoothold?: number; foothold?: number; appear?: number; appearFrom?: number; appearDelay?: number; team?: number; effect?: number };
export type Start = { x: number; y: number; vx: number; vy: number };
export type Fragments3 = Array<{ type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "flyingBlock" | "equipment" | "bare"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number; xOffset: number; yOffset: number }>;
export type BallTargets = Array<{ x: number; y: number }>;
export type AreaTimes = number[];
export type Spawn3 = { status: "controlled" | "notControlled"; template: number; statusMask: Uint8Array; withStatuses?: Uint8Array; x?: number; y?: number; state?: number; foothold?: number; originFoothold?: number; appear?: number; appearFrom?: number; appearDelay?: number; team?: number; effect?: number; phase?: number };
export type Fragments4 = Array<{ type: number; kind: "absolute" | "relative" | "instant" | "equipment" | "jumpDown"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number }>;

/** Where the last reader has ended. */
var after = 0;
/** The same for callers of other modules. */
export const lastEnd = (): number => after;
var keptFrom = 0;
var keptTo = 0;
/** Where the kept bytes of the last message lie. */
export const keptStart = (): number => keptFrom;
export const keptEnd = (): number => keptTo;

var names = [undefined, "controlled", undefined, undefined, undefined, "notControlled"] as const;

const i16le = (b: Uint8Array, at: number): number => ((b[at]! | (b[at + 1]! << 8)) << 16) >> 16;
const u16le = (b: Uint8Array, at: number): number => b[at]! | (b[at + 1]! << 8);
const u32le = (b: Uint8Array, at: number): number => (b[at]! | (b[at + 1]! << 8) | (b[at + 2]! << 16) | (b[at + 3]! << 24)) >>> 0;
const i32le = (b: Uint8Array, at: number): number => b[at]! | (b[at + 1]! << 8) | (b[at + 2]! << 16) | (b[at + 3]! << 24);
const isObject = (value: unknown): boolean => typeof value === "object" && value !== null;
const putI16le = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (b[at + 1] = value >> 8), ((value << 16) >> 16) === value);
const putU8 = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (value & 255) === value);
const putU16le = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (b[at + 1] = value >> 8), (value & 65535) === value);
const putU32le = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (b[at + 1] = value >> 8), (b[at + 2] = value >> 16), (b[at + 3] = value >> 24), (value >>> 0) === value);
const putI8 = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), ((value << 24) >> 24) === value);
const putI32le = (b: Uint8Array, at: number, value: unknown): boolean => typeof value === "number" && ((b[at] = value), (b[at + 1] = value >> 8), (b[at + 2] = value >> 16), (b[at + 3] = value >> 24), (value | 0) === value);

var v62MovePlayerClientChecks: Checks = { text: `|fieldKey|u8|start.x|i16le|start.y|i16le` };

var fragmentsChecks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 17
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].data|u8
list|
most||255|items
integer|count|u8
integer|[].type|u8
same|[].kind|absolute
same|[].kind|fallDown
same|[].kind|relative
same|[].kind|instant
same|[].kind|startFallDown
same|[].kind|equipment
oneOf|[].type|0 to 17` };

var keypadChecks: Checks = { text: `|count|u8
0||4|[]|4
1|unused
list|
most||255|items
integer|count|u8|0|255
integer|[]|u4|0|15`, kinds: [cutsWords, paddingWords] };

var boxChecks: Checks = { text: `|left|i16le|top|i16le|right|i16le|bottom|i16le` };

var v62MoveLifeChecks: Checks = { text: `|mobId|u32le|moveId|u16le|flags|u8|actionAndDirection|i8|target|32|moveFlags|u8|unknown|u32le|start.x|i16le|start.y|i16le
bytes|target|4|4` };

var v62MovePetClientChecks: Checks = { text: `|petId|64|start.x|i16le|start.y|i16le
0|petId`, kinds: [bigWords] };

var v62MoveSummonClientChecks: Checks = { text: `|summonId|u32le|start.x|i16le|start.y|i16le` };

var v62MovePlayerServerChecks: Checks = { text: `|characterId|u32le|start.x|i16le|start.y|i16le
bytes|pathBytes|0|any` };

var v62MoveMonsterChecks: Checks = { text: `|mobId|u32le|flags|u8|actionAndDirection|i8|target|32|start.x|i16le|start.y|i16le
bytes|target|4|4
bytes|pathBytes|0|any` };

var v62MovePetServerChecks: Checks = { text: `|characterId|u32le|slot|u8|start.x|i16le|start.y|i16le
bytes|pathBytes|0|any` };

var v62MoveSummonServerChecks: Checks = { text: `|characterId|u32le|summonId|u32le|start.x|i16le|start.y|i16le
bytes|pathBytes|0|any` };

var v62MoveMonsterResponseChecks: Checks = { text: `|mobId|u32le|moveId|u16le|nextAttack|u8|mp|u16le|skillId|u8|skillLevel|u8` };

var v62PlayerLoggedInChecks: Checks = { text: `|characterId|u32le|reserved|u16le` };

var v62AggroChecks: Checks = { text: `|mobId|u32le|unknown|u32le` };

var v62ServerIpChecks: Checks = { text: `|result|u8|mode|u8
|port|u16le|characterId|u32le|authenCode|u8|premium|u32le
left|refused|8192
integer|result|u8
bytes|refused|0|8192` };

var ipChecks: Checks = { text: `0||8|[]|8
list|
1||4|items
integer|[]|u8`, kinds: [cutsWords, exactlyWords] };

var v62ChangeChannelChecks: Checks = { text: `|moves|u8
|port|u16le
left|refused|8192
integer|moves|u8
bytes|refused|0|8192` };

var v62ChangeMapChecks: Checks = { text: `|channel|i32le|fieldKey|u8|target.content|u8
none|target.content|0, 1
|target.notices|u16le|target.mapId|u32le|target.spawnPoint|u8|target.hp|u16le|target.chase|u8|target.time|64
left|target.data|8192
0|target.time
bytes|target.data|0|8192
oneOf|target.content|map, character`, kinds: [bigWords] };

var v62ShowPlayerChecks: Checks = { text: `|characterId|u32le|name.count|u16le
limit|name.count|64
run|name
|guild.count|u16le
limit|guild.count|64
run|guild
|emblem|48|effects|864|gender|u8|skin|u8|face|u32le|megaphone|u8|hair|u32le
|weapon|u32le
|unknown|u32le|itemEffect|u32le|chair|u32le|x|i16le|y|i16le|state|u8|extras|184
0|name|64
0|guild|64
bytes|emblem|6|6
bytes|effects|108|108
bytes|extras|23|23`, kinds: [textWords] };

var equipmentChecks: Checks = { text: `0||64
|[].slot|u8|[].item|u32le
list|
most||64|items
1|[]|255`, kinds: [itemsWords, endWords] };

var petsChecks: Checks = { text: `0||32|[]|32
list|
1||3|items
integer|[]|u32le`, kinds: [cutsWords, exactlyWords] };

var v62RemovePlayerChecks: Checks = { text: `|characterId|u32le` };

var v62ShowMonsterChecks: Checks = { text: `|mobId|u32le` };

var spawnChecks: Checks = { text: `|status|u8
none|status|1, 5
|template|u32le|statusMask|64|x|i16le|y|i16le|state|u8|originFoothold|i16le|foothold|i16le|appear|i8|team|i8|effect|u32le
oneOf|status|controlled, notControlled
integer|status|u8
bytes|statusMask|8|8` };

var v62RemoveMonsterChecks: Checks = { text: `|mobId|u32le|animation|u8` };

var v62ControlMonsterChecks: Checks = { text: `|mode|u8
none|mode|0, 1, 2
|mobId|u32le
|mobId|u32le
|mobId|u32le
oneOf|mode|stop, control, controlWithAggro` };

var v83MovePlayerClientChecks: Checks = { text: `|fieldKey|u8|fieldCrc|u32le|start.x|i16le|start.y|i16le` };

var fragments2Checks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 22
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].data|u8
|[].state|u8|[].durationMs|u16le
list|
most||255|items
integer|count|u8
integer|[].type|u8
same|[].kind|absolute
same|[].kind|fallDown
same|[].kind|relative
same|[].kind|instant
same|[].kind|startFallDown
same|[].kind|equipment
same|[].kind|bare
oneOf|[].type|0 to 22` };

var v83MoveLifeChecks: Checks = { text: `|mobId|u32le|moveId|u16le|flags|u8|actionAndDirection|i8|target|32|moveFlags|u8|unknown|u32le|flyTargetX|i32le|flyTargetY|i32le|start.x|i16le|start.y|i16le
bytes|target|4|4` };

var v83MovePetClientChecks: Checks = { text: `|petId|64|start.x|i16le|start.y|i16le
0|petId`, kinds: [bigWords] };

var v83MoveSummonClientChecks: Checks = { text: `|summonId|u32le|start.x|i16le|start.y|i16le` };

var v83MovePlayerServerChecks: Checks = { text: `|characterId|u32le|start.x|i16le|start.y|i16le
bytes|pathBytes|0|any` };

var v83MoveMonsterChecks: Checks = { text: `|mobId|u32le|notForceLanding|u8|nextAttackPossible|u8|actionAndDirection|i8|target|32|start.x|i16le|start.y|i16le
bytes|target|4|4
bytes|pathBytes|0|any` };

var v83MovePetServerChecks: Checks = { text: `|characterId|u32le|slot|u8|start.x|i16le|start.y|i16le
bytes|pathBytes|0|any` };

var v83MoveSummonServerChecks: Checks = { text: `|characterId|u32le|summonId|u32le|start.x|i16le|start.y|i16le
bytes|pathBytes|0|any` };

var v83MoveDragonClientChecks: Checks = { text: `|start.x|i16le|start.y|i16le` };

var v83PlayerLoggedInChecks: Checks = { text: `|characterId|u32le
left|rest|8192
bytes|rest|0|8192` };

var v83AggroChecks: Checks = { text: `|mobId|u32le|distance|u32le` };

var v83ChangeMapChecks: Checks = { text: `|channel|i32le|fieldKey|u8|target.content|u8
none|target.content|0, 1
|target.notices|u16le|target.revive|u8|target.mapId|u32le|target.spawnPoint|u8|target.hp|u16le|target.chase|u8
|target.chaseX|i32le|target.chaseY|i32le
|target.time|64
|target.notices|u16le
left|target.data|8192
integer|target.chase|u8
0|target.time
bytes|target.data|0|8192
oneOf|target.content|map, character`, kinds: [bigWords] };

var v83ShowPlayerChecks: Checks = { text: `|characterId|u32le|level|u8
left|look|8192
bytes|look|0|8192` };

var v83ShowMonsterChecks: Checks = { text: `|mobId|u32le` };

var spawn2Checks: Checks = { text: `|status|u8
none|status|1, 5
|template|u32le|statusMask|128
left|withStatuses|8192
|x|i16le|y|i16le|state|u8|originFoothold|i16le|foothold|i16le|appear|i8
|appearFrom|u32le
|appearDelay|u32le
|team|i8|effect|u32le
oneOf|status|controlled, notControlled
integer|status|u8
bytes|statusMask|16|16
bytes|withStatuses|0|8192
integer|appear|i8` };

var v83RemoveMonsterChecks: Checks = { text: `|mobId|u32le|animation|u8
|swallowedBy|u32le
left|rest|8
integer|animation|u8
bytes|rest|0|8` };

var v83ControlMonsterChecks: Checks = { text: `|mode|u8
none|mode|0, 1, 2
|mobId|u32le
|mobId|u32le
|mobId|u32le
oneOf|mode|stop, control, controlWithAggro` };

var v95MovePlayerClientChecks: Checks = { text: `|debug0|u32le|debug1|u32le|fieldKey|u8|debug2|u32le|debug3|u32le|fieldCrc|u32le|crcKey|u32le|crc|u32le` };

var startChecks: Checks = { text: `|x|i16le|y|i16le|vx|i16le|vy|i16le` };

var fragments3Checks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 36
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].xOffset|i16le|[].yOffset|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].fallStart|i16le|[].xOffset|i16le|[].yOffset|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].data|u8
|[].state|u8|[].durationMs|u16le
list|
most||255|items
integer|count|u8
integer|[].type|u8
same|[].kind|absolute
same|[].kind|fallDown
same|[].kind|relative
same|[].kind|instant
same|[].kind|startFallDown
same|[].kind|flyingBlock
same|[].kind|equipment
same|[].kind|bare
oneOf|[].type|0 to 36` };

var v95MoveLifeChecks: Checks = { text: `|mobId|u32le|moveId|u16le|flags|u8|actionAndDirection|i8|target|32
|moveFlags|u8|unknown|u32le|flyTargetX|i32le|flyTargetY|i32le|unknownCrc|u32le
|chasing|u8|hasTarget|u8|chasingNow|u8|chasingHack|u8|chaseMs|u32le
bytes|target|4|4` };

var ballTargetsChecks: Checks = { text: `|count|u32le
limit|count|64
0||64|[].x|32|[].y|32
list|
most||64|items
integer|count|u32le
|[].x|i32le|[].y|i32le`, kinds: [cutsWords] };

var areaTimesChecks: Checks = { text: `|count|u32le
limit|count|64
0||32|[]|32
list|
most||64|items
integer|count|u32le
integer|[]|i32le`, kinds: [cutsWords] };

var v95MovePetClientChecks: Checks = { text: `|petId|64
0|petId`, kinds: [bigWords] };

var v95MoveSummonClientChecks: Checks = { text: `|summonId|u32le` };

var v95MovePlayerServerChecks: Checks = { text: `|characterId|u32le
bytes|pathBytes|0|any` };

var v95MoveMonsterChecks: Checks = { text: `|mobId|u32le|notForceLanding|u8|notChangeAction|u8|nextAttackPossible|u8|actionAndDirection|i8|target|32
bytes|target|4|4
bytes|pathBytes|0|any` };

var v95MovePetServerChecks: Checks = { text: `|characterId|u32le|slot|u8
bytes|pathBytes|0|any` };

var v95MoveSummonServerChecks: Checks = { text: `|characterId|u32le|summonId|u32le
bytes|pathBytes|0|any` };

var v95ChangeMapChecks: Checks = { text: `|options.count|u16le
limit|options.count|64
0|options|64|options[].type|32|options[].value|32
|channel|i32le|oldDriver|u32le|fieldKey|u8|target.content|u8
none|target.content|0, 1
|target.notices|u16le|target.revive|u8|target.mapId|u32le|target.spawnPoint|u8|target.hp|u32le|target.chase|u8
|target.chaseX|i32le|target.chaseY|i32le
|target.time|64
|target.notices|u16le
left|target.data|8192
list|options
most|options|64|items
integer|options.count|u16le
integer|target.chase|u8
1|target.time
bytes|target.data|0|8192
oneOf|target.content|map, character
|options[].type|u32le|options[].value|u32le`, kinds: [cutsWords, bigWords] };

var v95ShowMonsterChecks: Checks = { text: `|mobId|u32le` };

var spawn3Checks: Checks = { text: `|status|u8
none|status|1, 5
|template|u32le|statusMask|128
left|withStatuses|8192
|x|i16le|y|i16le|state|u8|foothold|i16le|originFoothold|i16le|appear|i8
|appearFrom|u32le
|appearDelay|u32le
|team|i8|effect|u32le|phase|u32le
oneOf|status|controlled, notControlled
integer|status|u8
bytes|statusMask|16|16
bytes|withStatuses|0|8192
integer|appear|i8` };

var v95ControlMonsterChecks: Checks = { text: `|mode|u8
none|mode|0, 1, 2
|mobId|u32le
|mobId|u32le
|mobId|u32le
oneOf|mode|stop, control, controlWithAggro` };

var documentedMovePlayerClientChecks: Checks = { text: `|head|40
|tail|144
bytes|head|5|5
bytes|pathBytes|0|any
bytes|tail|18|18` };

var fragments4Checks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 14, 16, 17
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].unknown|u16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].state|u8
|[].data|u8
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].unknown|u16le|[].foothold|u16le|[].state|u8|[].durationMs|u16le
list|
most||255|items
integer|count|u8
integer|[].type|u8
same|[].kind|absolute
same|[].kind|relative
same|[].kind|instant
same|[].kind|equipment
same|[].kind|jumpDown
oneOf|[].type|0 to 14, 16, 17` };

var documentedMoveLifeChecks: Checks = { text: `|mobId|u32le|moveId|u16le|flags|u8|actionAndDirection|i8|target|32|moveFlags|u8|unknown|u32le|opaque|32
left|rest|8192
bytes|target|4|4
bytes|opaque|4|4
bytes|rest|0|8192` };

var documentedMovePetClientChecks: Checks = { text: `|petId|64|opaque|32
left|rest|8192
0|petId
bytes|opaque|4|4
bytes|rest|0|8192`, kinds: [bigWords] };

var documentedMoveSummonClientChecks: Checks = { text: `|summonId|u32le|opaque|32
left|rest|8192
bytes|opaque|4|4
bytes|rest|0|8192` };

var documentedMovePlayerServerChecks: Checks = { text: `|characterId|u32le|opaque|32
left|rest|8192
bytes|pathBytes|0|any
bytes|opaque|4|4
bytes|rest|0|8192` };

var documentedMoveMonsterChecks: Checks = { text: `|mobId|u32le|flags|u8|actionAndDirection|i8|target|32|opaque|32
left|rest|8192
bytes|target|4|4
bytes|pathBytes|0|any
bytes|opaque|4|4
bytes|rest|0|8192` };

var documentedMovePetServerChecks: Checks = { text: `|characterId|u32le|slot|u8|opaque|32
left|rest|8192
bytes|pathBytes|0|any
bytes|opaque|4|4
bytes|rest|0|8192` };

var documentedMoveSummonServerChecks: Checks = { text: `|characterId|u32le|summonId|u32le|opaque|32
left|rest|8192
bytes|pathBytes|0|any
bytes|opaque|4|4
bytes|rest|0|8192` };

var documentedShowMonsterChecks: Checks = { text: `|mobId|u32le|spawn.template|u32le|spawn.x|i16le|spawn.y|i16le|spawn.state|u8|spawn.foothold|i16le` };

var fragmentsRowsChecks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 17
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].data|u8` };

var fragments2RowsChecks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 22
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].data|u8
|[].state|u8|[].durationMs|u16le` };

var fragments3RowsChecks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 36
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].xOffset|i16le|[].yOffset|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].foothold|i16le|[].fallStart|i16le|[].xOffset|i16le|[].yOffset|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].foothold|i16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].fallStart|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].data|u8
|[].state|u8|[].durationMs|u16le` };

var fragments4RowsChecks: Checks = { text: `|count|u8
|[].type|u8
none|[].type|0 to 14, 16, 17
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].unknown|u16le|[].state|u8|[].durationMs|u16le
|[].vx|i16le|[].vy|i16le|[].state|u8|[].durationMs|u16le
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].state|u8
|[].data|u8
|[].x|i16le|[].y|i16le|[].vx|i16le|[].vy|i16le|[].unknown|u16le|[].foothold|u16le|[].state|u8|[].durationMs|u16le` };

function readFragments(b: Uint8Array, at: number, end: number): Fragments | undefined {
  if (end - at < 1) return cut(fragmentsChecks, 0, at, end);
  const count = b[at]!;
  at += 1;
  const value = new Array<{ type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "equipment"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number }>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    if (end - at < 1) return cut(fragmentsChecks, 1, at, end, 0, valueIndex);
    const type2 = b[at]!;
    let kind = "absolute";
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    const type2Bit = type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      if (end - at < 14) return cut(fragmentsChecks, 3, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      foothold = i16le(b, at + 9);
      state = b[at + 11]!;
      durationMs = u16le(b, at + 12);
      kind = "absolute";
      at += 14;
    } else if ((type2Bit & 32768) !== 0) {
      if (end - at < 16) return cut(fragmentsChecks, 4, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      foothold = i16le(b, at + 9);
      fallStart = i16le(b, at + 11);
      state = b[at + 13]!;
      durationMs = u16le(b, at + 14);
      kind = "fallDown";
      at += 16;
    } else if ((type2Bit & 77894) !== 0) {
      if (end - at < 8) return cut(fragmentsChecks, 5, at + 1, end, 0, valueIndex);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      state = b[at + 5]!;
      durationMs = u16le(b, at + 6);
      kind = "relative";
      at += 8;
    } else if ((type2Bit & 2968) !== 0) {
      if (end - at < 10) return cut(fragmentsChecks, 6, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      foothold = i16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      kind = "instant";
      at += 10;
    } else if ((type2Bit & 16384) !== 0) {
      if (end - at < 10) return cut(fragmentsChecks, 7, at + 1, end, 0, valueIndex);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      fallStart = i16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      kind = "startFallDown";
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      if (end - at < 2) return cut(fragmentsChecks, 8, at + 1, end, 0, valueIndex);
      data = b[at + 1]!;
      kind = "equipment";
      at += 2;
    } else {
      return no(fragmentsChecks, 2, at, type2, valueIndex);
    }
    value[valueIndex] = { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data } as { type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "equipment"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number };
  }
  after = at;
  return value;
}

function readKeypad(b: Uint8Array, at: number, end: number): Keypad | undefined {
  let bit = 0;
  if (end - at < 1) return cut(keypadChecks, 0, at, end);
  const count = b[at]!;
  bit = at * 8 + 8;
  if (end * 8 - bit < count * 4) return cutBit(keypadChecks, 1, bit, end);
  const value = new Array<number>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    const valueItem = (b[(bit >> 3)]! >> (bit & 7)) & 15;
    bit += 4;
    value[valueIndex] = valueItem;
  }
  if ((bit & 7) !== 0 && (b[bit >> 3]! >> (bit & 7)) !== 0) return noBit(keypadChecks, 2, bit & ~7, b[bit >> 3]! >> (bit & 7));
  at = (bit + 7) >> 3;
  after = at;
  return value;
}

function readBox(b: Uint8Array, at: number, end: number): Box | undefined {
  if (end - at < 8) return cut(boxChecks, 0, at, end);
  const left = i16le(b, at);
  const top = i16le(b, at + 2);
  const right = i16le(b, at + 4);
  const bottom = i16le(b, at + 6);
  after = at + 8;
  return { left, top, right, bottom };
}

function readV62MovePlayerClient(b: Uint8Array, at: number, end: number): V62MovePlayerClient | undefined {
  if (end - at < 5) return cut(v62MovePlayerClientChecks, 0, at, end);
  const fieldKey = b[at]!;
  keptFrom = at + 1;
  const x = i16le(b, at + 1);
  const y = i16le(b, at + 3);
  const fragments = readFragments(b, at + 5, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { fieldKey, start: { x, y }, fragments, keypad, box };
}

function readV62MoveLife(b: Uint8Array, at: number, end: number): V62MoveLife | undefined {
  if (end - at < 21) return cut(v62MoveLifeChecks, 0, at, end);
  const mobId = u32le(b, at);
  const moveId = u16le(b, at + 4);
  const flags = b[at + 6]!;
  const actionAndDirection = (b[at + 7]! << 24) >> 24;
  const target = bytesAt(b, at + 8, 4);
  const moveFlags = b[at + 12]!;
  const unknown = u32le(b, at + 13);
  keptFrom = at + 17;
  const x = i16le(b, at + 17);
  const y = i16le(b, at + 19);
  const fragments = readFragments(b, at + 21, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { mobId, moveId, flags, actionAndDirection, target, moveFlags, unknown, start: { x, y }, fragments, keypad, box };
}

function readV62MovePetClient(b: Uint8Array, at: number, end: number): V62MovePetClient | undefined {
  if (end - at < 12) return cut(v62MovePetClientChecks, 0, at, end);
  const petId = bigAt(b, at);
  keptFrom = at + 8;
  const x = i16le(b, at + 8);
  const y = i16le(b, at + 10);
  const fragments = readFragments(b, at + 12, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { petId, start: { x, y }, fragments, keypad, box };
}

function readV62MoveSummonClient(b: Uint8Array, at: number, end: number): V62MoveSummonClient | undefined {
  if (end - at < 8) return cut(v62MoveSummonClientChecks, 0, at, end);
  const summonId = u32le(b, at);
  keptFrom = at + 4;
  const x = i16le(b, at + 4);
  const y = i16le(b, at + 6);
  const fragments = readFragments(b, at + 8, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { summonId, start: { x, y }, fragments, keypad, box };
}

function readV62MovePlayerServer(b: Uint8Array, at: number, end: number): V62MovePlayerServer | undefined {
  if (end - at < 8) return cut(v62MovePlayerServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const x = i16le(b, at + 4);
  const y = i16le(b, at + 6);
  const fragments = readFragments(b, at + 8, end);
  if (fragments === undefined) return on("fragments");
  return { characterId, start: { x, y }, fragments };
}

function readV62MoveMonster(b: Uint8Array, at: number, end: number): V62MoveMonster | undefined {
  if (end - at < 14) return cut(v62MoveMonsterChecks, 0, at, end);
  const mobId = u32le(b, at);
  const flags = b[at + 4]!;
  const actionAndDirection = (b[at + 5]! << 24) >> 24;
  const target = bytesAt(b, at + 6, 4);
  const x = i16le(b, at + 10);
  const y = i16le(b, at + 12);
  const fragments = readFragments(b, at + 14, end);
  if (fragments === undefined) return on("fragments");
  return { mobId, flags, actionAndDirection, target, start: { x, y }, fragments };
}

function readV62MovePetServer(b: Uint8Array, at: number, end: number): V62MovePetServer | undefined {
  if (end - at < 9) return cut(v62MovePetServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const slot = b[at + 4]!;
  const x = i16le(b, at + 5);
  const y = i16le(b, at + 7);
  const fragments = readFragments(b, at + 9, end);
  if (fragments === undefined) return on("fragments");
  return { characterId, slot, start: { x, y }, fragments };
}

function readV62MoveSummonServer(b: Uint8Array, at: number, end: number): V62MoveSummonServer | undefined {
  if (end - at < 12) return cut(v62MoveSummonServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const summonId = u32le(b, at + 4);
  const x = i16le(b, at + 8);
  const y = i16le(b, at + 10);
  const fragments = readFragments(b, at + 12, end);
  if (fragments === undefined) return on("fragments");
  return { characterId, summonId, start: { x, y }, fragments };
}

function readV62MoveMonsterResponse(b: Uint8Array, at: number, end: number): V62MoveMonsterResponse | undefined {
  if (end - at < 11) return cut(v62MoveMonsterResponseChecks, 0, at, end);
  const mobId = u32le(b, at);
  const moveId = u16le(b, at + 4);
  const nextAttack = b[at + 6]!;
  const mp = u16le(b, at + 7);
  const skillId = b[at + 9]!;
  const skillLevel = b[at + 10]!;
  after = at + 11;
  return { mobId, moveId, nextAttack, mp, skillId, skillLevel };
}

function readV62PlayerLoggedIn(b: Uint8Array, at: number, end: number): V62PlayerLoggedIn | undefined {
  if (end - at < 6) return cut(v62PlayerLoggedInChecks, 0, at, end);
  const characterId = u32le(b, at);
  const reserved = u16le(b, at + 4);
  after = at + 6;
  return { characterId, reserved };
}

function readV62Pong(_b: Uint8Array, at: number, _end: number): V62Pong | undefined {
  after = at;
  return {};
}

function readV62Aggro(b: Uint8Array, at: number, end: number): V62Aggro | undefined {
  if (end - at < 8) return cut(v62AggroChecks, 0, at, end);
  const mobId = u32le(b, at);
  const unknown = u32le(b, at + 4);
  after = at + 8;
  return { mobId, unknown };
}

function readIp(b: Uint8Array, at: number, end: number): Ip | undefined {
  if (end - at < 4) return cut(ipChecks, 0, at, end);
  const value = new Array<number>(4);
  for (let valueIndex = 0; valueIndex < 4; valueIndex++) {
    const valueItem = b[at]!;
    at += 1;
    value[valueIndex] = valueItem;
  }
  after = at;
  return value;
}

function readV62ServerIp(b: Uint8Array, at: number, end: number): V62ServerIp | undefined {
  if (end - at < 2) return cut(v62ServerIpChecks, 0, at, end);
  const result = b[at]!;
  const mode = b[at + 1]!;
  at += 2;
  const object = { result, mode } as { result: number; mode: number; ip?: Ip; port?: number; characterId?: number; authenCode?: number; premium?: number; refused?: Uint8Array };
  if (result === 0) {
    const ip2 = readIp(b, at, end);
    if (ip2 === undefined) return on("ip");
    at = after;
    object.ip = ip2;
    if (end - at < 11) return cut(v62ServerIpChecks, 1, at, end);
    object.port = u16le(b, at);
    object.characterId = u32le(b, at + 2);
    object.authenCode = b[at + 6]!;
    object.premium = u32le(b, at + 7);
    at += 11;
  }
  if (result >= 1 && result <= 255) {
    const refusedBytes = end - at;
    if (refusedBytes > 8192) return no(v62ServerIpChecks, 2, at, refusedBytes);
    const refused2 = bytesAt(b, at, refusedBytes);
    object.refused = refused2;
    at += refusedBytes;
  }
  after = at;
  return object;
}

function readV62ChangeChannel(b: Uint8Array, at: number, end: number): V62ChangeChannel | undefined {
  if (end - at < 1) return cut(v62ChangeChannelChecks, 0, at, end);
  const moves = b[at]!;
  at += 1;
  const object = { moves } as { moves: number; ip?: Ip; port?: number; refused?: Uint8Array };
  if (moves >= 1 && moves <= 255) {
    const ip2 = readIp(b, at, end);
    if (ip2 === undefined) return on("ip");
    at = after;
    object.ip = ip2;
    if (end - at < 2) return cut(v62ChangeChannelChecks, 1, at, end);
    object.port = u16le(b, at);
    at += 2;
  }
  if (moves === 0) {
    const refusedBytes = end - at;
    if (refusedBytes > 8192) return no(v62ChangeChannelChecks, 2, at, refusedBytes);
    const refused2 = bytesAt(b, at, refusedBytes);
    object.refused = refused2;
    at += refusedBytes;
  }
  after = at;
  return object;
}

function readV62ChangeMap(b: Uint8Array, at: number, end: number): V62ChangeMap | undefined {
  if (end - at < 6) return cut(v62ChangeMapChecks, 0, at, end);
  const channel = i32le(b, at);
  const fieldKey = b[at + 4]!;
  let target: { content: "map"; notices: number; mapId: number; spawnPoint: number; hp: number; chase: number; time: bigint } | { content: "character"; data: Uint8Array } | undefined;
  const content = b[at + 5]!;
  switch (content) {
    case 0: {
      if (end - at < 24) return cut(v62ChangeMapChecks, 2, at + 6, end);
      const notices = u16le(b, at + 6);
      const mapId = u32le(b, at + 8);
      const spawnPoint = b[at + 12]!;
      const hp = u16le(b, at + 13);
      const chase = b[at + 15]!;
      const time = bigAt(b, at + 16);
      target = { content: "map", notices, mapId, spawnPoint, hp, chase, time };
      at += 24;
      break;
    }
    case 1: {
      at += 6;
      const dataBytes = end - at;
      if (dataBytes > 8192) return no(v62ChangeMapChecks, 3, at, dataBytes);
      const data = bytesAt(b, at, dataBytes);
      at += dataBytes;
      target = { content: "character", data };
      break;
    }
    default: {
      return no(v62ChangeMapChecks, 1, at + 5, content);
    }
  }
  after = at;
  return { channel, fieldKey, target };
}

function readEquipment(b: Uint8Array, at: number, end: number): Equipment | undefined {
  const value: Array<{ slot: number; item: number }> = [];
  for (let valueIndex = 0; ; valueIndex++) {
    if (at < end && b[at] === 255) {
      at += 1;
      break;
    }
    if (valueIndex === 64) return no(equipmentChecks, 0, at);
    if (end - at < 5) return cut(equipmentChecks, 1, at, end, 0, valueIndex);
    const slot = b[at]!;
    const item = u32le(b, at + 1);
    at += 5;
    value.push({ slot, item });
  }
  after = at;
  return value;
}

function readPets(b: Uint8Array, at: number, end: number): Pets | undefined {
  if (end - at < 12) return cut(petsChecks, 0, at, end);
  const value = new Array<number>(3);
  for (let valueIndex = 0; valueIndex < 3; valueIndex++) {
    const valueItem = u32le(b, at);
    at += 4;
    value[valueIndex] = valueItem;
  }
  after = at;
  return value;
}

function readV62ShowPlayer(b: Uint8Array, at: number, end: number): V62ShowPlayer | undefined {
  if (end - at < 6) return cut(v62ShowPlayerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const count = u16le(b, at + 4);
  if (count > 64) return no(v62ShowPlayerChecks, 1, at + 4, count);
  at += 6;
  if (end - at < count) return cut(v62ShowPlayerChecks, 2, at, end, count);
  const name = decodeLatin1(b, at, at + count);
  at += count;
  if (end - at < 2) return cut(v62ShowPlayerChecks, 3, at, end);
  const count2 = u16le(b, at);
  if (count2 > 64) return no(v62ShowPlayerChecks, 4, at, count2);
  at += 2;
  if (end - at < count2) return cut(v62ShowPlayerChecks, 5, at, end, count2);
  const guild = decodeLatin1(b, at, at + count2);
  at += count2;
  if (end - at < 125) return cut(v62ShowPlayerChecks, 6, at, end);
  const emblem = bytesAt(b, at, 6);
  const effects = bytesAt(b, at + 6, 108);
  const gender = b[at + 114]!;
  const skin = b[at + 115]!;
  const face = u32le(b, at + 116);
  const megaphone = b[at + 120]!;
  const hair = u32le(b, at + 121);
  const equipment = readEquipment(b, at + 125, end);
  if (equipment === undefined) return on("equipment");
  at = after;
  const masked = readEquipment(b, at, end);
  if (masked === undefined) return on("masked");
  at = after;
  if (end - at < 4) return cut(v62ShowPlayerChecks, 7, at, end);
  const weapon = u32le(b, at);
  const pets = readPets(b, at + 4, end);
  if (pets === undefined) return on("pets");
  at = after;
  if (end - at < 40) return cut(v62ShowPlayerChecks, 8, at, end);
  const unknown = u32le(b, at);
  const itemEffect = u32le(b, at + 4);
  const chair = u32le(b, at + 8);
  const x = i16le(b, at + 12);
  const y = i16le(b, at + 14);
  const state = b[at + 16]!;
  const extras = bytesAt(b, at + 17, 23);
  after = at + 40;
  return { characterId, name, guild, emblem, effects, gender, skin, face, megaphone, hair, equipment, masked, weapon, pets, unknown, itemEffect, chair, x, y, state, extras };
}

function readV62RemovePlayer(b: Uint8Array, at: number, end: number): V62RemovePlayer | undefined {
  if (end - at < 4) return cut(v62RemovePlayerChecks, 0, at, end);
  const characterId = u32le(b, at);
  after = at + 4;
  return { characterId };
}

function readSpawn(b: Uint8Array, at: number, end: number): Spawn | undefined {
  if (end - at < 1) return cut(spawnChecks, 0, at, end);
  const status = b[at]!;
  const status2 = names[status];
  if (status2 === undefined) return no(spawnChecks, 1, at, status);
  if (end - at < 28) return cut(spawnChecks, 2, at + 1, end);
  const template = u32le(b, at + 1);
  const statusMask = bytesAt(b, at + 5, 8);
  const x = i16le(b, at + 13);
  const y = i16le(b, at + 15);
  const state = b[at + 17]!;
  const originFoothold = i16le(b, at + 18);
  const foothold = i16le(b, at + 20);
  const appear = (b[at + 22]! << 24) >> 24;
  const team = (b[at + 23]! << 24) >> 24;
  const effect = u32le(b, at + 24);
  after = at + 28;
  return { status: status2, template, statusMask, x, y, state, originFoothold, foothold, appear, team, effect };
}

function readV62ShowMonster(b: Uint8Array, at: number, end: number): V62ShowMonster | undefined {
  if (end - at < 4) return cut(v62ShowMonsterChecks, 0, at, end);
  const mobId = u32le(b, at);
  const spawn = readSpawn(b, at + 4, end);
  if (spawn === undefined) return on("spawn");
  return { mobId, spawn };
}

function readV62RemoveMonster(b: Uint8Array, at: number, end: number): V62RemoveMonster | undefined {
  if (end - at < 5) return cut(v62RemoveMonsterChecks, 0, at, end);
  const mobId = u32le(b, at);
  const animation = b[at + 4]!;
  after = at + 5;
  return { mobId, animation };
}

function readV62ControlMonster(b: Uint8Array, at: number, end: number): V62ControlMonster | undefined {
  if (end - at < 1) return cut(v62ControlMonsterChecks, 0, at, end);
  const mode = b[at]!;
  switch (mode) {
    case 0: {
      if (end - at < 5) return cut(v62ControlMonsterChecks, 2, at + 1, end);
      const mobId = u32le(b, at + 1);
      after = at + 5;
      return { mode: "stop", mobId };
    }
    case 1: {
      if (end - at < 5) return cut(v62ControlMonsterChecks, 3, at + 1, end);
      const mobId2 = u32le(b, at + 1);
      const spawn = readSpawn(b, at + 5, end);
      if (spawn === undefined) return on("spawn");
      return { mode: "control", mobId: mobId2, spawn };
    }
    case 2: {
      if (end - at < 5) return cut(v62ControlMonsterChecks, 4, at + 1, end);
      const mobId3 = u32le(b, at + 1);
      const spawn2 = readSpawn(b, at + 5, end);
      if (spawn2 === undefined) return on("spawn");
      return { mode: "controlWithAggro", mobId: mobId3, spawn: spawn2 };
    }
    default: {
      return no(v62ControlMonsterChecks, 1, at, mode);
    }
  }
}

function readFragments2(b: Uint8Array, at: number, end: number): Fragments2 | undefined {
  if (end - at < 1) return cut(fragments2Checks, 0, at, end);
  const count = b[at]!;
  at += 1;
  const value = new Array<{ type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "equipment" | "bare"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number }>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    if (end - at < 1) return cut(fragments2Checks, 1, at, end, 0, valueIndex);
    const type2 = b[at]!;
    let kind = "absolute";
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    const type2Bit = type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      if (end - at < 14) return cut(fragments2Checks, 3, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      foothold = i16le(b, at + 9);
      state = b[at + 11]!;
      durationMs = u16le(b, at + 12);
      kind = "absolute";
      at += 14;
    } else if ((type2Bit & 32768) !== 0) {
      if (end - at < 16) return cut(fragments2Checks, 4, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      foothold = i16le(b, at + 9);
      fallStart = i16le(b, at + 11);
      state = b[at + 13]!;
      durationMs = u16le(b, at + 14);
      kind = "fallDown";
      at += 16;
    } else if ((type2Bit & 6107206) !== 0) {
      if (end - at < 8) return cut(fragments2Checks, 5, at + 1, end, 0, valueIndex);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      state = b[at + 5]!;
      durationMs = u16le(b, at + 6);
      kind = "relative";
      at += 8;
    } else if ((type2Bit & 2968) !== 0) {
      if (end - at < 10) return cut(fragments2Checks, 6, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      foothold = i16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      kind = "instant";
      at += 10;
    } else if ((type2Bit & 16384) !== 0) {
      if (end - at < 10) return cut(fragments2Checks, 7, at + 1, end, 0, valueIndex);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      fallStart = i16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      kind = "startFallDown";
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      if (end - at < 2) return cut(fragments2Checks, 8, at + 1, end, 0, valueIndex);
      data = b[at + 1]!;
      kind = "equipment";
      at += 2;
    } else if ((type2Bit & 2097152) !== 0) {
      if (end - at < 4) return cut(fragments2Checks, 9, at + 1, end, 0, valueIndex);
      state = b[at + 1]!;
      durationMs = u16le(b, at + 2);
      kind = "bare";
      at += 4;
    } else {
      return no(fragments2Checks, 2, at, type2, valueIndex);
    }
    value[valueIndex] = { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data } as { type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "equipment" | "bare"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number };
  }
  after = at;
  return value;
}

function readV83MovePlayerClient(b: Uint8Array, at: number, end: number): V83MovePlayerClient | undefined {
  if (end - at < 9) return cut(v83MovePlayerClientChecks, 0, at, end);
  const fieldKey = b[at]!;
  const fieldCrc = u32le(b, at + 1);
  keptFrom = at + 5;
  const x = i16le(b, at + 5);
  const y = i16le(b, at + 7);
  const fragments = readFragments2(b, at + 9, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { fieldKey, fieldCrc, start: { x, y }, fragments, keypad, box };
}

function readV83MoveLife(b: Uint8Array, at: number, end: number): V83MoveLife | undefined {
  if (end - at < 29) return cut(v83MoveLifeChecks, 0, at, end);
  const mobId = u32le(b, at);
  const moveId = u16le(b, at + 4);
  const flags = b[at + 6]!;
  const actionAndDirection = (b[at + 7]! << 24) >> 24;
  const target = bytesAt(b, at + 8, 4);
  const moveFlags = b[at + 12]!;
  const unknown = u32le(b, at + 13);
  const flyTargetX = i32le(b, at + 17);
  const flyTargetY = i32le(b, at + 21);
  keptFrom = at + 25;
  const x = i16le(b, at + 25);
  const y = i16le(b, at + 27);
  const fragments = readFragments2(b, at + 29, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { mobId, moveId, flags, actionAndDirection, target, moveFlags, unknown, flyTargetX, flyTargetY, start: { x, y }, fragments, keypad, box };
}

function readV83MovePetClient(b: Uint8Array, at: number, end: number): V83MovePetClient | undefined {
  if (end - at < 12) return cut(v83MovePetClientChecks, 0, at, end);
  const petId = bigAt(b, at);
  keptFrom = at + 8;
  const x = i16le(b, at + 8);
  const y = i16le(b, at + 10);
  const fragments = readFragments2(b, at + 12, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { petId, start: { x, y }, fragments, keypad, box };
}

function readV83MoveSummonClient(b: Uint8Array, at: number, end: number): V83MoveSummonClient | undefined {
  if (end - at < 8) return cut(v83MoveSummonClientChecks, 0, at, end);
  const summonId = u32le(b, at);
  keptFrom = at + 4;
  const x = i16le(b, at + 4);
  const y = i16le(b, at + 6);
  const fragments = readFragments2(b, at + 8, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { summonId, start: { x, y }, fragments, keypad, box };
}

function readV83MovePlayerServer(b: Uint8Array, at: number, end: number): V83MovePlayerServer | undefined {
  if (end - at < 8) return cut(v83MovePlayerServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const x = i16le(b, at + 4);
  const y = i16le(b, at + 6);
  const fragments = readFragments2(b, at + 8, end);
  if (fragments === undefined) return on("fragments");
  return { characterId, start: { x, y }, fragments };
}

function readV83MoveMonster(b: Uint8Array, at: number, end: number): V83MoveMonster | undefined {
  if (end - at < 15) return cut(v83MoveMonsterChecks, 0, at, end);
  const mobId = u32le(b, at);
  const notForceLanding = b[at + 4]!;
  const nextAttackPossible = b[at + 5]!;
  const actionAndDirection = (b[at + 6]! << 24) >> 24;
  const target = bytesAt(b, at + 7, 4);
  const x = i16le(b, at + 11);
  const y = i16le(b, at + 13);
  const fragments = readFragments2(b, at + 15, end);
  if (fragments === undefined) return on("fragments");
  return { mobId, notForceLanding, nextAttackPossible, actionAndDirection, target, start: { x, y }, fragments };
}

function readV83MovePetServer(b: Uint8Array, at: number, end: number): V83MovePetServer | undefined {
  if (end - at < 9) return cut(v83MovePetServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const slot = b[at + 4]!;
  const x = i16le(b, at + 5);
  const y = i16le(b, at + 7);
  const fragments = readFragments2(b, at + 9, end);
  if (fragments === undefined) return on("fragments");
  return { characterId, slot, start: { x, y }, fragments };
}

function readV83MoveSummonServer(b: Uint8Array, at: number, end: number): V83MoveSummonServer | undefined {
  if (end - at < 12) return cut(v83MoveSummonServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const summonId = u32le(b, at + 4);
  const x = i16le(b, at + 8);
  const y = i16le(b, at + 10);
  const fragments = readFragments2(b, at + 12, end);
  if (fragments === undefined) return on("fragments");
  return { characterId, summonId, start: { x, y }, fragments };
}

function readV83MoveDragonClient(b: Uint8Array, at: number, end: number): V83MoveDragonClient | undefined {
  keptFrom = at;
  if (end - at < 4) return cut(v83MoveDragonClientChecks, 0, at, end);
  const x = i16le(b, at);
  const y = i16le(b, at + 2);
  const fragments = readFragments2(b, at + 4, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { start: { x, y }, fragments, keypad, box };
}

function readV83PlayerLoggedIn(b: Uint8Array, at: number, end: number): V83PlayerLoggedIn | undefined {
  if (end - at < 4) return cut(v83PlayerLoggedInChecks, 0, at, end);
  const characterId = u32le(b, at);
  at += 4;
  const restBytes = end - at;
  if (restBytes > 8192) return no(v83PlayerLoggedInChecks, 1, at, restBytes);
  const rest = bytesAt(b, at, restBytes);
  at += restBytes;
  after = at;
  return { characterId, rest };
}

function readV83Aggro(b: Uint8Array, at: number, end: number): V83Aggro | undefined {
  if (end - at < 8) return cut(v83AggroChecks, 0, at, end);
  const mobId = u32le(b, at);
  const distance = u32le(b, at + 4);
  after = at + 8;
  return { mobId, distance };
}

function readV83ChangeMap(b: Uint8Array, at: number, end: number): V83ChangeMap | undefined {
  if (end - at < 6) return cut(v83ChangeMapChecks, 0, at, end);
  const channel = i32le(b, at);
  const fieldKey = b[at + 4]!;
  let target: { content: "map"; notices: number; revive: number; mapId: number; spawnPoint: number; hp: number; chase: number; chaseX?: number; chaseY?: number; time: bigint } | { content: "character"; notices: number; seeds: Pets; data: Uint8Array } | undefined;
  const content = b[at + 5]!;
  switch (content) {
    case 0: {
      if (end - at < 17) return cut(v83ChangeMapChecks, 2, at + 6, end);
      const notices = u16le(b, at + 6);
      const revive = b[at + 8]!;
      const mapId = u32le(b, at + 9);
      const spawnPoint = b[at + 13]!;
      const hp = u16le(b, at + 14);
      const chase = b[at + 16]!;
      at += 17;
      const object = { content: "map", notices, revive, mapId, spawnPoint, hp, chase } as { content: "map"; notices: number; revive: number; mapId: number; spawnPoint: number; hp: number; chase: number; chaseX?: number; chaseY?: number; time: bigint };
      if (chase === 1) {
        if (end - at < 8) return cut(v83ChangeMapChecks, 3, at, end);
        object.chaseX = i32le(b, at);
        object.chaseY = i32le(b, at + 4);
        at += 8;
      }
      if (end - at < 8) return cut(v83ChangeMapChecks, 4, at, end);
      const time = bigAt(b, at);
      object.time = time;
      target = object;
      at += 8;
      break;
    }
    case 1: {
      if (end - at < 8) return cut(v83ChangeMapChecks, 5, at + 6, end);
      const notices2 = u16le(b, at + 6);
      const seeds = readPets(b, at + 8, end);
      if (seeds === undefined) return on("target.seeds");
      at = after;
      const dataBytes = end - at;
      if (dataBytes > 8192) return no(v83ChangeMapChecks, 6, at, dataBytes);
      const data = bytesAt(b, at, dataBytes);
      at += dataBytes;
      target = { content: "character", notices: notices2, seeds, data };
      break;
    }
    default: {
      return no(v83ChangeMapChecks, 1, at + 5, content);
    }
  }
  after = at;
  return { channel, fieldKey, target };
}

function readV83ShowPlayer(b: Uint8Array, at: number, end: number): V83ShowPlayer | undefined {
  if (end - at < 5) return cut(v83ShowPlayerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const level = b[at + 4]!;
  at += 5;
  const lookBytes = end - at;
  if (lookBytes > 8192) return no(v83ShowPlayerChecks, 1, at, lookBytes);
  const look = bytesAt(b, at, lookBytes);
  at += lookBytes;
  after = at;
  return { characterId, level, look };
}

function readSpawn2(b: Uint8Array, at: number, end: number): Spawn2 | undefined {
  if (end - at < 1) return cut(spawn2Checks, 0, at, end);
  const status = b[at]!;
  const status2 = names[status];
  if (status2 === undefined) return no(spawn2Checks, 1, at, status);
  if (end - at < 21) return cut(spawn2Checks, 2, at + 1, end);
  const template = u32le(b, at + 1);
  const statusMask = bytesAt(b, at + 5, 16);
  at += 21;
  const object = { status: status2, template, statusMask } as { status: "controlled" | "notControlled"; template: number; statusMask: Uint8Array; withStatuses?: Uint8Array; x?: number; y?: number; state?: number; originFoothold?: number; foothold?: number; appear?: number; appearFrom?: number; appearDelay?: number; team?: number; effect?: number };
  if (!allZero(statusMask)) {
    const withStatusesBytes = end - at;
    if (withStatusesBytes > 8192) return no(spawn2Checks, 3, at, withStatusesBytes);
    const withStatuses2 = bytesAt(b, at, withStatusesBytes);
    object.withStatuses = withStatuses2;
    at += withStatusesBytes;
  }
  if (allZero(statusMask)) {
    if (end - at < 10) return cut(spawn2Checks, 4, at, end);
    object.x = i16le(b, at);
    object.y = i16le(b, at + 2);
    object.state = b[at + 4]!;
    object.originFoothold = i16le(b, at + 5);
    object.foothold = i16le(b, at + 7);
    object.appear = (b[at + 9]! << 24) >> 24;
    at += 10;
  }
  if (object.appear !== undefined && object.appear === -3) {
    if (end - at < 4) return cut(spawn2Checks, 5, at, end);
    object.appearFrom = u32le(b, at);
    at += 4;
  }
  if (object.appear !== undefined && object.appear >= 0) {
    if (end - at < 4) return cut(spawn2Checks, 6, at, end);
    object.appearDelay = u32le(b, at);
    at += 4;
  }
  if (allZero(statusMask)) {
    if (end - at < 5) return cut(spawn2Checks, 7, at, end);
    object.team = (b[at]! << 24) >> 24;
    object.effect = u32le(b, at + 1);
    at += 5;
  }
  after = at;
  return object;
}

function readV83ShowMonster(b: Uint8Array, at: number, end: number): V83ShowMonster | undefined {
  if (end - at < 4) return cut(v83ShowMonsterChecks, 0, at, end);
  const mobId = u32le(b, at);
  const spawn = readSpawn2(b, at + 4, end);
  if (spawn === undefined) return on("spawn");
  return { mobId, spawn };
}

function readV83RemoveMonster(b: Uint8Array, at: number, end: number): V83RemoveMonster | undefined {
  if (end - at < 5) return cut(v83RemoveMonsterChecks, 0, at, end);
  const mobId = u32le(b, at);
  const animation = b[at + 4]!;
  at += 5;
  const object = { mobId, animation } as { mobId: number; animation: number; swallowedBy?: number; rest: Uint8Array };
  if (animation === 4) {
    if (end - at < 4) return cut(v83RemoveMonsterChecks, 1, at, end);
    object.swallowedBy = u32le(b, at);
    at += 4;
  }
  const restBytes = end - at;
  if (restBytes > 8) return no(v83RemoveMonsterChecks, 2, at, restBytes);
  const rest = bytesAt(b, at, restBytes);
  at += restBytes;
  object.rest = rest;
  after = at;
  return object;
}

function readV83ControlMonster(b: Uint8Array, at: number, end: number): V83ControlMonster | undefined {
  if (end - at < 1) return cut(v83ControlMonsterChecks, 0, at, end);
  const mode = b[at]!;
  switch (mode) {
    case 0: {
      if (end - at < 5) return cut(v83ControlMonsterChecks, 2, at + 1, end);
      const mobId = u32le(b, at + 1);
      after = at + 5;
      return { mode: "stop", mobId };
    }
    case 1: {
      if (end - at < 5) return cut(v83ControlMonsterChecks, 3, at + 1, end);
      const mobId2 = u32le(b, at + 1);
      const spawn = readSpawn2(b, at + 5, end);
      if (spawn === undefined) return on("spawn");
      return { mode: "control", mobId: mobId2, spawn };
    }
    case 2: {
      if (end - at < 5) return cut(v83ControlMonsterChecks, 4, at + 1, end);
      const mobId3 = u32le(b, at + 1);
      const spawn2 = readSpawn2(b, at + 5, end);
      if (spawn2 === undefined) return on("spawn");
      return { mode: "controlWithAggro", mobId: mobId3, spawn: spawn2 };
    }
    default: {
      return no(v83ControlMonsterChecks, 1, at, mode);
    }
  }
}

function readStart(b: Uint8Array, at: number, end: number): Start | undefined {
  if (end - at < 8) return cut(startChecks, 0, at, end);
  const x = i16le(b, at);
  const y = i16le(b, at + 2);
  const vx = i16le(b, at + 4);
  const vy = i16le(b, at + 6);
  after = at + 8;
  return { x, y, vx, vy };
}

function readFragments3(b: Uint8Array, at: number, end: number): Fragments3 | undefined {
  if (end - at < 1) return cut(fragments3Checks, 0, at, end);
  const count = b[at]!;
  at += 1;
  const value = new Array<{ type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "flyingBlock" | "equipment" | "bare"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number; xOffset: number; yOffset: number }>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    if (end - at < 1) return cut(fragments3Checks, 1, at, end, 0, valueIndex);
    const type2 = b[at]!;
    let kind = "absolute";
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    let xOffset = 0;
    let yOffset = 0;
    switch (type2) {
      case 0:
      case 5:
      case 14:
      case 35:
      case 36: {
        if (end - at < 18) return cut(fragments3Checks, 3, at + 1, end, 0, valueIndex);
        x = i16le(b, at + 1);
        y = i16le(b, at + 3);
        vx = i16le(b, at + 5);
        vy = i16le(b, at + 7);
        foothold = i16le(b, at + 9);
        xOffset = i16le(b, at + 11);
        yOffset = i16le(b, at + 13);
        state = b[at + 15]!;
        durationMs = u16le(b, at + 16);
        kind = "absolute";
        at += 18;
        break;
      }
      case 12: {
        if (end - at < 20) return cut(fragments3Checks, 4, at + 1, end, 0, valueIndex);
        x = i16le(b, at + 1);
        y = i16le(b, at + 3);
        vx = i16le(b, at + 5);
        vy = i16le(b, at + 7);
        foothold = i16le(b, at + 9);
        fallStart = i16le(b, at + 11);
        xOffset = i16le(b, at + 13);
        yOffset = i16le(b, at + 15);
        state = b[at + 17]!;
        durationMs = u16le(b, at + 18);
        kind = "fallDown";
        at += 20;
        break;
      }
      case 1:
      case 2:
      case 13:
      case 16:
      case 18:
      case 31:
      case 32:
      case 33:
      case 34: {
        if (end - at < 8) return cut(fragments3Checks, 5, at + 1, end, 0, valueIndex);
        vx = i16le(b, at + 1);
        vy = i16le(b, at + 3);
        state = b[at + 5]!;
        durationMs = u16le(b, at + 6);
        kind = "relative";
        at += 8;
        break;
      }
      case 3:
      case 4:
      case 6:
      case 7:
      case 8:
      case 10: {
        if (end - at < 10) return cut(fragments3Checks, 6, at + 1, end, 0, valueIndex);
        x = i16le(b, at + 1);
        y = i16le(b, at + 3);
        foothold = i16le(b, at + 5);
        state = b[at + 7]!;
        durationMs = u16le(b, at + 8);
        kind = "instant";
        at += 10;
        break;
      }
      case 11: {
        if (end - at < 10) return cut(fragments3Checks, 7, at + 1, end, 0, valueIndex);
        vx = i16le(b, at + 1);
        vy = i16le(b, at + 3);
        fallStart = i16le(b, at + 5);
        state = b[at + 7]!;
        durationMs = u16le(b, at + 8);
        kind = "startFallDown";
        at += 10;
        break;
      }
      case 17: {
        if (end - at < 12) return cut(fragments3Checks, 8, at + 1, end, 0, valueIndex);
        x = i16le(b, at + 1);
        y = i16le(b, at + 3);
        vx = i16le(b, at + 5);
        vy = i16le(b, at + 7);
        state = b[at + 9]!;
        durationMs = u16le(b, at + 10);
        kind = "flyingBlock";
        at += 12;
        break;
      }
      case 9: {
        if (end - at < 2) return cut(fragments3Checks, 9, at + 1, end, 0, valueIndex);
        data = b[at + 1]!;
        kind = "equipment";
        at += 2;
        break;
      }
      case 15:
      case 19:
      case 20:
      case 21:
      case 22:
      case 23:
      case 24:
      case 25:
      case 26:
      case 27:
      case 28:
      case 29:
      case 30: {
        if (end - at < 4) return cut(fragments3Checks, 10, at + 1, end, 0, valueIndex);
        state = b[at + 1]!;
        durationMs = u16le(b, at + 2);
        kind = "bare";
        at += 4;
        break;
      }
      default: {
        return no(fragments3Checks, 2, at, type2, valueIndex);
      }
    }
    value[valueIndex] = { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data, xOffset, yOffset } as { type: number; kind: "absolute" | "fallDown" | "relative" | "instant" | "startFallDown" | "flyingBlock" | "equipment" | "bare"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number; xOffset: number; yOffset: number };
  }
  after = at;
  return value;
}

function readV95MovePlayerClient(b: Uint8Array, at: number, end: number): V95MovePlayerClient | undefined {
  if (end - at < 29) return cut(v95MovePlayerClientChecks, 0, at, end);
  const debug0 = u32le(b, at);
  const debug1 = u32le(b, at + 4);
  const fieldKey = b[at + 8]!;
  const debug2 = u32le(b, at + 9);
  const debug3 = u32le(b, at + 13);
  const fieldCrc = u32le(b, at + 17);
  const crcKey = u32le(b, at + 21);
  const crc = u32le(b, at + 25);
  keptFrom = at + 29;
  const start = readStart(b, at + 29, end);
  if (start === undefined) return on("start");
  at = after;
  const fragments = readFragments3(b, at, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { debug0, debug1, fieldKey, debug2, debug3, fieldCrc, crcKey, crc, start, fragments, keypad, box };
}

function readBallTargets(b: Uint8Array, at: number, end: number): BallTargets | undefined {
  if (end - at < 4) return cut(ballTargetsChecks, 0, at, end);
  const count = u32le(b, at);
  if (count > 64) return no(ballTargetsChecks, 1, at, count);
  at += 4;
  if (end - at < count * 8) return cut(ballTargetsChecks, 2, at, end);
  const value = new Array<{ x: number; y: number }>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    const x = i32le(b, at);
    const y = i32le(b, at + 4);
    at += 8;
    value[valueIndex] = { x, y };
  }
  after = at;
  return value;
}

function readAreaTimes(b: Uint8Array, at: number, end: number): AreaTimes | undefined {
  if (end - at < 4) return cut(areaTimesChecks, 0, at, end);
  const count = u32le(b, at);
  if (count > 64) return no(areaTimesChecks, 1, at, count);
  at += 4;
  if (end - at < count * 4) return cut(areaTimesChecks, 2, at, end);
  const value = new Array<number>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    const valueItem = i32le(b, at);
    at += 4;
    value[valueIndex] = valueItem;
  }
  after = at;
  return value;
}

function readV95MoveLife(b: Uint8Array, at: number, end: number): V95MoveLife | undefined {
  if (end - at < 12) return cut(v95MoveLifeChecks, 0, at, end);
  const mobId = u32le(b, at);
  const moveId = u16le(b, at + 4);
  const flags = b[at + 6]!;
  const actionAndDirection = (b[at + 7]! << 24) >> 24;
  const target = bytesAt(b, at + 8, 4);
  const ballTargets = readBallTargets(b, at + 12, end);
  if (ballTargets === undefined) return on("ballTargets");
  at = after;
  const areaTimes = readAreaTimes(b, at, end);
  if (areaTimes === undefined) return on("areaTimes");
  at = after;
  if (end - at < 17) return cut(v95MoveLifeChecks, 1, at, end);
  const moveFlags = b[at]!;
  const unknown = u32le(b, at + 1);
  const flyTargetX = i32le(b, at + 5);
  const flyTargetY = i32le(b, at + 9);
  const unknownCrc = u32le(b, at + 13);
  keptFrom = at + 17;
  const start = readStart(b, at + 17, end);
  if (start === undefined) return on("start");
  at = after;
  const fragments = readFragments3(b, at, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  at = after;
  if (end - at < 8) return cut(v95MoveLifeChecks, 2, at, end);
  const chasing = b[at]!;
  const hasTarget = b[at + 1]!;
  const chasingNow = b[at + 2]!;
  const chasingHack = b[at + 3]!;
  const chaseMs = u32le(b, at + 4);
  after = at + 8;
  return { mobId, moveId, flags, actionAndDirection, target, ballTargets, areaTimes, moveFlags, unknown, flyTargetX, flyTargetY, unknownCrc, start, fragments, keypad, box, chasing, hasTarget, chasingNow, chasingHack, chaseMs };
}

function readV95MovePetClient(b: Uint8Array, at: number, end: number): V95MovePetClient | undefined {
  if (end - at < 8) return cut(v95MovePetClientChecks, 0, at, end);
  const petId = bigAt(b, at);
  keptFrom = at + 8;
  const start = readStart(b, at + 8, end);
  if (start === undefined) return on("start");
  at = after;
  const fragments = readFragments3(b, at, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { petId, start, fragments, keypad, box };
}

function readV95MoveSummonClient(b: Uint8Array, at: number, end: number): V95MoveSummonClient | undefined {
  if (end - at < 4) return cut(v95MoveSummonClientChecks, 0, at, end);
  const summonId = u32le(b, at);
  keptFrom = at + 4;
  const start = readStart(b, at + 4, end);
  if (start === undefined) return on("start");
  at = after;
  const fragments = readFragments3(b, at, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { summonId, start, fragments, keypad, box };
}

function readV95MovePlayerServer(b: Uint8Array, at: number, end: number): V95MovePlayerServer | undefined {
  if (end - at < 4) return cut(v95MovePlayerServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const start = readStart(b, at + 4, end);
  if (start === undefined) return on("start");
  at = after;
  const fragments = readFragments3(b, at, end);
  if (fragments === undefined) return on("fragments");
  return { characterId, start, fragments };
}

function readV95MoveMonster(b: Uint8Array, at: number, end: number): V95MoveMonster | undefined {
  if (end - at < 12) return cut(v95MoveMonsterChecks, 0, at, end);
  const mobId = u32le(b, at);
  const notForceLanding = b[at + 4]!;
  const notChangeAction = b[at + 5]!;
  const nextAttackPossible = b[at + 6]!;
  const actionAndDirection = (b[at + 7]! << 24) >> 24;
  const target = bytesAt(b, at + 8, 4);
  const ballTargets = readBallTargets(b, at + 12, end);
  if (ballTargets === undefined) return on("ballTargets");
  at = after;
  const areaTimes = readAreaTimes(b, at, end);
  if (areaTimes === undefined) return on("areaTimes");
  at = after;
  const start = readStart(b, at, end);
  if (start === undefined) return on("start");
  at = after;
  const fragments = readFragments3(b, at, end);
  if (fragments === undefined) return on("fragments");
  return { mobId, notForceLanding, notChangeAction, nextAttackPossible, actionAndDirection, target, ballTargets, areaTimes, start, fragments };
}

function readV95MovePetServer(b: Uint8Array, at: number, end: number): V95MovePetServer | undefined {
  if (end - at < 5) return cut(v95MovePetServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const slot = b[at + 4]!;
  const start = readStart(b, at + 5, end);
  if (start === undefined) return on("start");
  at = after;
  const fragments = readFragments3(b, at, end);
  if (fragments === undefined) return on("fragments");
  return { characterId, slot, start, fragments };
}

function readV95MoveSummonServer(b: Uint8Array, at: number, end: number): V95MoveSummonServer | undefined {
  if (end - at < 8) return cut(v95MoveSummonServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const summonId = u32le(b, at + 4);
  const start = readStart(b, at + 8, end);
  if (start === undefined) return on("start");
  at = after;
  const fragments = readFragments3(b, at, end);
  if (fragments === undefined) return on("fragments");
  return { characterId, summonId, start, fragments };
}

function readV95MoveDragonClient(b: Uint8Array, at: number, end: number): V95MoveDragonClient | undefined {
  keptFrom = at;
  const start = readStart(b, at, end);
  if (start === undefined) return on("start");
  at = after;
  const fragments = readFragments3(b, at, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const keypad = readKeypad(b, at, end);
  if (keypad === undefined) return on("keypad");
  at = after;
  const box = readBox(b, at, end);
  if (box === undefined) return on("box");
  return { start, fragments, keypad, box };
}

function readV95ChangeMap(b: Uint8Array, at: number, end: number): V95ChangeMap | undefined {
  if (end - at < 2) return cut(v95ChangeMapChecks, 0, at, end);
  const count = u16le(b, at);
  if (count > 64) return no(v95ChangeMapChecks, 1, at, count);
  at += 2;
  if (end - at < count * 8) return cut(v95ChangeMapChecks, 2, at, end);
  const options = new Array<{ type: number; value: number }>(count);
  for (let optionsIndex = 0; optionsIndex < count; optionsIndex++) {
    const type2 = u32le(b, at);
    const value = u32le(b, at + 4);
    at += 8;
    options[optionsIndex] = { type: type2, value };
  }
  if (end - at < 10) return cut(v95ChangeMapChecks, 3, at, end);
  const channel = i32le(b, at);
  const oldDriver = u32le(b, at + 4);
  const fieldKey = b[at + 8]!;
  let target: { content: "map"; notices: number; revive: number; mapId: number; spawnPoint: number; hp: number; chase: number; chaseX?: number; chaseY?: number; time: bigint } | { content: "character"; notices: number; seeds: Pets; data: Uint8Array } | undefined;
  const content = b[at + 9]!;
  switch (content) {
    case 0: {
      if (end - at < 23) return cut(v95ChangeMapChecks, 5, at + 10, end);
      const notices = u16le(b, at + 10);
      const revive = b[at + 12]!;
      const mapId = u32le(b, at + 13);
      const spawnPoint = b[at + 17]!;
      const hp = u32le(b, at + 18);
      const chase = b[at + 22]!;
      at += 23;
      const object = { content: "map", notices, revive, mapId, spawnPoint, hp, chase } as { content: "map"; notices: number; revive: number; mapId: number; spawnPoint: number; hp: number; chase: number; chaseX?: number; chaseY?: number; time: bigint };
      if (chase === 1) {
        if (end - at < 8) return cut(v95ChangeMapChecks, 6, at, end);
        object.chaseX = i32le(b, at);
        object.chaseY = i32le(b, at + 4);
        at += 8;
      }
      if (end - at < 8) return cut(v95ChangeMapChecks, 7, at, end);
      const time = bigAt(b, at);
      object.time = time;
      target = object;
      at += 8;
      break;
    }
    case 1: {
      if (end - at < 12) return cut(v95ChangeMapChecks, 8, at + 10, end);
      const notices2 = u16le(b, at + 10);
      const seeds = readPets(b, at + 12, end);
      if (seeds === undefined) return on("target.seeds");
      at = after;
      const dataBytes = end - at;
      if (dataBytes > 8192) return no(v95ChangeMapChecks, 9, at, dataBytes);
      const data = bytesAt(b, at, dataBytes);
      at += dataBytes;
      target = { content: "character", notices: notices2, seeds, data };
      break;
    }
    default: {
      return no(v95ChangeMapChecks, 4, at + 9, content);
    }
  }
  after = at;
  return { options, channel, oldDriver, fieldKey, target };
}

function readSpawn3(b: Uint8Array, at: number, end: number): Spawn3 | undefined {
  if (end - at < 1) return cut(spawn3Checks, 0, at, end);
  const status = b[at]!;
  const status2 = names[status];
  if (status2 === undefined) return no(spawn3Checks, 1, at, status);
  if (end - at < 21) return cut(spawn3Checks, 2, at + 1, end);
  const template = u32le(b, at + 1);
  const statusMask = bytesAt(b, at + 5, 16);
  at += 21;
  const object = { status: status2, template, statusMask } as { status: "controlled" | "notControlled"; template: number; statusMask: Uint8Array; withStatuses?: Uint8Array; x?: number; y?: number; state?: number; foothold?: number; originFoothold?: number; appear?: number; appearFrom?: number; appearDelay?: number; team?: number; effect?: number; phase?: number };
  if (!allZero(statusMask)) {
    const withStatusesBytes = end - at;
    if (withStatusesBytes > 8192) return no(spawn3Checks, 3, at, withStatusesBytes);
    const withStatuses2 = bytesAt(b, at, withStatusesBytes);
    object.withStatuses = withStatuses2;
    at += withStatusesBytes;
  }
  if (allZero(statusMask)) {
    if (end - at < 10) return cut(spawn3Checks, 4, at, end);
    object.x = i16le(b, at);
    object.y = i16le(b, at + 2);
    object.state = b[at + 4]!;
    object.foothold = i16le(b, at + 5);
    object.originFoothold = i16le(b, at + 7);
    object.appear = (b[at + 9]! << 24) >> 24;
    at += 10;
  }
  if (object.appear !== undefined && object.appear === -3) {
    if (end - at < 4) return cut(spawn3Checks, 5, at, end);
    object.appearFrom = u32le(b, at);
    at += 4;
  }
  if (object.appear !== undefined && object.appear >= 0) {
    if (end - at < 4) return cut(spawn3Checks, 6, at, end);
    object.appearDelay = u32le(b, at);
    at += 4;
  }
  if (allZero(statusMask)) {
    if (end - at < 9) return cut(spawn3Checks, 7, at, end);
    object.team = (b[at]! << 24) >> 24;
    object.effect = u32le(b, at + 1);
    object.phase = u32le(b, at + 5);
    at += 9;
  }
  after = at;
  return object;
}

function readV95ShowMonster(b: Uint8Array, at: number, end: number): V95ShowMonster | undefined {
  if (end - at < 4) return cut(v95ShowMonsterChecks, 0, at, end);
  const mobId = u32le(b, at);
  const spawn = readSpawn3(b, at + 4, end);
  if (spawn === undefined) return on("spawn");
  return { mobId, spawn };
}

function readV95ControlMonster(b: Uint8Array, at: number, end: number): V95ControlMonster | undefined {
  if (end - at < 1) return cut(v95ControlMonsterChecks, 0, at, end);
  const mode = b[at]!;
  switch (mode) {
    case 0: {
      if (end - at < 5) return cut(v95ControlMonsterChecks, 2, at + 1, end);
      const mobId = u32le(b, at + 1);
      after = at + 5;
      return { mode: "stop", mobId };
    }
    case 1: {
      if (end - at < 5) return cut(v95ControlMonsterChecks, 3, at + 1, end);
      const mobId2 = u32le(b, at + 1);
      const spawn = readSpawn3(b, at + 5, end);
      if (spawn === undefined) return on("spawn");
      return { mode: "control", mobId: mobId2, spawn };
    }
    case 2: {
      if (end - at < 5) return cut(v95ControlMonsterChecks, 4, at + 1, end);
      const mobId3 = u32le(b, at + 1);
      const spawn2 = readSpawn3(b, at + 5, end);
      if (spawn2 === undefined) return on("spawn");
      return { mode: "controlWithAggro", mobId: mobId3, spawn: spawn2 };
    }
    default: {
      return no(v95ControlMonsterChecks, 1, at, mode);
    }
  }
}

function readFragments4(b: Uint8Array, at: number, end: number): Fragments4 | undefined {
  if (end - at < 1) return cut(fragments4Checks, 0, at, end);
  const count = b[at]!;
  at += 1;
  const value = new Array<{ type: number; kind: "absolute" | "relative" | "instant" | "equipment" | "jumpDown"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number }>(count);
  for (let valueIndex = 0; valueIndex < count; valueIndex++) {
    if (end - at < 1) return cut(fragments4Checks, 1, at, end, 0, valueIndex);
    const type2 = b[at]!;
    let kind = "absolute";
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    const type2Bit = type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      if (end - at < 14) return cut(fragments4Checks, 3, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      unknown = u16le(b, at + 9);
      state = b[at + 11]!;
      durationMs = u16le(b, at + 12);
      kind = "absolute";
      at += 14;
    } else if ((type2Bit & 77894) !== 0) {
      if (end - at < 8) return cut(fragments4Checks, 4, at + 1, end, 0, valueIndex);
      vx = i16le(b, at + 1);
      vy = i16le(b, at + 3);
      state = b[at + 5]!;
      durationMs = u16le(b, at + 6);
      kind = "relative";
      at += 8;
    } else if ((type2Bit & 17304) !== 0) {
      if (end - at < 10) return cut(fragments4Checks, 5, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      state = b[at + 9]!;
      kind = "instant";
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      if (end - at < 2) return cut(fragments4Checks, 6, at + 1, end, 0, valueIndex);
      data = b[at + 1]!;
      kind = "equipment";
      at += 2;
    } else if ((type2Bit & 2048) !== 0) {
      if (end - at < 16) return cut(fragments4Checks, 7, at + 1, end, 0, valueIndex);
      x = i16le(b, at + 1);
      y = i16le(b, at + 3);
      vx = i16le(b, at + 5);
      vy = i16le(b, at + 7);
      unknown = u16le(b, at + 9);
      foothold = u16le(b, at + 11);
      state = b[at + 13]!;
      durationMs = u16le(b, at + 14);
      kind = "jumpDown";
      at += 16;
    } else {
      return no(fragments4Checks, 2, at, type2, valueIndex);
    }
    value[valueIndex] = { type: type2, kind, x, y, vx, vy, foothold, fallStart, unknown, state, durationMs, data } as { type: number; kind: "absolute" | "relative" | "instant" | "equipment" | "jumpDown"; x: number; y: number; vx: number; vy: number; foothold: number; fallStart: number; unknown: number; state: number; durationMs: number; data: number };
  }
  after = at;
  return value;
}

function readDocumentedMovePlayerClient(b: Uint8Array, at: number, end: number): DocumentedMovePlayerClient | undefined {
  if (end - at < 5) return cut(documentedMovePlayerClientChecks, 0, at, end);
  const head = bytesAt(b, at, 5);
  keptFrom = at + 1;
  const fragments = readFragments4(b, at + 5, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  if (end - at < 18) return cut(documentedMovePlayerClientChecks, 1, at, end);
  const tail = bytesAt(b, at, 18);
  after = at + 18;
  return { head, fragments, tail };
}

function readDocumentedMoveLife(b: Uint8Array, at: number, end: number): DocumentedMoveLife | undefined {
  if (end - at < 21) return cut(documentedMoveLifeChecks, 0, at, end);
  const mobId = u32le(b, at);
  const moveId = u16le(b, at + 4);
  const flags = b[at + 6]!;
  const actionAndDirection = (b[at + 7]! << 24) >> 24;
  const target = bytesAt(b, at + 8, 4);
  const moveFlags = b[at + 12]!;
  const unknown = u32le(b, at + 13);
  keptFrom = at + 17;
  const opaque = bytesAt(b, at + 17, 4);
  const fragments = readFragments4(b, at + 21, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const restBytes = end - at;
  if (restBytes > 8192) return no(documentedMoveLifeChecks, 1, at, restBytes);
  const rest = bytesAt(b, at, restBytes);
  at += restBytes;
  after = at;
  return { mobId, moveId, flags, actionAndDirection, target, moveFlags, unknown, opaque, fragments, rest };
}

function readDocumentedMovePetClient(b: Uint8Array, at: number, end: number): DocumentedMovePetClient | undefined {
  if (end - at < 12) return cut(documentedMovePetClientChecks, 0, at, end);
  const petId = bigAt(b, at);
  keptFrom = at + 8;
  const opaque = bytesAt(b, at + 8, 4);
  const fragments = readFragments4(b, at + 12, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const restBytes = end - at;
  if (restBytes > 8192) return no(documentedMovePetClientChecks, 1, at, restBytes);
  const rest = bytesAt(b, at, restBytes);
  at += restBytes;
  after = at;
  return { petId, opaque, fragments, rest };
}

function readDocumentedMoveSummonClient(b: Uint8Array, at: number, end: number): DocumentedMoveSummonClient | undefined {
  if (end - at < 8) return cut(documentedMoveSummonClientChecks, 0, at, end);
  const summonId = u32le(b, at);
  keptFrom = at + 4;
  const opaque = bytesAt(b, at + 4, 4);
  const fragments = readFragments4(b, at + 8, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  keptTo = at;
  const restBytes = end - at;
  if (restBytes > 8192) return no(documentedMoveSummonClientChecks, 1, at, restBytes);
  const rest = bytesAt(b, at, restBytes);
  at += restBytes;
  after = at;
  return { summonId, opaque, fragments, rest };
}

function readDocumentedMovePlayerServer(b: Uint8Array, at: number, end: number): DocumentedMovePlayerServer | undefined {
  if (end - at < 8) return cut(documentedMovePlayerServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const opaque = bytesAt(b, at + 4, 4);
  const fragments = readFragments4(b, at + 8, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  const restBytes = end - at;
  if (restBytes > 8192) return no(documentedMovePlayerServerChecks, 1, at, restBytes);
  const rest = bytesAt(b, at, restBytes);
  at += restBytes;
  after = at;
  return { characterId, opaque, fragments, rest };
}

function readDocumentedMoveMonster(b: Uint8Array, at: number, end: number): DocumentedMoveMonster | undefined {
  if (end - at < 14) return cut(documentedMoveMonsterChecks, 0, at, end);
  const mobId = u32le(b, at);
  const flags = b[at + 4]!;
  const actionAndDirection = (b[at + 5]! << 24) >> 24;
  const target = bytesAt(b, at + 6, 4);
  const opaque = bytesAt(b, at + 10, 4);
  const fragments = readFragments4(b, at + 14, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  const restBytes = end - at;
  if (restBytes > 8192) return no(documentedMoveMonsterChecks, 1, at, restBytes);
  const rest = bytesAt(b, at, restBytes);
  at += restBytes;
  after = at;
  return { mobId, flags, actionAndDirection, target, opaque, fragments, rest };
}

function readDocumentedMovePetServer(b: Uint8Array, at: number, end: number): DocumentedMovePetServer | undefined {
  if (end - at < 9) return cut(documentedMovePetServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const slot = b[at + 4]!;
  const opaque = bytesAt(b, at + 5, 4);
  const fragments = readFragments4(b, at + 9, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  const restBytes = end - at;
  if (restBytes > 8192) return no(documentedMovePetServerChecks, 1, at, restBytes);
  const rest = bytesAt(b, at, restBytes);
  at += restBytes;
  after = at;
  return { characterId, slot, opaque, fragments, rest };
}

function readDocumentedMoveSummonServer(b: Uint8Array, at: number, end: number): DocumentedMoveSummonServer | undefined {
  if (end - at < 12) return cut(documentedMoveSummonServerChecks, 0, at, end);
  const characterId = u32le(b, at);
  const summonId = u32le(b, at + 4);
  const opaque = bytesAt(b, at + 8, 4);
  const fragments = readFragments4(b, at + 12, end);
  if (fragments === undefined) return on("fragments");
  at = after;
  const restBytes = end - at;
  if (restBytes > 8192) return no(documentedMoveSummonServerChecks, 1, at, restBytes);
  const rest = bytesAt(b, at, restBytes);
  at += restBytes;
  after = at;
  return { characterId, summonId, opaque, fragments, rest };
}

function readDocumentedShowMonster(b: Uint8Array, at: number, end: number): DocumentedShowMonster | undefined {
  if (end - at < 15) return cut(documentedShowMonsterChecks, 0, at, end);
  const mobId = u32le(b, at);
  const template = u32le(b, at + 4);
  const x = i16le(b, at + 8);
  const y = i16le(b, at + 10);
  const state = b[at + 12]!;
  const foothold = i16le(b, at + 13);
  after = at + 15;
  return { mobId, spawn: { template, x, y, state, foothold } };
}

function readFragmentsRows(b: Uint8Array, at: number, end: number, words: Int32Array): number | undefined {
  if (end - at < 1) return cut(fragmentsRowsChecks, 0, at, end);
  const count = b[at]!;
  at += 1;
  for (let row = 0; row < count; row++) {
    if (end - at < 1) return cut(fragmentsRowsChecks, 1, at, end, 0, row);
    const type2 = b[at]!;
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    const type2Bit = type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      if (end - at < 14) return cut(fragmentsRowsChecks, 3, at + 1, end, 0, row);
      x = u16le(b, at + 1);
      y = u16le(b, at + 3);
      vx = u16le(b, at + 5);
      vy = u16le(b, at + 7);
      foothold = u16le(b, at + 9);
      state = b[at + 11]!;
      durationMs = u16le(b, at + 12);
      at += 14;
    } else if ((type2Bit & 32768) !== 0) {
      if (end - at < 16) return cut(fragmentsRowsChecks, 4, at + 1, end, 0, row);
      x = u16le(b, at + 1);
      y = u16le(b, at + 3);
      vx = u16le(b, at + 5);
      vy = u16le(b, at + 7);
      foothold = u16le(b, at + 9);
      fallStart = u16le(b, at + 11);
      state = b[at + 13]!;
      durationMs = u16le(b, at + 14);
      at += 16;
    } else if ((type2Bit & 77894) !== 0) {
      if (end - at < 8) return cut(fragmentsRowsChecks, 5, at + 1, end, 0, row);
      vx = u16le(b, at + 1);
      vy = u16le(b, at + 3);
      state = b[at + 5]!;
      durationMs = u16le(b, at + 6);
      at += 8;
    } else if ((type2Bit & 2968) !== 0) {
      if (end - at < 10) return cut(fragmentsRowsChecks, 6, at + 1, end, 0, row);
      x = u16le(b, at + 1);
      y = u16le(b, at + 3);
      foothold = u16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      at += 10;
    } else if ((type2Bit & 16384) !== 0) {
      if (end - at < 10) return cut(fragmentsRowsChecks, 7, at + 1, end, 0, row);
      vx = u16le(b, at + 1);
      vy = u16le(b, at + 3);
      fallStart = u16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      if (end - at < 2) return cut(fragmentsRowsChecks, 8, at + 1, end, 0, row);
      data = b[at + 1]!;
      at += 2;
    } else {
      return no(fragmentsRowsChecks, 2, at, type2, row);
    }
    const start = row * 4;
    words[start] = type2 | (state << 8) | (durationMs << 16);
    words[start + 1] = x | (y << 16);
    words[start + 2] = vx | (vy << 16);
    words[start + 3] = foothold | (fallStart << 16) | (unknown << 16) | (data << 16);
  }
  after = at;
  return count;
}

function readFragments2Rows(b: Uint8Array, at: number, end: number, words: Int32Array): number | undefined {
  if (end - at < 1) return cut(fragments2RowsChecks, 0, at, end);
  const count = b[at]!;
  at += 1;
  for (let row = 0; row < count; row++) {
    if (end - at < 1) return cut(fragments2RowsChecks, 1, at, end, 0, row);
    const type2 = b[at]!;
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    const type2Bit = type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      if (end - at < 14) return cut(fragments2RowsChecks, 3, at + 1, end, 0, row);
      x = u16le(b, at + 1);
      y = u16le(b, at + 3);
      vx = u16le(b, at + 5);
      vy = u16le(b, at + 7);
      foothold = u16le(b, at + 9);
      state = b[at + 11]!;
      durationMs = u16le(b, at + 12);
      at += 14;
    } else if ((type2Bit & 32768) !== 0) {
      if (end - at < 16) return cut(fragments2RowsChecks, 4, at + 1, end, 0, row);
      x = u16le(b, at + 1);
      y = u16le(b, at + 3);
      vx = u16le(b, at + 5);
      vy = u16le(b, at + 7);
      foothold = u16le(b, at + 9);
      fallStart = u16le(b, at + 11);
      state = b[at + 13]!;
      durationMs = u16le(b, at + 14);
      at += 16;
    } else if ((type2Bit & 6107206) !== 0) {
      if (end - at < 8) return cut(fragments2RowsChecks, 5, at + 1, end, 0, row);
      vx = u16le(b, at + 1);
      vy = u16le(b, at + 3);
      state = b[at + 5]!;
      durationMs = u16le(b, at + 6);
      at += 8;
    } else if ((type2Bit & 2968) !== 0) {
      if (end - at < 10) return cut(fragments2RowsChecks, 6, at + 1, end, 0, row);
      x = u16le(b, at + 1);
      y = u16le(b, at + 3);
      foothold = u16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      at += 10;
    } else if ((type2Bit & 16384) !== 0) {
      if (end - at < 10) return cut(fragments2RowsChecks, 7, at + 1, end, 0, row);
      vx = u16le(b, at + 1);
      vy = u16le(b, at + 3);
      fallStart = u16le(b, at + 5);
      state = b[at + 7]!;
      durationMs = u16le(b, at + 8);
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      if (end - at < 2) return cut(fragments2RowsChecks, 8, at + 1, end, 0, row);
      data = b[at + 1]!;
      at += 2;
    } else if ((type2Bit & 2097152) !== 0) {
      if (end - at < 4) return cut(fragments2RowsChecks, 9, at + 1, end, 0, row);
      state = b[at + 1]!;
      durationMs = u16le(b, at + 2);
      at += 4;
    } else {
      return no(fragments2RowsChecks, 2, at, type2, row);
    }
    const start = row * 4;
    words[start] = type2 | (state << 8) | (durationMs << 16);
    words[start + 1] = x | (y << 16);
    words[start + 2] = vx | (vy << 16);
    words[start + 3] = foothold | (fallStart << 16) | (unknown << 16) | (data << 16);
  }
  after = at;
  return count;
}

function readFragments3Rows(b: Uint8Array, at: number, end: number, words: Int32Array): number | undefined {
  if (end - at < 1) return cut(fragments3RowsChecks, 0, at, end);
  const count = b[at]!;
  at += 1;
  for (let row = 0; row < count; row++) {
    if (end - at < 1) return cut(fragments3RowsChecks, 1, at, end, 0, row);
    const type2 = b[at]!;
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    switch (type2) {
      case 0:
      case 5:
      case 14:
      case 35:
      case 36: {
        if (end - at < 18) return cut(fragments3RowsChecks, 3, at + 1, end, 0, row);
        x = u16le(b, at + 1);
        y = u16le(b, at + 3);
        vx = u16le(b, at + 5);
        vy = u16le(b, at + 7);
        foothold = u16le(b, at + 9);
        state = b[at + 15]!;
        durationMs = u16le(b, at + 16);
        at += 18;
        break;
      }
      case 12: {
        if (end - at < 20) return cut(fragments3RowsChecks, 4, at + 1, end, 0, row);
        x = u16le(b, at + 1);
        y = u16le(b, at + 3);
        vx = u16le(b, at + 5);
        vy = u16le(b, at + 7);
        foothold = u16le(b, at + 9);
        fallStart = u16le(b, at + 11);
        state = b[at + 17]!;
        durationMs = u16le(b, at + 18);
        at += 20;
        break;
      }
      case 1:
      case 2:
      case 13:
      case 16:
      case 18:
      case 31:
      case 32:
      case 33:
      case 34: {
        if (end - at < 8) return cut(fragments3RowsChecks, 5, at + 1, end, 0, row);
        vx = u16le(b, at + 1);
        vy = u16le(b, at + 3);
        state = b[at + 5]!;
        durationMs = u16le(b, at + 6);
        at += 8;
        break;
      }
      case 3:
      case 4:
      case 6:
      case 7:
      case 8:
      case 10: {
        if (end - at < 10) return cut(fragments3RowsChecks, 6, at + 1, end, 0, row);
        x = u16le(b, at + 1);
        y = u16le(b, at + 3);
        foothold = u16le(b, at + 5);
        state = b[at + 7]!;
        durationMs = u16le(b, at + 8);
        at += 10;
        break;
      }
      case 11: {
        if (end - at < 10) return cut(fragments3RowsChecks, 7, at + 1, end, 0, row);
        vx = u16le(b, at + 1);
        vy = u16le(b, at + 3);
        fallStart = u16le(b, at + 5);
        state = b[at + 7]!;
        durationMs = u16le(b, at + 8);
        at += 10;
        break;
      }
      case 17: {
        if (end - at < 12) return cut(fragments3RowsChecks, 8, at + 1, end, 0, row);
        x = u16le(b, at + 1);
        y = u16le(b, at + 3);
        vx = u16le(b, at + 5);
        vy = u16le(b, at + 7);
        state = b[at + 9]!;
        durationMs = u16le(b, at + 10);
        at += 12;
        break;
      }
      case 9: {
        if (end - at < 2) return cut(fragments3RowsChecks, 9, at + 1, end, 0, row);
        data = b[at + 1]!;
        at += 2;
        break;
      }
      case 15:
      case 19:
      case 20:
      case 21:
      case 22:
      case 23:
      case 24:
      case 25:
      case 26:
      case 27:
      case 28:
      case 29:
      case 30: {
        if (end - at < 4) return cut(fragments3RowsChecks, 10, at + 1, end, 0, row);
        state = b[at + 1]!;
        durationMs = u16le(b, at + 2);
        at += 4;
        break;
      }
      default: {
        return no(fragments3RowsChecks, 2, at, type2, row);
      }
    }
    const start = row * 4;
    words[start] = type2 | (state << 8) | (durationMs << 16);
    words[start + 1] = x | (y << 16);
    words[start + 2] = vx | (vy << 16);
    words[start + 3] = foothold | (fallStart << 16) | (unknown << 16) | (data << 16);
  }
  after = at;
  return count;
}

function readFragments4Rows(b: Uint8Array, at: number, end: number, words: Int32Array): number | undefined {
  if (end - at < 1) return cut(fragments4RowsChecks, 0, at, end);
  const count = b[at]!;
  at += 1;
  for (let row = 0; row < count; row++) {
    if (end - at < 1) return cut(fragments4RowsChecks, 1, at, end, 0, row);
    const type2 = b[at]!;
    let x = 0;
    let y = 0;
    let vx = 0;
    let vy = 0;
    let foothold = 0;
    let fallStart = 0;
    let unknown = 0;
    let state = 0;
    let durationMs = 0;
    let data = 0;
    const type2Bit = type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      if (end - at < 14) return cut(fragments4RowsChecks, 3, at + 1, end, 0, row);
      x = u16le(b, at + 1);
      y = u16le(b, at + 3);
      vx = u16le(b, at + 5);
      vy = u16le(b, at + 7);
      unknown = u16le(b, at + 9);
      state = b[at + 11]!;
      durationMs = u16le(b, at + 12);
      at += 14;
    } else if ((type2Bit & 77894) !== 0) {
      if (end - at < 8) return cut(fragments4RowsChecks, 4, at + 1, end, 0, row);
      vx = u16le(b, at + 1);
      vy = u16le(b, at + 3);
      state = b[at + 5]!;
      durationMs = u16le(b, at + 6);
      at += 8;
    } else if ((type2Bit & 17304) !== 0) {
      if (end - at < 10) return cut(fragments4RowsChecks, 5, at + 1, end, 0, row);
      x = u16le(b, at + 1);
      y = u16le(b, at + 3);
      vx = u16le(b, at + 5);
      vy = u16le(b, at + 7);
      state = b[at + 9]!;
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      if (end - at < 2) return cut(fragments4RowsChecks, 6, at + 1, end, 0, row);
      data = b[at + 1]!;
      at += 2;
    } else if ((type2Bit & 2048) !== 0) {
      if (end - at < 16) return cut(fragments4RowsChecks, 7, at + 1, end, 0, row);
      x = u16le(b, at + 1);
      y = u16le(b, at + 3);
      vx = u16le(b, at + 5);
      vy = u16le(b, at + 7);
      unknown = u16le(b, at + 9);
      foothold = u16le(b, at + 11);
      state = b[at + 13]!;
      durationMs = u16le(b, at + 14);
      at += 16;
    } else {
      return no(fragments4RowsChecks, 2, at, type2, row);
    }
    const start = row * 4;
    words[start] = type2 | (state << 8) | (durationMs << 16);
    words[start + 1] = x | (y << 16);
    words[start + 2] = vx | (vy << 16);
    words[start + 3] = foothold | (fallStart << 16) | (unknown << 16) | (data << 16);
  }
  after = at;
  return count;
}

function writeFragments(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(fragmentsChecks, 9, v);
  const count = v.length;
  if (count > 255) return bad(fragmentsChecks, 10, count);
  b[at] = count;
  at += 1;
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    if (!isObject(item)) return badObject("[]", item, i);
    const type2 = item.type as number;
    const type2Bit = typeof type2 === "number" && type2 >>> 0 === type2 && type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      b[at] = type2;
      const kind = item.kind as string;
      if (kind !== "absolute" && kind !== undefined) return bad(fragmentsChecks, 13, kind, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putI16le(b, at + 9, item.foothold) &&
          putU8(b, at + 11, item.state) &&
          putU16le(b, at + 12, item.durationMs)
        )
      )
        return badField(fragmentsChecks, 3, "[]", item, i);
      at += 14;
    } else if ((type2Bit & 32768) !== 0) {
      b[at] = 15;
      const kind2 = item.kind as string;
      if (kind2 !== "fallDown" && kind2 !== undefined) return bad(fragmentsChecks, 14, kind2, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putI16le(b, at + 9, item.foothold) &&
          putI16le(b, at + 11, item.fallStart) &&
          putU8(b, at + 13, item.state) &&
          putU16le(b, at + 14, item.durationMs)
        )
      )
        return badField(fragmentsChecks, 4, "[]", item, i);
      at += 16;
    } else if ((type2Bit & 77894) !== 0) {
      b[at] = type2;
      const kind3 = item.kind as string;
      if (kind3 !== "relative" && kind3 !== undefined) return bad(fragmentsChecks, 15, kind3, i);
      if (
        !(
          putI16le(b, at + 1, item.vx) &&
          putI16le(b, at + 3, item.vy) &&
          putU8(b, at + 5, item.state) &&
          putU16le(b, at + 6, item.durationMs)
        )
      )
        return badField(fragmentsChecks, 5, "[]", item, i);
      at += 8;
    } else if ((type2Bit & 2968) !== 0) {
      b[at] = type2;
      const kind4 = item.kind as string;
      if (kind4 !== "instant" && kind4 !== undefined) return bad(fragmentsChecks, 16, kind4, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.foothold) &&
          putU8(b, at + 7, item.state) &&
          putU16le(b, at + 8, item.durationMs)
        )
      )
        return badField(fragmentsChecks, 6, "[]", item, i);
      at += 10;
    } else if ((type2Bit & 16384) !== 0) {
      b[at] = 14;
      const kind5 = item.kind as string;
      if (kind5 !== "startFallDown" && kind5 !== undefined) return bad(fragmentsChecks, 17, kind5, i);
      if (
        !(
          putI16le(b, at + 1, item.vx) &&
          putI16le(b, at + 3, item.vy) &&
          putI16le(b, at + 5, item.fallStart) &&
          putU8(b, at + 7, item.state) &&
          putU16le(b, at + 8, item.durationMs)
        )
      )
        return badField(fragmentsChecks, 7, "[]", item, i);
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      b[at] = 10;
      const kind6 = item.kind as string;
      if (kind6 !== "equipment" && kind6 !== undefined) return bad(fragmentsChecks, 18, kind6, i);
      if (!putU8(b, at + 1, item.data)) return badField(fragmentsChecks, 8, "[]", item, i);
      at += 2;
    } else {
      return bad(fragmentsChecks, 19, type2, i);
    }
  }
  return at;
}

function writeKeypad(b: Uint8Array, at: number, v: readonly unknown[]): number {
  let bit = 0;
  if (!Array.isArray(v)) return bad(keypadChecks, 3, v);
  const count = v.length;
  if (count > 255) return bad(keypadChecks, 4, count);
  b[at] = count;
  bit = at * 8 + 8;
  for (let i = 0; i < count; i++) {
    const item = v[i] as number;
    if (typeof item !== "number" || (item & 15) !== item) return bad(keypadChecks, 6, item, i);
    if ((bit & 7) === 0) b[(bit >> 3)] = item;
    else b[(bit >> 3)]! |= item << (bit & 7);
    bit += 4;
  }
  at = (bit + 7) >> 3;
  return at;
}

function writeBox(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putI16le(b, at, v.left) &&
      putI16le(b, at + 2, v.top) &&
      putI16le(b, at + 4, v.right) &&
      putI16le(b, at + 6, v.bottom)
    )
  )
    return badField(boxChecks, 0, "", v);
  return at + 8;
}

function writeV62MovePlayerClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU8(b, at, v.fieldKey)) return badField(v62MovePlayerClientChecks, 0, "", v);
  const start = v.start as Members;
  if (!isObject(start)) return badObject("start", start);
  if (
    !(
      putI16le(b, at + 1, start.x) &&
      putI16le(b, at + 3, start.y)
    )
  )
    return badField(v62MovePlayerClientChecks, 0, "start", start);
  at = writeFragments(b, at + 5, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV62MoveLife(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU16le(b, at + 4, v.moveId) &&
      putU8(b, at + 6, v.flags) &&
      putI8(b, at + 7, v.actionAndDirection)
    )
  )
    return badField(v62MoveLifeChecks, 0, "", v);
  const target = v.target as Uint8Array;
  at += 8;
  at = putBytes(b, at, target, 4, 4);
  if (at < 0) return bad(v62MoveLifeChecks, 1, target);
  if (
    !(
      putU8(b, at, v.moveFlags) &&
      putU32le(b, at + 1, v.unknown)
    )
  )
    return badField(v62MoveLifeChecks, 0, "", v);
  const start = v.start as Members;
  if (!isObject(start)) return badObject("start", start);
  if (
    !(
      putI16le(b, at + 5, start.x) &&
      putI16le(b, at + 7, start.y)
    )
  )
    return badField(v62MoveLifeChecks, 0, "start", start);
  at = writeFragments(b, at + 9, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV62MovePetClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const petId = v.petId as bigint;
  if (!putBig(b, at, petId)) return bad(v62MovePetClientChecks, 1, petId);
  const start = v.start as Members;
  if (!isObject(start)) return badObject("start", start);
  if (
    !(
      putI16le(b, at + 8, start.x) &&
      putI16le(b, at + 10, start.y)
    )
  )
    return badField(v62MovePetClientChecks, 0, "start", start);
  at = writeFragments(b, at + 12, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV62MoveSummonClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.summonId)) return badField(v62MoveSummonClientChecks, 0, "", v);
  const start = v.start as Members;
  if (!isObject(start)) return badObject("start", start);
  if (
    !(
      putI16le(b, at + 4, start.x) &&
      putI16le(b, at + 6, start.y)
    )
  )
    return badField(v62MoveSummonClientChecks, 0, "start", start);
  at = writeFragments(b, at + 8, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV62MovePlayerServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.characterId)) return badField(v62MovePlayerServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 4;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v62MovePlayerServerChecks, 1, pathBytes);
  } else {
    const start = v.start as Members;
    if (!isObject(start)) return badObject("start", start);
    if (
      !(
        putI16le(b, at + 4, start.x) &&
        putI16le(b, at + 6, start.y)
      )
    )
      return badField(v62MovePlayerServerChecks, 0, "start", start);
    at = writeFragments(b, at + 8, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV62MoveMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU8(b, at + 4, v.flags) &&
      putI8(b, at + 5, v.actionAndDirection)
    )
  )
    return badField(v62MoveMonsterChecks, 0, "", v);
  const target = v.target as Uint8Array;
  at += 6;
  at = putBytes(b, at, target, 4, 4);
  if (at < 0) return bad(v62MoveMonsterChecks, 1, target);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v62MoveMonsterChecks, 2, pathBytes);
  } else {
    const start = v.start as Members;
    if (!isObject(start)) return badObject("start", start);
    if (
      !(
        putI16le(b, at, start.x) &&
        putI16le(b, at + 2, start.y)
      )
    )
      return badField(v62MoveMonsterChecks, 0, "start", start);
    at = writeFragments(b, at + 4, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV62MovePetServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.characterId) &&
      putU8(b, at + 4, v.slot)
    )
  )
    return badField(v62MovePetServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 5;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v62MovePetServerChecks, 1, pathBytes);
  } else {
    const start = v.start as Members;
    if (!isObject(start)) return badObject("start", start);
    if (
      !(
        putI16le(b, at + 5, start.x) &&
        putI16le(b, at + 7, start.y)
      )
    )
      return badField(v62MovePetServerChecks, 0, "start", start);
    at = writeFragments(b, at + 9, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV62MoveSummonServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.characterId) &&
      putU32le(b, at + 4, v.summonId)
    )
  )
    return badField(v62MoveSummonServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 8;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v62MoveSummonServerChecks, 1, pathBytes);
  } else {
    const start = v.start as Members;
    if (!isObject(start)) return badObject("start", start);
    if (
      !(
        putI16le(b, at + 8, start.x) &&
        putI16le(b, at + 10, start.y)
      )
    )
      return badField(v62MoveSummonServerChecks, 0, "start", start);
    at = writeFragments(b, at + 12, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV62MoveMonsterResponse(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU16le(b, at + 4, v.moveId) &&
      putU8(b, at + 6, v.nextAttack) &&
      putU16le(b, at + 7, v.mp) &&
      putU8(b, at + 9, v.skillId) &&
      putU8(b, at + 10, v.skillLevel)
    )
  )
    return badField(v62MoveMonsterResponseChecks, 0, "", v);
  return at + 11;
}

function writeV62PlayerLoggedIn(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.characterId) &&
      putU16le(b, at + 4, v.reserved)
    )
  )
    return badField(v62PlayerLoggedInChecks, 0, "", v);
  return at + 6;
}

function writeV62Pong(_b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  return at;
}

function writeV62Aggro(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU32le(b, at + 4, v.unknown)
    )
  )
    return badField(v62AggroChecks, 0, "", v);
  return at + 8;
}

function writeIp(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(ipChecks, 1, v);
  const count = v.length;
  if (count !== 4) return bad(ipChecks, 2, count);
  for (let i = 0; i < count; i++) {
    const item = v[i] as number;
    if (!putU8(b, at, item)) return bad(ipChecks, 3, item, i);
    at += 1;
  }
  return at;
}

function writeV62ServerIp(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const result = v.result as number;
  if (!putU8(b, at, result)) return bad(v62ServerIpChecks, 3, result);
  if (!putU8(b, at + 1, v.mode)) return badField(v62ServerIpChecks, 0, "", v);
  if (result === 0) {
    at = writeIp(b, at + 2, v.ip as readonly unknown[]);
    if (at < 0) return under("ip");
    if (
      !(
        putU16le(b, at, v.port) &&
        putU32le(b, at + 2, v.characterId) &&
        putU8(b, at + 6, v.authenCode) &&
        putU32le(b, at + 7, v.premium)
      )
    )
      return badField(v62ServerIpChecks, 1, "", v);
    at += 11;
  } else {
    if (v.ip !== undefined || v.port !== undefined || v.characterId !== undefined || v.authenCode !== undefined || v.premium !== undefined) return badKey("", v, "ip|port|characterId|authenCode|premium");
    at += 2;
  }
  if (result >= 1 && result <= 255) {
    const refused = v.refused as Uint8Array;
    at = putBytes(b, at, refused, 0, 8192);
    if (at < 0) return bad(v62ServerIpChecks, 4, refused);
  } else {
    if (v.refused !== undefined) return badKey("", v, "refused");
  }
  return at;
}

function writeV62ChangeChannel(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const moves = v.moves as number;
  if (!putU8(b, at, moves)) return bad(v62ChangeChannelChecks, 3, moves);
  if (moves >= 1 && moves <= 255) {
    at = writeIp(b, at + 1, v.ip as readonly unknown[]);
    if (at < 0) return under("ip");
    if (!putU16le(b, at, v.port)) return badField(v62ChangeChannelChecks, 1, "", v);
    at += 2;
  } else {
    if (v.ip !== undefined || v.port !== undefined) return badKey("", v, "ip|port");
    at += 1;
  }
  if (moves === 0) {
    const refused = v.refused as Uint8Array;
    at = putBytes(b, at, refused, 0, 8192);
    if (at < 0) return bad(v62ChangeChannelChecks, 4, refused);
  } else {
    if (v.refused !== undefined) return badKey("", v, "refused");
  }
  return at;
}

function writeV62ChangeMap(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putI32le(b, at, v.channel) &&
      putU8(b, at + 4, v.fieldKey)
    )
  )
    return badField(v62ChangeMapChecks, 0, "", v);
  const target = v.target as Members;
  if (!isObject(target)) return badObject("target", target);
  const content = target.content as string;
  switch (content) {
    case "map": {
      b[at + 5] = 0;
      if (
        !(
          putU16le(b, at + 6, target.notices) &&
          putU32le(b, at + 8, target.mapId) &&
          putU8(b, at + 12, target.spawnPoint) &&
          putU16le(b, at + 13, target.hp) &&
          putU8(b, at + 15, target.chase)
        )
      )
        return badField(v62ChangeMapChecks, 2, "target", target);
      const time = target.time as bigint;
      if (!putBig(b, at + 16, time)) return bad(v62ChangeMapChecks, 4, time);
      at += 24;
      break;
    }
    case "character": {
      b[at + 5] = 1;
      const data = target.data as Uint8Array;
      at += 6;
      at = putBytes(b, at, data, 0, 8192);
      if (at < 0) return bad(v62ChangeMapChecks, 5, data);
      break;
    }
    default: {
      return bad(v62ChangeMapChecks, 6, content);
    }
  }
  return at;
}

function writeEquipment(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(equipmentChecks, 2, v);
  const count = v.length;
  if (count > 64) return bad(equipmentChecks, 3, count);
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    const itemStart = at;
    if (!isObject(item)) return badObject("[]", item, i);
    if (
      !(
        putU8(b, at, item.slot) &&
        putU32le(b, at + 1, item.item)
      )
    )
      return badField(equipmentChecks, 1, "[]", item, i);
    at += 5;
    if (b[itemStart] === 255) return bad(equipmentChecks, 4, item, i);
  }
  b[at] = 255;
  return at + 1;
}

function writePets(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(petsChecks, 1, v);
  const count = v.length;
  if (count !== 3) return bad(petsChecks, 2, count);
  for (let i = 0; i < count; i++) {
    const item = v[i] as number;
    if (!putU32le(b, at, item)) return bad(petsChecks, 3, item, i);
    at += 4;
  }
  return at;
}

function writeV62ShowPlayer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.characterId)) return badField(v62ShowPlayerChecks, 0, "", v);
  const name = v.name as string;
  at += 4;
  const end$1 = putText(b, at + 2, name, 0, 64);
  if (end$1 < 0) return bad(v62ShowPlayerChecks, 9, name);
  const length$2 = end$1 - at - 2;
  b[at] = length$2;
  b[at + 1] = length$2 >> 8;
  at = end$1;
  const guild = v.guild as string;
  const end$3 = putText(b, at + 2, guild, 0, 64);
  if (end$3 < 0) return bad(v62ShowPlayerChecks, 10, guild);
  const length$4 = end$3 - at - 2;
  b[at] = length$4;
  b[at + 1] = length$4 >> 8;
  at = end$3;
  const emblem = v.emblem as Uint8Array;
  at = putBytes(b, at, emblem, 6, 6);
  if (at < 0) return bad(v62ShowPlayerChecks, 11, emblem);
  const effects = v.effects as Uint8Array;
  at = putBytes(b, at, effects, 108, 108);
  if (at < 0) return bad(v62ShowPlayerChecks, 12, effects);
  if (
    !(
      putU8(b, at, v.gender) &&
      putU8(b, at + 1, v.skin) &&
      putU32le(b, at + 2, v.face) &&
      putU8(b, at + 6, v.megaphone) &&
      putU32le(b, at + 7, v.hair)
    )
  )
    return badField(v62ShowPlayerChecks, 6, "", v);
  at = writeEquipment(b, at + 11, v.equipment as readonly unknown[]);
  if (at < 0) return under("equipment");
  at = writeEquipment(b, at, v.masked as readonly unknown[]);
  if (at < 0) return under("masked");
  if (!putU32le(b, at, v.weapon)) return badField(v62ShowPlayerChecks, 7, "", v);
  at = writePets(b, at + 4, v.pets as readonly unknown[]);
  if (at < 0) return under("pets");
  if (
    !(
      putU32le(b, at, v.unknown) &&
      putU32le(b, at + 4, v.itemEffect) &&
      putU32le(b, at + 8, v.chair) &&
      putI16le(b, at + 12, v.x) &&
      putI16le(b, at + 14, v.y) &&
      putU8(b, at + 16, v.state)
    )
  )
    return badField(v62ShowPlayerChecks, 8, "", v);
  const extras = v.extras as Uint8Array;
  at += 17;
  at = putBytes(b, at, extras, 23, 23);
  if (at < 0) return bad(v62ShowPlayerChecks, 13, extras);
  return at;
}

function writeV62RemovePlayer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.characterId)) return badField(v62RemovePlayerChecks, 0, "", v);
  return at + 4;
}

function writeSpawn(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const status = v.status as string;
  const number = status === "controlled" ? 1 : status === "notControlled" ? 5 : undefined;
  if (number === undefined) return bad(spawnChecks, 3, status);
  b[at] = number;
  if (!putU32le(b, at + 1, v.template)) return badField(spawnChecks, 2, "", v);
  const statusMask = v.statusMask as Uint8Array;
  at += 5;
  at = putBytes(b, at, statusMask, 8, 8);
  if (at < 0) return bad(spawnChecks, 5, statusMask);
  if (
    !(
      putI16le(b, at, v.x) &&
      putI16le(b, at + 2, v.y) &&
      putU8(b, at + 4, v.state) &&
      putI16le(b, at + 5, v.originFoothold) &&
      putI16le(b, at + 7, v.foothold) &&
      putI8(b, at + 9, v.appear) &&
      putI8(b, at + 10, v.team) &&
      putU32le(b, at + 11, v.effect)
    )
  )
    return badField(spawnChecks, 2, "", v);
  return at + 15;
}

function writeV62ShowMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.mobId)) return badField(v62ShowMonsterChecks, 0, "", v);
  at = writeSpawn(b, at + 4, v.spawn as Members);
  if (at < 0) return under("spawn");
  return at;
}

function writeV62RemoveMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU8(b, at + 4, v.animation)
    )
  )
    return badField(v62RemoveMonsterChecks, 0, "", v);
  return at + 5;
}

function writeV62ControlMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const mode = v.mode as string;
  switch (mode) {
    case "stop": {
      b[at] = 0;
      if (!putU32le(b, at + 1, v.mobId)) return badField(v62ControlMonsterChecks, 2, "", v);
      at += 5;
      break;
    }
    case "control": {
      b[at] = 1;
      if (!putU32le(b, at + 1, v.mobId)) return badField(v62ControlMonsterChecks, 2, "", v);
      at = writeSpawn(b, at + 5, v.spawn as Members);
      if (at < 0) return under("spawn");
      break;
    }
    case "controlWithAggro": {
      b[at] = 2;
      if (!putU32le(b, at + 1, v.mobId)) return badField(v62ControlMonsterChecks, 2, "", v);
      at = writeSpawn(b, at + 5, v.spawn as Members);
      if (at < 0) return under("spawn");
      break;
    }
    default: {
      return bad(v62ControlMonsterChecks, 5, mode);
    }
  }
  return at;
}

function writeFragments2(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(fragments2Checks, 10, v);
  const count = v.length;
  if (count > 255) return bad(fragments2Checks, 11, count);
  b[at] = count;
  at += 1;
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    if (!isObject(item)) return badObject("[]", item, i);
    const type2 = item.type as number;
    const type2Bit = typeof type2 === "number" && type2 >>> 0 === type2 && type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      b[at] = type2;
      const kind = item.kind as string;
      if (kind !== "absolute" && kind !== undefined) return bad(fragments2Checks, 14, kind, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putI16le(b, at + 9, item.foothold) &&
          putU8(b, at + 11, item.state) &&
          putU16le(b, at + 12, item.durationMs)
        )
      )
        return badField(fragments2Checks, 3, "[]", item, i);
      at += 14;
    } else if ((type2Bit & 32768) !== 0) {
      b[at] = 15;
      const kind2 = item.kind as string;
      if (kind2 !== "fallDown" && kind2 !== undefined) return bad(fragments2Checks, 15, kind2, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putI16le(b, at + 9, item.foothold) &&
          putI16le(b, at + 11, item.fallStart) &&
          putU8(b, at + 13, item.state) &&
          putU16le(b, at + 14, item.durationMs)
        )
      )
        return badField(fragments2Checks, 4, "[]", item, i);
      at += 16;
    } else if ((type2Bit & 6107206) !== 0) {
      b[at] = type2;
      const kind3 = item.kind as string;
      if (kind3 !== "relative" && kind3 !== undefined) return bad(fragments2Checks, 16, kind3, i);
      if (
        !(
          putI16le(b, at + 1, item.vx) &&
          putI16le(b, at + 3, item.vy) &&
          putU8(b, at + 5, item.state) &&
          putU16le(b, at + 6, item.durationMs)
        )
      )
        return badField(fragments2Checks, 5, "[]", item, i);
      at += 8;
    } else if ((type2Bit & 2968) !== 0) {
      b[at] = type2;
      const kind4 = item.kind as string;
      if (kind4 !== "instant" && kind4 !== undefined) return bad(fragments2Checks, 17, kind4, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.foothold) &&
          putU8(b, at + 7, item.state) &&
          putU16le(b, at + 8, item.durationMs)
        )
      )
        return badField(fragments2Checks, 6, "[]", item, i);
      at += 10;
    } else if ((type2Bit & 16384) !== 0) {
      b[at] = 14;
      const kind5 = item.kind as string;
      if (kind5 !== "startFallDown" && kind5 !== undefined) return bad(fragments2Checks, 18, kind5, i);
      if (
        !(
          putI16le(b, at + 1, item.vx) &&
          putI16le(b, at + 3, item.vy) &&
          putI16le(b, at + 5, item.fallStart) &&
          putU8(b, at + 7, item.state) &&
          putU16le(b, at + 8, item.durationMs)
        )
      )
        return badField(fragments2Checks, 7, "[]", item, i);
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      b[at] = 10;
      const kind6 = item.kind as string;
      if (kind6 !== "equipment" && kind6 !== undefined) return bad(fragments2Checks, 19, kind6, i);
      if (!putU8(b, at + 1, item.data)) return badField(fragments2Checks, 8, "[]", item, i);
      at += 2;
    } else if ((type2Bit & 2097152) !== 0) {
      b[at] = 21;
      const kind7 = item.kind as string;
      if (kind7 !== "bare" && kind7 !== undefined) return bad(fragments2Checks, 20, kind7, i);
      if (
        !(
          putU8(b, at + 1, item.state) &&
          putU16le(b, at + 2, item.durationMs)
        )
      )
        return badField(fragments2Checks, 9, "[]", item, i);
      at += 4;
    } else {
      return bad(fragments2Checks, 21, type2, i);
    }
  }
  return at;
}

function writeV83MovePlayerClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU8(b, at, v.fieldKey) &&
      putU32le(b, at + 1, v.fieldCrc)
    )
  )
    return badField(v83MovePlayerClientChecks, 0, "", v);
  const start = v.start as Members;
  if (!isObject(start)) return badObject("start", start);
  if (
    !(
      putI16le(b, at + 5, start.x) &&
      putI16le(b, at + 7, start.y)
    )
  )
    return badField(v83MovePlayerClientChecks, 0, "start", start);
  at = writeFragments2(b, at + 9, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV83MoveLife(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU16le(b, at + 4, v.moveId) &&
      putU8(b, at + 6, v.flags) &&
      putI8(b, at + 7, v.actionAndDirection)
    )
  )
    return badField(v83MoveLifeChecks, 0, "", v);
  const target = v.target as Uint8Array;
  at += 8;
  at = putBytes(b, at, target, 4, 4);
  if (at < 0) return bad(v83MoveLifeChecks, 1, target);
  if (
    !(
      putU8(b, at, v.moveFlags) &&
      putU32le(b, at + 1, v.unknown) &&
      putI32le(b, at + 5, v.flyTargetX) &&
      putI32le(b, at + 9, v.flyTargetY)
    )
  )
    return badField(v83MoveLifeChecks, 0, "", v);
  const start = v.start as Members;
  if (!isObject(start)) return badObject("start", start);
  if (
    !(
      putI16le(b, at + 13, start.x) &&
      putI16le(b, at + 15, start.y)
    )
  )
    return badField(v83MoveLifeChecks, 0, "start", start);
  at = writeFragments2(b, at + 17, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV83MovePetClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const petId = v.petId as bigint;
  if (!putBig(b, at, petId)) return bad(v83MovePetClientChecks, 1, petId);
  const start = v.start as Members;
  if (!isObject(start)) return badObject("start", start);
  if (
    !(
      putI16le(b, at + 8, start.x) &&
      putI16le(b, at + 10, start.y)
    )
  )
    return badField(v83MovePetClientChecks, 0, "start", start);
  at = writeFragments2(b, at + 12, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV83MoveSummonClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.summonId)) return badField(v83MoveSummonClientChecks, 0, "", v);
  const start = v.start as Members;
  if (!isObject(start)) return badObject("start", start);
  if (
    !(
      putI16le(b, at + 4, start.x) &&
      putI16le(b, at + 6, start.y)
    )
  )
    return badField(v83MoveSummonClientChecks, 0, "start", start);
  at = writeFragments2(b, at + 8, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV83MovePlayerServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.characterId)) return badField(v83MovePlayerServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 4;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v83MovePlayerServerChecks, 1, pathBytes);
  } else {
    const start = v.start as Members;
    if (!isObject(start)) return badObject("start", start);
    if (
      !(
        putI16le(b, at + 4, start.x) &&
        putI16le(b, at + 6, start.y)
      )
    )
      return badField(v83MovePlayerServerChecks, 0, "start", start);
    at = writeFragments2(b, at + 8, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV83MoveMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU8(b, at + 4, v.notForceLanding) &&
      putU8(b, at + 5, v.nextAttackPossible) &&
      putI8(b, at + 6, v.actionAndDirection)
    )
  )
    return badField(v83MoveMonsterChecks, 0, "", v);
  const target = v.target as Uint8Array;
  at += 7;
  at = putBytes(b, at, target, 4, 4);
  if (at < 0) return bad(v83MoveMonsterChecks, 1, target);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v83MoveMonsterChecks, 2, pathBytes);
  } else {
    const start = v.start as Members;
    if (!isObject(start)) return badObject("start", start);
    if (
      !(
        putI16le(b, at, start.x) &&
        putI16le(b, at + 2, start.y)
      )
    )
      return badField(v83MoveMonsterChecks, 0, "start", start);
    at = writeFragments2(b, at + 4, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV83MovePetServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.characterId) &&
      putU8(b, at + 4, v.slot)
    )
  )
    return badField(v83MovePetServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 5;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v83MovePetServerChecks, 1, pathBytes);
  } else {
    const start = v.start as Members;
    if (!isObject(start)) return badObject("start", start);
    if (
      !(
        putI16le(b, at + 5, start.x) &&
        putI16le(b, at + 7, start.y)
      )
    )
      return badField(v83MovePetServerChecks, 0, "start", start);
    at = writeFragments2(b, at + 9, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV83MoveSummonServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.characterId) &&
      putU32le(b, at + 4, v.summonId)
    )
  )
    return badField(v83MoveSummonServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 8;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v83MoveSummonServerChecks, 1, pathBytes);
  } else {
    const start = v.start as Members;
    if (!isObject(start)) return badObject("start", start);
    if (
      !(
        putI16le(b, at + 8, start.x) &&
        putI16le(b, at + 10, start.y)
      )
    )
      return badField(v83MoveSummonServerChecks, 0, "start", start);
    at = writeFragments2(b, at + 12, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV83MoveDragonClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const start = v.start as Members;
  if (!isObject(start)) return badObject("start", start);
  if (
    !(
      putI16le(b, at, start.x) &&
      putI16le(b, at + 2, start.y)
    )
  )
    return badField(v83MoveDragonClientChecks, 0, "start", start);
  at = writeFragments2(b, at + 4, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV83PlayerLoggedIn(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.characterId)) return badField(v83PlayerLoggedInChecks, 0, "", v);
  const rest = v.rest as Uint8Array;
  at += 4;
  at = putBytes(b, at, rest, 0, 8192);
  if (at < 0) return bad(v83PlayerLoggedInChecks, 2, rest);
  return at;
}

function writeV83Aggro(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU32le(b, at + 4, v.distance)
    )
  )
    return badField(v83AggroChecks, 0, "", v);
  return at + 8;
}

function writeV83ChangeMap(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putI32le(b, at, v.channel) &&
      putU8(b, at + 4, v.fieldKey)
    )
  )
    return badField(v83ChangeMapChecks, 0, "", v);
  const target = v.target as Members;
  if (!isObject(target)) return badObject("target", target);
  const content = target.content as string;
  switch (content) {
    case "map": {
      b[at + 5] = 0;
      if (
        !(
          putU16le(b, at + 6, target.notices) &&
          putU8(b, at + 8, target.revive) &&
          putU32le(b, at + 9, target.mapId) &&
          putU8(b, at + 13, target.spawnPoint) &&
          putU16le(b, at + 14, target.hp)
        )
      )
        return badField(v83ChangeMapChecks, 2, "target", target);
      const chase = target.chase as number;
      if (!putU8(b, at + 16, chase)) return bad(v83ChangeMapChecks, 7, chase);
      if (chase === 1) {
        if (
          !(
            putI32le(b, at + 17, target.chaseX) &&
            putI32le(b, at + 21, target.chaseY)
          )
        )
          return badField(v83ChangeMapChecks, 3, "target", target);
        at += 25;
      } else {
        if (target.chaseX !== undefined || target.chaseY !== undefined) return badKey("target", target, "chaseX|chaseY");
        at += 17;
      }
      const time = target.time as bigint;
      if (!putBig(b, at, time)) return bad(v83ChangeMapChecks, 8, time);
      at += 8;
      break;
    }
    case "character": {
      b[at + 5] = 1;
      if (!putU16le(b, at + 6, target.notices)) return badField(v83ChangeMapChecks, 2, "target", target);
      at = writePets(b, at + 8, target.seeds as readonly unknown[]);
      if (at < 0) return under("target.seeds");
      const data = target.data as Uint8Array;
      at = putBytes(b, at, data, 0, 8192);
      if (at < 0) return bad(v83ChangeMapChecks, 9, data);
      break;
    }
    default: {
      return bad(v83ChangeMapChecks, 10, content);
    }
  }
  return at;
}

function writeV83ShowPlayer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.characterId) &&
      putU8(b, at + 4, v.level)
    )
  )
    return badField(v83ShowPlayerChecks, 0, "", v);
  const look = v.look as Uint8Array;
  at += 5;
  at = putBytes(b, at, look, 0, 8192);
  if (at < 0) return bad(v83ShowPlayerChecks, 2, look);
  return at;
}

function writeSpawn2(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const status = v.status as string;
  const number = status === "controlled" ? 1 : status === "notControlled" ? 5 : undefined;
  if (number === undefined) return bad(spawn2Checks, 8, status);
  b[at] = number;
  if (!putU32le(b, at + 1, v.template)) return badField(spawn2Checks, 2, "", v);
  const statusMask = v.statusMask as Uint8Array;
  at += 5;
  at = putBytes(b, at, statusMask, 16, 16);
  if (at < 0) return bad(spawn2Checks, 10, statusMask);
  if (!allZero(statusMask)) {
    const withStatuses = v.withStatuses as Uint8Array;
    at = putBytes(b, at, withStatuses, 0, 8192);
    if (at < 0) return bad(spawn2Checks, 11, withStatuses);
  } else {
    if (v.withStatuses !== undefined) return badKey("", v, "withStatuses");
  }
  const appear = v.appear as number;
  if (allZero(statusMask)) {
    if (
      !(
        putI16le(b, at, v.x) &&
        putI16le(b, at + 2, v.y) &&
        putU8(b, at + 4, v.state) &&
        putI16le(b, at + 5, v.originFoothold) &&
        putI16le(b, at + 7, v.foothold)
      )
    )
      return badField(spawn2Checks, 4, "", v);
    if (!putI8(b, at + 9, appear)) return bad(spawn2Checks, 12, appear);
    at += 10;
  } else {
    if (v.x !== undefined || v.y !== undefined || v.state !== undefined || v.originFoothold !== undefined || v.foothold !== undefined || v.appear !== undefined) return badKey("", v, "x|y|state|originFoothold|foothold|appear");
  }
  if (typeof appear === "number" && appear === -3) {
    if (!putU32le(b, at, v.appearFrom)) return badField(spawn2Checks, 5, "", v);
    at += 4;
  } else {
    if (v.appearFrom !== undefined) return badKey("", v, "appearFrom");
  }
  if (typeof appear === "number" && appear >= 0) {
    if (!putU32le(b, at, v.appearDelay)) return badField(spawn2Checks, 6, "", v);
    at += 4;
  } else {
    if (v.appearDelay !== undefined) return badKey("", v, "appearDelay");
  }
  if (allZero(statusMask)) {
    if (
      !(
        putI8(b, at, v.team) &&
        putU32le(b, at + 1, v.effect)
      )
    )
      return badField(spawn2Checks, 7, "", v);
    at += 5;
  } else {
    if (v.team !== undefined || v.effect !== undefined) return badKey("", v, "team|effect");
  }
  return at;
}

function writeV83ShowMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.mobId)) return badField(v83ShowMonsterChecks, 0, "", v);
  at = writeSpawn2(b, at + 4, v.spawn as Members);
  if (at < 0) return under("spawn");
  return at;
}

function writeV83RemoveMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.mobId)) return badField(v83RemoveMonsterChecks, 0, "", v);
  const animation = v.animation as number;
  if (!putU8(b, at + 4, animation)) return bad(v83RemoveMonsterChecks, 3, animation);
  if (animation === 4) {
    if (!putU32le(b, at + 5, v.swallowedBy)) return badField(v83RemoveMonsterChecks, 1, "", v);
    at += 9;
  } else {
    if (v.swallowedBy !== undefined) return badKey("", v, "swallowedBy");
    at += 5;
  }
  const rest = v.rest as Uint8Array;
  at = putBytes(b, at, rest, 0, 8);
  if (at < 0) return bad(v83RemoveMonsterChecks, 4, rest);
  return at;
}

function writeV83ControlMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const mode = v.mode as string;
  switch (mode) {
    case "stop": {
      b[at] = 0;
      if (!putU32le(b, at + 1, v.mobId)) return badField(v83ControlMonsterChecks, 2, "", v);
      at += 5;
      break;
    }
    case "control": {
      b[at] = 1;
      if (!putU32le(b, at + 1, v.mobId)) return badField(v83ControlMonsterChecks, 2, "", v);
      at = writeSpawn2(b, at + 5, v.spawn as Members);
      if (at < 0) return under("spawn");
      break;
    }
    case "controlWithAggro": {
      b[at] = 2;
      if (!putU32le(b, at + 1, v.mobId)) return badField(v83ControlMonsterChecks, 2, "", v);
      at = writeSpawn2(b, at + 5, v.spawn as Members);
      if (at < 0) return under("spawn");
      break;
    }
    default: {
      return bad(v83ControlMonsterChecks, 5, mode);
    }
  }
  return at;
}

function writeStart(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putI16le(b, at, v.x) &&
      putI16le(b, at + 2, v.y) &&
      putI16le(b, at + 4, v.vx) &&
      putI16le(b, at + 6, v.vy)
    )
  )
    return badField(startChecks, 0, "", v);
  return at + 8;
}

function writeFragments3(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(fragments3Checks, 11, v);
  const count = v.length;
  if (count > 255) return bad(fragments3Checks, 12, count);
  b[at] = count;
  at += 1;
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    if (!isObject(item)) return badObject("[]", item, i);
    const type2 = item.type as number;
    switch (type2) {
      case 0:
      case 5:
      case 14:
      case 35:
      case 36: {
        b[at] = type2;
        const kind = item.kind as string;
        if (kind !== "absolute" && kind !== undefined) return bad(fragments3Checks, 15, kind, i);
        if (
          !(
            putI16le(b, at + 1, item.x) &&
            putI16le(b, at + 3, item.y) &&
            putI16le(b, at + 5, item.vx) &&
            putI16le(b, at + 7, item.vy) &&
            putI16le(b, at + 9, item.foothold) &&
            putI16le(b, at + 11, item.xOffset) &&
            putI16le(b, at + 13, item.yOffset) &&
            putU8(b, at + 15, item.state) &&
            putU16le(b, at + 16, item.durationMs)
          )
        )
          return badField(fragments3Checks, 3, "[]", item, i);
        at += 18;
        break;
      }
      case 12: {
        b[at] = 12;
        const kind2 = item.kind as string;
        if (kind2 !== "fallDown" && kind2 !== undefined) return bad(fragments3Checks, 16, kind2, i);
        if (
          !(
            putI16le(b, at + 1, item.x) &&
            putI16le(b, at + 3, item.y) &&
            putI16le(b, at + 5, item.vx) &&
            putI16le(b, at + 7, item.vy) &&
            putI16le(b, at + 9, item.foothold) &&
            putI16le(b, at + 11, item.fallStart) &&
            putI16le(b, at + 13, item.xOffset) &&
            putI16le(b, at + 15, item.yOffset) &&
            putU8(b, at + 17, item.state) &&
            putU16le(b, at + 18, item.durationMs)
          )
        )
          return badField(fragments3Checks, 4, "[]", item, i);
        at += 20;
        break;
      }
      case 1:
      case 2:
      case 13:
      case 16:
      case 18:
      case 31:
      case 32:
      case 33:
      case 34: {
        b[at] = type2;
        const kind3 = item.kind as string;
        if (kind3 !== "relative" && kind3 !== undefined) return bad(fragments3Checks, 17, kind3, i);
        if (
          !(
            putI16le(b, at + 1, item.vx) &&
            putI16le(b, at + 3, item.vy) &&
            putU8(b, at + 5, item.state) &&
            putU16le(b, at + 6, item.durationMs)
          )
        )
          return badField(fragments3Checks, 5, "[]", item, i);
        at += 8;
        break;
      }
      case 3:
      case 4:
      case 6:
      case 7:
      case 8:
      case 10: {
        b[at] = type2;
        const kind4 = item.kind as string;
        if (kind4 !== "instant" && kind4 !== undefined) return bad(fragments3Checks, 18, kind4, i);
        if (
          !(
            putI16le(b, at + 1, item.x) &&
            putI16le(b, at + 3, item.y) &&
            putI16le(b, at + 5, item.foothold) &&
            putU8(b, at + 7, item.state) &&
            putU16le(b, at + 8, item.durationMs)
          )
        )
          return badField(fragments3Checks, 6, "[]", item, i);
        at += 10;
        break;
      }
      case 11: {
        b[at] = 11;
        const kind5 = item.kind as string;
        if (kind5 !== "startFallDown" && kind5 !== undefined) return bad(fragments3Checks, 19, kind5, i);
        if (
          !(
            putI16le(b, at + 1, item.vx) &&
            putI16le(b, at + 3, item.vy) &&
            putI16le(b, at + 5, item.fallStart) &&
            putU8(b, at + 7, item.state) &&
            putU16le(b, at + 8, item.durationMs)
          )
        )
          return badField(fragments3Checks, 7, "[]", item, i);
        at += 10;
        break;
      }
      case 17: {
        b[at] = 17;
        const kind6 = item.kind as string;
        if (kind6 !== "flyingBlock" && kind6 !== undefined) return bad(fragments3Checks, 20, kind6, i);
        if (
          !(
            putI16le(b, at + 1, item.x) &&
            putI16le(b, at + 3, item.y) &&
            putI16le(b, at + 5, item.vx) &&
            putI16le(b, at + 7, item.vy) &&
            putU8(b, at + 9, item.state) &&
            putU16le(b, at + 10, item.durationMs)
          )
        )
          return badField(fragments3Checks, 8, "[]", item, i);
        at += 12;
        break;
      }
      case 9: {
        b[at] = 9;
        const kind7 = item.kind as string;
        if (kind7 !== "equipment" && kind7 !== undefined) return bad(fragments3Checks, 21, kind7, i);
        if (!putU8(b, at + 1, item.data)) return badField(fragments3Checks, 9, "[]", item, i);
        at += 2;
        break;
      }
      case 15:
      case 19:
      case 20:
      case 21:
      case 22:
      case 23:
      case 24:
      case 25:
      case 26:
      case 27:
      case 28:
      case 29:
      case 30: {
        b[at] = type2;
        const kind8 = item.kind as string;
        if (kind8 !== "bare" && kind8 !== undefined) return bad(fragments3Checks, 22, kind8, i);
        if (
          !(
            putU8(b, at + 1, item.state) &&
            putU16le(b, at + 2, item.durationMs)
          )
        )
          return badField(fragments3Checks, 10, "[]", item, i);
        at += 4;
        break;
      }
      default: {
        return bad(fragments3Checks, 23, type2, i);
      }
    }
  }
  return at;
}

function writeV95MovePlayerClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.debug0) &&
      putU32le(b, at + 4, v.debug1) &&
      putU8(b, at + 8, v.fieldKey) &&
      putU32le(b, at + 9, v.debug2) &&
      putU32le(b, at + 13, v.debug3) &&
      putU32le(b, at + 17, v.fieldCrc) &&
      putU32le(b, at + 21, v.crcKey) &&
      putU32le(b, at + 25, v.crc)
    )
  )
    return badField(v95MovePlayerClientChecks, 0, "", v);
  at = writeStart(b, at + 29, v.start as Members);
  if (at < 0) return under("start");
  at = writeFragments3(b, at, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeBallTargets(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(ballTargetsChecks, 3, v);
  const count = v.length;
  if (count > 64) return bad(ballTargetsChecks, 4, count);
  b[at] = count;
  b[at + 1] = count >> 8;
  b[at + 2] = count >> 16;
  b[at + 3] = count >> 24;
  at += 4;
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    if (!isObject(item)) return badObject("[]", item, i);
    if (
      !(
        putI32le(b, at, item.x) &&
        putI32le(b, at + 4, item.y)
      )
    )
      return badField(ballTargetsChecks, 6, "[]", item, i);
    at += 8;
  }
  return at;
}

function writeAreaTimes(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(areaTimesChecks, 3, v);
  const count = v.length;
  if (count > 64) return bad(areaTimesChecks, 4, count);
  b[at] = count;
  b[at + 1] = count >> 8;
  b[at + 2] = count >> 16;
  b[at + 3] = count >> 24;
  at += 4;
  for (let i = 0; i < count; i++) {
    const item = v[i] as number;
    if (!putI32le(b, at, item)) return bad(areaTimesChecks, 6, item, i);
    at += 4;
  }
  return at;
}

function writeV95MoveLife(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU16le(b, at + 4, v.moveId) &&
      putU8(b, at + 6, v.flags) &&
      putI8(b, at + 7, v.actionAndDirection)
    )
  )
    return badField(v95MoveLifeChecks, 0, "", v);
  const target = v.target as Uint8Array;
  at += 8;
  at = putBytes(b, at, target, 4, 4);
  if (at < 0) return bad(v95MoveLifeChecks, 3, target);
  at = writeBallTargets(b, at, v.ballTargets as readonly unknown[]);
  if (at < 0) return under("ballTargets");
  at = writeAreaTimes(b, at, v.areaTimes as readonly unknown[]);
  if (at < 0) return under("areaTimes");
  if (
    !(
      putU8(b, at, v.moveFlags) &&
      putU32le(b, at + 1, v.unknown) &&
      putI32le(b, at + 5, v.flyTargetX) &&
      putI32le(b, at + 9, v.flyTargetY) &&
      putU32le(b, at + 13, v.unknownCrc)
    )
  )
    return badField(v95MoveLifeChecks, 1, "", v);
  at = writeStart(b, at + 17, v.start as Members);
  if (at < 0) return under("start");
  at = writeFragments3(b, at, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  if (
    !(
      putU8(b, at, v.chasing) &&
      putU8(b, at + 1, v.hasTarget) &&
      putU8(b, at + 2, v.chasingNow) &&
      putU8(b, at + 3, v.chasingHack) &&
      putU32le(b, at + 4, v.chaseMs)
    )
  )
    return badField(v95MoveLifeChecks, 2, "", v);
  return at + 8;
}

function writeV95MovePetClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const petId = v.petId as bigint;
  if (!putBig(b, at, petId)) return bad(v95MovePetClientChecks, 1, petId);
  at = writeStart(b, at + 8, v.start as Members);
  if (at < 0) return under("start");
  at = writeFragments3(b, at, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV95MoveSummonClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.summonId)) return badField(v95MoveSummonClientChecks, 0, "", v);
  at = writeStart(b, at + 4, v.start as Members);
  if (at < 0) return under("start");
  at = writeFragments3(b, at, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV95MovePlayerServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.characterId)) return badField(v95MovePlayerServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 4;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v95MovePlayerServerChecks, 1, pathBytes);
  } else {
    at = writeStart(b, at + 4, v.start as Members);
    if (at < 0) return under("start");
    at = writeFragments3(b, at, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV95MoveMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU8(b, at + 4, v.notForceLanding) &&
      putU8(b, at + 5, v.notChangeAction) &&
      putU8(b, at + 6, v.nextAttackPossible) &&
      putI8(b, at + 7, v.actionAndDirection)
    )
  )
    return badField(v95MoveMonsterChecks, 0, "", v);
  const target = v.target as Uint8Array;
  at += 8;
  at = putBytes(b, at, target, 4, 4);
  if (at < 0) return bad(v95MoveMonsterChecks, 1, target);
  at = writeBallTargets(b, at, v.ballTargets as readonly unknown[]);
  if (at < 0) return under("ballTargets");
  at = writeAreaTimes(b, at, v.areaTimes as readonly unknown[]);
  if (at < 0) return under("areaTimes");
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v95MoveMonsterChecks, 2, pathBytes);
  } else {
    at = writeStart(b, at, v.start as Members);
    if (at < 0) return under("start");
    at = writeFragments3(b, at, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV95MovePetServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.characterId) &&
      putU8(b, at + 4, v.slot)
    )
  )
    return badField(v95MovePetServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 5;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v95MovePetServerChecks, 1, pathBytes);
  } else {
    at = writeStart(b, at + 5, v.start as Members);
    if (at < 0) return under("start");
    at = writeFragments3(b, at, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV95MoveSummonServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.characterId) &&
      putU32le(b, at + 4, v.summonId)
    )
  )
    return badField(v95MoveSummonServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 8;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(v95MoveSummonServerChecks, 1, pathBytes);
  } else {
    at = writeStart(b, at + 8, v.start as Members);
    if (at < 0) return under("start");
    at = writeFragments3(b, at, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  return at;
}

function writeV95MoveDragonClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  at = writeStart(b, at, v.start as Members);
  if (at < 0) return under("start");
  at = writeFragments3(b, at, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  at = writeKeypad(b, at, v.keypad as readonly unknown[]);
  if (at < 0) return under("keypad");
  at = writeBox(b, at, v.box as Members);
  if (at < 0) return under("box");
  return at;
}

function writeV95ChangeMap(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const options = v.options as readonly unknown[];
  if (!Array.isArray(options)) return bad(v95ChangeMapChecks, 10, options);
  const count = options.length;
  if (count > 64) return bad(v95ChangeMapChecks, 11, count);
  b[at] = count;
  b[at + 1] = count >> 8;
  at += 2;
  for (let i = 0; i < count; i++) {
    const item = options[i] as Members;
    if (!isObject(item)) return badObject("options[]", item, i);
    if (
      !(
        putU32le(b, at, item.type) &&
        putU32le(b, at + 4, item.value)
      )
    )
      return badField(v95ChangeMapChecks, 17, "options[]", item, i);
    at += 8;
  }
  if (
    !(
      putI32le(b, at, v.channel) &&
      putU32le(b, at + 4, v.oldDriver) &&
      putU8(b, at + 8, v.fieldKey)
    )
  )
    return badField(v95ChangeMapChecks, 3, "", v);
  const target = v.target as Members;
  if (!isObject(target)) return badObject("target", target);
  const content = target.content as string;
  switch (content) {
    case "map": {
      b[at + 9] = 0;
      if (
        !(
          putU16le(b, at + 10, target.notices) &&
          putU8(b, at + 12, target.revive) &&
          putU32le(b, at + 13, target.mapId) &&
          putU8(b, at + 17, target.spawnPoint) &&
          putU32le(b, at + 18, target.hp)
        )
      )
        return badField(v95ChangeMapChecks, 5, "target", target);
      const chase = target.chase as number;
      if (!putU8(b, at + 22, chase)) return bad(v95ChangeMapChecks, 13, chase);
      if (chase === 1) {
        if (
          !(
            putI32le(b, at + 23, target.chaseX) &&
            putI32le(b, at + 27, target.chaseY)
          )
        )
          return badField(v95ChangeMapChecks, 6, "target", target);
        at += 31;
      } else {
        if (target.chaseX !== undefined || target.chaseY !== undefined) return badKey("target", target, "chaseX|chaseY");
        at += 23;
      }
      const time = target.time as bigint;
      if (!putBig(b, at, time)) return bad(v95ChangeMapChecks, 14, time);
      at += 8;
      break;
    }
    case "character": {
      b[at + 9] = 1;
      if (!putU16le(b, at + 10, target.notices)) return badField(v95ChangeMapChecks, 5, "target", target);
      at = writePets(b, at + 12, target.seeds as readonly unknown[]);
      if (at < 0) return under("target.seeds");
      const data = target.data as Uint8Array;
      at = putBytes(b, at, data, 0, 8192);
      if (at < 0) return bad(v95ChangeMapChecks, 15, data);
      break;
    }
    default: {
      return bad(v95ChangeMapChecks, 16, content);
    }
  }
  return at;
}

function writeSpawn3(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const status = v.status as string;
  const number = status === "controlled" ? 1 : status === "notControlled" ? 5 : undefined;
  if (number === undefined) return bad(spawn3Checks, 8, status);
  b[at] = number;
  if (!putU32le(b, at + 1, v.template)) return badField(spawn3Checks, 2, "", v);
  const statusMask = v.statusMask as Uint8Array;
  at += 5;
  at = putBytes(b, at, statusMask, 16, 16);
  if (at < 0) return bad(spawn3Checks, 10, statusMask);
  if (!allZero(statusMask)) {
    const withStatuses = v.withStatuses as Uint8Array;
    at = putBytes(b, at, withStatuses, 0, 8192);
    if (at < 0) return bad(spawn3Checks, 11, withStatuses);
  } else {
    if (v.withStatuses !== undefined) return badKey("", v, "withStatuses");
  }
  const appear = v.appear as number;
  if (allZero(statusMask)) {
    if (
      !(
        putI16le(b, at, v.x) &&
        putI16le(b, at + 2, v.y) &&
        putU8(b, at + 4, v.state) &&
        putI16le(b, at + 5, v.foothold) &&
        putI16le(b, at + 7, v.originFoothold)
      )
    )
      return badField(spawn3Checks, 4, "", v);
    if (!putI8(b, at + 9, appear)) return bad(spawn3Checks, 12, appear);
    at += 10;
  } else {
    if (v.x !== undefined || v.y !== undefined || v.state !== undefined || v.foothold !== undefined || v.originFoothold !== undefined || v.appear !== undefined) return badKey("", v, "x|y|state|foothold|originFoothold|appear");
  }
  if (typeof appear === "number" && appear === -3) {
    if (!putU32le(b, at, v.appearFrom)) return badField(spawn3Checks, 5, "", v);
    at += 4;
  } else {
    if (v.appearFrom !== undefined) return badKey("", v, "appearFrom");
  }
  if (typeof appear === "number" && appear >= 0) {
    if (!putU32le(b, at, v.appearDelay)) return badField(spawn3Checks, 6, "", v);
    at += 4;
  } else {
    if (v.appearDelay !== undefined) return badKey("", v, "appearDelay");
  }
  if (allZero(statusMask)) {
    if (
      !(
        putI8(b, at, v.team) &&
        putU32le(b, at + 1, v.effect) &&
        putU32le(b, at + 5, v.phase)
      )
    )
      return badField(spawn3Checks, 7, "", v);
    at += 9;
  } else {
    if (v.team !== undefined || v.effect !== undefined || v.phase !== undefined) return badKey("", v, "team|effect|phase");
  }
  return at;
}

function writeV95ShowMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.mobId)) return badField(v95ShowMonsterChecks, 0, "", v);
  at = writeSpawn3(b, at + 4, v.spawn as Members);
  if (at < 0) return under("spawn");
  return at;
}

function writeV95ControlMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const mode = v.mode as string;
  switch (mode) {
    case "stop": {
      b[at] = 0;
      if (!putU32le(b, at + 1, v.mobId)) return badField(v95ControlMonsterChecks, 2, "", v);
      at += 5;
      break;
    }
    case "control": {
      b[at] = 1;
      if (!putU32le(b, at + 1, v.mobId)) return badField(v95ControlMonsterChecks, 2, "", v);
      at = writeSpawn3(b, at + 5, v.spawn as Members);
      if (at < 0) return under("spawn");
      break;
    }
    case "controlWithAggro": {
      b[at] = 2;
      if (!putU32le(b, at + 1, v.mobId)) return badField(v95ControlMonsterChecks, 2, "", v);
      at = writeSpawn3(b, at + 5, v.spawn as Members);
      if (at < 0) return under("spawn");
      break;
    }
    default: {
      return bad(v95ControlMonsterChecks, 5, mode);
    }
  }
  return at;
}

function writeFragments4(b: Uint8Array, at: number, v: readonly unknown[]): number {
  if (!Array.isArray(v)) return bad(fragments4Checks, 8, v);
  const count = v.length;
  if (count > 255) return bad(fragments4Checks, 9, count);
  b[at] = count;
  at += 1;
  for (let i = 0; i < count; i++) {
    const item = v[i] as Members;
    if (!isObject(item)) return badObject("[]", item, i);
    const type2 = item.type as number;
    const type2Bit = typeof type2 === "number" && type2 >>> 0 === type2 && type2 < 32 ? 1 << type2 : 0;
    if ((type2Bit & 131105) !== 0) {
      b[at] = type2;
      const kind = item.kind as string;
      if (kind !== "absolute" && kind !== undefined) return bad(fragments4Checks, 12, kind, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putU16le(b, at + 9, item.unknown) &&
          putU8(b, at + 11, item.state) &&
          putU16le(b, at + 12, item.durationMs)
        )
      )
        return badField(fragments4Checks, 3, "[]", item, i);
      at += 14;
    } else if ((type2Bit & 77894) !== 0) {
      b[at] = type2;
      const kind2 = item.kind as string;
      if (kind2 !== "relative" && kind2 !== undefined) return bad(fragments4Checks, 13, kind2, i);
      if (
        !(
          putI16le(b, at + 1, item.vx) &&
          putI16le(b, at + 3, item.vy) &&
          putU8(b, at + 5, item.state) &&
          putU16le(b, at + 6, item.durationMs)
        )
      )
        return badField(fragments4Checks, 4, "[]", item, i);
      at += 8;
    } else if ((type2Bit & 17304) !== 0) {
      b[at] = type2;
      const kind3 = item.kind as string;
      if (kind3 !== "instant" && kind3 !== undefined) return bad(fragments4Checks, 14, kind3, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putU8(b, at + 9, item.state)
        )
      )
        return badField(fragments4Checks, 5, "[]", item, i);
      at += 10;
    } else if ((type2Bit & 1024) !== 0) {
      b[at] = 10;
      const kind4 = item.kind as string;
      if (kind4 !== "equipment" && kind4 !== undefined) return bad(fragments4Checks, 15, kind4, i);
      if (!putU8(b, at + 1, item.data)) return badField(fragments4Checks, 6, "[]", item, i);
      at += 2;
    } else if ((type2Bit & 2048) !== 0) {
      b[at] = 11;
      const kind5 = item.kind as string;
      if (kind5 !== "jumpDown" && kind5 !== undefined) return bad(fragments4Checks, 16, kind5, i);
      if (
        !(
          putI16le(b, at + 1, item.x) &&
          putI16le(b, at + 3, item.y) &&
          putI16le(b, at + 5, item.vx) &&
          putI16le(b, at + 7, item.vy) &&
          putU16le(b, at + 9, item.unknown) &&
          putU16le(b, at + 11, item.foothold) &&
          putU8(b, at + 13, item.state) &&
          putU16le(b, at + 14, item.durationMs)
        )
      )
        return badField(fragments4Checks, 7, "[]", item, i);
      at += 16;
    } else {
      return bad(fragments4Checks, 17, type2, i);
    }
  }
  return at;
}

function writeDocumentedMovePlayerClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const head = v.head as Uint8Array;
  at = putBytes(b, at, head, 5, 5);
  if (at < 0) return bad(documentedMovePlayerClientChecks, 2, head);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(documentedMovePlayerClientChecks, 3, pathBytes);
  } else {
    at = writeFragments4(b, at, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
  }
  const tail = v.tail as Uint8Array;
  at = putBytes(b, at, tail, 18, 18);
  if (at < 0) return bad(documentedMovePlayerClientChecks, 4, tail);
  return at;
}

function writeDocumentedMoveLife(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU16le(b, at + 4, v.moveId) &&
      putU8(b, at + 6, v.flags) &&
      putI8(b, at + 7, v.actionAndDirection)
    )
  )
    return badField(documentedMoveLifeChecks, 0, "", v);
  const target = v.target as Uint8Array;
  at += 8;
  at = putBytes(b, at, target, 4, 4);
  if (at < 0) return bad(documentedMoveLifeChecks, 2, target);
  if (
    !(
      putU8(b, at, v.moveFlags) &&
      putU32le(b, at + 1, v.unknown)
    )
  )
    return badField(documentedMoveLifeChecks, 0, "", v);
  const opaque = v.opaque as Uint8Array;
  at += 5;
  at = putBytes(b, at, opaque, 4, 4);
  if (at < 0) return bad(documentedMoveLifeChecks, 3, opaque);
  at = writeFragments4(b, at, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  const rest = v.rest as Uint8Array;
  at = putBytes(b, at, rest, 0, 8192);
  if (at < 0) return bad(documentedMoveLifeChecks, 4, rest);
  return at;
}

function writeDocumentedMovePetClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  const petId = v.petId as bigint;
  if (!putBig(b, at, petId)) return bad(documentedMovePetClientChecks, 2, petId);
  const opaque = v.opaque as Uint8Array;
  at += 8;
  at = putBytes(b, at, opaque, 4, 4);
  if (at < 0) return bad(documentedMovePetClientChecks, 3, opaque);
  at = writeFragments4(b, at, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  const rest = v.rest as Uint8Array;
  at = putBytes(b, at, rest, 0, 8192);
  if (at < 0) return bad(documentedMovePetClientChecks, 4, rest);
  return at;
}

function writeDocumentedMoveSummonClient(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.summonId)) return badField(documentedMoveSummonClientChecks, 0, "", v);
  const opaque = v.opaque as Uint8Array;
  at += 4;
  at = putBytes(b, at, opaque, 4, 4);
  if (at < 0) return bad(documentedMoveSummonClientChecks, 2, opaque);
  at = writeFragments4(b, at, v.fragments as readonly unknown[]);
  if (at < 0) return under("fragments");
  const rest = v.rest as Uint8Array;
  at = putBytes(b, at, rest, 0, 8192);
  if (at < 0) return bad(documentedMoveSummonClientChecks, 3, rest);
  return at;
}

function writeDocumentedMovePlayerServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.characterId)) return badField(documentedMovePlayerServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 4;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(documentedMovePlayerServerChecks, 2, pathBytes);
  } else {
    const opaque = v.opaque as Uint8Array;
    at += 4;
    at = putBytes(b, at, opaque, 4, 4);
    if (at < 0) return bad(documentedMovePlayerServerChecks, 3, opaque);
    at = writeFragments4(b, at, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
    const rest = v.rest as Uint8Array;
    at = putBytes(b, at, rest, 0, 8192);
    if (at < 0) return bad(documentedMovePlayerServerChecks, 4, rest);
  }
  return at;
}

function writeDocumentedMoveMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.mobId) &&
      putU8(b, at + 4, v.flags) &&
      putI8(b, at + 5, v.actionAndDirection)
    )
  )
    return badField(documentedMoveMonsterChecks, 0, "", v);
  const target = v.target as Uint8Array;
  at += 6;
  at = putBytes(b, at, target, 4, 4);
  if (at < 0) return bad(documentedMoveMonsterChecks, 2, target);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(documentedMoveMonsterChecks, 3, pathBytes);
  } else {
    const opaque = v.opaque as Uint8Array;
    at = putBytes(b, at, opaque, 4, 4);
    if (at < 0) return bad(documentedMoveMonsterChecks, 4, opaque);
    at = writeFragments4(b, at, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
    const rest = v.rest as Uint8Array;
    at = putBytes(b, at, rest, 0, 8192);
    if (at < 0) return bad(documentedMoveMonsterChecks, 5, rest);
  }
  return at;
}

function writeDocumentedMovePetServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.characterId) &&
      putU8(b, at + 4, v.slot)
    )
  )
    return badField(documentedMovePetServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 5;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(documentedMovePetServerChecks, 2, pathBytes);
  } else {
    const opaque = v.opaque as Uint8Array;
    at += 5;
    at = putBytes(b, at, opaque, 4, 4);
    if (at < 0) return bad(documentedMovePetServerChecks, 3, opaque);
    at = writeFragments4(b, at, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
    const rest = v.rest as Uint8Array;
    at = putBytes(b, at, rest, 0, 8192);
    if (at < 0) return bad(documentedMovePetServerChecks, 4, rest);
  }
  return at;
}

function writeDocumentedMoveSummonServer(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (
    !(
      putU32le(b, at, v.characterId) &&
      putU32le(b, at + 4, v.summonId)
    )
  )
    return badField(documentedMoveSummonServerChecks, 0, "", v);
  const pathBytes = v.pathBytes as Uint8Array;
  if (pathBytes !== undefined) {
    at += 8;
    at = putBytes(b, at, pathBytes, 0, Infinity);
    if (at < 0) return bad(documentedMoveSummonServerChecks, 2, pathBytes);
  } else {
    const opaque = v.opaque as Uint8Array;
    at += 8;
    at = putBytes(b, at, opaque, 4, 4);
    if (at < 0) return bad(documentedMoveSummonServerChecks, 3, opaque);
    at = writeFragments4(b, at, v.fragments as readonly unknown[]);
    if (at < 0) return under("fragments");
    const rest = v.rest as Uint8Array;
    at = putBytes(b, at, rest, 0, 8192);
    if (at < 0) return bad(documentedMoveSummonServerChecks, 4, rest);
  }
  return at;
}

function writeDocumentedShowMonster(b: Uint8Array, at: number, v: Members): number {
  if (!isObject(v)) return badObject("", v);
  if (!putU32le(b, at, v.mobId)) return badField(documentedShowMonsterChecks, 0, "", v);
  const spawn = v.spawn as Members;
  if (!isObject(spawn)) return badObject("spawn", spawn);
  if (
    !(
      putU32le(b, at + 4, spawn.template) &&
      putI16le(b, at + 8, spawn.x) &&
      putI16le(b, at + 10, spawn.y) &&
      putU8(b, at + 12, spawn.state) &&
      putI16le(b, at + 13, spawn.foothold)
    )
  )
    return badField(documentedShowMonsterChecks, 0, "spawn", spawn);
  return at + 15;
}


export type V62ClientMessage = { message: "movePlayer"; value: V62MovePlayerClient } | { message: "moveLife"; value: V62MoveLife } | { message: "movePet"; value: V62MovePetClient } | { message: "moveSummon"; value: V62MoveSummonClient } | { message: "playerLoggedIn"; value: V62PlayerLoggedIn } | { message: "pong"; value: V62Pong } | { message: "aggro"; value: V62Aggro };

function readV62ClientMessage(b: Uint8Array, id = b[0]! + b[1]! * 256, at = 2): V62ClientMessage {
  const end = b.length;
  let message: V62ClientMessage["message"];
  let value: V62ClientMessage["value"] | undefined;
  switch (id) {
    case 38: {
      message = "movePlayer";
      value = readV62MovePlayerClient(b, at, end);
      break;
    }
    case 157: {
      message = "moveLife";
      value = readV62MoveLife(b, at, end);
      break;
    }
    case 140: {
      message = "movePet";
      value = readV62MovePetClient(b, at, end);
      break;
    }
    case 148: {
      message = "moveSummon";
      value = readV62MoveSummonClient(b, at, end);
      break;
    }
    case 20: {
      message = "playerLoggedIn";
      value = readV62PlayerLoggedIn(b, at, end);
      break;
    }
    case 24: {
      message = "pong";
      value = readV62Pong(b, at, end);
      break;
    }
    case 158: {
      message = "aggro";
      value = readV62Aggro(b, at, end);
      break;
    }
    default: throw noMessage(v62, "client", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as V62ClientMessage;
}

function writeV62ClientMessage({ message, value: v }: V62ClientMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(4239 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 38;
      b[at + 1] = 0;
      end = writeV62MovePlayerClient(b, at + free, v as Members);
      break;
    }
    case "moveLife": {
      b[at] = 157;
      b[at + 1] = 0;
      end = writeV62MoveLife(b, at + free, v as Members);
      break;
    }
    case "movePet": {
      b[at] = 140;
      b[at + 1] = 0;
      end = writeV62MovePetClient(b, at + free, v as Members);
      break;
    }
    case "moveSummon": {
      b[at] = 148;
      b[at + 1] = 0;
      end = writeV62MoveSummonClient(b, at + free, v as Members);
      break;
    }
    case "playerLoggedIn": {
      b[at] = 20;
      b[at + 1] = 0;
      end = writeV62PlayerLoggedIn(b, at + free, v as Members);
      break;
    }
    case "pong": {
      b[at] = 24;
      b[at + 1] = 0;
      end = writeV62Pong(b, at + free, v as Members);
      break;
    }
    case "aggro": {
      b[at] = 158;
      b[at + 1] = 0;
      end = writeV62Aggro(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(v62, "client", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export type V62ServerMessage = { message: "movePlayer"; value: V62MovePlayerServer } | { message: "moveMonster"; value: V62MoveMonster } | { message: "movePet"; value: V62MovePetServer } | { message: "moveSummon"; value: V62MoveSummonServer } | { message: "moveMonsterResponse"; value: V62MoveMonsterResponse } | { message: "serverIp"; value: V62ServerIp } | { message: "serverIpOfAll"; value: V62ServerIp } | { message: "changeChannel"; value: V62ChangeChannel } | { message: "ping"; value: V62Pong } | { message: "changeMap"; value: V62ChangeMap } | { message: "showPlayer"; value: V62ShowPlayer } | { message: "removePlayer"; value: V62RemovePlayer } | { message: "showMonster"; value: V62ShowMonster } | { message: "removeMonster"; value: V62RemoveMonster } | { message: "controlMonster"; value: V62ControlMonster };

function readV62ServerMessage(b: Uint8Array, id = b[0]! + b[1]! * 256, at = 2): V62ServerMessage {
  const end = b.length;
  let message: V62ServerMessage["message"];
  let value: V62ServerMessage["value"] | undefined;
  switch (id) {
    case 141: {
      message = "movePlayer";
      value = readV62MovePlayerServer(b, at, end);
      break;
    }
    case 178: {
      message = "moveMonster";
      value = readV62MoveMonster(b, at, end);
      break;
    }
    case 129: {
      message = "movePet";
      value = readV62MovePetServer(b, at, end);
      break;
    }
    case 136: {
      message = "moveSummon";
      value = readV62MoveSummonServer(b, at, end);
      break;
    }
    case 179: {
      message = "moveMonsterResponse";
      value = readV62MoveMonsterResponse(b, at, end);
      break;
    }
    case 12: {
      message = "serverIp";
      value = readV62ServerIp(b, at, end);
      break;
    }
    case 9: {
      message = "serverIpOfAll";
      value = readV62ServerIp(b, at, end);
      break;
    }
    case 16: {
      message = "changeChannel";
      value = readV62ChangeChannel(b, at, end);
      break;
    }
    case 17: {
      message = "ping";
      value = readV62Pong(b, at, end);
      break;
    }
    case 92: {
      message = "changeMap";
      value = readV62ChangeMap(b, at, end);
      break;
    }
    case 120: {
      message = "showPlayer";
      value = readV62ShowPlayer(b, at, end);
      break;
    }
    case 121: {
      message = "removePlayer";
      value = readV62RemovePlayer(b, at, end);
      break;
    }
    case 175: {
      message = "showMonster";
      value = readV62ShowMonster(b, at, end);
      break;
    }
    case 176: {
      message = "removeMonster";
      value = readV62RemoveMonster(b, at, end);
      break;
    }
    case 177: {
      message = "controlMonster";
      value = readV62ControlMonster(b, at, end);
      break;
    }
    default: throw noMessage(v62, "server", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as V62ServerMessage;
}

function writeV62ServerMessage({ message, value: v }: V62ServerMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(8209 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 141;
      b[at + 1] = 0;
      end = writeV62MovePlayerServer(b, at + free, v as Members);
      break;
    }
    case "moveMonster": {
      b[at] = 178;
      b[at + 1] = 0;
      end = writeV62MoveMonster(b, at + free, v as Members);
      break;
    }
    case "movePet": {
      b[at] = 129;
      b[at + 1] = 0;
      end = writeV62MovePetServer(b, at + free, v as Members);
      break;
    }
    case "moveSummon": {
      b[at] = 136;
      b[at + 1] = 0;
      end = writeV62MoveSummonServer(b, at + free, v as Members);
      break;
    }
    case "moveMonsterResponse": {
      b[at] = 179;
      b[at + 1] = 0;
      end = writeV62MoveMonsterResponse(b, at + free, v as Members);
      break;
    }
    case "serverIp": {
      b[at] = 12;
      b[at + 1] = 0;
      end = writeV62ServerIp(b, at + free, v as Members);
      break;
    }
    case "serverIpOfAll": {
      b[at] = 9;
      b[at + 1] = 0;
      end = writeV62ServerIp(b, at + free, v as Members);
      break;
    }
    case "changeChannel": {
      b[at] = 16;
      b[at + 1] = 0;
      end = writeV62ChangeChannel(b, at + free, v as Members);
      break;
    }
    case "ping": {
      b[at] = 17;
      b[at + 1] = 0;
      end = writeV62Pong(b, at + free, v as Members);
      break;
    }
    case "changeMap": {
      b[at] = 92;
      b[at + 1] = 0;
      end = writeV62ChangeMap(b, at + free, v as Members);
      break;
    }
    case "showPlayer": {
      b[at] = 120;
      b[at + 1] = 0;
      end = writeV62ShowPlayer(b, at + free, v as Members);
      break;
    }
    case "removePlayer": {
      b[at] = 121;
      b[at + 1] = 0;
      end = writeV62RemovePlayer(b, at + free, v as Members);
      break;
    }
    case "showMonster": {
      b[at] = 175;
      b[at + 1] = 0;
      end = writeV62ShowMonster(b, at + free, v as Members);
      break;
    }
    case "removeMonster": {
      b[at] = 176;
      b[at + 1] = 0;
      end = writeV62RemoveMonster(b, at + free, v as Members);
      break;
    }
    case "controlMonster": {
      b[at] = 177;
      b[at + 1] = 0;
      end = writeV62ControlMonster(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(v62, "server", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export const v62: CompiledDialect<V62ClientMessage, V62ServerMessage> = {
  dialect: "v62",
  idName: "opcode",
  idFormat: {"base":16,"digits":2,"upperCase":true},
  ids: {
    client: { movePlayer: 38, moveLife: 157, movePet: 140, moveSummon: 148, playerLoggedIn: 20, pong: 24, aggro: 158 },
    server: { movePlayer: 141, moveMonster: 178, movePet: 129, moveSummon: 136, moveMonsterResponse: 179, serverIp: 12, serverIpOfAll: 9, changeChannel: 16, ping: 17, changeMap: 92, showPlayer: 120, removePlayer: 121, showMonster: 175, removeMonster: 176, controlMonster: 177 },
  },
  read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? readV62ClientMessage(b, id, at) : readV62ServerMessage(b, id, at)) as never,
  write: ((sender: string, m: never, before?: number) => sender === "client" ? writeV62ClientMessage(m, before) : writeV62ServerMessage(m, before)) as never,
};

export const v62Rows = { fragments: readFragmentsRows };

export type V83ClientMessage = { message: "movePlayer"; value: V83MovePlayerClient } | { message: "moveLife"; value: V83MoveLife } | { message: "movePet"; value: V83MovePetClient } | { message: "moveSummon"; value: V83MoveSummonClient } | { message: "moveDragon"; value: V83MoveDragonClient } | { message: "playerLoggedIn"; value: V83PlayerLoggedIn } | { message: "pong"; value: V62Pong } | { message: "aggro"; value: V83Aggro };

function readV83ClientMessage(b: Uint8Array, id = b[0]! + b[1]! * 256, at = 2): V83ClientMessage {
  const end = b.length;
  let message: V83ClientMessage["message"];
  let value: V83ClientMessage["value"] | undefined;
  switch (id) {
    case 41: {
      message = "movePlayer";
      value = readV83MovePlayerClient(b, at, end);
      break;
    }
    case 188: {
      message = "moveLife";
      value = readV83MoveLife(b, at, end);
      break;
    }
    case 167: {
      message = "movePet";
      value = readV83MovePetClient(b, at, end);
      break;
    }
    case 175: {
      message = "moveSummon";
      value = readV83MoveSummonClient(b, at, end);
      break;
    }
    case 181: {
      message = "moveDragon";
      value = readV83MoveDragonClient(b, at, end);
      break;
    }
    case 20: {
      message = "playerLoggedIn";
      value = readV83PlayerLoggedIn(b, at, end);
      break;
    }
    case 24: {
      message = "pong";
      value = readV62Pong(b, at, end);
      break;
    }
    case 189: {
      message = "aggro";
      value = readV83Aggro(b, at, end);
      break;
    }
    default: throw noMessage(v83, "client", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as V83ClientMessage;
}

function writeV83ClientMessage({ message, value: v }: V83ClientMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(8196 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 41;
      b[at + 1] = 0;
      end = writeV83MovePlayerClient(b, at + free, v as Members);
      break;
    }
    case "moveLife": {
      b[at] = 188;
      b[at + 1] = 0;
      end = writeV83MoveLife(b, at + free, v as Members);
      break;
    }
    case "movePet": {
      b[at] = 167;
      b[at + 1] = 0;
      end = writeV83MovePetClient(b, at + free, v as Members);
      break;
    }
    case "moveSummon": {
      b[at] = 175;
      b[at + 1] = 0;
      end = writeV83MoveSummonClient(b, at + free, v as Members);
      break;
    }
    case "moveDragon": {
      b[at] = 181;
      b[at + 1] = 0;
      end = writeV83MoveDragonClient(b, at + free, v as Members);
      break;
    }
    case "playerLoggedIn": {
      b[at] = 20;
      b[at + 1] = 0;
      end = writeV83PlayerLoggedIn(b, at + free, v as Members);
      break;
    }
    case "pong": {
      b[at] = 24;
      b[at + 1] = 0;
      end = writeV62Pong(b, at + free, v as Members);
      break;
    }
    case "aggro": {
      b[at] = 189;
      b[at + 1] = 0;
      end = writeV83Aggro(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(v83, "client", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export type V83ServerMessage = { message: "movePlayer"; value: V83MovePlayerServer } | { message: "moveMonster"; value: V83MoveMonster } | { message: "movePet"; value: V83MovePetServer } | { message: "moveSummon"; value: V83MoveSummonServer } | { message: "moveMonsterResponse"; value: V62MoveMonsterResponse } | { message: "moveDragon"; value: V83MovePlayerServer } | { message: "serverIp"; value: V62ServerIp } | { message: "serverIpOfAll"; value: V62ServerIp } | { message: "changeChannel"; value: V62ChangeChannel } | { message: "ping"; value: V62Pong } | { message: "changeMap"; value: V83ChangeMap } | { message: "showPlayer"; value: V83ShowPlayer } | { message: "removePlayer"; value: V62RemovePlayer } | { message: "showMonster"; value: V83ShowMonster } | { message: "removeMonster"; value: V83RemoveMonster } | { message: "controlMonster"; value: V83ControlMonster };

function readV83ServerMessage(b: Uint8Array, id = b[0]! + b[1]! * 256, at = 2): V83ServerMessage {
  const end = b.length;
  let message: V83ServerMessage["message"];
  let value: V83ServerMessage["value"] | undefined;
  switch (id) {
    case 185: {
      message = "movePlayer";
      value = readV83MovePlayerServer(b, at, end);
      break;
    }
    case 239: {
      message = "moveMonster";
      value = readV83MoveMonster(b, at, end);
      break;
    }
    case 170: {
      message = "movePet";
      value = readV83MovePetServer(b, at, end);
      break;
    }
    case 177: {
      message = "moveSummon";
      value = readV83MoveSummonServer(b, at, end);
      break;
    }
    case 240: {
      message = "moveMonsterResponse";
      value = readV62MoveMonsterResponse(b, at, end);
      break;
    }
    case 182: {
      message = "moveDragon";
      value = readV83MovePlayerServer(b, at, end);
      break;
    }
    case 12: {
      message = "serverIp";
      value = readV62ServerIp(b, at, end);
      break;
    }
    case 9: {
      message = "serverIpOfAll";
      value = readV62ServerIp(b, at, end);
      break;
    }
    case 16: {
      message = "changeChannel";
      value = readV62ChangeChannel(b, at, end);
      break;
    }
    case 17: {
      message = "ping";
      value = readV62Pong(b, at, end);
      break;
    }
    case 125: {
      message = "changeMap";
      value = readV83ChangeMap(b, at, end);
      break;
    }
    case 160: {
      message = "showPlayer";
      value = readV83ShowPlayer(b, at, end);
      break;
    }
    case 161: {
      message = "removePlayer";
      value = readV62RemovePlayer(b, at, end);
      break;
    }
    case 236: {
      message = "showMonster";
      value = readV83ShowMonster(b, at, end);
      break;
    }
    case 237: {
      message = "removeMonster";
      value = readV83RemoveMonster(b, at, end);
      break;
    }
    case 238: {
      message = "controlMonster";
      value = readV83ControlMonster(b, at, end);
      break;
    }
    default: throw noMessage(v83, "server", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as V83ServerMessage;
}

function writeV83ServerMessage({ message, value: v }: V83ServerMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(8241 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 185;
      b[at + 1] = 0;
      end = writeV83MovePlayerServer(b, at + free, v as Members);
      break;
    }
    case "moveMonster": {
      b[at] = 239;
      b[at + 1] = 0;
      end = writeV83MoveMonster(b, at + free, v as Members);
      break;
    }
    case "movePet": {
      b[at] = 170;
      b[at + 1] = 0;
      end = writeV83MovePetServer(b, at + free, v as Members);
      break;
    }
    case "moveSummon": {
      b[at] = 177;
      b[at + 1] = 0;
      end = writeV83MoveSummonServer(b, at + free, v as Members);
      break;
    }
    case "moveMonsterResponse": {
      b[at] = 240;
      b[at + 1] = 0;
      end = writeV62MoveMonsterResponse(b, at + free, v as Members);
      break;
    }
    case "moveDragon": {
      b[at] = 182;
      b[at + 1] = 0;
      end = writeV83MovePlayerServer(b, at + free, v as Members);
      break;
    }
    case "serverIp": {
      b[at] = 12;
      b[at + 1] = 0;
      end = writeV62ServerIp(b, at + free, v as Members);
      break;
    }
    case "serverIpOfAll": {
      b[at] = 9;
      b[at + 1] = 0;
      end = writeV62ServerIp(b, at + free, v as Members);
      break;
    }
    case "changeChannel": {
      b[at] = 16;
      b[at + 1] = 0;
      end = writeV62ChangeChannel(b, at + free, v as Members);
      break;
    }
    case "ping": {
      b[at] = 17;
      b[at + 1] = 0;
      end = writeV62Pong(b, at + free, v as Members);
      break;
    }
    case "changeMap": {
      b[at] = 125;
      b[at + 1] = 0;
      end = writeV83ChangeMap(b, at + free, v as Members);
      break;
    }
    case "showPlayer": {
      b[at] = 160;
      b[at + 1] = 0;
      end = writeV83ShowPlayer(b, at + free, v as Members);
      break;
    }
    case "removePlayer": {
      b[at] = 161;
      b[at + 1] = 0;
      end = writeV62RemovePlayer(b, at + free, v as Members);
      break;
    }
    case "showMonster": {
      b[at] = 236;
      b[at + 1] = 0;
      end = writeV83ShowMonster(b, at + free, v as Members);
      break;
    }
    case "removeMonster": {
      b[at] = 237;
      b[at + 1] = 0;
      end = writeV83RemoveMonster(b, at + free, v as Members);
      break;
    }
    case "controlMonster": {
      b[at] = 238;
      b[at + 1] = 0;
      end = writeV83ControlMonster(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(v83, "server", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export const v83: CompiledDialect<V83ClientMessage, V83ServerMessage> = {
  dialect: "v83",
  idName: "opcode",
  idFormat: {"base":16,"digits":2,"upperCase":true},
  ids: {
    client: { movePlayer: 41, moveLife: 188, movePet: 167, moveSummon: 175, moveDragon: 181, playerLoggedIn: 20, pong: 24, aggro: 189 },
    server: { movePlayer: 185, moveMonster: 239, movePet: 170, moveSummon: 177, moveMonsterResponse: 240, moveDragon: 182, serverIp: 12, serverIpOfAll: 9, changeChannel: 16, ping: 17, changeMap: 125, showPlayer: 160, removePlayer: 161, showMonster: 236, removeMonster: 237, controlMonster: 238 },
  },
  read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? readV83ClientMessage(b, id, at) : readV83ServerMessage(b, id, at)) as never,
  write: ((sender: string, m: never, before?: number) => sender === "client" ? writeV83ClientMessage(m, before) : writeV83ServerMessage(m, before)) as never,
};

export const v83Rows = { fragments: readFragments2Rows };

export type V95ClientMessage = { message: "movePlayer"; value: V95MovePlayerClient } | { message: "moveLife"; value: V95MoveLife } | { message: "movePet"; value: V95MovePetClient } | { message: "moveSummon"; value: V95MoveSummonClient } | { message: "moveDragon"; value: V95MoveDragonClient } | { message: "playerLoggedIn"; value: V83PlayerLoggedIn } | { message: "pong"; value: V62Pong } | { message: "aggro"; value: V83Aggro };

function readV95ClientMessage(b: Uint8Array, id = b[0]! + b[1]! * 256, at = 2): V95ClientMessage {
  const end = b.length;
  let message: V95ClientMessage["message"];
  let value: V95ClientMessage["value"] | undefined;
  switch (id) {
    case 44: {
      message = "movePlayer";
      value = readV95MovePlayerClient(b, at, end);
      break;
    }
    case 227: {
      message = "moveLife";
      value = readV95MoveLife(b, at, end);
      break;
    }
    case 199: {
      message = "movePet";
      value = readV95MovePetClient(b, at, end);
      break;
    }
    case 207: {
      message = "moveSummon";
      value = readV95MoveSummonClient(b, at, end);
      break;
    }
    case 214: {
      message = "moveDragon";
      value = readV95MoveDragonClient(b, at, end);
      break;
    }
    case 20: {
      message = "playerLoggedIn";
      value = readV83PlayerLoggedIn(b, at, end);
      break;
    }
    case 25: {
      message = "pong";
      value = readV62Pong(b, at, end);
      break;
    }
    case 228: {
      message = "aggro";
      value = readV83Aggro(b, at, end);
      break;
    }
    default: throw noMessage(v95, "client", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as V95ClientMessage;
}

function writeV95ClientMessage({ message, value: v }: V95ClientMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(8196 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 44;
      b[at + 1] = 0;
      end = writeV95MovePlayerClient(b, at + free, v as Members);
      break;
    }
    case "moveLife": {
      b[at] = 227;
      b[at + 1] = 0;
      end = writeV95MoveLife(b, at + free, v as Members);
      break;
    }
    case "movePet": {
      b[at] = 199;
      b[at + 1] = 0;
      end = writeV95MovePetClient(b, at + free, v as Members);
      break;
    }
    case "moveSummon": {
      b[at] = 207;
      b[at + 1] = 0;
      end = writeV95MoveSummonClient(b, at + free, v as Members);
      break;
    }
    case "moveDragon": {
      b[at] = 214;
      b[at + 1] = 0;
      end = writeV95MoveDragonClient(b, at + free, v as Members);
      break;
    }
    case "playerLoggedIn": {
      b[at] = 20;
      b[at + 1] = 0;
      end = writeV83PlayerLoggedIn(b, at + free, v as Members);
      break;
    }
    case "pong": {
      b[at] = 25;
      b[at + 1] = 0;
      end = writeV62Pong(b, at + free, v as Members);
      break;
    }
    case "aggro": {
      b[at] = 228;
      b[at + 1] = 0;
      end = writeV83Aggro(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(v95, "client", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export type V95ServerMessage = { message: "movePlayer"; value: V95MovePlayerServer } | { message: "moveMonster"; value: V95MoveMonster } | { message: "movePet"; value: V95MovePetServer } | { message: "moveSummon"; value: V95MoveSummonServer } | { message: "moveMonsterResponse"; value: V62MoveMonsterResponse } | { message: "moveDragon"; value: V95MovePlayerServer } | { message: "serverIp"; value: V62ServerIp } | { message: "serverIpOfAll"; value: V62ServerIp } | { message: "changeChannel"; value: V62ChangeChannel } | { message: "ping"; value: V62Pong } | { message: "changeMap"; value: V95ChangeMap } | { message: "showPlayer"; value: V83ShowPlayer } | { message: "removePlayer"; value: V62RemovePlayer } | { message: "showMonster"; value: V95ShowMonster } | { message: "removeMonster"; value: V83RemoveMonster } | { message: "controlMonster"; value: V95ControlMonster };

function readV95ServerMessage(b: Uint8Array, id = b[0]! + b[1]! * 256, at = 2): V95ServerMessage {
  const end = b.length;
  let message: V95ServerMessage["message"];
  let value: V95ServerMessage["value"] | undefined;
  switch (id) {
    case 210: {
      message = "movePlayer";
      value = readV95MovePlayerServer(b, at, end);
      break;
    }
    case 287: {
      message = "moveMonster";
      value = readV95MoveMonster(b, at, end);
      break;
    }
    case 201: {
      message = "movePet";
      value = readV95MovePetServer(b, at, end);
      break;
    }
    case 280: {
      message = "moveSummon";
      value = readV95MoveSummonServer(b, at, end);
      break;
    }
    case 288: {
      message = "moveMonsterResponse";
      value = readV62MoveMonsterResponse(b, at, end);
      break;
    }
    case 207: {
      message = "moveDragon";
      value = readV95MovePlayerServer(b, at, end);
      break;
    }
    case 12: {
      message = "serverIp";
      value = readV62ServerIp(b, at, end);
      break;
    }
    case 9: {
      message = "serverIpOfAll";
      value = readV62ServerIp(b, at, end);
      break;
    }
    case 16: {
      message = "changeChannel";
      value = readV62ChangeChannel(b, at, end);
      break;
    }
    case 17: {
      message = "ping";
      value = readV62Pong(b, at, end);
      break;
    }
    case 141: {
      message = "changeMap";
      value = readV95ChangeMap(b, at, end);
      break;
    }
    case 179: {
      message = "showPlayer";
      value = readV83ShowPlayer(b, at, end);
      break;
    }
    case 180: {
      message = "removePlayer";
      value = readV62RemovePlayer(b, at, end);
      break;
    }
    case 284: {
      message = "showMonster";
      value = readV95ShowMonster(b, at, end);
      break;
    }
    case 285: {
      message = "removeMonster";
      value = readV83RemoveMonster(b, at, end);
      break;
    }
    case 286: {
      message = "controlMonster";
      value = readV95ControlMonster(b, at, end);
      break;
    }
    default: throw noMessage(v95, "server", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as V95ServerMessage;
}

function writeV95ServerMessage({ message, value: v }: V95ServerMessage, free = 2): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(8730 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 210;
      b[at + 1] = 0;
      end = writeV95MovePlayerServer(b, at + free, v as Members);
      break;
    }
    case "moveMonster": {
      b[at] = 31;
      b[at + 1] = 1;
      end = writeV95MoveMonster(b, at + free, v as Members);
      break;
    }
    case "movePet": {
      b[at] = 201;
      b[at + 1] = 0;
      end = writeV95MovePetServer(b, at + free, v as Members);
      break;
    }
    case "moveSummon": {
      b[at] = 24;
      b[at + 1] = 1;
      end = writeV95MoveSummonServer(b, at + free, v as Members);
      break;
    }
    case "moveMonsterResponse": {
      b[at] = 32;
      b[at + 1] = 1;
      end = writeV62MoveMonsterResponse(b, at + free, v as Members);
      break;
    }
    case "moveDragon": {
      b[at] = 207;
      b[at + 1] = 0;
      end = writeV95MovePlayerServer(b, at + free, v as Members);
      break;
    }
    case "serverIp": {
      b[at] = 12;
      b[at + 1] = 0;
      end = writeV62ServerIp(b, at + free, v as Members);
      break;
    }
    case "serverIpOfAll": {
      b[at] = 9;
      b[at + 1] = 0;
      end = writeV62ServerIp(b, at + free, v as Members);
      break;
    }
    case "changeChannel": {
      b[at] = 16;
      b[at + 1] = 0;
      end = writeV62ChangeChannel(b, at + free, v as Members);
      break;
    }
    case "ping": {
      b[at] = 17;
      b[at + 1] = 0;
      end = writeV62Pong(b, at + free, v as Members);
      break;
    }
    case "changeMap": {
      b[at] = 141;
      b[at + 1] = 0;
      end = writeV95ChangeMap(b, at + free, v as Members);
      break;
    }
    case "showPlayer": {
      b[at] = 179;
      b[at + 1] = 0;
      end = writeV83ShowPlayer(b, at + free, v as Members);
      break;
    }
    case "removePlayer": {
      b[at] = 180;
      b[at + 1] = 0;
      end = writeV62RemovePlayer(b, at + free, v as Members);
      break;
    }
    case "showMonster": {
      b[at] = 28;
      b[at + 1] = 1;
      end = writeV95ShowMonster(b, at + free, v as Members);
      break;
    }
    case "removeMonster": {
      b[at] = 29;
      b[at + 1] = 1;
      end = writeV83RemoveMonster(b, at + free, v as Members);
      break;
    }
    case "controlMonster": {
      b[at] = 30;
      b[at + 1] = 1;
      end = writeV95ControlMonster(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(v95, "server", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export const v95: CompiledDialect<V95ClientMessage, V95ServerMessage> = {
  dialect: "v95",
  idName: "opcode",
  idFormat: {"base":16,"digits":2,"upperCase":true},
  ids: {
    client: { movePlayer: 44, moveLife: 227, movePet: 199, moveSummon: 207, moveDragon: 214, playerLoggedIn: 20, pong: 25, aggro: 228 },
    server: { movePlayer: 210, moveMonster: 287, movePet: 201, moveSummon: 280, moveMonsterResponse: 288, moveDragon: 207, serverIp: 12, serverIpOfAll: 9, changeChannel: 16, ping: 17, changeMap: 141, showPlayer: 179, removePlayer: 180, showMonster: 284, removeMonster: 285, controlMonster: 286 },
  },
  read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? readV95ClientMessage(b, id, at) : readV95ServerMessage(b, id, at)) as never,
  write: ((sender: string, m: never, before?: number) => sender === "client" ? writeV95ClientMessage(m, before) : writeV95ServerMessage(m, before)) as never,
};

export const v95Rows = { fragments: readFragments3Rows };

export type DocumentedClientMessage = { message: "movePlayer"; value: DocumentedMovePlayerClient } | { message: "moveLife"; value: DocumentedMoveLife } | { message: "movePet"; value: DocumentedMovePetClient } | { message: "moveSummon"; value: DocumentedMoveSummonClient };

function readDocumentedClientMessage(b: Uint8Array, id = b[0]!, at = 1): DocumentedClientMessage {
  const end = b.length;
  let message: DocumentedClientMessage["message"];
  let value: DocumentedClientMessage["value"] | undefined;
  switch (id) {
    case 38: {
      message = "movePlayer";
      value = readDocumentedMovePlayerClient(b, at, end);
      break;
    }
    case 157: {
      message = "moveLife";
      value = readDocumentedMoveLife(b, at, end);
      break;
    }
    case 140: {
      message = "movePet";
      value = readDocumentedMovePetClient(b, at, end);
      break;
    }
    case 148: {
      message = "moveSummon";
      value = readDocumentedMoveSummonClient(b, at, end);
      break;
    }
    default: throw noMessage(documented, "client", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as DocumentedClientMessage;
}

function writeDocumentedClientMessage({ message, value: v }: DocumentedClientMessage, free = 1): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(12294 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b[at] = 38;
      end = writeDocumentedMovePlayerClient(b, at + free, v as Members);
      break;
    }
    case "moveLife": {
      b[at] = 157;
      end = writeDocumentedMoveLife(b, at + free, v as Members);
      break;
    }
    case "movePet": {
      b[at] = 140;
      end = writeDocumentedMovePetClient(b, at + free, v as Members);
      break;
    }
    case "moveSummon": {
      b[at] = 148;
      end = writeDocumentedMoveSummonClient(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(documented, "client", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export type DocumentedServerMessage = { message: "movePlayer"; value: DocumentedMovePlayerServer } | { message: "moveMonster"; value: DocumentedMoveMonster } | { message: "movePet"; value: DocumentedMovePetServer } | { message: "moveSummon"; value: DocumentedMoveSummonServer } | { message: "moveMonsterResponse"; value: V62MoveMonsterResponse } | { message: "showMonster"; value: DocumentedShowMonster };

function readDocumentedServerMessage(b: Uint8Array, id = b[0]!, at = 1): DocumentedServerMessage {
  const end = b.length;
  let message: DocumentedServerMessage["message"];
  let value: DocumentedServerMessage["value"] | undefined;
  switch (id) {
    case 141: {
      message = "movePlayer";
      value = readDocumentedMovePlayerServer(b, at, end);
      break;
    }
    case 178: {
      message = "moveMonster";
      value = readDocumentedMoveMonster(b, at, end);
      break;
    }
    case 129: {
      message = "movePet";
      value = readDocumentedMovePetServer(b, at, end);
      break;
    }
    case 136: {
      message = "moveSummon";
      value = readDocumentedMoveSummonServer(b, at, end);
      break;
    }
    case 179: {
      message = "moveMonsterResponse";
      value = readV62MoveMonsterResponse(b, at, end);
      break;
    }
    case 255: {
      message = "showMonster";
      value = readDocumentedShowMonster(b, at, end);
      break;
    }
    default: throw noMessage(documented, "server", id, at, end);
  }
  if (value === undefined || after !== end) throw notRead(value === undefined, after, end);
  return { message, value } as DocumentedServerMessage;
}

function writeDocumentedServerMessage({ message, value: v }: DocumentedServerMessage, free = 1): Uint8Array<ArrayBuffer> {
  let end: number;
  let b = slabFor(15 + free);
  let at = slabUsed();
  switch (message) {
    case "movePlayer": {
      b = slabFor(12281 + lengthOf(memberOf(v, "pathBytes")) + free);
      at = slabUsed();
      b[at] = 141;
      end = writeDocumentedMovePlayerServer(b, at + free, v as Members);
      break;
    }
    case "moveMonster": {
      b = slabFor(12287 + lengthOf(memberOf(v, "pathBytes")) + free);
      at = slabUsed();
      b[at] = 178;
      end = writeDocumentedMoveMonster(b, at + free, v as Members);
      break;
    }
    case "movePet": {
      b = slabFor(12282 + lengthOf(memberOf(v, "pathBytes")) + free);
      at = slabUsed();
      b[at] = 129;
      end = writeDocumentedMovePetServer(b, at + free, v as Members);
      break;
    }
    case "moveSummon": {
      b = slabFor(12285 + lengthOf(memberOf(v, "pathBytes")) + free);
      at = slabUsed();
      b[at] = 136;
      end = writeDocumentedMoveSummonServer(b, at + free, v as Members);
      break;
    }
    case "moveMonsterResponse": {
      b[at] = 179;
      end = writeV62MoveMonsterResponse(b, at + free, v as Members);
      break;
    }
    case "showMonster": {
      b[at] = 255;
      end = writeDocumentedShowMonster(b, at + free, v as Members);
      break;
    }
    default: throw unknownName(documented, "server", message);
  }
  if (end < 0) throw wrong();
  return cutSlab(end - at);
}

export const documented: CompiledDialect<DocumentedClientMessage, DocumentedServerMessage> = {
  dialect: "documented",
  idName: "opcode",
  idFormat: {"base":16,"digits":2,"upperCase":true},
  ids: {
    client: { movePlayer: 38, moveLife: 157, movePet: 140, moveSummon: 148 },
    server: { movePlayer: 141, moveMonster: 178, movePet: 129, moveSummon: 136, moveMonsterResponse: 179, showMonster: 255 },
  },
  read: ((sender: string, b: Uint8Array, id?: number, at?: number) => sender === "client" ? readDocumentedClientMessage(b, id, at) : readDocumentedServerMessage(b, id, at)) as never,
  write: ((sender: string, m: never, before?: number) => sender === "client" ? writeDocumentedClientMessage(m, before) : writeDocumentedServerMessage(m, before)) as never,
};

export const documentedRows = { fragments: readFragments4Rows };
