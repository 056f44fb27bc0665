/** The little of Node that tests use; the panel itself knows nothing of Node. */
declare module 'node:child_process' {
  export function execFileSync(file: string, args: string[], options?: { env?: Record<string, string | undefined> }): { toString(encoding: string): string };
}
declare const process: { env: Record<string, string | undefined> };
