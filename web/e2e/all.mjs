// Runs every file of browser tests, one after another, and tells which failed.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';

const here = new URL('.', import.meta.url).pathname;
const files = readdirSync(here).filter((name) => name.endsWith('.test.mjs')).sort();
const failed = [];
for (const name of files) {
  console.log(`# ${name}`);
  if (spawnSync(process.execPath, [here + name], { stdio: 'inherit' }).status !== 0) failed.push(name);
}
console.log(failed.length ? `failed: ${failed.join(', ')}` : 'all passed');
process.exit(failed.length ? 1 : 0);
