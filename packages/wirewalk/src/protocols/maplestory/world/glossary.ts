/** What each rule finds, in words. Source: docs/protocols/maplestory.md 8. */
import type { RuleGlossary } from "../../rule-info.ts";
import type { MapleRule } from "./rules.ts";

export const mapleGlossary: RuleGlossary<MapleRule> = {
  "empty-path": {
    title: "A path without movement",
    finds: "a path without fragments: it crashes other players' clients",
    answer: "reject",
    measured: "",
  },
  "field-key": {
    title: "Moved with the key of another map",
    allows: "a client that has not heard of its new map yet",
    finds: "the key of another map; benign while the client may not know the new one",
    answer: "reject",
    measured: "key",
  },
  start: {
    title: "Path starts elsewhere",
    allows: "rounding, up to 2 px",
    finds: "does not start where the last path ended; up to 2 px is benign",
    answer: "flag",
    measured: "px",
  },
  box: {
    title: "Box around the path is wrong",
    finds: "not the box of the path; of pets, summons and monsters too",
    answer: "flag",
    measured: "px",
  },
  durations: {
    title: "Path lasts longer than its keys",
    finds: "the sum is not 30 ms for each key nibble",
    answer: "flag",
    measured: "ms",
  },
  "wall-clock": {
    title: "Path lasts longer than time has passed",
    allows: "what the line has held back",
    finds: "lasts longer than the time that has passed since the last answered ping was sent; pets and summons too",
    answer: "flag",
    measured: "ms",
  },
  pattern: {
    title: "Bytes that real clients always send are missing",
    finds: "without the agreed pattern (`documented`)",
    answer: "flag",
    measured: "wrong bytes",
  },
  speed: {
    title: "Moves too fast",
    allows: "shoes, skills and mounts up to the fastest that the game has",
    finds:
      "walks faster than 125 px/s x factor, rises faster than 555 px/s x factor or falls faster than 680 px/s; an impulse that no jump has",
    answer: "flag",
    measured: "px/s",
  },
  flight: {
    title: "Flies",
    allows: "a jump from the highest ground, ladder or rope that was near",
    finds:
      "on a known map: higher than a full jump leads from the last ground, ladder or rope; what it is above adds to `gain`",
    answer: "flag",
    measured: "px",
  },
  foothold: {
    title: "Stands where no ground is",
    allows: "a few pixels beside an edge",
    finds:
      "on a known map: stands on a foothold that is not there or does not exist; where no ground is, its way adds to `gain`",
    answer: "flag",
    measured: "px",
  },
  ladder: {
    title: "Climbs where no ladder is",
    finds: "on a known map: climbs a ladder or rope that is not there; where none is, its way adds to `gain`",
    answer: "flag",
    measured: "px",
  },
  wall: {
    title: "Went through a wall",
    allows: "a wall whose end a jump could pass",
    finds:
      "on a known map: goes through a wall of the ground that it stood on; a flag where that is not certain, which adds 20 px to `gain`, and where it drops through a floor that is closed",
    answer: "correct",
    measured: "px",
  },
  water: {
    title: "Walks on water",
    allows: "300 ms, as a body comes out of the water",
    finds: "on a known map: stands or walks in water where no ground is, for over 300 ms; its way adds to `gain`",
    answer: "flag",
    measured: "ms",
  },
  teleport: {
    title: "Was suddenly elsewhere",
    allows: "portals, skills, being moved by the server, and time that the line has held back",
    finds: "starts over 150 px from the last end, or goes that much beyond what its time allows",
    answer: "correct",
    measured: "px",
  },
  "teleport-skill": {
    title: "Teleports without the skill",
    finds: "an instant of over 30 px without a skill (`mayTeleport`)",
    answer: "correct",
    measured: "px",
  },
  gain: {
    title: "Gained way by many small cheats",
    allows: "20 px that nothing says, and 50 px in all",
    finds: "the player's paths exceed what their time allows by over 50 px in all; a flag from 20 px on",
    answer: "correct",
    measured: "px",
  },
  corrections: {
    title: "Had to be put back too often",
    finds: "over 10 corrections in 5 minutes or 20 in an hour: the account is banned for an hour",
    answer: "flag",
    measured: "corrections",
  },
  portal: {
    title: "Used a portal from afar",
    finds: "beside another server, between known maps: enters by a portal whose way in was over 300 px from it",
    answer: "flag",
    measured: "px",
  },
  "pet-owner": {
    title: "Moves another player's pet",
    finds: "a pet that is not the sender's",
    answer: "reject",
    measured: "",
  },
  "summon-owner": {
    title: "Moves another player's summon",
    finds: "a summon that is not the sender's",
    answer: "reject",
    measured: "",
  },
  "dragon-owner": {
    title: "Moves a dragon that it does not have",
    finds: "the player has no dragon (`v83`, `v95`)",
    answer: "reject",
    measured: "",
  },
  "monster-elsewhere": {
    title: "Moves a monster that is not there",
    allows: "a monster that has just died, or was left behind in the last map",
    finds: "no such monster lives on the map; benign where it has just died or been left behind",
    answer: "reject",
    measured: "mobId",
  },
  "monster-control": {
    title: "Moves a monster that another player controls",
    allows: "a hand-over that the client has not heard of yet",
    finds:
      "another player drives it, and the sender has not just attacked it; benign while it may not know of a hand-over",
    answer: "reject",
    measured: "mobId",
  },
  "monster-idle": {
    title: "Its monsters stand still",
    allows: "monsters that nobody else is near",
    finds: "has moved none of its monsters for 15 s, where others are: these drive them from then on",
    answer: "benign",
    measured: "monsters",
  },
  "monster-head": {
    title: "Monster starts elsewhere",
    finds: "starts over 150 px from where the monster was",
    answer: "flag",
    measured: "px",
  },
  "monster-ground": {
    title: "Monster stands where no ground is",
    allows: "monsters that fly",
    finds:
      "off the foothold that its path names, or hanging in the air, by over 10 px (not where the map says that it flies)",
    answer: "flag",
    measured: "px",
  },
  "vacuum-pull": {
    title: "Pulls monsters together",
    finds:
      "the sender's monsters exceed 253 px/s, or the speed of a faster kind, or come nearer faster than their own kind, by 150 px in all",
    answer: "flag",
    measured: "px",
  },
  "aggro-far": {
    title: "Is noticed by monsters far away",
    allows: "a few times",
    finds: "a monster over 300 px away notices the player; a few times that is benign",
    answer: "reject",
    measured: "px",
  },
  "aggro-rate": {
    title: "Is noticed by too many monsters",
    finds: "monsters notice the player more than once a second in the long run",
    answer: "reject",
    measured: "1/s",
  },
  "vacuum-box": {
    title: "Gathers monsters in one place",
    allows: "up to five, and ten without a penalty",
    finds: "10 of the sender's monsters in a box of 25 px; from 6 on benign",
    answer: "flag",
    measured: "monsters",
  },
  "vacuum-side": {
    title: "Drives monsters to one side",
    finds: "its monsters have gone 70 % more to one side, over 20,000 px or more (honest: under 10 %)",
    answer: "flag",
    measured: "of all",
  },
  "client-report": {
    title: "The client itself reports a cheat",
    finds: "the client itself reports a cheating controller (moveFlags 0x10)",
    answer: "flag",
    measured: "flags",
  },
  "not-on-a-map": {
    title: "Moves before it has come in",
    finds: "moved before coming in",
    answer: "reject",
    measured: "",
  },
  "login-twice": {
    title: "Comes in twice",
    finds: "comes in a second time",
    answer: "reject",
    measured: "",
  },
  "character-online": {
    title: "Takes a character that is in use",
    allows: "its own earlier connection",
    finds:
      "another player plays this character; the session is closed. Benign where its own earlier connection may be dead",
    answer: "reject",
    measured: "",
  },
};
