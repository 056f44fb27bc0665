/**
 * Trees as files: which formats there are, what a file of one is called, and what of a name may be a file's name. Pure.
 * The content of a file goes to the server as text; the server is never given a path.
 */
import type { Bodies } from './types';

export interface TreeFormat {
  name: NonNullable<Bodies['loom/export']['format']>;
  about: string;
  ending: string;
  /** Several files: a browser gives one, so the command has to do. */
  isFolder?: boolean;
}

export const TREE_FORMATS: TreeFormat[] = [
  { name: 'contexture', about: 'keeps everything', ending: 'json' },
  { name: 'chatgpt', about: 'conversations as ChatGPT exports them', ending: 'json' },
  { name: 'pyloom', about: 'a tree of loom', ending: 'json' },
  { name: 'loomsidian', about: 'the state of a plugin of Obsidian', ending: 'json' },
  { name: 'pi', about: 'a session of pi, one line for each entry', ending: 'jsonl' },
  { name: 'loom-engine', about: 'a folder of files', ending: '', isFolder: true },
];

/** As JSON it grows, and the server takes 128 MiB. */
export const MOST = 100 * 1024 * 1024;

/** A title as the name of a file: nothing that a system reads as a path, or that cannot be seen. */
export function fileName(title: string, format: TreeFormat): string {
  const plain = title.normalize('NFC').replace(/[^\p{L}\p{N} ._-]+/gu, '-').replace(/^[ .-]+|[ .-]+$/g, '');
  return `${plain.slice(0, 80) || 'tree'}.${format.ending}`;
}

/** The text of a file, or `null` where it is no UTF-8. */
export async function readText(file: Blob): Promise<string | null> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await file.arrayBuffer());
  } catch {
    return null;
  }
}
