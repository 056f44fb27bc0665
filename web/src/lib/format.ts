/** Numbers, sizes and times as people read them. Pure; one locale, so that figures look the same everywhere. */
const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });

export function count(value: number | null | undefined): string {
  return value === null || value === undefined || !Number.isFinite(value) ? '–' : whole.format(value);
}

/** 1,234 / 12.3k / 1.25M: at most five signs. */
export function short(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  if (size < 10_000) return whole.format(value);
  if (size < 999_500) return `${(value / 1e3).toFixed(size < 99_950 ? 1 : 0)}k`;
  return `${(value / 1e6).toFixed(size < 9_995_000 ? 2 : 1)}M`;
}

export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return '–';
  if (value < 1024) return `${value} B`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  let size = value / 1024;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${size.toFixed(size < 10 ? 1 : 0)} ${units[unit]}`;
}

export function percent(part: number, of: number): string {
  if (!of) return '–';
  const share = (part / of) * 100;
  if (share === 0) return '0%';
  if (share < 0.1) return '<0.1%';
  return `${share.toFixed(share < 10 ? 1 : 0)}%`;
}

/** The end of a path, as much as there is room for: what differs is mostly there. */
export function tail(path: string, most = 44): string {
  if (path.length <= most) return path;
  const cut = path.slice(-most + 1);
  const slash = cut.indexOf('/');
  return `…${slash > 0 && slash < cut.length / 2 ? cut.slice(slash) : cut}`;
}

/** +120, −35, ±0 with a true minus sign. */
export function signed(value: number): string {
  return value > 0 ? `+${whole.format(value)}` : value < 0 ? `−${whole.format(-value)}` : '±0';
}

export function money(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return '–';
  if (value === 0) return '$0';
  return value < 0.01 ? `$${value.toFixed(4)}` : `$${value.toFixed(value < 1 ? 3 : 2)}`;
}

/** 2026-11-17 03:18 in the zone of the reader; what is no time stays as it is. */
export function time(text: string | null | undefined): string {
  if (!text) return '–';
  const at = new Date(text);
  if (Number.isNaN(at.getTime())) return text;
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
