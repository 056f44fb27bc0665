/** Which keys do what, for the help window and for tests. Text only; screens act on the keys. */
export interface KeyGroup {
  title: string;
  keys: [string, string][];
}

/** The views of keys 1 to 7. */
export const VIEW_KEYS = ['full', 'skeleton', 'outline', 'summary', 'masked', 'custom', 'none'] as const;

export const KEYS: KeyGroup[] = [
  {
    title: 'Everywhere',
    keys: [
      ['?', 'this help'], ['Ctrl K', 'find an action, a screen or a file'], ['/', 'go to the filter or search box'],
      ['c', 'Compose'], ['b', 'Budget'], ['p', 'Preview'], ['l', 'Loom'], ['y', 'copy the document'],
      ['u', 'undo the last edit of the composition'], ['U', 'do it again'], ['Esc', 'close, or leave a box'],
    ],
  },
  {
    title: 'Compose',
    keys: [
      ['↑ ↓', 'move'], ['← →', 'close or open a folder, go to its parent or first entry'], ['Space', 'take in or leave out'],
      ['1 … 7', 'show as full, skeleton, outline, summary, masked, custom, none'], ['0', 'back to the view it has by itself'],
      ['x', 'leave out'], ['A', 'add what the selected files import, as skeletons'], ['Enter', 'open the file'], ['Shift ↑ ↓', 'select more'], ['Ctrl A', 'select everything in the list'],
      ['*', 'open all folders below'], ['[ ]', 'previous or next sibling'],
    ],
  },
  {
    title: 'Loom',
    keys: [
      ['← →', 'parent, child'], ['↑ ↓', 'previous or next sibling; where there is none, the row before or after'], ['[ ]', 'previous or next sibling'], ['Enter', 'move the end of the path here'], ['Space', 'mark for comparing'],
      ['h', 'hoist: show only what follows from here'], ['x', 'exclude from every context, or take in again'], ['.', 'pin'],
      ['m', 'bookmark'], ['e', 'edit as a new version'], ['a', 'annotate'], ['f', 'fork here'], ['Del', 'prune, or restore'], ['v', 'compare with its siblings'],
    ],
  },
  { title: 'Preview', keys: [['n N', 'next or previous hit, or change'], ['d', 'to the first byte that differs from the last run'], ['D', 'changes since the last run, or the text']] },
];
