/** Which entries a document begins with, by the settings, and entries of folders. Pure. */
import { tomlKey } from './toml';
import type { Entry, Request } from './types';

export interface Base {
  /** The entries; null where the preset is not known. */
  entries: (string | Entry)[] | null;
  /** Screenshots of the preset; null where there is none and the project's own hold. */
  screenshots: string[] | null;
  /** Whether the persona brings a preset: no option says that it should not. */
  isOfPersona: boolean;
}

/** As the program decides it: the named preset, else that of the persona, else the project's own composition, else all files. */
export function baseOf(settings: ReadonlyMap<string, unknown>, request: Request): Base {
  const persona = request.persona || settings.get('project.persona');
  const own = typeof persona === 'string' && persona ? settings.get(`personas.${tomlKey(persona)}.context_preset`) : null;
  const isOfPersona = typeof own === 'string' && own !== '';
  const preset = request.preset || (isOfPersona ? own : '');
  if (preset) {
    const files = settings.get(`presets.${tomlKey(preset)}.files`);
    const shots = settings.get(`presets.${tomlKey(preset)}.screenshots`);
    return { entries: Array.isArray(files) ? (files as (string | Entry)[]) : null, screenshots: Array.isArray(shots) ? shots.map(String) : [], isOfPersona };
  }
  const paths = settings.get('files.paths');
  return { entries: Array.isArray(paths) && paths.length ? (paths as (string | Entry)[]) : ['**'], screenshots: null, isOfPersona };
}

/** The screenshots of the document: those of its preset, else the project's own. */
export function screenshotsOf(settings: ReadonlyMap<string, unknown>, request: Request): string[] {
  const { screenshots } = baseOf(settings, request);
  if (screenshots) return screenshots;
  const own = settings.get('screenshots.paths');
  return Array.isArray(own) ? own.map(String) : [];
}

/** Everything in a folder, as a glob. Signs of its name that a glob would read otherwise stand in brackets. */
export function folderGlob(folder: string): string {
  return `${folder.replace(/[[\]{}*?\\]/g, '[$&]')}**`;
}
