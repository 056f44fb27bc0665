// Adds up the compressed sizes of everything in dist and fails above the limit.
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const LIMIT = 300 * 1024;
const dist = new URL('../dist/', import.meta.url).pathname;

function files(folder) {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name);
    return statSync(path).isDirectory() ? files(path) : [path];
  });
}

let total = 0;
for (const path of files(dist)) {
  const bytes = readFileSync(path);
  const packed = gzipSync(bytes, { level: 9 }).length;
  total += packed;
  console.log(`${path.slice(dist.length).padEnd(34)} ${String(bytes.length).padStart(8)} B ${String(packed).padStart(8)} B gzip`);
}
console.log(`total ${(total / 1024).toFixed(1)} KB gzip of ${LIMIT / 1024} KB`);
if (total > LIMIT) process.exit(1);
