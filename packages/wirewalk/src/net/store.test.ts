import { memoryStore } from "./store.ts";
import { describeStore } from "./testing/store-suite.ts";

describeStore("a store in memory", memoryStore);
