/**
 * Short names for requests and answers. Only types. The shapes are in `schema.d.ts`, which `npm run types` makes from the server's list of operations.
 * This file declares only shapes that the list leaves open, such as the entries of a composition.
 */
import type * as schema from './schema';
import type { Answers, Bodies } from './schema';

export type { Answers, Bodies };

export type ViewName = NonNullable<Bodies['show']['view']>;
export type Scope = NonNullable<Bodies['config/set']['scope']>;
export type ProviderName = NonNullable<Bodies['send']['provider']>;
export type Mask = NonNullable<Bodies['show']['mask']>;
export type Slice = Answers['slice/make'];
/** A note of a document or of a run, whose topic may be one of an earlier version. */
export type Note = schema.RunNote;
export type Wrong = schema.ErrorCause;

/** An entry of a composition that is not just a path. */
export type Entry = Exclude<schema.CompositionEntry, string>;
type Entries = (string | Entry)[];

/** What is asked for. Every field may be absent. The panel writes a budget as a number, never as `8k`. */
export type Request = Omit<schema.DocumentRequest, 'budget' | 'composition'> & { budget?: number | null; composition?: Entries | null };
/** The request that a run keeps. The list leaves its shape open; `caller` names the program that asked. */
export type KeptRequest = Request & { caller?: string | null };

/** Fields that are sent beside a request, each under the name of its option. */
export type SendBody = Omit<Bodies['send'], 'request' | 'model'>;
export type SummarizeBody = Omit<Bodies['summarize'], 'request'>;
export type AgentBody = Bodies['agent'];

/** Operations on a tree that change it. */
export type LoomVerb = 'add' | 'annotate' | 'bookmark' | 'edit' | 'exclude' | 'fork' | 'generate' | 'go' | 'pin' | 'prune' | 'restore';
type LoomOperation = Extract<keyof Bodies, `loom/${string}`>;
type FieldOf<T> = T extends unknown ? (string extends keyof T ? never : keyof T) : never;
type ValueOf<T, K extends PropertyKey> = T extends { [P in K]?: infer V } ? V : never;
/** Any field of any operation on trees, for command lines. `output` is the file that a command writes; the panel saves it by itself. */
export type LoomBody = { [K in FieldOf<Bodies[LoomOperation]>]?: ValueOf<Bodies[LoomOperation], K> } & { output?: string };

export type Project = Answers['project'];
export type Model = schema.ModelRow;

export type Composed = Answers['compose'];
export type ComposeSet = Answers['compose/set'];
export type SetOne = schema.RowChange;
export type RowView = schema.RowView;
export type Count = schema.RunTokens;
export type Prefix = schema.WorkbenchPrefix;
type Refresh = Answers['compose/refresh'];
/** Files that were read again; `whole`: the list itself is another one, and the other fields are missing. The list declares both as one shape. */
export type Refreshed = (Refresh & { whole: true }) | (Required<Refresh> & { whole: false });

export type Plan = Answers['plan'];
export type Step = schema.StepAnswer;
export type Preview = Answers['preview'];
export type SinceLast = schema.SinceAnswer;
export type DiffLines = schema.LineChanges;
/** An item of a document or of a run: the fields that both have. Words of a run may be those of an earlier version. */
export type Item = Pick<schema.RunItem, 'path' | 'kind' | 'view' | 'tokens' | 'hash' | 'reason' | 'error'>;

export type Views = Answers['views'];
export type FileView = schema.ViewAnswer;
export type Symbol = schema.SymbolRow;
export type Why = Answers['why'];
export type Health = schema.SliceAnswer;

export type Preset = Omit<schema.PresetAnswer, 'files'> & { files: Entries };
export type PresetDiff = Omit<Answers['preset/diff'], 'added' | 'removed'> & { added: Entries; removed: Entries };
export type Persona = schema.PersonaAnswer;

type Named<T> = T extends { event: string } ? T : T & { event?: undefined };
/** A line of a stream. An error and the plan of a dry run have no `event`. */
export type Line<K extends 'send' | 'summarize'> = Named<Answers[K]>;
export type SendLine = Line<'send'>;

export type RunRow = schema.RunRow;
export type Run = Omit<Answers['runs/show'], 'request'> & { request: { document?: KeptRequest } };
export type Sent = schema.SentAnswer;
/** The difference of two runs, or of the document and a run: then no bytes are compared. */
export type RunDiff = Omit<schema.DifferenceAnswer, 'added' | 'removed' | 'common'> & { added: Item[]; removed: Item[]; common: schema.CommonPrefix | null };

export type CacheStatus = Answers['cache/status'];
export type Scan = Answers['scan'];
export type Setting = schema.VersionedSettingAnswer;
export type Check = schema.CheckRow;

export type LoomTree = schema.TreeRow;
export type LoomNode = schema.OutlineNodeRow;
export type LoomOutline = Answers['loom/outline'];
export type LoomAssembled = Answers['loom/assemble'];
/** A message in the default format. The list leaves messages open, because each format has its own. */
export type Message = { role: string; content: unknown };
export type AgentContext = Answers['agent'];
