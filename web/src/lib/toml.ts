/** Settings as TOML. Pure. */
import type { Entry } from './types';

/** A preset as it stands in a file of settings, to be handed to others. */
export function presetToml({ name, description, files, screenshots }: { name: string; description: string | null; files: (string | Entry)[]; screenshots: string[] }): string {
  const list = (all: unknown[]) => (all.length ? `[\n${all.map((one) => `    ${toml(one)},\n`).join('')}]` : '[]');
  return [`[presets.${tomlKey(name)}]`, ...(description ? [`description = ${toml(description)}`] : []), `files = ${list(files)}`, ...(screenshots.length ? [`screenshots = ${list(screenshots)}`] : []), ''].join('\n');
}

/** A value as TOML on one line. */
export function toml(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(toml).join(', ')}]`;
  if (value && typeof value === 'object') {
    const pairs = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
    return `{ ${pairs.map(([key, one]) => `${tomlKey(key)} = ${toml(one)}`).join(', ')} }`;
  }
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return tomlText(String(value));
}

/** A key as it stands in TOML, and in the names of settings. */
export function tomlKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : tomlText(key);
}

function tomlText(text: string): string {
  let out = '"';
  for (const sign of text) {
    const code = sign.codePointAt(0) as number;
    if (sign === '"' || sign === '\\') out += `\\${sign}`;
    else if (sign === '\n') out += '\\n';
    else if (sign === '\t') out += '\\t';
    else if (sign === '\r') out += '\\r';
    else if (code < 0x20 || code === 0x7f) out += `\\u${code.toString(16).padStart(4, '0')}`;
    else out += sign;
  }
  return `${out}"`;
}
