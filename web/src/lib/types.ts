/**
 * Shapes that the server answers with, as far as the panel reads them.
 * Only types. Fields the panel does not read are left out; new ones never break it.
 */
export type ViewName = 'full' | 'skeleton' | 'outline' | 'summary' | 'masked' | 'custom' | 'diff' | 'name' | 'none';

export interface Note {
  topic: string;
  path: string | null;
  text: string;
  hint: string | null;
}

export interface Count {
  count: number;
  exact: boolean;
  tokenizer: string;
  budget?: number | null;
  budget_from?: string | null;
}

export type Mask = Record<string, 'def' | 'sig' | 'hide'>;

export interface Slice {
  start_line: number;
  end_line: number;
  tag?: string | null;
  comment?: string | null;
  content_hash?: string;
  anchor_lines?: string[];
  fingerprint?: string;
  [more: string]: unknown;
}

export interface Entry {
  path: string;
  view_mode?: string;
  ast_mask?: Mask;
  custom_slices?: Slice[];
  auto_aggregate?: boolean;
  force_full?: boolean;
  [more: string]: unknown;
}

/** What is asked for. Every field may be absent. */
export interface Request {
  paths?: string[];
  preset?: string | null;
  persona?: string | null;
  tier?: number | null;
  strategy?: string | null;
  view?: string | null;
  focus?: string[];
  include?: string[];
  exclude?: string[];
  budget?: number | null;
  model?: string | null;
  query?: string | null;
  retrieve?: number | null;
  tokenizer?: string | null;
  format?: string | null;
  history?: string | null;
  tree?: string | null;
  line_numbers?: boolean | null;
  diff?: string | null;
  log?: number | null;
  base?: string | null;
  message?: string | null;
  max_answer?: number | null;
  temperature?: number | null;
  no_written?: boolean | null;
  composition?: (string | Entry)[] | null;
  [more: string]: unknown;
}

export interface Price {
  input?: number | null;
  output?: number | null;
  cached?: number | null;
}

export interface Model {
  name: string;
  provider: string;
  window: number;
  output: number;
  price?: Price | null;
}

export interface Provider {
  name: string;
  key: boolean;
  variables: string[];
}

export interface Project {
  v: number;
  name: string;
  /** Marks the folder, wherever another one has the same name. Older servers do not tell it. */
  id?: string;
  root: string;
  /** The real folder. */
  path: string;
  version: string;
  views: string[];
  formats: string[];
  tokenizers: { name: string; exact: boolean }[];
  models: Model[];
  providers: Provider[];
  presets: { name: string; scope: string; description: string | null }[];
  personas: { name: string; scope?: string; description?: string | null }[];
  trees: number;
  policy: { secrets: string; hidden_text: string };
  budget: number | null;
  strategy: string | null;
}

export interface ComposeColumns {
  path: string[];
  own: number[];
  shown: number[];
  bytes: number[];
  view: number[];
  reason: number[];
  flags: number[];
  summary: number[];
}

/** The static part of the document, and what of the last run's is still there. */
export interface Prefix {
  bytes: number;
  tokens: number;
  last?: {
    run: number;
    bytes: number;
    tokens: number;
    kept: Kept;
    breaks: { byte: number; item: string | null; cause: string; why: string } | null;
  } | null;
}

export interface Kept {
  bytes: number;
  tokens: number;
  exact: boolean;
}

export interface Composed {
  v: number;
  bench: string | number;
  generation: number;
  tokens: Count;
  prefix?: Prefix;
  views: string[];
  reasons: string[];
  columns: ComposeColumns;
  left_out: { path: string; reason: string }[];
  notes: Note[];
}

export interface ComposeSet {
  v: number;
  tokens: Count;
  prefix?: Prefix;
  columns: { index: number[]; view: number[]; shown: number[]; reason: number[]; flags: number[] };
  reasons: string[];
  notes: Note[];
}

/** Files that were read again; `whole`: the list itself is another one. */
export type Refreshed =
  | { v: number; whole: true }
  | (ComposeSet & { whole: false; columns: ComposeSet['columns'] & { own: number[]; bytes: number[]; summary: number[] } });

export interface Item {
  path: string;
  kind?: string;
  view: string;
  tokens: number;
  hash: string | null;
  reason: string;
  error?: string | null;
}

export interface Step {
  path: string;
  symbol: string | null;
  shows: string;
  tokens: number;
  worth: number;
}

export interface Plan {
  v: number;
  path: string | null;
  run?: number | null;
  tokens: Count;
  bytes: number;
  items: Item[];
  left_out: { path: string; reason: string }[];
  notes: Note[];
  prefix: { bytes: number; tokens: number };
  fit?: { share_of_bound: number; first_to_go: Step[]; first_to_come: Step[] } | null;
}

export interface Preview {
  v: number;
  document: Plan;
  text: string;
  sections: { title: string; level: number; start: number; end: number; item: { path: string; kind: string; view: string } | null }[];
  prefix: { bytes: number; tokens: number };
  last?: SinceLast | null;
}

/** The document beside the last run. */
export interface SinceLast {
  run: number;
  same: boolean;
  first_difference?: { byte: number; exact: boolean; until: number | null; item: string | null; cause: string; why: string } | null;
  kept: Kept;
  added: Item[];
  removed: Item[];
  changed: ItemChange[];
  altered: { what: string; name: string; old: string | null; new: string | null }[];
  lines: DiffLines | null;
}

export interface ItemChange {
  path: string;
  kind: string;
  content: boolean;
  view: Pair<string>;
  tokens: Pair<number>;
  reason: Pair<string>;
}

export interface DiffLines {
  added: number;
  removed: number;
  hunks: Hunk[];
  left: { hunks: number; lines: number };
}

export interface Hunk {
  old_start: number;
  old_lines: number;
  new_start: number;
  new_lines: number;
  byte: number;
  item: string | null;
  /** Sign, text, and how many bytes of it are left out. */
  lines: [' ' | '-' | '+', string, number][];
}

export interface FileView {
  view: string;
  tokens: number | null;
  text: string | null;
  fell_back: string | null;
  error: string | null;
}

export interface Views {
  v: number;
  path: string;
  language: string | null;
  lines: number;
  views: FileView[];
}

export interface Shown {
  v: number;
  path: string;
  view: string;
  text: string;
  tokens: number;
  fell_back: string | null;
  error: string | null;
  notes: Note[];
}

export interface Symbol {
  name: string;
  qualified: string;
  kind: string;
  start_line: number;
  end_line: number;
  first_line?: number;
  signature: string;
  visibility: string;
  doc: string | null;
}

export interface Why {
  path: string;
  shown: boolean;
  view: string | null;
  tokens: number | null;
  reason: string;
  details: string[];
  hint: string | null;
  weighed: { rank: number; of: number; relevance: number; parts: { what: string; adds: number }[]; next: Step | null } | null;
}

export interface Health {
  outcome: string;
  start_line: number | null;
  end_line: number | null;
  confidence: number;
  why: string;
}

export interface Preset {
  name: string;
  scope: string;
  description: string | null;
  files: (string | Entry)[];
  screenshots: string[];
  missing: string[];
  shadows_global: boolean;
}

export interface PresetDiff {
  added: (string | Entry)[];
  removed: (string | Entry)[];
  changed: (string | { path: string; old?: unknown; new?: unknown })[];
  screenshots_added: string[];
  screenshots_removed: string[];
}

export interface Persona {
  name: string;
  scope: string;
  default: boolean;
  system_prompt: string | null;
  preferred_models: { provider: string | null; model: string | null; temperature: number | null; top_p: number | null; max_output_tokens: number | null }[];
  context_preset: string | null;
  aggregation_strategy: string | null;
  tier: number | null;
  budget: number | null;
  missing_preset: string | null;
  shadows_global: boolean;
}

export interface RunRow {
  number: number;
  kind: string;
  created: string;
  options: Record<string, unknown>;
  tokens: Count;
  output: { hash: string; bytes: number; path: string | null };
  items: number;
  left_out: number;
  sent: Record<string, unknown> | null;
}

export interface Run {
  number: number;
  kind: string;
  created: string;
  version: string;
  request: { document?: Request } & Record<string, unknown>;
  options: Record<string, unknown>;
  tokens: Count;
  output: { hash: string; bytes: number; path: string | null };
  prefix: { bytes: number; tokens: number } | null;
  items: Item[];
  left_out: { path: string; reason: string }[];
  notes: Note[];
  sent: Record<string, unknown> | null;
}

export interface Pair<T> {
  old: T;
  new: T;
}

export interface RunDiff {
  old?: number;
  new?: number;
  same: boolean;
  added: Item[];
  removed: Item[];
  changed: ItemChange[];
  altered: { what: string; name: string; old: string | null; new: string | null }[];
  first: { byte: number; exact: boolean; until: number | null; item: Pair<string | null>; cause: string; why: string } | null;
  common: { bytes: number; tokens: number; exact: boolean } | null;
}

export interface CacheFile {
  path: string;
  state: string;
  by: string | null;
  generated_at: string | null;
  tier: number | null;
}

export interface CacheStatus {
  tier: number;
  files: CacheFile[];
  fresh: number;
  stale: number;
  none: number;
  not_summarized: number;
  damaged: number;
  notes: Note[];
}

export interface Scan {
  /** That of secrets; that of hidden text stands beside it. */
  policy: string;
  hidden_text: string;
  secrets: { path: string; line: number; rule: string; fingerprint: string }[];
  hidden: { path: string; line: number; code_points: string[]; count: number }[];
  /** How much was looked at, and how many findings somebody let through. */
  files: number;
  bytes: number;
  allowed: number;
  notes: Note[];
}

export interface Setting {
  key: string;
  value: unknown;
  origin: string;
}

export interface Check {
  name: string;
  ok: boolean;
  text: string;
  hint: string | null;
}

export interface LoomTree {
  id: string;
  local: string;
  title: string;
  mode: string;
  system_context: string | null;
  created: string;
  nodes?: number;
  in_use?: boolean;
}

export interface LoomNode {
  id: string;
  local: string;
  text: string;
  author: string;
  author_type: string;
  author_name?: string;
  edited_from: string | null;
  created: string;
  excluded: boolean;
  pruned: boolean;
  bookmarked: boolean;
  bookmark: string | null;
  parent: string | null;
  depth: number;
  on_path: boolean;
  active: boolean;
  pinned: boolean;
  annotation: boolean;
  continuations: number;
  tokens: number;
}

export interface LoomOutline {
  tree: LoomTree;
  path: { id: string; name: string; active: string | null; choices: unknown[] } | null;
  nodes: number;
  branches: number;
  path_tokens: number | null;
  path_trouble: string | null;
  tokenizer: string;
  exact: boolean;
  outline: LoomNode[];
}

export interface Layer {
  tokens: number;
  raw_bytes: number;
  shown_bytes: number;
  items: number;
  shown_items: number;
  state: string;
  sources: { path: string; raw_bytes: number; state: string }[];
  entries?: { text: string; score: number; path: string; tokens: number }[];
}

export interface AgentContext {
  tokens: Count;
  bytes: number;
  items: Item[];
  left_out: { path: string; reason: string }[];
  notes: Note[];
  prefix: { bytes: number; tokens: number };
  messages: { role: string; content: unknown }[];
  layers: Record<string, Layer>;
}
