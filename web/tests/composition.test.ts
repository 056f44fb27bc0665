import { describe, expect, test } from 'vitest';
import { baseOf, folderGlob } from '../src/lib/composition';

describe('what a document begins with', () => {
  const settings = new Map<string, unknown>([
    ['files.paths', ['src/**']], ['presets.foo.files', ['a.rs']], ['presets.foo.screenshots', ['s.png']], ['presets."odd one".files', ['b.rs']], ['personas.p.context_preset', 'foo'],
  ]);
  test.each([
    [{}, { entries: ['src/**'], screenshots: null, isOfPersona: false }],
    [{ preset: 'foo' }, { entries: ['a.rs'], screenshots: ['s.png'], isOfPersona: false }],
    [{ preset: 'odd one' }, { entries: ['b.rs'], screenshots: [], isOfPersona: false }],
    [{ preset: 'gone' }, { entries: null, screenshots: [], isOfPersona: false }],
    [{ persona: 'p' }, { entries: ['a.rs'], screenshots: ['s.png'], isOfPersona: true }],
    [{ persona: 'p', preset: 'odd one' }, { entries: ['b.rs'], screenshots: [], isOfPersona: true }],
    [{ persona: 'q' }, { entries: ['src/**'], screenshots: null, isOfPersona: false }],
  ])('%j', (request, wanted) => {
    expect(baseOf(settings, request)).toEqual(wanted);
  });
  test('without settings, all files; and the persona of the project counts', () => {
    expect(baseOf(new Map(), {}).entries).toEqual(['**']);
    expect(baseOf(new Map([...settings, ['project.persona', 'p']]), {}).entries).toEqual(['a.rs']);
  });
});

test.each([
  ['docs/', 'docs/**'],
  ['app/[id]/', 'app/[[]id[]]/**'],
  ['a*b?/{c,d}/', 'a[*]b[?]/[{]c,d[}]/**'],
  ['back\\slash/', 'back[\\]slash/**'],
])('the folder %s as a glob', (folder, glob) => {
  expect(folderGlob(folder)).toBe(glob);
});
