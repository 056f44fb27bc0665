/**
 * A long text as rows of bounded length, with byte offsets. One pass at the start, then every question is a search in
 * an array. The text itself is never copied or changed.
 */
export const LONGEST = 2000;

export class TextRows {
  /** Where each row starts, in UTF-16 units; one more at the end. */
  readonly start: Int32Array;
  /** Line number of each row, from 1; a long line has several rows. */
  readonly line: Int32Array;
  readonly lines: number;
  private bytes: Int32Array | null = null;

  constructor(readonly text: string) {
    const start: number[] = [];
    const line: number[] = [];
    let at = 0;
    let number = 1;
    for (;;) {
      let end = text.indexOf('\n', at);
      if (end < 0) end = text.length;
      let from = at;
      do {
        start.push(from);
        line.push(number);
        let next = Math.min(from + LONGEST, end);
        // A pair of surrogates stays together.
        if (next < end && (text.charCodeAt(next) & 0xfc00) === 0xdc00) next++;
        from = next;
      } while (from < end);
      if (end >= text.length) break;
      at = end + 1;
      number++;
      // A last line end begins no further line.
      if (at >= text.length) break;
    }
    this.lines = text === '' ? 0 : number;
    start.push(text.length);
    this.start = Int32Array.from(start);
    this.line = Int32Array.from(line);
  }

  get rows(): number {
    return this.text === '' ? 0 : this.line.length;
  }

  /** The text of a row without its line end. */
  row(at: number): string {
    const from = this.start[at];
    let to = this.start[at + 1];
    if (to > from && this.text.charCodeAt(to - 1) === 10) to--;
    return this.text.slice(from, to);
  }

  isContinued(at: number): boolean {
    return at > 0 && this.line[at] === this.line[at - 1];
  }

  rowOfChar(char: number): number {
    let low = 0;
    let high = this.line.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.start[middle] <= char) low = middle;
      else high = middle - 1;
    }
    return low;
  }

  rowOfLine(line: number): number {
    let low = 0;
    let high = this.line.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.line[middle] < line) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The UTF-16 place of a byte of the UTF-8 text. */
  charOfByte(byte: number): number {
    this.bytes ??= this.countBytes();
    const bytes = this.bytes;
    let low = 0;
    let high = bytes.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (bytes[middle] <= byte) low = middle;
      else high = middle - 1;
    }
    let at = this.start[low];
    let count = bytes[low];
    const end = low + 1 < this.start.length ? this.start[low + 1] : this.text.length;
    while (at < end) {
      const size = utf8(this.text, at);
      if (count + size > byte) break;
      count += size;
      at += size === 4 ? 2 : 1;
    }
    return at;
  }

  private countBytes(): Int32Array {
    const bytes = new Int32Array(this.start.length);
    let count = 0;
    let row = 0;
    for (let at = 0; at < this.text.length; ) {
      while (row < this.start.length && this.start[row] <= at) bytes[row++] = count;
      const size = utf8(this.text, at);
      count += size;
      at += size === 4 ? 2 : 1;
    }
    while (row < this.start.length) bytes[row++] = count;
    return bytes;
  }
}

function utf8(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  if (unit < 0x80) return 1;
  if (unit < 0x800) return 2;
  if ((unit & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00) return 4;
  return 3;
}

/** All places of a word, at most so many. Small letters find both. */
export function search(text: string, word: string, most = 5000): number[] {
  const found: number[] = [];
  if (!word) return found;
  const isCaseless = word === word.toLowerCase();
  const safe = word.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  const pattern = new RegExp(safe, isCaseless ? 'gi' : 'g');
  for (let one = pattern.exec(text); one && found.length < most; one = pattern.exec(text)) found.push(one.index);
  return found;
}
