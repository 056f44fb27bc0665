/**
 * The part of the address after `#`: which screen, of what, and with which settings.
 * `#/file/src/a%20b.rs?budget=32000`. Pure: text in, object out, and back.
 */
export const SCREENS = [
  'compose', 'file', 'budget', 'preview', 'presets', 'loom', 'agent', 'runs', 'cache', 'safety', 'settings',
] as const;
export type Screen = (typeof SCREENS)[number];

export interface Route {
  screen: Screen;
  /** What follows the screen: a path, a run, a tree. */
  of: string;
  query: Record<string, string>;
}

export function parseRoute(hash: string): Route {
  const text = hash.replace(/^#\/?/, '');
  const mark = text.indexOf('?');
  const place = mark < 0 ? text : text.slice(0, mark);
  const parts = place.split('/');
  const screen = (SCREENS as readonly string[]).includes(parts[0]) ? (parts[0] as Screen) : 'compose';
  const of = parts.slice(1).map(decode).join('/');
  const query: Record<string, string> = {};
  if (mark >= 0) for (const [key, value] of new URLSearchParams(text.slice(mark + 1))) query[key] = value;
  return { screen, of, query };
}

export function formatRoute(route: Route): string {
  const of = route.of ? `/${route.of.split('/').map(encodeURIComponent).join('/')}` : '';
  const query = new URLSearchParams();
  for (const key of Object.keys(route.query).sort()) if (route.query[key] !== '') query.set(key, route.query[key]);
  const text = query.toString();
  return `#/${route.screen}${of}${text ? `?${text}` : ''}`;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
