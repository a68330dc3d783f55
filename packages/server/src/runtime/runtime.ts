/**
 * The **runtime** as a port: what the server takes from Node beside its clock, its sockets and its store. A simulation
 * gives its own, so that a whole run follows from one seed.
 */
import { randomBytes, type ScryptOptions, scrypt } from "node:crypto";

export interface Runtime {
  /** Calls after everything that this turn of the event loop reads has been handled. */
  afterReads(call: () => void): void;
  /** Calls as soon as the current call has returned. */
  soon(call: () => void): void;
  /** Bytes that nobody can guess. */
  randomBytes(count: number): Buffer;
  /** A key of `bytes` bytes from a password by scrypt. The event loop is not blocked. */
  deriveKey(password: string, salt: Buffer, bytes: number, cost: ScryptOptions): Promise<Buffer>;
}

/** Node's own. */
export const nodeRuntime: Runtime = {
  afterReads: (call) => void setImmediate(call),
  soon: (call) => queueMicrotask(call),
  randomBytes: (count) => randomBytes(count),
  deriveKey: (password, salt, bytes, cost) =>
    new Promise((resolve, reject) => {
      scrypt(password, salt, bytes, cost, (error, key) => {
        if (error === null) resolve(key);
        else reject(error);
      });
    }),
};
