/** Interval of the check: a drain that begins this late is still within its ten seconds. */
const CHECK_MS = 100;

/**
 * Calls back once the parent process has ended. `npx` runs a command through a shell. Debian's shell dies of a signal
 * without forwarding it: then the end of the shell is all that the command can notice.
 */
export function onceOrphaned(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, CHECK_MS);
  timer.unref();
}
