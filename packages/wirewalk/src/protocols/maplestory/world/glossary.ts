/** What each rule finds, in words. Source: docs/protocols/maplestory.md 8. */
import type { RuleGlossary } from "../../rule-info.ts";
import type { MapleRule } from "./rules.ts";

export const mapleGlossary: RuleGlossary<MapleRule> = {
  "empty-path": {
    finds: "a path without fragments: it crashes other players' clients",
    answer: "reject",
    measured: "",
  },
  "field-key": {
    finds: "the key of another map; benign while the client may not know the new one",
    answer: "reject",
    measured: "key",
  },
  start: {
    finds: "does not start where the last path ended; up to 2 px is benign",
    answer: "flag",
    measured: "px",
  },
  box: {
    finds: "not the box of the path; of pets, summons and monsters too",
    answer: "flag",
    measured: "px",
  },
  durations: {
    finds: "the sum is not 30 ms for each key nibble",
    answer: "flag",
    measured: "ms",
  },
  "wall-clock": {
    finds: "lasts longer than the time that has passed since the last answered ping was sent; pets and summons too",
    answer: "flag",
    measured: "ms",
  },
  pattern: {
    finds: "without the agreed pattern (`documented`)",
    answer: "flag",
    measured: "wrong bytes",
  },
  speed: {
    finds:
      "walks faster than 125 px/s x factor, rises faster than 555 px/s x factor or falls faster than 680 px/s; an impulse that no jump has",
    answer: "flag",
    measured: "px/s",
  },
  flight: {
    finds:
      "on a known map: higher than a full jump leads from the last ground, ladder or rope; what it is above adds to `gain`",
    answer: "flag",
    measured: "px",
  },
  foothold: {
    finds:
      "on a known map: stands on a foothold that is not there or does not exist; where no ground is, its way adds to `gain`",
    answer: "flag",
    measured: "px",
  },
  ladder: {
    finds: "on a known map: climbs a ladder or rope that is not there; where none is, its way adds to `gain`",
    answer: "flag",
    measured: "px",
  },
  wall: {
    finds:
      "on a known map: goes through a wall of the ground that it stood on; a flag where that is not certain, which adds 20 px to `gain`",
    answer: "correct",
    measured: "px",
  },
  water: {
    finds: "on a known map: stands or walks in water where no ground is, for over 300 ms; its way adds to `gain`",
    answer: "flag",
    measured: "ms",
  },
  teleport: {
    finds: "starts over 150 px from the last end, or goes that much beyond what its time allows",
    answer: "correct",
    measured: "px",
  },
  "teleport-skill": {
    finds: "an instant of over 30 px without a skill (`mayTeleport`)",
    answer: "correct",
    measured: "px",
  },
  gain: {
    finds: "the player's paths exceed what their time allows by over 50 px in all; a flag from 20 px on",
    answer: "correct",
    measured: "px",
  },
  corrections: {
    finds: "over 10 corrections in 5 minutes or 20 in an hour: the account is banned for an hour",
    answer: "flag",
    measured: "corrections",
  },
  portal: {
    finds: "beside another server, between known maps: enters by a portal whose way in was over 300 px from it",
    answer: "flag",
    measured: "px",
  },
  "pet-owner": {
    finds: "a pet that is not the sender's",
    answer: "reject",
    measured: "",
  },
  "summon-owner": {
    finds: "a summon that is not the sender's",
    answer: "reject",
    measured: "",
  },
  "dragon-owner": {
    finds: "the player has no dragon (`v83`, `v95`)",
    answer: "reject",
    measured: "",
  },
  "monster-elsewhere": {
    finds: "no such monster lives on the map; benign where it has just died or been left behind",
    answer: "reject",
    measured: "mobId",
  },
  "monster-control": {
    finds:
      "another player drives it, and the sender has not just attacked it; benign while it may not know of a hand-over",
    answer: "reject",
    measured: "mobId",
  },
  "monster-idle": {
    finds: "has moved none of its monsters for 15 s, where others are: these drive them from then on",
    answer: "benign",
    measured: "monsters",
  },
  "monster-head": {
    finds: "starts over 150 px from where the monster was",
    answer: "flag",
    measured: "px",
  },
  "monster-ground": {
    finds:
      "off the foothold that its path names, or hanging in the air, by over 10 px (not where the map says that it flies)",
    answer: "flag",
    measured: "px",
  },
  "vacuum-pull": {
    finds:
      "the sender's monsters exceed 253 px/s, or the speed of a faster kind, or come nearer faster than their own kind, by 150 px in all",
    answer: "flag",
    measured: "px",
  },
  "aggro-far": {
    finds: "a monster over 300 px away notices the player; a few times that is benign",
    answer: "reject",
    measured: "px",
  },
  "aggro-rate": {
    finds: "monsters notice the player more than once a second in the long run",
    answer: "reject",
    measured: "1/s",
  },
  "vacuum-box": {
    finds: "10 of the sender's monsters in a box of 25 px; from 6 on benign",
    answer: "flag",
    measured: "monsters",
  },
  "vacuum-side": {
    finds: "its monsters have gone 70 % more to one side, over 20,000 px or more (honest: under 10 %)",
    answer: "flag",
    measured: "of all",
  },
  "client-report": {
    finds: "the client itself reports a cheating controller (moveFlags 0x10)",
    answer: "flag",
    measured: "flags",
  },
  "not-on-a-map": {
    finds: "moved before coming in",
    answer: "reject",
    measured: "",
  },
  "login-twice": {
    finds: "comes in a second time",
    answer: "reject",
    measured: "",
  },
  "character-online": {
    finds:
      "another player plays this character; the session is closed. Benign where its own earlier connection may be dead",
    answer: "reject",
    measured: "",
  },
};
