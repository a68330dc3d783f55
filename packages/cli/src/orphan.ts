/** Interval of the check: a drain that begins this late is still within its ten seconds. */
const LOOK_MS = 100;

/**
 * Calls back once the process that started this one is gone. `npx` runs a command through a shell, and Debian's dies of
 * the signal that npx passes on to it without a word to the command: to see that is the only way to hear of the signal.
 */
export function onceOrphaned(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, LOOK_MS);
  timer.unref();
}
