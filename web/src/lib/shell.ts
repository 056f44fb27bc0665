/** Words as one line for a shell, which can always be pasted. What cannot be seen or would be read by a shell is quoted. Pure. */
import { hasHidden } from './hidden';

const PLAIN = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;

/** One word as bash, zsh and sh read it back. Signs nobody sees are written as escapes. */
export function quote(word: string): string {
  if (word === '') return "''";
  if (PLAIN.test(word)) return word;
  if (!/[\n\r\t]/.test(word) && !hasHidden(word)) return `'${word.replace(/'/g, `'\\''`)}'`;
  let out = '';
  for (const sign of word) {
    const code = sign.codePointAt(0) as number;
    if (sign === "'" || sign === '\\') out += `\\${sign}`;
    else if (sign === '\n') out += '\\n';
    else if (sign === '\t') out += '\\t';
    else if (sign === '\r') out += '\\r';
    else if (code < 0x20 || code === 0x7f) out += `\\x${code.toString(16).padStart(2, '0')}`;
    else if (hasHidden(sign)) out += code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`;
    else out += sign;
  }
  return `$'${out}'`;
}

export function line(all: string[]): string {
  return all.map(quote).join(' ');
}
