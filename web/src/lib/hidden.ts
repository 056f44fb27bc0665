/**
 * Characters that nobody sees (controls, zero-width, bidi, tags, lone surrogates), drawn as `<U+202E>`.
 * Takes a line, gives pieces of text for text nodes. Never changes what is copied.
 */
const HIDDEN =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u00AD\u034F\u061C\u115F\u1160\u17B4\u17B5\u180B-\u180F\u200B-\u200F\u2028-\u202E\u2060-\u206F\u3164\uFE00-\uFE0E\uFEFF\uFFA0\uFFF9-\uFFFB\u{1D173}-\u{1D17A}\u{E0000}-\u{E0FFF}\p{Cs}]/u;
const ALL = new RegExp(HIDDEN.source, 'gu');

export interface Piece {
  text: string;
  hidden: boolean;
}

export function codeName(code: number): string {
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** True where something would not be seen. A carriage return before the line's end is not worth a mark. */
export function hasHidden(line: string): boolean {
  return HIDDEN.test(line) || loneReturn(line) >= 0;
}

function loneReturn(line: string): number {
  const at = line.indexOf('\r');
  return at >= 0 && at < line.length - 1 ? at : -1;
}

export function pieces(line: string): Piece[] {
  const text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (!hasHidden(text)) return [{ text, hidden: false }];
  const found: Piece[] = [];
  let from = 0;
  const marks = [...text.matchAll(ALL)].map((one) => ({ at: one.index, sign: one[0] }));
  for (let at = text.indexOf('\r'); at >= 0; at = text.indexOf('\r', at + 1)) marks.push({ at, sign: '\r' });
  marks.sort((a, b) => a.at - b.at);
  for (const { at, sign } of marks) {
    if (at > from) found.push({ text: text.slice(from, at), hidden: false });
    found.push({ text: codeName(sign.codePointAt(0) ?? 0), hidden: true });
    from = at + sign.length;
  }
  if (from < text.length) found.push({ text: text.slice(from), hidden: false });
  return found;
}

/** A name on one line: also line ends and tabs are drawn. */
export function visibleName(name: string): string {
  const plain = name.replace(/[\n\t\r]/g, (sign) => codeName(sign.charCodeAt(0)));
  return HIDDEN.test(plain) ? pieces(plain).map((piece) => piece.text).join('') : plain;
}
