// Made by `npm run types`; do not edit.
export type paths = Record<string, never>;
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description An answer with the version of its shape. */
        VersionedErrorAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            error: components["schemas"]["ErrorCause"];
        };
        ErrorCause: {
            /**
             * Format: uint8
             * @description Exit code of the command line
             */
            code: number;
            /** @description Kind of the cause */
            kind: string;
            message: string;
            /** @description Things to do about it */
            hints: string[];
            /** @description What a policy found */
            safety?: components["schemas"]["SafetyAnswer"] | null;
        };
        /** @description Secrets and hidden characters that were found, and what was done about them. */
        SafetyAnswer: {
            /**
             * @description What is done with secrets
             * @enum {string}
             */
            policy: "redact" | "warn" | "deny" | "off";
            /**
             * @description What is done with hidden characters
             * @enum {string}
             */
            hidden_text: "warn" | "strip" | "escape" | "deny" | "off";
            secrets: components["schemas"]["SecretRow"][];
            hidden: components["schemas"]["HiddenRow"][];
        };
        /** @description A secret that was found. Its value is never shown. */
        SecretRow: {
            path: string;
            /** Format: uint64 */
            line: number;
            rule: string;
            /** @enum {string} */
            severity: "low" | "medium" | "high" | "critical";
            /** @description Names the secret in `safety.allow` */
            fingerprint: string;
            /**
             * @description What was done with it
             * @enum {string|null}
             */
            action?: "redacted" | "shown" | "sealed" | "denied" | null;
        };
        /** @description Hidden characters in one line. */
        HiddenRow: {
            path: string;
            /** Format: uint64 */
            line: number;
            code_points: string[];
            /** Format: uint64 */
            count: number;
        };
        /** @description An answer with the version of its shape. */
        VersionedProjectAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            name: string;
            /** @description Name of its folder */
            root: string;
            path: string;
            /** @description Tells folders of one name apart */
            id: string;
            /** @description Version of the program */
            version: string;
            views: string[];
            formats: string[];
            tokenizers: components["schemas"]["TokenizerRow"][];
            models: components["schemas"]["ModelRow"][];
            providers: components["schemas"]["ProviderRow"][];
            presets: components["schemas"]["NamedRow"][];
            personas: components["schemas"]["NamedRow"][];
            /** Format: uint64 */
            budget: number | null;
            /** @enum {string} */
            strategy: "auto" | "summarize" | "full";
            policy: components["schemas"]["SafetyPolicy"];
        };
        TokenizerRow: {
            /** @enum {string} */
            name: "o200k_base" | "cl100k_base" | "estimate" | "claude" | "gemini";
            /** @description Whether it counts, not estimates */
            exact: boolean;
        };
        /** @description A language model. */
        ModelRow: {
            name: string;
            provider: string;
            /**
             * Format: uint64
             * @description Tokens of input and answer together
             */
            window: number;
            /**
             * Format: uint64
             * @description Tokens of the longest answer
             */
            output: number | null;
            price: components["schemas"]["PriceRow"] | null;
        };
        /** @description Dollars for a million tokens. */
        PriceRow: {
            /** Format: double */
            input: number;
            /** Format: double */
            output: number;
        };
        ProviderRow: {
            /** @enum {string} */
            name: "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax" | "gemini-cli";
            /** @description Whether there is a key for it */
            key: boolean;
            /** @description Environment variables that may hold its key */
            variables: string[];
        };
        /** @description A preset or persona. */
        NamedRow: {
            name: string;
            /** @enum {string} */
            scope: "project" | "global";
            description: string | null;
        };
        SafetyPolicy: {
            /** @enum {string} */
            secrets: "redact" | "warn" | "deny" | "off";
            /** @enum {string} */
            hidden_text: "warn" | "strip" | "escape" | "deny" | "off";
        };
        /** @description An answer with the version of its shape. */
        VersionedComposeAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /**
             * Format: uint64
             * @description Number of the workbench
             */
            bench: number;
            /**
             * Format: uint64
             * @description Number of the last change on disk that it knows
             */
            generation: number;
            tokens: components["schemas"]["RunTokens"];
            prefix: components["schemas"]["WorkbenchPrefix"];
            columns: components["schemas"]["AllColumns"];
            /** @description Names of views; the column `view` has indexes into them */
            views: string[];
            /** @description Reasons; the column `reason` has indexes into them */
            reasons: string[];
            notes: components["schemas"]["NoteAnswer"][];
            left_out: components["schemas"]["PathReason"][];
        };
        /** @description Tokens of a whole document, and how many it might have had. */
        RunTokens: {
            /** Format: uint64 */
            count: number;
            /** @description Whether it was counted, not estimated */
            exact: boolean;
            tokenizer: string;
            /** Format: uint64 */
            budget: number | null;
        };
        /** @description The part that does not change while only questions and history do. */
        WorkbenchPrefix: {
            /** Format: uint64 */
            bytes: number;
            /** Format: uint64 */
            tokens: number;
            /** @description Compared with the last run, where there was one */
            last: components["schemas"]["LastPrefix"] | null;
        };
        /** @description How much of the last run's static part is still there. */
        LastPrefix: {
            /** Format: uint64 */
            run: number;
            /** Format: uint64 */
            bytes: number;
            /** Format: uint64 */
            tokens: number;
            kept: components["schemas"]["CommonPrefix"];
            /** @description Null where all of it is kept */
            breaks: components["schemas"]["PrefixBreak"] | null;
        };
        /** @description The common beginning of two outputs. */
        CommonPrefix: {
            /** Format: uint64 */
            bytes: number;
            /** Format: uint64 */
            tokens: number;
            /** @description Whether the tokens were counted on these bytes */
            exact: boolean;
        };
        /** @description Where the static part of the last run ends. */
        PrefixBreak: {
            /** Format: uint64 */
            byte: number;
            item: string | null;
            /** @enum {string} */
            cause: "content" | "written" | "view" | "reason" | "added" | "removed" | "order" | "settings" | "unknown";
            /** @description The cause as a sentence */
            why: string;
        };
        /** @description Columns of all files. */
        AllColumns: {
            path: string[];
            /** @description Tokens of the text of the file */
            own: number[];
            bytes: number[];
            /** @description Whether a model wrote a summary: 0 no, 1 of an older text, 2 yes */
            summary: number[];
            /** @description Tokens of its block in the document */
            shown: number[];
            /** @description Index of the view; -1 where the file is not in the document */
            view: number[];
            /** @description Index of the reason */
            reason: number[];
            /** @description Sum of 1 failed, 2 reduced, 4 set, 8 changed, 16 secret, 32 hidden text */
            flags: number[];
        };
        /** @description Something a person should know of a run. */
        NoteAnswer: {
            /** @enum {string} */
            topic: "unread" | "view" | "empty" | "encoding" | "unstable" | "reduced" | "denied" | "setting" | "cache" | "git" | "runs" | "secret" | "hidden";
            path: string | null;
            text: string;
            /** @description One thing to do about it */
            hint: string | null;
        };
        /** @description A file or another item that is left out, and why. */
        PathReason: {
            path: string;
            reason: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedTable: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            tokens: components["schemas"]["RunTokens"];
            prefix: components["schemas"]["WorkbenchPrefix"];
            columns: components["schemas"]["ChangedColumns"];
            /** @description Names of views; the column `view` has indexes into them */
            views: string[];
            /** @description Reasons; the column `reason` has indexes into them */
            reasons: string[];
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description Columns of files that are shown in another way. */
        ChangedColumns: {
            /** @description Index of the row */
            index: number[];
            /** @description Tokens of its block in the document */
            shown: number[];
            /** @description Index of the view; -1 where the file is not in the document */
            view: number[];
            /** @description Index of the reason */
            reason: number[];
            /** @description Sum of 1 failed, 2 reduced, 4 set, 8 changed, 16 secret, 32 hidden text */
            flags: number[];
        };
        /** @description An answer with the version of its shape. */
        VersionedComposeRefreshAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @description Whether other files are in the list now: `compose` lists them */
            whole: boolean;
            /**
             * Format: uint64
             * @description Number of the last change on disk that it knows
             */
            generation: number;
            tokens?: components["schemas"]["RunTokens"];
            prefix?: components["schemas"]["WorkbenchPrefix"];
            columns?: components["schemas"]["FreshColumns"];
            /** @description Names of views; the column `view` has indexes into them */
            views?: string[];
            /** @description Reasons; the column `reason` has indexes into them */
            reasons?: string[];
            notes?: components["schemas"]["NoteAnswer"][];
        };
        /** @description Columns of files that were read again. */
        FreshColumns: {
            /** @description Index of the row */
            index: number[];
            /** @description Tokens of the text of the file */
            own: number[];
            bytes: number[];
            /** @description Whether a model wrote a summary: 0 no, 1 of an older text, 2 yes */
            summary: number[];
            /** @description Tokens of its block in the document */
            shown: number[];
            /** @description Index of the view; -1 where the file is not in the document */
            view: number[];
            /** @description Index of the reason */
            reason: number[];
            /** @description Sum of 1 failed, 2 reduced, 4 set, 8 changed, 16 secret, 32 hidden text */
            flags: number[];
        };
        /** @description An answer with the version of its shape. */
        VersionedComposeRequestAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            request: components["schemas"]["DocumentRequest"];
        };
        /** @description A document to compile. Every field has a default: together they give the whole project. */
        DocumentRequest: {
            /**
             * @description Files, folders and globs
             * @default []
             */
            paths?: string[] | null;
            /**
             * @description Files that a program listed: those with keys stay out
             * @default []
             */
            listed?: string[] | null;
            /**
             * @description Use the composition of this preset
             * @default null
             */
            preset?: string | null;
            /**
             * @description Files to show instead of the project's own composition
             * @default null
             */
            composition?: components["schemas"]["CompositionEntry"][] | null;
            /**
             * @description Use the preset, strategy and tier of this persona
             * @default null
             */
            persona?: string | null;
            /**
             * Format: uint8
             * @description Level of detail: 1 full, 2 summaries, 3 and 4 skeletons
             * @default null
             */
            tier?: number | null;
            /**
             * @description How to show files that have no view of their own
             * @default null
             * @enum {string|null}
             */
            strategy?: "auto" | "summarize" | "full" | null;
            /**
             * @description Show files in this view
             * @default null
             * @enum {string|null}
             */
            view?: "full" | "diff" | "skeleton" | "custom" | "masked" | "outline" | "summary" | "name" | "none" | null;
            /**
             * @description Show this file in full and the others in less detail; may be repeated
             * @default []
             */
            focus?: string[] | null;
            /**
             * @description Show symbols whole (`def`), as signatures (`sig`) or not at all (`hide`)
             * @default {}
             */
            mask?: {
                [key: string]: "def" | "sig" | "hide";
            } | null;
            /**
             * @description Only files that match, as in .gitignore; may be repeated
             * @default []
             */
            include?: string[] | null;
            /**
             * @description Leave out files that match, as in .gitignore; may be repeated
             * @default []
             */
            exclude?: string[] | null;
            /**
             * @description Fit the document into this many tokens, such as 8000 or 8k
             * @default null
             */
            budget?: number | string | null;
            /**
             * @description Fit the document into the window of this model; --budget wins
             * @default null
             */
            model?: string | null;
            /**
             * @description What the document is for: ranks files and functions
             * @default null
             */
            query?: string | null;
            /**
             * @description Order of the files [default: relevance with a query, else path]
             * @default null
             * @enum {string|null}
             */
            order?: "relevance" | "path" | null;
            /**
             * @description Leave out the header that a document with a query starts with
             * @default false
             */
            no_header?: boolean | null;
            /**
             * @description Leave out the task that a document with a query ends with
             * @default false
             */
            no_task?: boolean | null;
            /**
             * @description Standing instructions after the files: text, or on the command line a file
             * @default null
             */
            instructions?: string | null;
            /**
             * @description Tokens for passages from outside the selected files [default: 2000]
             * @default null
             */
            retrieve?: number | string | null;
            /**
             * @description Count tokens with this tokenizer; `claude` and `gemini` are estimates
             * @default null
             * @enum {string|null}
             */
            tokenizer?: "o200k_base" | "cl100k_base" | "estimate" | "claude" | "gemini" | null;
            /**
             * @description Write a document, a list of messages, or the request body of an API
             * @default null
             * @enum {string|null}
             */
            format?: "md" | "xml" | "json" | "messages" | "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax" | null;
            /**
             * @description Whether to include the discussion
             * @default null
             * @enum {string|null}
             */
            history?: "with" | "without" | "only" | null;
            /**
             * @description Show a tree of the selected files, or of all, before the files
             * @default null
             * @enum {string|null}
             */
            tree?: "none" | "selected" | "full" | null;
            /**
             * @description Number the lines of files
             * @default false
             */
            line_numbers?: boolean | null;
            /**
             * @description Add the changes since this revision, such as HEAD
             * @default null
             */
            diff?: string | null;
            /**
             * Format: uint
             * @description Add the newest N commits
             * @default null
             */
            log?: number | null;
            /**
             * @description Revision that the `diff` view compares with
             * @default null
             */
            base?: string | null;
            /**
             * @description Embed screenshots as base64 data instead of links
             * @default null
             */
            embed?: boolean | null;
            /**
             * @description Question to put after the document in a request [default: the query]
             * @default null
             */
            message?: string | null;
            /**
             * Format: uint64
             * @description Longest answer to request, in tokens
             * @default null
             */
            max_answer?: number | null;
            /**
             * Format: double
             * @description Sampling temperature, from 0 to 2
             * @default null
             */
            temperature?: number | null;
            /**
             * @description Leave out the cache marks of the provider
             * @default false
             */
            no_marks?: boolean | null;
            /**
             * @description Leave out summaries that models wrote
             * @default false
             */
            no_written?: boolean | null;
            /**
             * @description Fail and write nothing if an input cannot be read or shown as requested
             * @default false
             */
            strict?: boolean | null;
            /**
             * @description What to do with detected secrets [default: safety.secrets, else redact]
             * @default null
             * @enum {string|null}
             */
            secrets?: "redact" | "warn" | "deny" | "off" | null;
        };
        CompositionEntry: string | {
            /** @description A path, a glob or a folder. */
            path: string;
            /** @default true */
            auto_aggregate?: boolean | null;
            /** @default false */
            force_full?: boolean | null;
            /** @enum {string|null} */
            view_mode?: "full" | "diff" | "skeleton" | "custom" | "masked" | "outline" | "summary" | "name" | "none" | "sig" | "def" | "agg" | null;
            /** @default false */
            selected?: boolean | null;
            /** @default false */
            ast_signatures?: boolean | null;
            /** @default false */
            ast_definitions?: boolean | null;
            ast_mask?: {
                [key: string]: "def" | "sig" | "hide";
            } | null;
            custom_slices?: {
                start_line: number;
                end_line: number;
                tag?: string | null;
                comment?: string | null;
                content_hash?: string | null;
                anchor_lines?: string[] | null;
                fingerprint?: string | null;
            }[] | null;
            /** @description When the file was last put into a conversation. */
            injected_at?: string | number | null;
            tier?: number | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedDocumentAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @description File it was written to */
            path: string | null;
            tokens: components["schemas"]["TokenTotal"];
            /** Format: uint */
            bytes: number;
            items: components["schemas"]["ItemAnswer"][];
            left_out: components["schemas"]["PathReason"][];
            notes: components["schemas"]["NoteAnswer"][];
            prefix: components["schemas"]["CachedPrefix"];
            safety: components["schemas"]["SafetyAnswer"];
            /** @description How the budget was used */
            fit?: components["schemas"]["FitAnswer"] | null;
            /**
             * Format: uint64
             * @description Number of the run, of a numbered document
             */
            run?: number | null;
            /** @description The text itself, where it goes to standard output */
            document?: string | null;
        };
        /** @description Tokens of a whole document or context. */
        TokenTotal: {
            /** Format: uint64 */
            count: number;
            /** @description Whether it was counted, not estimated */
            exact: boolean;
            /** @enum {string} */
            tokenizer: "o200k_base" | "cl100k_base" | "estimate" | "claude" | "gemini";
            /** Format: uint64 */
            budget: number | null;
            /** @description Who set the budget */
            budget_from: string | null;
        };
        /** @description One item that is shown. */
        ItemAnswer: {
            path: string;
            /** @enum {string} */
            kind: "file" | "screenshot" | "diff" | "log" | "beads" | "retrieved" | "discussion" | "system" | "bootstrap" | "memory" | "skills" | "tools" | "history" | "current";
            /** @enum {string} */
            view: "full" | "diff" | "skeleton" | "custom" | "masked" | "outline" | "summary" | "name" | "none";
            /** Format: uint64 */
            tokens: number;
            /** @description SHA-256 of its content */
            hash: string | null;
            reason: string;
            error?: string | null;
            /** @description The model's summary that is shown */
            written?: components["schemas"]["WrittenBy"] | null;
        };
        /** @description Who wrote a summary. */
        WrittenBy: {
            by: string;
            hash: string;
        };
        /** @description The part that does not change while only questions and history do. */
        CachedPrefix: {
            /** Format: uint64 */
            bytes: number;
            /** Format: uint64 */
            tokens: number;
        };
        /** @description How a budget was used. */
        FitAnswer: {
            /**
             * Format: double
             * @description Gain as a share of the upper bound
             */
            share_of_bound: number;
            /** @description Dropped first with less budget */
            first_to_go: components["schemas"]["StepAnswer"][];
            /** @description Added first with more budget */
            first_to_come: components["schemas"]["StepAnswer"][];
        };
        /** @description One step from a view to a larger one. */
        StepAnswer: {
            path: string;
            symbol: string | null;
            shows: string;
            /** Format: uint64 */
            tokens: number;
            /** Format: double */
            worth: number;
        };
        /** @description An answer with the version of its shape. */
        VersionedPreviewAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            sections: components["schemas"]["SectionAnswer"][];
            prefix: components["schemas"]["CachedPrefix"];
            /** @description What differs from the last run */
            last: components["schemas"]["SinceAnswer"] | null;
            document: components["schemas"]["VersionedDocumentAnswer"];
            text: string;
        };
        /** @description A part of a document, as a range of its bytes. */
        SectionAnswer: {
            title: string;
            /** Format: uint8 */
            level: number;
            /** Format: uint */
            start: number;
            /** Format: uint */
            end: number;
            /** @description The item that it shows */
            item: components["schemas"]["SectionItem"] | null;
        };
        /** @description The item of a section. */
        SectionItem: {
            path: string;
            /** @enum {string} */
            kind: "file" | "screenshot" | "diff" | "log" | "beads" | "retrieved" | "discussion" | "system" | "bootstrap" | "memory" | "skills" | "tools" | "history" | "current";
            /** @enum {string} */
            view: "full" | "diff" | "skeleton" | "custom" | "masked" | "outline" | "summary" | "name" | "none";
        };
        /** @description What changed since the last run. */
        SinceAnswer: {
            /**
             * Format: uint64
             * @description Number of the last run
             */
            run: number;
            /** @description Whether the bytes are the same */
            same: boolean;
            /** @description Where the bytes of the last run are left */
            first_difference: components["schemas"]["SinceDifference"] | null;
            /** @description The common beginning */
            kept: components["schemas"]["CommonPrefix"];
            added: components["schemas"]["RunItem"][];
            removed: components["schemas"]["RunItem"][];
            changed: components["schemas"]["ChangedItem"][];
            /** @description Options and settings */
            altered: components["schemas"]["AlteredOption"][];
            /** @description Line by line, if the bytes of the run still exist */
            lines: components["schemas"]["LineChanges"] | null;
        };
        /** @description Where a document leaves the bytes of the last run. */
        SinceDifference: {
            item: string | null;
            /** @enum {string} */
            cause: "content" | "written" | "view" | "reason" | "added" | "removed" | "order" | "settings" | "unknown";
            /** @description The cause as a sentence */
            why: string;
            /** Format: uint64 */
            byte: number;
            /** @description Whether the byte is exact */
            exact: boolean;
            /**
             * Format: uint64
             * @description End of the block that has the byte, if it is not exact
             */
            until: number | null;
            /** @description Block of a request, such as `messages[0].content[1]` */
            place: string | null;
        };
        /** @description An item that a run showed. */
        RunItem: {
            path: string;
            kind: string;
            view: string;
            /** Format: uint64 */
            tokens: number;
            /** @description SHA-256 of its content */
            hash: string | null;
            reason: string;
            error?: string | null;
            /** @description Hash of the model's summary that is shown */
            written?: string | null;
        };
        /** @description An item of both runs that is shown differently. */
        ChangedItem: {
            path: string;
            kind: string;
            /** @description Whether its content changed, not only its view */
            content: boolean;
            view: components["schemas"]["OldNew_string"];
            tokens: components["schemas"]["OldNew_uint64"];
            reason: components["schemas"]["OldNew_string"];
        };
        /** @description A value before and after. */
        OldNew_string: {
            old: string;
            new: string;
        };
        /** @description A value before and after. */
        OldNew_uint64: {
            /** Format: uint64 */
            old: number;
            /** Format: uint64 */
            new: number;
        };
        /** @description An option or a setting that changed. */
        AlteredOption: {
            /** @enum {string} */
            what: "option" | "request" | "setting" | "version";
            name: string;
            old: string | null;
            new: string | null;
        };
        /** @description What leads from the earlier output to the later one, line by line. */
        LineChanges: {
            /** Format: uint */
            added: number;
            /** Format: uint */
            removed: number;
            hunks: components["schemas"]["HunkAnswer"][];
            /** @description What is not listed */
            left: components["schemas"]["LinesLeft"];
        };
        /** @description Lines that changed, with those around them. */
        HunkAnswer: {
            /** Format: uint */
            old_start: number;
            /** Format: uint */
            old_lines: number;
            /** Format: uint */
            new_start: number;
            /** Format: uint */
            new_lines: number;
            /**
             * Format: uint
             * @description Position of its first change in the later output
             */
            byte: number;
            item: string | null;
            lines: components["schemas"]["LineAnswer"][];
        };
        /** @description A line: its sign (` `, `-` or `+`), its text, and the number of bytes of it that are left out. */
        LineAnswer: [
            string,
            string,
            number
        ];
        /** @description Changes that are not listed because there are too many. */
        LinesLeft: {
            /** Format: uint */
            hunks: number;
            /** Format: uint */
            lines: number;
        };
        /** @description An answer with the version of its shape. */
        VersionedViewsAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            path: string;
            /** @description Word after the fence */
            language: string;
            /** Format: uint64 */
            lines: number;
            views: components["schemas"]["ViewAnswer"][];
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description A view. */
        ViewAnswer: {
            /** @enum {string} */
            view: "full" | "diff" | "skeleton" | "custom" | "masked" | "outline" | "summary" | "name" | "none";
            /** Format: uint64 */
            tokens: number;
            text: string;
            /** @description Why a poorer view is shown than the one that was asked for */
            fell_back: string | null;
            /** @description Why the view could not be made */
            error: string | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedShowAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            path: string;
            /** @enum {string} */
            view: "full" | "diff" | "skeleton" | "custom" | "masked" | "outline" | "summary" | "name" | "none";
            /** Format: uint64 */
            tokens: number;
            text: string;
            /** @description Why a poorer view is shown than the one that was asked for */
            fell_back: string | null;
            /** @description Why the view could not be made */
            error: string | null;
            notes: components["schemas"]["NoteAnswer"][];
            safety: components["schemas"]["SafetyAnswer"];
        };
        /** @description One symbol of a file. */
        SymbolRow: {
            name: string;
            qualified: string;
            /** @enum {string} */
            kind: "function" | "method" | "class" | "struct" | "enum" | "union" | "trait" | "interface" | "protocol" | "impl" | "extension" | "object" | "type" | "constant" | "variable" | "field" | "variant" | "macro" | "module" | "namespace";
            /** Format: uint */
            start_line: number;
            /** Format: uint */
            end_line: number;
            /**
             * Format: uint
             * @description First line with its comments and attributes
             */
            first_line: number;
            signature: string;
            /** @enum {string} */
            visibility: "public" | "internal" | "private";
            doc: string | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedRelatedAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            of: string[];
            files: components["schemas"]["RelatedRow"][];
            notes: components["schemas"]["NoteAnswer"][];
        };
        RelatedRow: {
            path: string;
            /** @description Whether it is imported, not only mentioned */
            imported: boolean;
            names: string[];
            reason: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedSearchAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            query?: string | null;
            files: components["schemas"]["FileHitRow"][];
            symbols: components["schemas"]["SymbolHitRow"][];
            passages: components["schemas"]["PassageRow"][];
            /**
             * Format: uint
             * @description How many files were ranked
             */
            ranked: number;
            tokens: components["schemas"]["TokenSum"];
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description A file that answers a query. */
        FileHitRow: {
            path: string;
            /**
             * Format: double
             * @description How probable it is that the query needs it; all files together have 1
             */
            score: number;
            /** @description The strongest evidence first */
            reasons: string[];
        };
        /** @description A symbol that answers a query. */
        SymbolHitRow: {
            path: string;
            qualified: string;
            /** @enum {string} */
            kind: "function" | "method" | "class" | "struct" | "enum" | "union" | "trait" | "interface" | "protocol" | "impl" | "extension" | "object" | "type" | "constant" | "variable" | "field" | "variant" | "macro" | "module" | "namespace";
            /** Format: uint */
            start_line: number;
            /** Format: uint */
            end_line: number;
            /**
             * Format: double
             * @description How probable it is that the query needs it; all symbols together have 1
             */
            score: number;
            /** @description The strongest evidence first */
            reasons: string[];
        };
        /** @description Lines of one file. */
        PassageRow: {
            path: string;
            /** @description Such as `4-7, 15` */
            lines: string;
            /**
             * Format: uint32
             * @description Rank of its file, from 1
             */
            rank: number;
            text: string;
        };
        /** @description Tokens and who counted them, where there is no budget. */
        TokenSum: {
            /** Format: uint64 */
            count: number;
            /** @description Whether it was counted, not estimated */
            exact: boolean;
            /** @enum {string} */
            tokenizer: "o200k_base" | "cl100k_base" | "estimate" | "claude" | "gemini";
        };
        /** @description An answer with the version of its shape. */
        VersionedReasonAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            path: string;
            shown: boolean;
            /** @enum {string|null} */
            view: "full" | "diff" | "skeleton" | "custom" | "masked" | "outline" | "summary" | "name" | "none" | null;
            /** Format: uint64 */
            tokens: number | null;
            reason: string;
            details: string[];
            hint: string | null;
            /** @description How it was ranked, under a budget */
            weighed: components["schemas"]["WeighedFile"] | null;
        };
        WeighedFile: {
            /** Format: uint32 */
            rank: number;
            /** Format: uint32 */
            of: number;
            /** Format: double */
            relevance: number;
            parts: components["schemas"]["Evidence"][];
            /** @description Its next step with more budget */
            next: components["schemas"]["StepAnswer"] | null;
            symbols: components["schemas"]["WeighedSymbol"][];
            /**
             * Format: uint
             * @description How many symbols there are, where the list is shortened
             */
            symbols_total?: number | null;
        };
        /** @description One kind of evidence for relevance. */
        Evidence: {
            what: string;
            /** Format: double */
            adds: number;
        };
        WeighedSymbol: {
            qualified: string;
            shown: string;
            /** Format: double */
            relevance: number;
            parts: components["schemas"]["Evidence"][];
            next: components["schemas"]["StepAnswer"] | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedTokensAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            tokens: components["schemas"]["TokenSum"];
            files: components["schemas"]["FileTokenRow"][];
            folders: components["schemas"]["FolderTokenRow"][];
            notes: components["schemas"]["NoteAnswer"][];
        };
        FileTokenRow: {
            path: string;
            /** Format: uint64 */
            tokens: number;
            /** Format: uint64 */
            bytes: number;
            error: string | null;
        };
        FolderTokenRow: {
            path: string;
            /** Format: uint64 */
            tokens: number;
        };
        /** @description An answer with the version of its shape. */
        VersionedStatsAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            total: components["schemas"]["StatsTotals"];
            tokens: components["schemas"]["TokenSum"];
            languages: components["schemas"]["StatsTotals"][];
            folders: components["schemas"]["StatsTotals"][];
            notes: components["schemas"]["NoteAnswer"][];
        };
        StatsTotals: {
            name: string;
            /** Format: uint64 */
            files: number;
            /** Format: uint64 */
            bytes: number;
            /** Format: uint64 */
            lines: number;
            /** Format: uint64 */
            tokens: number;
            /** @description How many of each kind */
            symbols: {
                [key: string]: number;
            };
        };
        StoredSlice: {
            start_line: number;
            end_line: number;
            tag?: string | null;
            comment?: string | null;
            content_hash?: string | null;
            anchor_lines?: string[] | null;
            fingerprint?: string | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedSlicesRefreshedAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            file: string;
            slices: components["schemas"]["SliceAnswer"][];
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description A stored slice and where it is now. */
        SliceAnswer: {
            path?: string | null;
            /** @enum {string} */
            outcome: "exact" | "moved" | "changed" | "ambiguous" | "lost";
            /** Format: uint64 */
            start_line: number | null;
            /** Format: uint64 */
            end_line: number | null;
            /** Format: double */
            confidence: number;
            why: string;
            tag: string | null;
            /** Format: uint64 */
            old_start_line: number;
            /** Format: uint64 */
            old_end_line: number;
            /** @description Whether it was stored anew */
            stored?: boolean | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedSlicesAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            path: string;
            slices: components["schemas"]["SliceAnswer"][];
            /** @description Left out where they are printed for people */
            notes?: components["schemas"]["NoteAnswer"][] | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedScanAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @enum {string} */
            policy: "redact" | "warn" | "deny" | "off";
            /** @enum {string} */
            hidden_text: "warn" | "strip" | "escape" | "deny" | "off";
            secrets: components["schemas"]["SecretRow"][];
            hidden: components["schemas"]["HiddenRow"][];
            /** Format: uint64 */
            files: number;
            /** Format: uint64 */
            bytes: number;
            /**
             * Format: uint64
             * @description Findings that `safety.allow` permits
             */
            allowed: number;
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description An answer with the version of its shape. */
        VersionedSettingChanged: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            key: string;
            /** @description File with the setting */
            file: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedPresetsAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            presets: components["schemas"]["PresetAnswer"][];
        };
        /** @description One preset. */
        PresetAnswer: {
            name: string;
            /** @enum {string} */
            scope: "project" | "global";
            description: string | null;
            files: components["schemas"]["CompositionEntry"][];
            screenshots: string[];
            /** @description Entries whose file does not exist */
            missing: string[];
            /** @description Whether it hides a global preset of this name */
            shadows_global: boolean;
        };
        /** @description An answer with the version of its shape. */
        VersionedPresetAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            name: string;
            /** @enum {string} */
            scope: "project" | "global";
            description: string | null;
            files: components["schemas"]["CompositionEntry"][];
            screenshots: string[];
            /** @description Entries whose file does not exist */
            missing: string[];
            /** @description Whether it hides a global preset of this name */
            shadows_global: boolean;
        };
        /** @description An answer with the version of its shape. */
        VersionedPresetSaved: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @description Name of the preset */
            saved: string;
            /** @description File with the preset */
            file: string;
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description An answer with the version of its shape. */
        VersionedPresetApplied: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            applied: components["schemas"]["PresetAnswer"];
        };
        /** @description An answer with the version of its shape. */
        VersionedPresetDiffAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            added: components["schemas"]["CompositionEntry"][];
            removed: components["schemas"]["CompositionEntry"][];
            changed: components["schemas"]["EntryChange"][];
            screenshots_added: string[];
            screenshots_removed: string[];
        };
        /** @description Differences between two entries of one path. */
        EntryChange: {
            path: string;
            fields: components["schemas"]["FieldChange"][];
        };
        /** @description Old and new value as TOML; null where it is not set. */
        FieldChange: {
            field: string;
            old: string | null;
            new: string | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedPresetRemoved: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @description Name of the preset */
            removed: string;
            /** @description File that had the preset */
            file: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedPersonasAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            personas: components["schemas"]["PersonaAnswer"][];
        };
        /** @description One persona. */
        PersonaAnswer: {
            name: string;
            /** @enum {string} */
            scope: "project" | "global";
            /** @description Whether the project has one of this name, which is used instead */
            hidden: boolean;
            /** @description Whether it hides a global persona of this name */
            shadows_global: boolean;
            /** @description Whether it is used when a request names none */
            default: boolean;
            system_prompt: string | null;
            preferred_models: components["schemas"]["PersonaModel"][];
            context_preset: string | null;
            /** @enum {string|null} */
            aggregation_strategy: "auto" | "summarize" | "full" | null;
            /** Format: uint8 */
            tier: number | null;
            /** Format: uint64 */
            budget: number | null;
            /** @description Fields that it does not set */
            unset: string[];
            /** @description Its preset, where there is none of that name */
            missing_preset: string | null;
        };
        /** @description A model that a persona prefers, with settings of its own for requests. */
        PersonaModel: {
            provider: string;
            model: string;
            /** Format: double */
            temperature: number | null;
            /** Format: double */
            top_p: number | null;
            /** Format: uint64 */
            max_output_tokens: number | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedPersonaAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            name: string;
            /** @enum {string} */
            scope: "project" | "global";
            /** @description Whether the project has one of this name, which is used instead */
            hidden: boolean;
            /** @description Whether it hides a global persona of this name */
            shadows_global: boolean;
            /** @description Whether it is used when a request names none */
            default: boolean;
            system_prompt: string | null;
            preferred_models: components["schemas"]["PersonaModel"][];
            context_preset: string | null;
            /** @enum {string|null} */
            aggregation_strategy: "auto" | "summarize" | "full" | null;
            /** Format: uint8 */
            tier: number | null;
            /** Format: uint64 */
            budget: number | null;
            /** @description Fields that it does not set */
            unset: string[];
            /** @description Its preset, where there is none of that name */
            missing_preset: string | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedSettingsAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            settings: components["schemas"]["VersionedSettingAnswer"][];
        };
        /** @description An answer with the version of its shape. */
        VersionedSettingAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            key: string;
            /** @description Null where it is not set */
            value: unknown;
            /** @description Who set it */
            origin: string;
        };
        /** @description A JSON Schema of `contexture.toml`. */
        SettingsSchema: {
            [key: string]: unknown;
        };
        /** @description An answer with the version of its shape. */
        VersionedFileWritten: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            path: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedImportedProjectAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @description File it was written to */
            path: string | null;
            text: string;
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description An answer with the version of its shape. */
        VersionedPruneAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            removed: string[];
            /**
             * Format: uint
             * @description Number of documents that are left
             */
            kept: number;
        };
        /** @description An answer with the version of its shape. */
        VersionedDoctorAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @description Whether every check passed */
            ok: boolean;
            checks: components["schemas"]["CheckRow"][];
        };
        CheckRow: {
            name: string;
            ok: boolean;
            text: string;
            hint: string | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedRunsAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            runs: components["schemas"]["RunRow"][];
        };
        /** @description One run of a list. */
        RunRow: {
            /** Format: uint64 */
            number: number;
            /**
             * @description What was done.
             * @enum {string}
             */
            kind: "build" | "send" | "agent";
            /** @description RFC 3339 */
            created: string;
            options: components["schemas"]["RunOptions"];
            tokens: components["schemas"]["RunTokens"];
            output: components["schemas"]["RunOutput"];
            /** @description The request that was sent, if any */
            sent: components["schemas"]["SentAnswer"] | null;
            /**
             * Format: uint64
             * @description Number of items that were shown
             */
            items: number;
            /**
             * Format: uint64
             * @description Number of items that were not
             */
            left_out: number;
        };
        /** @description Options in effect, and who set them. */
        RunOptions: {
            strategy: string;
            strategy_from: string;
            format: string;
            tokenizer: string;
            /** Format: uint64 */
            budget: number | null;
            budget_from: string | null;
        };
        /** @description The output of a run, without its bytes. */
        RunOutput: {
            /** @description SHA-256 */
            hash: string;
            /** Format: uint64 */
            bytes: number;
            /** @description File it was written to */
            path: string | null;
        };
        /** @description A request that was sent, and its outcome. */
        SentAnswer: {
            provider: string;
            model: string;
            usage: components["schemas"]["RunUsage"] | null;
            /** Format: uint64 */
            latency_ms: number | null;
            /**
             * Format: double
             * @description US dollars
             */
            cost: number | null;
            error: string | null;
        };
        /** @description Tokens that a provider reported. */
        RunUsage: {
            /** Format: uint64 */
            input: number;
            /** Format: uint64 */
            output: number;
            /**
             * Format: uint64
             * @description Input tokens read from the cache
             */
            cached: number;
            /**
             * Format: uint64
             * @description Input tokens written to the cache
             */
            written: number;
        };
        /** @description An answer with the version of its shape. */
        VersionedRunAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** Format: uint64 */
            number: number;
            /**
             * @description What was done.
             * @enum {string}
             */
            kind: "build" | "send" | "agent";
            /** @description RFC 3339 */
            created: string;
            options: components["schemas"]["RunOptions"];
            tokens: components["schemas"]["RunTokens"];
            output: components["schemas"]["RunOutput"];
            /** @description The request that was sent, if any */
            sent: components["schemas"]["SentAnswer"] | null;
            /** @description Version of the program */
            version: string;
            /** @description The request as it was made */
            request: unknown;
            prefix: components["schemas"]["CachedPrefix"];
            /** @description Hash of all settings */
            config: string;
            /** @description Settings that are not defaults */
            settings: {
                [key: string]: string;
            };
            items: components["schemas"]["RunItem"][];
            left_out: components["schemas"]["PathReason"][];
            notes: components["schemas"]["RunNote"][];
            /** @description The parts of the output, in its order */
            blocks: components["schemas"]["RunBlock"][];
        };
        /** @description One note of a run. */
        RunNote: {
            topic: string;
            path: string | null;
            text: string;
            /** @description One thing to do about it */
            hint: string | null;
        };
        /** @description Bytes of the output that depend on one item, or on none. */
        RunBlock: {
            /**
             * Format: uint
             * @description Index of the item
             */
            item: number | null;
            path: string | null;
            /** Format: uint64 */
            bytes: number;
            /** Format: uint64 */
            tokens: number;
            hash: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedRunsDiffAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /**
             * Format: uint64
             * @description Number of the earlier run
             */
            old: number;
            /**
             * Format: uint64
             * @description Number of the later run
             */
            new: number;
            /** @description Whether the bytes are the same */
            same: boolean;
            added: components["schemas"]["RunItem"][];
            removed: components["schemas"]["RunItem"][];
            changed: components["schemas"]["ChangedItem"][];
            /** @description Options and settings */
            altered: components["schemas"]["AlteredOption"][];
            first: components["schemas"]["FirstDifference"] | null;
            /** @description The common beginning */
            common: components["schemas"]["CommonPrefix"];
            /** @description What the provider's cache reuses, for two requests to one API */
            cache: components["schemas"]["CacheReuse"] | null;
        };
        /** @description Where two outputs part. */
        FirstDifference: {
            /** Format: uint64 */
            byte: number;
            /** @description Whether the byte is exact */
            exact: boolean;
            /**
             * Format: uint64
             * @description End of the block that has the byte, if it is not exact
             */
            until: number | null;
            /** @description The items there */
            item: components["schemas"]["OldNew_Nullable_string"];
            /** @description Block of a request, such as `messages[0].content[1]` */
            place: string | null;
            /** @enum {string} */
            cause: "content" | "written" | "view" | "reason" | "added" | "removed" | "order" | "settings" | "unknown";
            /** @description The cause as a sentence */
            why: string;
        };
        /** @description A value before and after. */
        OldNew_Nullable_string: {
            old: string | null;
            new: string | null;
        };
        /** @description What a provider's cache reuses of an earlier request. */
        CacheReuse: {
            /** @enum {string} */
            provider: "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax";
            /** Format: uint64 */
            reused_tokens: number;
            /** Format: uint64 */
            tokens: number;
            /** Format: uint64 */
            written_tokens: number;
            first: components["schemas"]["ReuseEnd"] | null;
            rule: components["schemas"]["CacheRule"];
        };
        /** @description Where the reuse ends. */
        ReuseEnd: {
            /** Format: uint */
            byte: number;
            /** Format: uint */
            earlier_byte: number;
            place: string;
            /** @enum {string} */
            change: "changed" | "goes_on" | "ends" | "model";
            item: string | null;
            cause: string | null;
        };
        /** @description The caching rule of a provider. */
        CacheRule: {
            /** @enum {string} */
            kind: "marks" | "points" | "steps" | "prefix" | "units";
            /**
             * Format: uint64
             * @description Fewest tokens that are cached
             */
            minimum: number;
            /** Format: uint64 */
            minutes: number;
            /** @description Date on which the source was read */
            checked: string;
            source: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedRunTextAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @enum {string} */
            what: "request" | "response";
            text: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedReplayAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** Format: uint64 */
            number: number;
            /** @description Whether the bytes are the same */
            same: boolean;
            /** @description File it was written to */
            path: string | null;
            /** @description The output that the run recorded */
            output: components["schemas"]["RunOutput"];
            difference: components["schemas"]["DifferenceAnswer"] | null;
            /** @description The document, if it is the same or was requested anyway */
            document?: string | null;
        };
        /** @description What differs between two outputs. */
        DifferenceAnswer: {
            /** @description Whether the bytes are the same */
            same: boolean;
            added: components["schemas"]["RunItem"][];
            removed: components["schemas"]["RunItem"][];
            changed: components["schemas"]["ChangedItem"][];
            /** @description Options and settings */
            altered: components["schemas"]["AlteredOption"][];
            first: components["schemas"]["FirstDifference"] | null;
            /** @description The common beginning */
            common: components["schemas"]["CommonPrefix"];
        };
        /** @description An answer with the version of its shape. */
        VersionedCacheStatusAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** Format: uint8 */
            tier: number;
            files: components["schemas"]["SummaryStatus"][];
            /**
             * Format: uint
             * @description Number of files with a current summary
             */
            fresh: number;
            /**
             * Format: uint
             * @description Number of files with a summary of an earlier version
             */
            stale: number;
            /**
             * Format: uint
             * @description Number of files without a summary
             */
            none: number;
            /**
             * Format: uint
             * @description Number of files that are not summarized
             */
            not_summarized: number;
            /**
             * Format: uint64
             * @description Number of damaged entries
             */
            damaged: number;
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description The summary of one file. */
        SummaryStatus: {
            path: string;
            /**
             * @description `fresh`, `stale` or `none`
             * @enum {string}
             */
            state: "fresh" | "stale" | "none";
            /** @description Provider and model */
            by: string | null;
            /** @description RFC 3339 */
            generated_at: string | null;
            /** Format: uint8 */
            tier: number | null;
            /** @description Tiers that have a summary of this content */
            tiers: number[];
        };
        /** @description An answer with the version of its shape. */
        VersionedClearedAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /**
             * Format: uint64
             * @description Number of summaries
             */
            removed: number;
            /**
             * Format: uint64
             * @description Number of damaged entries
             */
            damaged: number;
            /** Format: uint64 */
            kept: number;
            /**
             * Format: uint64
             * @description Number of cached results, if they were removed
             */
            derived: number | null;
            /** Format: uint64 */
            freed_bytes: number;
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description An answer with the version of its shape. */
        VersionedVerifiedAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            ok: boolean;
            summaries: components["schemas"]["StoreState"] | null;
            /** @description Cached results; null if the cache is off */
            derived: components["schemas"]["DerivedState"] | null;
            /** @description The repair of a damaged store */
            repaired: components["schemas"]["RepairAnswer"] | null;
            /** @description Name of the file that a damaged cache was renamed to */
            derived_aside: string | null;
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description The store of summaries. */
        StoreState: {
            /** Format: uint64 */
            entries: number;
            damaged: components["schemas"]["DamagedEntry"][];
            problems: string[];
        };
        /** @description An entry that cannot be read. */
        DamagedEntry: {
            key: string;
            path: string | null;
            cause: string;
        };
        /** @description The cache of results that can be computed again. */
        DerivedState: {
            ok: boolean;
            text: string;
        };
        /** @description A damaged store that was set aside. */
        RepairAnswer: {
            cause: string;
            /** @description Name of its file now */
            aside: string | null;
            /**
             * Format: uint64
             * @description Number of entries that were saved
             */
            saved: number;
        };
        /** @description An answer with the version of its shape. */
        VersionedAgentAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @description File it was written to */
            path: string | null;
            tokens: components["schemas"]["TokenTotal"];
            /** Format: uint */
            bytes: number;
            items: components["schemas"]["ItemAnswer"][];
            left_out: components["schemas"]["PathReason"][];
            notes: components["schemas"]["NoteAnswer"][];
            prefix: components["schemas"]["CachedPrefix"];
            safety: components["schemas"]["SafetyAnswer"];
            /** @description How the budget was used */
            fit?: components["schemas"]["FitAnswer"] | null;
            /**
             * Format: uint64
             * @description Number of the run, of a numbered document
             */
            run?: number | null;
            /** @description The text itself, where it goes to standard output */
            document?: string | null;
            messages: components["schemas"]["MessageAnswer"][];
            /** @description By name, in the order of the context */
            layers: {
                [key: string]: components["schemas"]["LayerAnswer"];
            };
            /** @description Body of the request, or the text of the document */
            request?: unknown;
        };
        /** @description A message as `--format messages` writes it: role, content, and calls of tools. */
        MessageAnswer: {
            [key: string]: unknown;
        };
        /** @description One layer of a context. */
        LayerAnswer: {
            /** Format: uint64 */
            tokens: number;
            /** Format: uint64 */
            raw_bytes: number;
            /** Format: uint64 */
            shown_bytes: number;
            /** Format: uint */
            items: number;
            /** Format: uint */
            shown_items: number;
            /**
             * @description `ok`, `truncated`, `missing`, or `default` for built-in text
             * @enum {string}
             */
            state: "ok" | "truncated" | "missing" | "default";
            sources: components["schemas"]["LayerSource"][];
            /** @description Memories that are shown */
            entries?: components["schemas"]["MemoryEntry"][] | null;
        };
        /** @description A file that a layer comes from. */
        LayerSource: {
            path: string;
            /** Format: uint64 */
            raw_bytes: number;
            /** @enum {string} */
            state: "ok" | "truncated" | "missing" | "default";
        };
        /** @description A memory that is shown. */
        MemoryEntry: {
            text: string | null;
            /** Format: double */
            score: number;
            path: string;
            /** Format: uint64 */
            tokens: number;
        };
        /** @description An answer with the version of its shape. */
        VersionedCheckAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @enum {string} */
            provider: "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax";
            valid: boolean;
            violations: components["schemas"]["ViolationRow"][];
        };
        /** @description A rule that a request breaks. */
        ViolationRow: {
            /** @description Such as `messages[2].content[0]`; empty for the whole request */
            at: string;
            text: string;
            /** @description One thing to do about it */
            hint: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedSessionAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @description Format of its file */
            format: string;
            /** @description The session, as our files have it */
            session: {
                [key: string]: unknown;
            };
            /** @description What is not part of it, with numbers */
            skipped: {
                [key: string]: number;
            };
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description An answer with the version of its shape. */
        VersionedAppendedAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            path: string;
            /**
             * Format: uint
             * @description Number of messages in the file
             */
            messages: number;
            /** Format: uint64 */
            bytes: number;
            /** @description Whether the file is new */
            created: boolean;
            /** @description File that the damaged bytes were moved to */
            set_aside: string | null;
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description An answer with the version of its shape. */
        VersionedSendEvent: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
        } & ({
            /** @constant */
            event: "request";
            request: components["schemas"]["OutgoingRequest"];
        } | {
            /** @constant */
            event: "waiting";
            error: string;
            /** Format: double */
            seconds: number;
        } | {
            /** @constant */
            event: "text";
            text: string;
        } | {
            /** @constant */
            event: "thought";
            text: string;
        } | {
            /** @constant */
            event: "call";
            /** Format: uint */
            call: number;
            id: string;
            name: string;
        } | {
            /** @constant */
            event: "arguments";
            /** Format: uint */
            call: number;
            piece: string;
        } | {
            /** @constant */
            event: "usage";
            usage: components["schemas"]["UsageAnswer"];
        } | {
            /** @constant */
            event: "end";
            stop: string;
        } | {
            /** @constant */
            event: "failed";
            error: string;
            usage: components["schemas"]["UsageAnswer"] | null;
            /** @description Usage of the attempts before the last */
            before: components["schemas"]["UsageAnswer"][];
            /**
             * Format: double
             * @description US dollars for all attempts
             */
            cost: number | null;
            /**
             * Format: uint64
             * @description Number of the run
             */
            run: number | null;
        } | {
            /** @constant */
            event: "instead";
            model: string;
            because: string;
        } | ({
            /** @constant */
            event: "done";
        } & components["schemas"]["SentMessage"]));
        /** @description A request that is ready to be sent. */
        OutgoingRequest: {
            /** @enum {string} */
            provider: "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax" | "gemini-cli";
            model: string | null;
            /**
             * Format: uint64
             * @description Number of its run
             */
            run: number | null;
            /** Format: uint */
            bytes: number;
            /**
             * Format: uint64
             * @description Tokens as the provider is expected to count them
             */
            tokens: number;
            /**
             * Format: uint
             * @description Number of answers from which that was learned
             */
            learnt_from: number;
            /**
             * Format: double
             * @description US dollars without the answer
             */
            cost: number | null;
            cache: components["schemas"]["ExpectedReuse"] | null;
            document: components["schemas"]["VersionedDocumentAnswer"];
        };
        /** @description What the provider's cache is expected to reuse. */
        ExpectedReuse: {
            /** Format: uint64 */
            reused_tokens: number;
            /** Format: uint64 */
            written_tokens: number;
            /** Format: uint64 */
            tokens: number;
        };
        /** @description Tokens as a server counts them; null where it does not report them. */
        UsageAnswer: {
            /** Format: uint64 */
            input: number | null;
            /** Format: uint64 */
            output: number | null;
            /**
             * Format: uint64
             * @description Input tokens read from the cache
             */
            cached: number | null;
            /**
             * Format: uint64
             * @description Input tokens written to the cache
             */
            written: number | null;
            /**
             * Format: uint64
             * @description Output tokens that are reasoning
             */
            thinking: number | null;
        };
        /** @description The answer of a model. */
        SentMessage: {
            answer: string;
            /** @enum {string} */
            provider: "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax" | "gemini-cli";
            model: string | null;
            stop: string;
            usage: components["schemas"]["UsageAnswer"];
            /** @description Usage of the attempts before the last */
            before: components["schemas"]["UsageAnswer"][];
            /**
             * Format: double
             * @description US dollars for all attempts
             */
            cost: number | null;
            /** Format: uint64 */
            latency_ms: number;
            /**
             * Format: uint64
             * @description Number of the run
             */
            run: number | null;
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description An answer with the version of its shape. */
        VersionedSummarizeEvent: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
        } & ({
            /** @constant */
            event: "begin";
            /** Format: uint */
            total: number;
        } | ({
            /** @constant */
            event: "done";
        } & components["schemas"]["SummaryRow"]) | ({
            /** @constant */
            event: "failed";
        } & components["schemas"]["PathReason"]) | {
            /** @constant */
            event: "waiting";
            /** Format: double */
            seconds: number;
            reason: string;
        } | ({
            /** @constant */
            event: "end";
        } & components["schemas"]["SummarizedAnswer"]) | components["schemas"]["SummarizePlanAnswer"]);
        /** @description A summary that is stored. */
        SummaryRow: {
            path: string;
            /**
             * Format: uint64
             * @description Tokens of the summary
             */
            tokens: number;
            usage: components["schemas"]["UsageAnswer"];
            /**
             * Format: double
             * @description US dollars
             */
            cost: number | null;
            /**
             * Format: double
             * @description US dollars of the run up to here
             */
            cost_so_far?: number | null;
        };
        /** @description Why not all summaries were requested. */
        StopReason: {
            /** @constant */
            by: "max_cost";
            /** Format: double */
            max_cost: number;
            /** Format: double */
            next_cost: number;
        } | {
            /** @constant */
            by: "provider";
            message: string;
        } | {
            /** @constant */
            by: "interrupt";
        } | {
            /** @constant */
            by: "store";
            message: string;
        };
        /** @description Summaries that were written. */
        SummarizedAnswer: {
            /** @enum {string} */
            provider: "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax";
            model: string;
            /** Format: uint8 */
            tier: number;
            done: components["schemas"]["SummaryRow"][];
            failed: components["schemas"]["PathReason"][];
            /** @description Files for which no call was made */
            left: string[];
            /**
             * Format: uint
             * @description Number of files that had a summary
             */
            fresh: number;
            /** @description Files that are not summarized */
            skipped: components["schemas"]["PathReason"][];
            /** @description Why it stopped early */
            stopped: components["schemas"]["StopReason"] | null;
            usage: components["schemas"]["UsageAnswer"];
            /**
             * Format: double
             * @description US dollars
             */
            cost: number | null;
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description Summaries that would be written. */
        SummarizePlanAnswer: {
            /** @enum {string} */
            provider: "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax";
            model: string;
            /** Format: uint8 */
            tier: number;
            /** @description Always true */
            dry_run: boolean;
            files: components["schemas"]["PlannedRow"][];
            /**
             * Format: uint
             * @description Number of files that have a summary
             */
            fresh: number;
            /** @description Files that are not summarized */
            skipped: components["schemas"]["PathReason"][];
            tokens: components["schemas"]["PlannedTokens"];
            /**
             * Format: double
             * @description US dollars
             */
            cost: number | null;
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description A file to summarize. Tokens and cost are estimates. */
        PlannedRow: {
            path: string;
            /** @enum {string} */
            kind: "code" | "text" | "config" | "data";
            /** Format: uint64 */
            input_tokens: number;
            /** Format: uint64 */
            output_tokens: number;
            /**
             * Format: double
             * @description US dollars
             */
            cost: number | null;
        };
        /** @description Tokens of all files to summarize. */
        PlannedTokens: {
            /** Format: uint64 */
            input: number;
            /** Format: uint64 */
            output: number;
            /** @description Always false */
            exact: boolean;
        };
        /** @description An answer with the version of its shape. */
        VersionedTreesAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            trees: components["schemas"]["TreeRow"][];
        };
        /** @description Settings of a tree. */
        TreeRow: {
            id: string;
            /** @description Short id, which stays the same */
            local: string;
            title: string;
            /** @enum {string} */
            mode: "dialogue" | "buffer";
            system_context: string | null;
            buffer_mode_system_context: boolean;
            preferences: components["schemas"]["TreePreferences"];
            created: string;
            /**
             * Format: uint64
             * @description Number of nodes, in lists of trees
             */
            nodes?: number | null;
            /** @description Whether it is the tree in use, in lists of trees */
            in_use?: boolean | null;
        };
        /** @description What a tree sets instead of the general settings. */
        TreePreferences: {
            /** @enum {string|null} */
            truncation_strategy: "truncateMiddle" | "rollingWindow" | "stopAtLimit" | null;
            /** Format: uint64 */
            minimum_recent_nodes: number | null;
            /** Format: uint64 */
            token_buffer: number | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedTreeAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            tree: components["schemas"]["TreeRow"];
        };
        /** @description An answer with the version of its shape. */
        VersionedLoomAgentsAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            agents: components["schemas"]["AgentRow"][];
        };
        /** @description An author of nodes. */
        AgentRow: {
            id: string;
            name: string;
            /** @enum {string} */
            kind: "human" | "model";
            system_prompt: string | null;
            model: string | null;
            permissions: components["schemas"]["PermissionFlags"];
        };
        PermissionFlags: {
            loom_aware: boolean;
            loom_write: boolean;
            loom_generate: boolean;
            doc_read: boolean;
            doc_write: boolean;
        };
        /** @description An answer with the version of its shape. */
        VersionedLoomAgentAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            agent: components["schemas"]["AgentRow"];
        };
        /** @description An answer with the version of its shape. */
        VersionedPathsAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            tree: components["schemas"]["TreeRow"];
            paths: components["schemas"]["PathRow"][];
            /** @description Name of the path in use */
            in_use: string;
        };
        /** @description A path: where it ends, and what it chooses at forks. */
        PathRow: {
            id: string;
            name: string;
            /** @description Id of the node where it ends */
            active: string | null;
            choices: components["schemas"]["PathChoiceRow"][];
        };
        PathChoiceRow: {
            target: string;
            edge: string | null;
            source: string | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedWalkedPathAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            tree: components["schemas"]["TreeRow"];
            /** @description Id of the node where it ends */
            leaf: string;
            nodes: components["schemas"]["PathNodeRow"][];
            /** @description Nodes that are added to the system context */
            instructions: components["schemas"]["NodeRow"][];
            hidden: components["schemas"]["HiddenNodeRow"][];
        };
        /** @description A node without its connections. */
        PathNodeRow: {
            id: string;
            /** @description Short id, which stays the same */
            local: string;
            text: string;
            /** @description As `--format messages` writes it */
            message: unknown;
            /** @description Id of an agent */
            author: string;
            /** @enum {string} */
            author_type: "human" | "model";
            /** @description Id of the node that it is a version of */
            edited_from: string | null;
            created: string;
            hash: string;
            excluded: boolean;
            pruned: boolean;
            /** @description Id of the node that it was pruned with */
            pruned_with: string | null;
            bookmarked: boolean;
            /** @description Label of the bookmark */
            bookmark: string | null;
            /** @description Id in the program that it was imported from */
            origin: string | null;
            /** @enum {string} */
            role: "primary" | "context" | "annotation";
        };
        /** @description A node without its connections. */
        NodeRow: {
            id: string;
            /** @description Short id, which stays the same */
            local: string;
            text: string;
            /** @description As `--format messages` writes it */
            message: unknown;
            /** @description Id of an agent */
            author: string;
            /** @enum {string} */
            author_type: "human" | "model";
            /** @description Id of the node that it is a version of */
            edited_from: string | null;
            created: string;
            hash: string;
            excluded: boolean;
            pruned: boolean;
            /** @description Id of the node that it was pruned with */
            pruned_with: string | null;
            bookmarked: boolean;
            /** @description Label of the bookmark */
            bookmark: string | null;
            /** @description Id in the program that it was imported from */
            origin: string | null;
        };
        HiddenNodeRow: {
            local: string;
            /** @enum {string} */
            reason: "excluded" | "pruned" | "an annotation";
        };
        /** @description An answer with the version of its shape. */
        VersionedTreeMemoryAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            pins: components["schemas"]["PinRow"][];
            stashes: components["schemas"]["StashRow"][];
            actions: components["schemas"]["ActionRow"][];
        };
        PinRow: {
            id: string;
            local: string;
            text: string;
        };
        /** @description A text under a label. */
        StashRow: {
            label: string;
            text: string;
            /** @description Whether contexts show the text, not only the label */
            recalled: boolean;
        };
        ActionRow: {
            at: string;
            text: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedStashAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            stash: components["schemas"]["StashRow"];
        };
        /** @description An answer with the version of its shape. */
        VersionedStashDroppedAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            dropped: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedTreesVerifiedAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
        } & ({
            ok: boolean;
            /** Format: uint64 */
            trees: number;
            /** Format: uint64 */
            nodes: number;
            /** Format: uint64 */
            edges: number;
            problems: components["schemas"]["ProblemRow"][];
        } | {
            /** @description Copies of the damaged store */
            aside: string[];
            /** Format: uint64 */
            trees: number;
            /** Format: uint64 */
            nodes: number;
            /** @description Records that could not be read or had to be changed */
            lost: string[];
        });
        ProblemRow: {
            what: string;
            /** @description Id of a tree or a node */
            id: string;
            hint: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedOutlineAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            tree: components["schemas"]["TreeRow"];
            path: components["schemas"]["PathRow"];
            /** Format: uint */
            nodes: number;
            /** Format: uint */
            branches: number;
            /**
             * Format: uint64
             * @description Tokens of all visible texts on the path
             */
            path_tokens: number | null;
            /** @description Why the path cannot be walked */
            path_trouble: string | null;
            /** @enum {string} */
            tokenizer: "o200k_base" | "cl100k_base" | "estimate" | "claude" | "gemini";
            exact: boolean;
            outline: components["schemas"]["OutlineRow"][];
        };
        /** @description A line of an outline. */
        OutlineRow: components["schemas"]["OutlineNodeRow"] | {
            /**
             * Format: uint
             * @description Number of nodes that are not listed here
             */
            left_out: number;
        };
        /** @description A node without its connections. */
        OutlineNodeRow: {
            id: string;
            /** @description Short id, which stays the same */
            local: string;
            text: string;
            /** @description As `--format messages` writes it */
            message: unknown;
            /** @description Id of an agent */
            author: string;
            /** @enum {string} */
            author_type: "human" | "model";
            /** @description Id of the node that it is a version of */
            edited_from: string | null;
            created: string;
            hash: string;
            excluded: boolean;
            pruned: boolean;
            /** @description Id of the node that it was pruned with */
            pruned_with: string | null;
            bookmarked: boolean;
            /** @description Label of the bookmark */
            bookmark: string | null;
            /** @description Id in the program that it was imported from */
            origin: string | null;
            author_name: string;
            /** @description Short id of the node above it */
            parent: string | null;
            /**
             * Format: uint
             * @description Number of branches away from the column of the path
             */
            depth: number;
            on_path: boolean;
            /** @description Whether the path ends here */
            active: boolean;
            pinned: boolean;
            annotation: boolean;
            /** Format: uint */
            continuations: number;
            /** Format: uint64 */
            tokens: number;
        };
        /** @description An answer with the version of its shape. */
        VersionedNodeDetailsAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            tree: components["schemas"]["TreeRow"];
            node: components["schemas"]["NodeDetailsRow"];
        };
        /** @description A node without its connections. */
        NodeDetailsRow: {
            id: string;
            /** @description Short id, which stays the same */
            local: string;
            text: string;
            /** @description As `--format messages` writes it */
            message: unknown;
            /** @description Id of an agent */
            author: string;
            /** @enum {string} */
            author_type: "human" | "model";
            /** @description Id of the node that it is a version of */
            edited_from: string | null;
            created: string;
            hash: string;
            excluded: boolean;
            pruned: boolean;
            /** @description Id of the node that it was pruned with */
            pruned_with: string | null;
            bookmarked: boolean;
            /** @description Label of the bookmark */
            bookmark: string | null;
            /** @description Id in the program that it was imported from */
            origin: string | null;
            author_name: string;
            connections: components["schemas"]["ConnectionCounts"];
            sources: components["schemas"]["NeighborRow"][];
            targets: components["schemas"]["NeighborRow"][];
            /** @description Its other versions */
            versions: components["schemas"]["VersionRow"][];
            responses: components["schemas"]["ResponseRow"][];
        };
        /** @description Numbers of visible nodes that are connected to a node. */
        ConnectionCounts: {
            /** Format: uint32 */
            continuations: number;
            /** Format: uint32 */
            annotations: number;
            /**
             * Format: uint32
             * @description The node and its versions
             */
            versions: number;
        };
        NeighborRow: {
            id: string;
            local: string;
            /** @enum {string} */
            role: "primary" | "context" | "instruction";
            /** @enum {string} */
            edge: "continuation" | "annotation";
        };
        VersionRow: {
            id: string;
            local: string;
        };
        /** @description What a provider answered. */
        ResponseRow: {
            provider: string;
            model: string;
            /** Format: uint64 */
            input_tokens: number | null;
            /** Format: uint64 */
            output_tokens: number | null;
            /** Format: uint64 */
            latency_ms: number;
            created: string;
            /** @description The response as it came */
            body: string;
        };
        /** @description An answer with the version of its shape. */
        VersionedNodeAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            tree: components["schemas"]["TreeRow"];
            node: components["schemas"]["NodeRow"];
            /** @description The path that leads to it, after a path was changed */
            path?: components["schemas"]["PathRow"] | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedChangedNodesAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            tree?: components["schemas"]["TreeRow"];
            node?: components["schemas"]["NodeRow"];
            /** @description The path that leads to it, after a path was changed */
            path?: components["schemas"]["PathRow"] | null;
            /**
             * Format: uint
             * @description Number of nodes that were changed with a single one
             */
            count?: number | null;
            nodes: components["schemas"]["ChangedNode"][];
        };
        /** @description A node that was changed. */
        ChangedNode: {
            id: string;
            /** @description Short id, which stays the same */
            local: string;
            text: string;
            /** @description As `--format messages` writes it */
            message: unknown;
            /** @description Id of an agent */
            author: string;
            /** @enum {string} */
            author_type: "human" | "model";
            /** @description Id of the node that it is a version of */
            edited_from: string | null;
            created: string;
            hash: string;
            excluded: boolean;
            pruned: boolean;
            /** @description Id of the node that it was pruned with */
            pruned_with: string | null;
            bookmarked: boolean;
            /** @description Label of the bookmark */
            bookmark: string | null;
            /** @description Id in the program that it was imported from */
            origin: string | null;
            /**
             * Format: uint
             * @description Number of nodes that were changed with it
             */
            count?: number | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedAssembledPathAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @description File it was written to */
            path: string | null;
            tokens: components["schemas"]["TokenTotal"];
            /** Format: uint */
            bytes: number;
            items: components["schemas"]["ItemAnswer"][];
            left_out: components["schemas"]["PathReason"][];
            notes: components["schemas"]["NoteAnswer"][];
            prefix: components["schemas"]["CachedPrefix"];
            safety: components["schemas"]["SafetyAnswer"];
            /** @description How the budget was used */
            fit?: components["schemas"]["FitAnswer"] | null;
            /**
             * Format: uint64
             * @description Number of the run, of a numbered document
             */
            run?: number | null;
            /** @description The text itself, where it goes to standard output */
            document?: string | null;
            tree: components["schemas"]["TreeRow"];
            /** @description Id of the node where the path ends */
            leaf: string;
            /** @description Name of the agent it is for */
            agent: string | null;
            truncation: components["schemas"]["TruncationAnswer"] | null;
            /** @description Messages of a dialogue, as `--format messages` writes them */
            messages?: unknown[] | null;
            /** @description Continuous text */
            text?: string | null;
            /** @description The body of a request, or the text of a document */
            request?: unknown;
        };
        /** @description How a path was cut. */
        TruncationAnswer: {
            truncated: boolean;
            /** @enum {string} */
            strategy: "truncateMiddle" | "rollingWindow" | "stopAtLimit";
            removed: string[];
            shortened: string[];
            /** Format: uint64 */
            tokens_before: number;
            /** Format: uint64 */
            tokens_after: number;
            /** Format: uint */
            minimum_recent_nodes: number;
            /** Format: uint */
            recent_nodes: number;
            /** @description Whether fewer of the newest nodes fit than the setting keeps */
            minimum_recent_shrunk: boolean;
        };
        /** @description An answer with the version of its shape. */
        VersionedGeneratedNodesAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            tree: components["schemas"]["TreeRow"];
            nodes: components["schemas"]["NodeRow"][];
            /** @description Tokens as the server counts them */
            usage: components["schemas"]["GenerationUsage"];
            sent: components["schemas"]["SentTokens"];
            truncation: components["schemas"]["TruncationAnswer"] | null;
            notes: components["schemas"]["NoteAnswer"][];
        };
        GenerationUsage: {
            /** Format: uint64 */
            input_tokens: number | null;
            /** Format: uint64 */
            output_tokens: number | null;
        };
        /** @description Tokens of the path that was sent. */
        SentTokens: {
            /** Format: uint64 */
            tokens: number;
            exact: boolean;
            /** @enum {string} */
            tokenizer: "o200k_base" | "cl100k_base" | "estimate" | "claude" | "gemini";
        };
        /** @description An answer with the version of its shape. */
        VersionedTreeFilesAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            tree: components["schemas"]["TreeRow"];
            /** @enum {string} */
            format: "contexture" | "pyloom" | "loomsidian" | "loom-engine" | "pi" | "chatgpt";
            /** @description Where the files were written */
            path: string | null;
            files: components["schemas"]["TreeFileRow"][];
            notes: components["schemas"]["NoteAnswer"][];
        };
        TreeFileRow: {
            path: string;
            /** Format: uint */
            bytes: number;
            /** @description Its text, unless it was written */
            text: string | null;
        };
        /** @description An answer with the version of its shape. */
        VersionedTreesImportedAnswer: {
            /**
             * Format: uint8
             * @description Version of the shape
             */
            v: number;
            /** @enum {string} */
            format: "contexture" | "pyloom" | "loomsidian" | "loom-engine" | "pi" | "chatgpt";
            trees: components["schemas"]["TreeRow"][];
            /** @description Number of records that were left out, by kind */
            skipped: {
                [key: string]: number;
            };
            notes: components["schemas"]["NoteAnswer"][];
        };
        /** @description A document, as the body of an operation that compiles one. */
        DocumentBody: {
            /**
             * @description The document
             * @default {
             *       "paths": [],
             *       "listed": [],
             *       "preset": null,
             *       "composition": null,
             *       "persona": null,
             *       "tier": null,
             *       "strategy": null,
             *       "view": null,
             *       "focus": [],
             *       "mask": {},
             *       "include": [],
             *       "exclude": [],
             *       "budget": null,
             *       "model": null,
             *       "query": null,
             *       "order": null,
             *       "no_header": false,
             *       "no_task": false,
             *       "instructions": null,
             *       "retrieve": null,
             *       "explain": null,
             *       "tokenizer": null,
             *       "format": null,
             *       "history": null,
             *       "tree": null,
             *       "line_numbers": false,
             *       "diff": null,
             *       "log": null,
             *       "base": null,
             *       "embed": null,
             *       "message": null,
             *       "max_answer": null,
             *       "temperature": null,
             *       "no_marks": false,
             *       "no_written": false,
             *       "strict": false,
             *       "secrets": null,
             *       "target": null
             *     }
             */
            request?: components["schemas"]["DocumentRequest"];
        };
        /** @description Files of a workbench to show in another way. */
        ComposeSetRequest: {
            /**
             * Format: uint64
             * @description Number of the workbench, from `compose`
             */
            bench: number;
            /** @description Changes, in this order */
            set: components["schemas"]["RowChange"][];
        };
        /** @description How to show some rows of a workbench. */
        RowChange: {
            /**
             * @description Indexes of rows
             * @default []
             */
            index?: number[] | null;
            /** @description A view, `default` as in the project's settings, or `out` to leave it out */
            view: components["schemas"]["RowView"];
            /**
             * @description Show symbols whole (`def`), as signatures (`sig`) or not at all (`hide`)
             * @default {}
             */
            mask?: {
                [key: string]: "def" | "sig" | "hide";
            } | null;
            /**
             * @description Slices to show
             * @default []
             */
            slices?: components["schemas"]["StoredSlice"][] | null;
        };
        /** @description A view of a row, or none of its own. */
        RowView: ("full" | "diff" | "skeleton" | "custom" | "masked" | "outline" | "summary" | "name" | "none") | ("default" | "out");
        /** @description Files of a workbench that changed on disk. */
        ComposeRefreshRequest: {
            /**
             * Format: uint64
             * @description Number of the workbench, from `compose`
             */
            bench: number;
            /** @description Files that changed, as `files` events name them */
            paths: string[];
        };
        /** @description A workbench. */
        WorkbenchRequest: {
            /**
             * Format: uint64
             * @description Number of the workbench, from `compose`
             */
            bench: number;
        };
        /** @description One file in all of its views. */
        ViewsRequest: {
            /** @description A file of the project */
            path: string;
            /**
             * @description Options of the document that the file would be in
             * @default {
             *       "paths": [],
             *       "listed": [],
             *       "preset": null,
             *       "composition": null,
             *       "persona": null,
             *       "tier": null,
             *       "strategy": null,
             *       "view": null,
             *       "focus": [],
             *       "mask": {},
             *       "include": [],
             *       "exclude": [],
             *       "budget": null,
             *       "model": null,
             *       "query": null,
             *       "order": null,
             *       "no_header": false,
             *       "no_task": false,
             *       "instructions": null,
             *       "retrieve": null,
             *       "explain": null,
             *       "tokenizer": null,
             *       "format": null,
             *       "history": null,
             *       "tree": null,
             *       "line_numbers": false,
             *       "diff": null,
             *       "log": null,
             *       "base": null,
             *       "embed": null,
             *       "message": null,
             *       "max_answer": null,
             *       "temperature": null,
             *       "no_marks": false,
             *       "no_written": false,
             *       "strict": false,
             *       "secrets": null,
             *       "target": null
             *     }
             */
            request?: components["schemas"]["DocumentRequest"];
            /**
             * @description Show symbols whole (`def`), as signatures (`sig`) or not at all (`hide`)
             * @default {}
             */
            mask?: {
                [key: string]: "def" | "sig" | "hide";
            } | null;
        };
        /** @description One view of one file. */
        ShowRequest: {
            /** @description A file of the project */
            path: string;
            /**
             * @description Which view [default: full, or masked with a mask]
             * @default null
             * @enum {string|null}
             */
            view?: "full" | "diff" | "skeleton" | "custom" | "masked" | "outline" | "summary" | "name" | "none" | null;
            /**
             * @description Show symbols whole (`def`), as signatures (`sig`) or not at all (`hide`)
             * @default {}
             */
            mask?: {
                [key: string]: "def" | "sig" | "hide";
            } | null;
            /**
             * @description Options of the document that the file would be in
             * @default {
             *       "paths": [],
             *       "listed": [],
             *       "preset": null,
             *       "composition": null,
             *       "persona": null,
             *       "tier": null,
             *       "strategy": null,
             *       "view": null,
             *       "focus": [],
             *       "mask": {},
             *       "include": [],
             *       "exclude": [],
             *       "budget": null,
             *       "model": null,
             *       "query": null,
             *       "order": null,
             *       "no_header": false,
             *       "no_task": false,
             *       "instructions": null,
             *       "retrieve": null,
             *       "explain": null,
             *       "tokenizer": null,
             *       "format": null,
             *       "history": null,
             *       "tree": null,
             *       "line_numbers": false,
             *       "diff": null,
             *       "log": null,
             *       "base": null,
             *       "embed": null,
             *       "message": null,
             *       "max_answer": null,
             *       "temperature": null,
             *       "no_marks": false,
             *       "no_written": false,
             *       "strict": false,
             *       "secrets": null,
             *       "target": null
             *     }
             */
            request?: components["schemas"]["DocumentRequest"];
        };
        /** @description What a file defines. */
        SymbolsRequest: {
            /** @description A file of the project */
            path: string;
        };
        /** @description Files that others import or mention. */
        RelatedRequest: {
            /** @description Files whose imports and mentions are followed */
            paths: string[];
            /**
             * @description The document whose files are looked at
             * @default {
             *       "paths": [],
             *       "listed": [],
             *       "preset": null,
             *       "composition": null,
             *       "persona": null,
             *       "tier": null,
             *       "strategy": null,
             *       "view": null,
             *       "focus": [],
             *       "mask": {},
             *       "include": [],
             *       "exclude": [],
             *       "budget": null,
             *       "model": null,
             *       "query": null,
             *       "order": null,
             *       "no_header": false,
             *       "no_task": false,
             *       "instructions": null,
             *       "retrieve": null,
             *       "explain": null,
             *       "tokenizer": null,
             *       "format": null,
             *       "history": null,
             *       "tree": null,
             *       "line_numbers": false,
             *       "diff": null,
             *       "log": null,
             *       "base": null,
             *       "embed": null,
             *       "message": null,
             *       "max_answer": null,
             *       "temperature": null,
             *       "no_marks": false,
             *       "no_written": false,
             *       "strict": false,
             *       "secrets": null,
             *       "target": null
             *     }
             */
            request?: components["schemas"]["DocumentRequest"];
            /**
             * Format: uint
             * @description List at most this many files
             * @default 24
             */
            limit?: number | null;
        };
        /** @description Files, symbols and passages of the project that answer a query. */
        SearchRequest: {
            /** @description Words, symbols, an error message, or the text of an issue */
            query: string;
            /**
             * @description Only files that match, as in .gitignore
             * @default []
             */
            include?: string[] | null;
            /**
             * Format: uint
             * @description List at most this many files and symbols
             * @default 10
             */
            top?: number | null;
            /**
             * @description Tokens of all passages together
             * @default 4000
             */
            max_tokens?: number | string | null;
            /**
             * @description Count tokens with this tokenizer
             * @default null
             * @enum {string|null}
             */
            tokenizer?: "o200k_base" | "cl100k_base" | "estimate" | "claude" | "gemini" | null;
        };
        /** @description Why a file is in a document, or why not. */
        WhyRequest: {
            /** @description A file or folder, or a symbol of a file as PATH:SYMBOL */
            path: string;
            /**
             * @description The document
             * @default {
             *       "paths": [],
             *       "listed": [],
             *       "preset": null,
             *       "composition": null,
             *       "persona": null,
             *       "tier": null,
             *       "strategy": null,
             *       "view": null,
             *       "focus": [],
             *       "mask": {},
             *       "include": [],
             *       "exclude": [],
             *       "budget": null,
             *       "model": null,
             *       "query": null,
             *       "order": null,
             *       "no_header": false,
             *       "no_task": false,
             *       "instructions": null,
             *       "retrieve": null,
             *       "explain": null,
             *       "tokenizer": null,
             *       "format": null,
             *       "history": null,
             *       "tree": null,
             *       "line_numbers": false,
             *       "diff": null,
             *       "log": null,
             *       "base": null,
             *       "embed": null,
             *       "message": null,
             *       "max_answer": null,
             *       "temperature": null,
             *       "no_marks": false,
             *       "no_written": false,
             *       "strict": false,
             *       "secrets": null,
             *       "target": null
             *     }
             */
            request?: components["schemas"]["DocumentRequest"];
        };
        /** @description Lines of a file to mark, so that they are found again after the file changed. */
        SliceRequest: {
            /** @description A file of the project */
            path: string;
            /**
             * Format: uint64
             * @description First line, counted from 1
             */
            start_line: number;
            /**
             * Format: uint64
             * @description Last line, included
             */
            end_line: number;
            /**
             * @description Name of the slice
             * @default null
             */
            tag?: string | null;
            /**
             * @description What the slice is for
             * @default null
             */
            comment?: string | null;
        };
        /** @description Slices of the composition to store as they are now. */
        SlicesRefreshRequest: {
            /**
             * @description Only slices of these files
             * @default []
             */
            paths?: string[] | null;
        };
        /** @description Slices of a file to find. */
        SlicesRequest: {
            /** @description A file of the project */
            path: string;
            /** @description Slices as they were stored */
            slices: components["schemas"]["StoredSlice"][];
        };
        /** @description A secret to allow. */
        AllowRequest: {
            /** @description Fingerprint of the secret, from `scan` */
            fingerprint: string;
        };
        /** @description A request without fields. */
        EmptyRequest: Record<string, never>;
        /** @description One preset or persona. */
        NameRequest: {
            /** @description Name of the preset or persona */
            name: string;
        };
        /** @description A composition to save under a name. */
        PresetSaveRequest: {
            /** @description Name of the preset */
            name: string;
            /**
             * @description What the preset is for
             * @default
             */
            description?: string | null;
            /**
             * @description Files of the preset [default: the current composition]
             * @default null
             */
            files?: components["schemas"]["CompositionEntry"][] | null;
            /**
             * @description Screenshots of the preset [default: those of the composition]
             * @default null
             */
            screenshots?: string[] | null;
            /**
             * @description Save the preset for all projects of this user
             * @default project
             * @enum {string|null}
             */
            scope?: "project" | "global" | null;
        };
        /** @description Two presets to compare. */
        PresetDiffRequest: {
            /** @description A preset */
            a: string;
            /**
             * @description Preset to compare it with [default: the current composition]
             * @default null
             */
            b?: string | null;
        };
        /** @description A preset to remove. */
        PresetRemoveRequest: {
            /** @description Name of the preset */
            name: string;
            /**
             * @description Remove the preset for all projects of this user
             * @default null
             * @enum {string|null}
             */
            scope?: "project" | "global" | null;
        };
        /** @description A setting to change. */
        ConfigSetRequest: {
            /** @description Key with its section, such as `budget.max_tokens` */
            key: string;
            /** @description Value as TOML, or a bare word */
            value: string;
            /**
             * @description Change the settings of this user instead
             * @default project
             * @enum {string|null}
             */
            scope?: "project" | "global" | null;
        };
        /** @description A project of another program. Its text comes with the request: a server does not read a file because a page names it. */
        ImportProjectRequest: {
            /** @description Name of the project's file */
            name: string;
            /** @description Text of the project's file */
            text: string;
            /**
             * @description Text of the file with its discussion
             * @default null
             */
            history?: string | null;
        };
        /** @description Which numbered documents to keep. Without a field, as many as `output.keep` says. */
        PruneRequest: {
            /**
             * Format: uint64
             * @description Keep the newest N documents [default: output.keep]
             * @default null
             */
            keep?: number | null;
            /**
             * Format: uint64
             * @description Keep the documents of the last D days
             * @default null
             */
            days?: number | null;
        };
        /** @description The newest runs. */
        RunsListRequest: {
            /**
             * Format: uint64
             * @description List at most this many runs
             * @default 20
             */
            limit?: number | null;
        };
        /** @description One run. */
        RunRequest: {
            /** @description A number, `last`, or -1, -2… from the newest */
            run: string | number;
        };
        /** @description Two runs to compare. */
        RunsDiffRequest: {
            /** @description The earlier run [default: the one before the last] */
            a?: string | number | null;
            /** @description The later run [default: the last] */
            b?: string | number | null;
        };
        /** @description The exact text of a request or of its answer. */
        RunTextRequest: {
            /** @description A number, `last`, or -1, -2… from the newest */
            run: string | number;
            /**
             * @description Which of the two
             * @enum {string}
             */
            what: "request" | "response";
        };
        /** @description A run to compile again. */
        ReplayRequest: {
            /** @description A number, `last`, or -1, -2… from the newest */
            run: string | number;
            /**
             * @description Return the document even if it differs
             * @default false
             */
            anyway?: boolean | null;
        };
        /** @description Summaries to remove. */
        CacheClearRequest: {
            /**
             * @description Remove summaries of these files, current and earlier ones
             * @default []
             */
            paths?: string[] | null;
            /**
             * @description Remove summaries of earlier versions of files of this project
             * @default false
             */
            stale?: boolean | null;
            /**
             * @description Remove the summaries of all projects, and all cached results
             * @default false
             */
            all?: boolean | null;
        };
        /** @description A check of everything that is kept. */
        CacheVerifyRequest: {
            /**
             * @description Set a damaged store aside and save the readable entries
             * @default false
             */
            repair?: boolean | null;
        };
        /** @description The context of an agent's next call. It is serialized as manifests have it. */
        AgentRequest: {
            /**
             * @description The current message [default: continue from the end of the session]
             * @default
             */
            message?: string | null;
            /**
             * @description Folder with SOUL.md, AGENTS.md, memory and skills [default: agent.workspace]
             * @default null
             */
            workspace?: string | null;
            /**
             * @description The conversation so far: a file, or the name of a session of the workspace
             * @default null
             */
            session?: string | null;
            /**
             * @description In a conversation with branches, end with the message of this id
             * @default null
             */
            leaf?: string | null;
            /**
             * @description In a file with several conversations, an id or a title [default: the newest]
             * @default null
             */
            conversation?: string | null;
            /**
             * @description Show the messages before a compaction instead of its summary
             * @default false
             */
            full_log?: boolean | null;
            /**
             * @description Fit the context into this many tokens [default: 4000]
             * @default null
             */
            max_tokens?: number | string | null;
            /**
             * @description Fit the context into the window of this model; --max-tokens wins
             * @default null
             */
            model?: string | null;
            /**
             * @description Tokens for all memories together [default: 2000]
             * @default null
             */
            memory_tokens?: number | string | null;
            /**
             * Format: uint
             * @description Show at most this many memories [default: agent.max_memory_entries]
             * @default null
             */
            max_memories?: number | null;
            /**
             * Format: uint
             * @description Show at most this many messages [default: agent.max_history_messages]
             * @default null
             */
            max_messages?: number | null;
            /**
             * @description Put memories and requested skills next to the message, after the cached part
             * @default false
             */
            near?: boolean | null;
            /** @description Schemas of tools, in the shape of any provider */
            tools?: {
                [key: string]: unknown;
            }[] | null;
            /**
             * @description Also read AGENTS.md from the repository of this folder down to it
             * @default null
             */
            agents_from?: string | null;
            /**
             * @description Write messages, the body of a request, or a document to read
             * @enum {string|null}
             */
            format?: "messages" | "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax" | "md" | null;
            /**
             * @description Count tokens with this tokenizer; `claude` and `gemini` are estimates
             * @enum {string|null}
             */
            tokenizer?: "o200k_base" | "cl100k_base" | "estimate" | "claude" | "gemini" | null;
            /**
             * @description What to do with detected secrets [default: safety.secrets, else redact]
             * @default null
             * @enum {string|null}
             */
            secrets?: "redact" | "warn" | "deny" | "off" | null;
            /** @description Do not record this run */
            no_manifest?: boolean | null;
        };
        /** @description The body of a request, to check it as its provider would. */
        CheckRequest: {
            /**
             * @description Provider whose rules apply
             * @enum {string}
             */
            provider: "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax";
            /** @description The body of the request, as JSON */
            body: string;
        };
        /** @description A conversation of another program, to read as one of ours. */
        SessionImportRequest: {
            /** @description The content of its file */
            text: string;
            /**
             * @description In a conversation with branches, end with the message of this id
             * @default null
             */
            leaf?: string | null;
            /**
             * @description In a file with several conversations, an id or a title [default: the newest]
             * @default null
             */
            conversation?: string | null;
            /**
             * @description Show the messages before a compaction instead of its summary
             * @default false
             */
            full_log?: boolean | null;
        };
        /** @description A message to add to a session file. */
        SessionAppendRequest: {
            /** @description The session file; created if it does not exist */
            file: string;
            /**
             * @description Who speaks: user, assistant, tool or system
             * @enum {string}
             */
            role: "system" | "user" | "assistant" | "tool";
            /** @description The text of the message */
            content: string;
            /** @description For a tool's result, the id of its call */
            tool_call_id?: string | null;
            /** @description For an assistant, its calls: [{"id": …, "name": …, "arguments": …}] */
            tool_calls?: {
                [key: string]: unknown;
            }[] | null;
        };
        /** @description A document to send to a model. */
        SendRequest: {
            /**
             * @description The document; its format follows from the provider
             * @default {
             *       "paths": [],
             *       "listed": [],
             *       "preset": null,
             *       "composition": null,
             *       "persona": null,
             *       "tier": null,
             *       "strategy": null,
             *       "view": null,
             *       "focus": [],
             *       "mask": {},
             *       "include": [],
             *       "exclude": [],
             *       "budget": null,
             *       "model": null,
             *       "query": null,
             *       "order": null,
             *       "no_header": false,
             *       "no_task": false,
             *       "instructions": null,
             *       "retrieve": null,
             *       "explain": null,
             *       "tokenizer": null,
             *       "format": null,
             *       "history": null,
             *       "tree": null,
             *       "line_numbers": false,
             *       "diff": null,
             *       "log": null,
             *       "base": null,
             *       "embed": null,
             *       "message": null,
             *       "max_answer": null,
             *       "temperature": null,
             *       "no_marks": false,
             *       "no_written": false,
             *       "strict": false,
             *       "secrets": null,
             *       "target": null
             *     }
             */
            request?: components["schemas"]["DocumentRequest"];
            /**
             * @description Provider to call [default: that of the model, or of the persona]
             * @enum {string|null}
             */
            provider?: "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax" | "gemini-cli" | null;
            /** @description Model to call [default: the model of the document, or of the persona] */
            model?: string | null;
            /** @description Address of another server with the API of the provider */
            base_url?: string | null;
            /**
             * Format: uint64
             * @description Seconds for the whole answer
             * @default 600
             */
            timeout?: number | null;
            /**
             * @description Send nothing; report what would be sent and its cost
             * @default false
             */
            dry_run?: boolean | null;
        };
        /** @description Files whose missing summaries a model writes. */
        SummarizeRequest: {
            /**
             * @description The files, the persona and the tier
             * @default {
             *       "paths": [],
             *       "listed": [],
             *       "preset": null,
             *       "composition": null,
             *       "persona": null,
             *       "tier": null,
             *       "strategy": null,
             *       "view": null,
             *       "focus": [],
             *       "mask": {},
             *       "include": [],
             *       "exclude": [],
             *       "budget": null,
             *       "model": null,
             *       "query": null,
             *       "order": null,
             *       "no_header": false,
             *       "no_task": false,
             *       "instructions": null,
             *       "retrieve": null,
             *       "explain": null,
             *       "tokenizer": null,
             *       "format": null,
             *       "history": null,
             *       "tree": null,
             *       "line_numbers": false,
             *       "diff": null,
             *       "log": null,
             *       "base": null,
             *       "embed": null,
             *       "message": null,
             *       "max_answer": null,
             *       "temperature": null,
             *       "no_marks": false,
             *       "no_written": false,
             *       "strict": false,
             *       "secrets": null,
             *       "target": null
             *     }
             */
            request?: components["schemas"]["DocumentRequest"];
            /**
             * @description Provider to call [default: that of the model, or of the persona]
             * @default null
             * @enum {string|null}
             */
            provider?: "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax" | null;
            /**
             * @description Model that writes the summaries [default: the first of the persona]
             * @default null
             */
            model?: string | null;
            /**
             * @description Address of another server with the API of the provider
             * @default null
             */
            base_url?: string | null;
            /**
             * Format: uint64
             * @description Number of concurrent calls, from 1 to 64
             * @default 4
             */
            jobs?: number | null;
            /**
             * Format: double
             * @description Stop before spending more than this, in US dollars
             * @default null
             */
            max_cost?: number | null;
            /**
             * Format: double
             * @description Price of a million input tokens, if it is unknown, in US dollars
             * @default null
             */
            price_in?: number | null;
            /**
             * Format: double
             * @description Price of a million output tokens, if it is unknown, in US dollars
             * @default null
             */
            price_out?: number | null;
            /**
             * @description Send nothing; report the files, their tokens and the cost
             * @default false
             */
            dry_run?: boolean | null;
            /**
             * @description Replace summaries that exist already
             * @default false
             */
            again?: boolean | null;
            /**
             * Format: uint64
             * @description Seconds for one summary, waiting included
             * @default 300
             */
            timeout?: number | null;
        };
        /** @description A new tree. */
        NewTreeRequest: {
            /** @description Title of the tree */
            title: string;
            /**
             * @description Messages of people and models, or one continuous text [default: dialogue]
             * @enum {string|null}
             */
            mode?: "dialogue" | "buffer" | null;
            /** @description Text that the tree adds to the system context; empty for none */
            system?: string | null;
            /** @description Whether to put the system context before continuous text */
            buffer_system?: boolean | null;
            /**
             * @description How to cut a path [default: the tree's, else budget.truncation_strategy]
             * @enum {string|null}
             */
            strategy?: "truncateMiddle" | "rollingWindow" | "stopAtLimit" | null;
            /**
             * Format: uint64
             * @description Keep this many of the newest nodes if they fit [default: the tree's]
             */
            minimum_recent_nodes?: number | null;
            /** @description Tokens of a window to keep free besides the answer [default: the tree's] */
            token_buffer?: number | string | null;
        };
        /** @description A tree to use from now on. */
        UseTreeRequest: {
            /** @description Tree, by id, short id or title */
            tree: string;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /**
             * @description Use this tree from now on
             * @default false
             */
            use?: boolean | null;
            /** @description New title */
            title?: string | null;
            /** @description Text that the tree adds to the system context; empty for none */
            system?: string | null;
            /** @description Whether to put the system context before continuous text */
            buffer_system?: boolean | null;
            /**
             * @description How to cut a path [default: the tree's, else budget.truncation_strategy]
             * @enum {string|null}
             */
            strategy?: "truncateMiddle" | "rollingWindow" | "stopAtLimit" | null;
            /**
             * Format: uint64
             * @description Keep this many of the newest nodes if they fit [default: the tree's]
             */
            minimum_recent_nodes?: number | null;
            /** @description Tokens of a window to keep free besides the answer [default: the tree's] */
            token_buffer?: number | string | null;
            /**
             * @description Setting to leave to the general settings again; may be repeated
             * @default []
             */
            unset?: ("strategy" | "minimum_recent_nodes" | "token_buffer")[] | null;
        };
        /** @description An agent by name, with changes to it. */
        LoomAgentRequest: {
            /** @description Name of the agent */
            name: string;
            /**
             * @description Person or model [default: model]
             * @enum {string|null}
             */
            kind?: "human" | "model" | null;
            /** @description Text at the start of the system context; empty for none */
            system?: string | null;
            /** @description Model that answers for the agent; empty for none */
            model?: string | null;
            /** @description Permissions: loom_aware, loom_write, loom_generate, doc_read, doc_write */
            allow?: string[] | null;
        };
        /** @description The tree to work in. */
        WhichTree: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree2: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Node to move the end of the path to */
            node?: string | null;
            /** @description Path to walk [default: the one in use] */
            name?: string | null;
            /**
             * @description Node to go through at a fork or among versions; may be repeated
             * @default []
             */
            choose?: string[] | null;
            /**
             * @description Use the named path from now on
             * @default false
             */
            use?: boolean | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree3: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Label of the stash */
            label: string;
            /** @description Text to keep */
            text: string;
            /**
             * @description Show the text in contexts
             * @default false
             */
            recall?: boolean | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree4: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Label of the stash */
            label: string;
            /**
             * @description Show only the label again
             * @default false
             */
            undo?: boolean | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree5: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Label of the stash */
            label: string;
        };
        /** @description A check of the store. */
        VerifyTreesRequest: {
            /**
             * @description Copy a damaged store aside and save everything that can be read
             * @default false
             */
            repair?: boolean | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree6: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /**
             * @description Show every node of a large tree
             * @default false
             */
            all?: boolean | null;
            /**
             * @description Count tokens with this tokenizer; `claude` and `gemini` are estimates
             * @enum {string|null}
             */
            tokenizer?: "o200k_base" | "cl100k_base" | "estimate" | "claude" | "gemini" | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree7: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Node, by id or short id */
            node: string;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree8: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Text of the node, kept exactly */
            text: string;
            /**
             * @description Node to continue [default: the end of the path]; may be repeated
             * @default []
             */
            parents?: string[] | null;
            /**
             * @description Person or model [default: the kind of the author, else human]
             * @enum {string|null}
             */
            author_type?: "human" | "model" | null;
            /** @description Name of an agent */
            author?: string | null;
            /**
             * @description Node to show before the continued one, for reference; may be repeated
             * @default []
             */
            contexts?: string[] | null;
            /**
             * @description Node to add to the system context; may be repeated
             * @default []
             */
            instructions?: string[] | null;
            /**
             * @description Leave the end of the path where it is
             * @default false
             */
            stay?: boolean | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree9: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Node, by id or short id */
            node: string;
            /** @description Text, kept exactly */
            text: string;
            /**
             * @description Person or model [default: the kind of the author, else human]
             * @enum {string|null}
             */
            author_type?: "human" | "model" | null;
            /** @description Name of an agent */
            author?: string | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree10: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Node, by id or short id */
            node: string;
            /** @description Name of the path [default: the short id of the node] */
            name?: string | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree11: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Node, by id or short id */
            node: string;
            /** @description Path to change [default: the one in use] */
            path?: string | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree12: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Node, by id or short id */
            node: string;
            /**
             * @description Remove the mark
             * @default false
             */
            undo?: boolean | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree13: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Node, by id or short id */
            node: string;
            /**
             * @description Label of the bookmark
             * @default
             */
            label?: string | null;
            /**
             * @description Remove the bookmark
             * @default false
             */
            undo?: boolean | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree14: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Node where the path ends [default: the end of the path in use] */
            node?: string | null;
            /** @description Path to follow [default: the one in use] */
            path?: string | null;
            /**
             * @description Node to go through at a fork or among versions; may be repeated
             * @default []
             */
            choose?: string[] | null;
            /** @description Agent whose system prompt, model and permissions apply */
            agent?: string | null;
            /**
             * @description Include node ids and times, operational memory and the position
             * @default false
             */
            loom_aware?: boolean | null;
            /**
             * @description Include annotations of the path
             * @default false
             */
            annotations?: boolean | null;
            /** @description Text to put last that is not a node yet */
            working?: string | null;
            /** @description Fit the path into this many tokens [default: budget.max_tokens] */
            max_tokens?: number | string | null;
            /** @description Model that reads the path; its window is the limit without --max-tokens */
            model?: string | null;
            /**
             * @description How to cut a path [default: the tree's, else budget.truncation_strategy]
             * @enum {string|null}
             */
            strategy?: "truncateMiddle" | "rollingWindow" | "stopAtLimit" | null;
            /**
             * Format: uint64
             * @description Keep this many of the newest nodes if they fit [default: the tree's]
             */
            minimum_recent_nodes?: number | null;
            /** @description Tokens of a window to keep free besides the answer [default: the tree's] */
            token_buffer?: number | string | null;
            /**
             * @description Count tokens with this tokenizer; `claude` and `gemini` are estimates
             * @enum {string|null}
             */
            tokenizer?: "o200k_base" | "cl100k_base" | "estimate" | "claude" | "gemini" | null;
            /**
             * @description What to do with detected secrets [default: safety.secrets, else redact]
             * @enum {string|null}
             */
            secrets?: "redact" | "warn" | "deny" | "off" | null;
            /**
             * @description Format to write [default: messages, or text for continuous text]
             * @enum {string|null}
             */
            format?: "messages" | "anthropic" | "openai" | "responses" | "gemini" | "deepseek" | "minimax" | "md" | "text" | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree15: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /** @description Node where the path ends [default: the end of the path in use] */
            node?: string | null;
            /** @description Path to follow [default: the one in use] */
            path?: string | null;
            /**
             * @description Node to go through at a fork or among versions; may be repeated
             * @default []
             */
            choose?: string[] | null;
            /** @description Agent whose system prompt, model and permissions apply */
            agent?: string | null;
            /**
             * @description Include node ids and times, operational memory and the position
             * @default false
             */
            loom_aware?: boolean | null;
            /**
             * @description Include annotations of the path
             * @default false
             */
            annotations?: boolean | null;
            /** @description Text to put last that is not a node yet */
            working?: string | null;
            /** @description Fit the path into this many tokens [default: budget.max_tokens] */
            max_tokens?: number | string | null;
            /** @description Model that reads the path; its window is the limit without --max-tokens */
            model?: string | null;
            /**
             * @description How to cut a path [default: the tree's, else budget.truncation_strategy]
             * @enum {string|null}
             */
            strategy?: "truncateMiddle" | "rollingWindow" | "stopAtLimit" | null;
            /**
             * Format: uint64
             * @description Keep this many of the newest nodes if they fit [default: the tree's]
             */
            minimum_recent_nodes?: number | null;
            /** @description Tokens of a window to keep free besides the answer [default: the tree's] */
            token_buffer?: number | string | null;
            /**
             * @description Count tokens with this tokenizer; `claude` and `gemini` are estimates
             * @enum {string|null}
             */
            tokenizer?: "o200k_base" | "cl100k_base" | "estimate" | "claude" | "gemini" | null;
            /**
             * @description What to do with detected secrets [default: safety.secrets, else redact]
             * @enum {string|null}
             */
            secrets?: "redact" | "warn" | "deny" | "off" | null;
            /** @description Address of a server with OpenAI's API, such as http://127.0.0.1:8080/v1 */
            base_url: string;
            /**
             * Format: uint64
             * @description Number of answers, at most 100
             * @default 1
             */
            n?: number | null;
            /**
             * Format: uint64
             * @description Longest answer to request, in tokens
             * @default 1024
             */
            max_answer?: number | null;
            /**
             * Format: double
             * @description Sampling temperature, from 0 to 2
             */
            temperature?: number | null;
            /**
             * Format: uint64
             * @description Give up after this many seconds
             * @default 600
             */
            timeout?: number | null;
        };
        /** @description A request and the tree it is about, as one object. */
        InTree16: {
            /** @description Tree, by id, short id or title [default: the last one used] */
            tree?: string | null;
            /**
             * @description Format of the files [default: contexture]
             * @enum {string|null}
             */
            format?: "contexture" | "pyloom" | "loomsidian" | "loom-engine" | "pi" | "chatgpt" | null;
        };
        /** @description Trees in the text of a file. */
        ImportTreesRequest: {
            /** @description Name of the file; the title of a tree without one */
            name: string;
            /** @description Text of the file */
            text: string;
            /**
             * @description Refuse a file of another format [default: detect the format]
             * @enum {string|null}
             */
            format?: "contexture" | "pyloom" | "loomsidian" | "loom-engine" | "pi" | "chatgpt" | null;
            /**
             * @description Give all records new ids, so that a tree can be imported twice
             * @default false
             */
            copy?: boolean | null;
            /** @description Conversation to import, by id or title [default: all] */
            conversation?: string | null;
        };
        Bodies: {
            compose: components["schemas"]["DocumentBody"];
            "compose/set": components["schemas"]["ComposeSetRequest"];
            "compose/refresh": components["schemas"]["ComposeRefreshRequest"];
            "compose/request": components["schemas"]["WorkbenchRequest"];
            plan: components["schemas"]["DocumentBody"];
            preview: components["schemas"]["DocumentBody"];
            build: components["schemas"]["DocumentBody"];
            views: components["schemas"]["ViewsRequest"];
            show: components["schemas"]["ShowRequest"];
            symbols: components["schemas"]["SymbolsRequest"];
            related: components["schemas"]["RelatedRequest"];
            search: components["schemas"]["SearchRequest"];
            why: components["schemas"]["WhyRequest"];
            tokens: components["schemas"]["DocumentBody"];
            stats: components["schemas"]["DocumentBody"];
            "slice/make": components["schemas"]["SliceRequest"];
            "slice/refresh": components["schemas"]["SlicesRefreshRequest"];
            "slice/resolve": components["schemas"]["SlicesRequest"];
            scan: components["schemas"]["DocumentBody"];
            "scan/allow": components["schemas"]["AllowRequest"];
            "preset/list": components["schemas"]["EmptyRequest"];
            "preset/show": components["schemas"]["NameRequest"];
            "preset/save": components["schemas"]["PresetSaveRequest"];
            "preset/apply": components["schemas"]["NameRequest"];
            "preset/diff": components["schemas"]["PresetDiffRequest"];
            "preset/remove": components["schemas"]["PresetRemoveRequest"];
            "persona/list": components["schemas"]["EmptyRequest"];
            "persona/show": components["schemas"]["NameRequest"];
            "config/get": components["schemas"]["EmptyRequest"];
            "config/set": components["schemas"]["ConfigSetRequest"];
            "config/schema": components["schemas"]["EmptyRequest"];
            init: components["schemas"]["EmptyRequest"];
            "import/manual-slop": components["schemas"]["ImportProjectRequest"];
            prune: components["schemas"]["PruneRequest"];
            doctor: components["schemas"]["EmptyRequest"];
            "runs/list": components["schemas"]["RunsListRequest"];
            "runs/show": components["schemas"]["RunRequest"];
            "runs/diff": components["schemas"]["RunsDiffRequest"];
            "runs/kept": components["schemas"]["RunTextRequest"];
            "runs/replay": components["schemas"]["ReplayRequest"];
            "cache/status": components["schemas"]["DocumentBody"];
            "cache/clear": components["schemas"]["CacheClearRequest"];
            "cache/gc": components["schemas"]["EmptyRequest"];
            "cache/verify": components["schemas"]["CacheVerifyRequest"];
            agent: components["schemas"]["AgentRequest"];
            check: components["schemas"]["CheckRequest"];
            "session/import": components["schemas"]["SessionImportRequest"];
            "session/append": components["schemas"]["SessionAppendRequest"];
            send: components["schemas"]["SendRequest"];
            summarize: components["schemas"]["SummarizeRequest"];
            "loom/trees": components["schemas"]["EmptyRequest"];
            "loom/new": components["schemas"]["NewTreeRequest"];
            "loom/use": components["schemas"]["UseTreeRequest"];
            "loom/set": components["schemas"]["InTree"];
            "loom/agents": components["schemas"]["EmptyRequest"];
            "loom/agent": components["schemas"]["LoomAgentRequest"];
            "loom/paths": components["schemas"]["WhichTree"];
            "loom/path": components["schemas"]["InTree2"];
            "loom/memory": components["schemas"]["WhichTree"];
            "loom/stash": components["schemas"]["InTree3"];
            "loom/recall": components["schemas"]["InTree4"];
            "loom/drop": components["schemas"]["InTree5"];
            "loom/verify": components["schemas"]["VerifyTreesRequest"];
            "loom/outline": components["schemas"]["InTree6"];
            "loom/show": components["schemas"]["InTree7"];
            "loom/add": components["schemas"]["InTree8"];
            "loom/edit": components["schemas"]["InTree9"];
            "loom/annotate": components["schemas"]["InTree9"];
            "loom/fork": components["schemas"]["InTree10"];
            "loom/go": components["schemas"]["InTree11"];
            "loom/choose": components["schemas"]["InTree11"];
            "loom/exclude": components["schemas"]["InTree12"];
            "loom/pin": components["schemas"]["InTree12"];
            "loom/bookmark": components["schemas"]["InTree13"];
            "loom/prune": components["schemas"]["InTree7"];
            "loom/restore": components["schemas"]["InTree7"];
            "loom/assemble": components["schemas"]["InTree14"];
            "loom/generate": components["schemas"]["InTree15"];
            "loom/export": components["schemas"]["InTree16"];
            "loom/import": components["schemas"]["ImportTreesRequest"];
        };
        Answers: {
            events: unknown;
            "openapi.json": unknown;
            project: components["schemas"]["VersionedProjectAnswer"];
            compose: components["schemas"]["VersionedComposeAnswer"];
            "compose/set": components["schemas"]["VersionedTable"];
            "compose/refresh": components["schemas"]["VersionedComposeRefreshAnswer"];
            "compose/request": components["schemas"]["VersionedComposeRequestAnswer"];
            plan: components["schemas"]["VersionedDocumentAnswer"];
            preview: components["schemas"]["VersionedPreviewAnswer"];
            build: components["schemas"]["VersionedDocumentAnswer"];
            views: components["schemas"]["VersionedViewsAnswer"];
            show: components["schemas"]["VersionedShowAnswer"];
            symbols: components["schemas"]["SymbolRow"][];
            related: components["schemas"]["VersionedRelatedAnswer"];
            search: components["schemas"]["VersionedSearchAnswer"];
            why: components["schemas"]["VersionedReasonAnswer"];
            tokens: components["schemas"]["VersionedTokensAnswer"];
            stats: components["schemas"]["VersionedStatsAnswer"];
            "slice/make": components["schemas"]["StoredSlice"];
            "slice/refresh": components["schemas"]["VersionedSlicesRefreshedAnswer"];
            "slice/resolve": components["schemas"]["VersionedSlicesAnswer"];
            scan: components["schemas"]["VersionedScanAnswer"];
            "scan/allow": components["schemas"]["VersionedSettingChanged"];
            "preset/list": components["schemas"]["VersionedPresetsAnswer"];
            "preset/show": components["schemas"]["VersionedPresetAnswer"];
            "preset/save": components["schemas"]["VersionedPresetSaved"];
            "preset/apply": components["schemas"]["VersionedPresetApplied"];
            "preset/diff": components["schemas"]["VersionedPresetDiffAnswer"];
            "preset/remove": components["schemas"]["VersionedPresetRemoved"];
            "persona/list": components["schemas"]["VersionedPersonasAnswer"];
            "persona/show": components["schemas"]["VersionedPersonaAnswer"];
            "config/get": components["schemas"]["VersionedSettingsAnswer"];
            "config/set": components["schemas"]["VersionedSettingChanged"];
            "config/schema": components["schemas"]["SettingsSchema"];
            init: components["schemas"]["VersionedFileWritten"];
            "import/manual-slop": components["schemas"]["VersionedImportedProjectAnswer"];
            prune: components["schemas"]["VersionedPruneAnswer"];
            doctor: components["schemas"]["VersionedDoctorAnswer"];
            "runs/list": components["schemas"]["VersionedRunsAnswer"];
            "runs/show": components["schemas"]["VersionedRunAnswer"];
            "runs/diff": components["schemas"]["VersionedRunsDiffAnswer"];
            "runs/kept": components["schemas"]["VersionedRunTextAnswer"];
            "runs/replay": components["schemas"]["VersionedReplayAnswer"];
            "cache/status": components["schemas"]["VersionedCacheStatusAnswer"];
            "cache/clear": components["schemas"]["VersionedClearedAnswer"];
            "cache/gc": components["schemas"]["VersionedClearedAnswer"];
            "cache/verify": components["schemas"]["VersionedVerifiedAnswer"];
            agent: components["schemas"]["VersionedAgentAnswer"];
            check: components["schemas"]["VersionedCheckAnswer"];
            "session/import": components["schemas"]["VersionedSessionAnswer"];
            "session/append": components["schemas"]["VersionedAppendedAnswer"];
            send: components["schemas"]["VersionedSendEvent"] | components["schemas"]["VersionedErrorAnswer"];
            summarize: components["schemas"]["VersionedSummarizeEvent"] | components["schemas"]["VersionedErrorAnswer"];
            "loom/trees": components["schemas"]["VersionedTreesAnswer"];
            "loom/new": components["schemas"]["VersionedTreeAnswer"];
            "loom/use": components["schemas"]["VersionedTreeAnswer"];
            "loom/set": components["schemas"]["VersionedTreeAnswer"];
            "loom/agents": components["schemas"]["VersionedLoomAgentsAnswer"];
            "loom/agent": components["schemas"]["VersionedLoomAgentAnswer"];
            "loom/paths": components["schemas"]["VersionedPathsAnswer"];
            "loom/path": components["schemas"]["VersionedWalkedPathAnswer"];
            "loom/memory": components["schemas"]["VersionedTreeMemoryAnswer"];
            "loom/stash": components["schemas"]["VersionedStashAnswer"];
            "loom/recall": components["schemas"]["VersionedStashAnswer"];
            "loom/drop": components["schemas"]["VersionedStashDroppedAnswer"];
            "loom/verify": components["schemas"]["VersionedTreesVerifiedAnswer"];
            "loom/outline": components["schemas"]["VersionedOutlineAnswer"];
            "loom/show": components["schemas"]["VersionedNodeDetailsAnswer"];
            "loom/add": components["schemas"]["VersionedNodeAnswer"];
            "loom/edit": components["schemas"]["VersionedNodeAnswer"];
            "loom/annotate": components["schemas"]["VersionedNodeAnswer"];
            "loom/fork": components["schemas"]["VersionedNodeAnswer"];
            "loom/go": components["schemas"]["VersionedNodeAnswer"];
            "loom/choose": components["schemas"]["VersionedNodeAnswer"];
            "loom/exclude": components["schemas"]["VersionedChangedNodesAnswer"];
            "loom/pin": components["schemas"]["VersionedChangedNodesAnswer"];
            "loom/bookmark": components["schemas"]["VersionedChangedNodesAnswer"];
            "loom/prune": components["schemas"]["VersionedChangedNodesAnswer"];
            "loom/restore": components["schemas"]["VersionedChangedNodesAnswer"];
            "loom/assemble": components["schemas"]["VersionedAssembledPathAnswer"];
            "loom/generate": components["schemas"]["VersionedGeneratedNodesAnswer"];
            "loom/export": components["schemas"]["VersionedTreeFilesAnswer"];
            "loom/import": components["schemas"]["VersionedTreesImportedAnswer"];
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type VersionedErrorAnswer = components['schemas']['VersionedErrorAnswer'];
export type ErrorCause = components['schemas']['ErrorCause'];
export type SafetyAnswer = components['schemas']['SafetyAnswer'];
export type SecretRow = components['schemas']['SecretRow'];
export type HiddenRow = components['schemas']['HiddenRow'];
export type VersionedProjectAnswer = components['schemas']['VersionedProjectAnswer'];
export type TokenizerRow = components['schemas']['TokenizerRow'];
export type ModelRow = components['schemas']['ModelRow'];
export type PriceRow = components['schemas']['PriceRow'];
export type ProviderRow = components['schemas']['ProviderRow'];
export type NamedRow = components['schemas']['NamedRow'];
export type SafetyPolicy = components['schemas']['SafetyPolicy'];
export type VersionedComposeAnswer = components['schemas']['VersionedComposeAnswer'];
export type RunTokens = components['schemas']['RunTokens'];
export type WorkbenchPrefix = components['schemas']['WorkbenchPrefix'];
export type LastPrefix = components['schemas']['LastPrefix'];
export type CommonPrefix = components['schemas']['CommonPrefix'];
export type PrefixBreak = components['schemas']['PrefixBreak'];
export type AllColumns = components['schemas']['AllColumns'];
export type NoteAnswer = components['schemas']['NoteAnswer'];
export type PathReason = components['schemas']['PathReason'];
export type VersionedTable = components['schemas']['VersionedTable'];
export type ChangedColumns = components['schemas']['ChangedColumns'];
export type VersionedComposeRefreshAnswer = components['schemas']['VersionedComposeRefreshAnswer'];
export type FreshColumns = components['schemas']['FreshColumns'];
export type VersionedComposeRequestAnswer = components['schemas']['VersionedComposeRequestAnswer'];
export type DocumentRequest = components['schemas']['DocumentRequest'];
export type CompositionEntry = components['schemas']['CompositionEntry'];
export type VersionedDocumentAnswer = components['schemas']['VersionedDocumentAnswer'];
export type TokenTotal = components['schemas']['TokenTotal'];
export type ItemAnswer = components['schemas']['ItemAnswer'];
export type WrittenBy = components['schemas']['WrittenBy'];
export type CachedPrefix = components['schemas']['CachedPrefix'];
export type FitAnswer = components['schemas']['FitAnswer'];
export type StepAnswer = components['schemas']['StepAnswer'];
export type VersionedPreviewAnswer = components['schemas']['VersionedPreviewAnswer'];
export type SectionAnswer = components['schemas']['SectionAnswer'];
export type SectionItem = components['schemas']['SectionItem'];
export type SinceAnswer = components['schemas']['SinceAnswer'];
export type SinceDifference = components['schemas']['SinceDifference'];
export type RunItem = components['schemas']['RunItem'];
export type ChangedItem = components['schemas']['ChangedItem'];
export type OldNewString = components['schemas']['OldNew_string'];
export type OldNewUint64 = components['schemas']['OldNew_uint64'];
export type AlteredOption = components['schemas']['AlteredOption'];
export type LineChanges = components['schemas']['LineChanges'];
export type HunkAnswer = components['schemas']['HunkAnswer'];
export type LineAnswer = components['schemas']['LineAnswer'];
export type LinesLeft = components['schemas']['LinesLeft'];
export type VersionedViewsAnswer = components['schemas']['VersionedViewsAnswer'];
export type ViewAnswer = components['schemas']['ViewAnswer'];
export type VersionedShowAnswer = components['schemas']['VersionedShowAnswer'];
export type SymbolRow = components['schemas']['SymbolRow'];
export type VersionedRelatedAnswer = components['schemas']['VersionedRelatedAnswer'];
export type RelatedRow = components['schemas']['RelatedRow'];
export type VersionedSearchAnswer = components['schemas']['VersionedSearchAnswer'];
export type FileHitRow = components['schemas']['FileHitRow'];
export type SymbolHitRow = components['schemas']['SymbolHitRow'];
export type PassageRow = components['schemas']['PassageRow'];
export type TokenSum = components['schemas']['TokenSum'];
export type VersionedReasonAnswer = components['schemas']['VersionedReasonAnswer'];
export type WeighedFile = components['schemas']['WeighedFile'];
export type Evidence = components['schemas']['Evidence'];
export type WeighedSymbol = components['schemas']['WeighedSymbol'];
export type VersionedTokensAnswer = components['schemas']['VersionedTokensAnswer'];
export type FileTokenRow = components['schemas']['FileTokenRow'];
export type FolderTokenRow = components['schemas']['FolderTokenRow'];
export type VersionedStatsAnswer = components['schemas']['VersionedStatsAnswer'];
export type StatsTotals = components['schemas']['StatsTotals'];
export type StoredSlice = components['schemas']['StoredSlice'];
export type VersionedSlicesRefreshedAnswer = components['schemas']['VersionedSlicesRefreshedAnswer'];
export type SliceAnswer = components['schemas']['SliceAnswer'];
export type VersionedSlicesAnswer = components['schemas']['VersionedSlicesAnswer'];
export type VersionedScanAnswer = components['schemas']['VersionedScanAnswer'];
export type VersionedSettingChanged = components['schemas']['VersionedSettingChanged'];
export type VersionedPresetsAnswer = components['schemas']['VersionedPresetsAnswer'];
export type PresetAnswer = components['schemas']['PresetAnswer'];
export type VersionedPresetAnswer = components['schemas']['VersionedPresetAnswer'];
export type VersionedPresetSaved = components['schemas']['VersionedPresetSaved'];
export type VersionedPresetApplied = components['schemas']['VersionedPresetApplied'];
export type VersionedPresetDiffAnswer = components['schemas']['VersionedPresetDiffAnswer'];
export type EntryChange = components['schemas']['EntryChange'];
export type FieldChange = components['schemas']['FieldChange'];
export type VersionedPresetRemoved = components['schemas']['VersionedPresetRemoved'];
export type VersionedPersonasAnswer = components['schemas']['VersionedPersonasAnswer'];
export type PersonaAnswer = components['schemas']['PersonaAnswer'];
export type PersonaModel = components['schemas']['PersonaModel'];
export type VersionedPersonaAnswer = components['schemas']['VersionedPersonaAnswer'];
export type VersionedSettingsAnswer = components['schemas']['VersionedSettingsAnswer'];
export type VersionedSettingAnswer = components['schemas']['VersionedSettingAnswer'];
export type SettingsSchema = components['schemas']['SettingsSchema'];
export type VersionedFileWritten = components['schemas']['VersionedFileWritten'];
export type VersionedImportedProjectAnswer = components['schemas']['VersionedImportedProjectAnswer'];
export type VersionedPruneAnswer = components['schemas']['VersionedPruneAnswer'];
export type VersionedDoctorAnswer = components['schemas']['VersionedDoctorAnswer'];
export type CheckRow = components['schemas']['CheckRow'];
export type VersionedRunsAnswer = components['schemas']['VersionedRunsAnswer'];
export type RunRow = components['schemas']['RunRow'];
export type RunOptions = components['schemas']['RunOptions'];
export type RunOutput = components['schemas']['RunOutput'];
export type SentAnswer = components['schemas']['SentAnswer'];
export type RunUsage = components['schemas']['RunUsage'];
export type VersionedRunAnswer = components['schemas']['VersionedRunAnswer'];
export type RunNote = components['schemas']['RunNote'];
export type RunBlock = components['schemas']['RunBlock'];
export type VersionedRunsDiffAnswer = components['schemas']['VersionedRunsDiffAnswer'];
export type FirstDifference = components['schemas']['FirstDifference'];
export type OldNewNullableString = components['schemas']['OldNew_Nullable_string'];
export type CacheReuse = components['schemas']['CacheReuse'];
export type ReuseEnd = components['schemas']['ReuseEnd'];
export type CacheRule = components['schemas']['CacheRule'];
export type VersionedRunTextAnswer = components['schemas']['VersionedRunTextAnswer'];
export type VersionedReplayAnswer = components['schemas']['VersionedReplayAnswer'];
export type DifferenceAnswer = components['schemas']['DifferenceAnswer'];
export type VersionedCacheStatusAnswer = components['schemas']['VersionedCacheStatusAnswer'];
export type SummaryStatus = components['schemas']['SummaryStatus'];
export type VersionedClearedAnswer = components['schemas']['VersionedClearedAnswer'];
export type VersionedVerifiedAnswer = components['schemas']['VersionedVerifiedAnswer'];
export type StoreState = components['schemas']['StoreState'];
export type DamagedEntry = components['schemas']['DamagedEntry'];
export type DerivedState = components['schemas']['DerivedState'];
export type RepairAnswer = components['schemas']['RepairAnswer'];
export type VersionedAgentAnswer = components['schemas']['VersionedAgentAnswer'];
export type MessageAnswer = components['schemas']['MessageAnswer'];
export type LayerAnswer = components['schemas']['LayerAnswer'];
export type LayerSource = components['schemas']['LayerSource'];
export type MemoryEntry = components['schemas']['MemoryEntry'];
export type VersionedCheckAnswer = components['schemas']['VersionedCheckAnswer'];
export type ViolationRow = components['schemas']['ViolationRow'];
export type VersionedSessionAnswer = components['schemas']['VersionedSessionAnswer'];
export type VersionedAppendedAnswer = components['schemas']['VersionedAppendedAnswer'];
export type VersionedSendEvent = components['schemas']['VersionedSendEvent'];
export type OutgoingRequest = components['schemas']['OutgoingRequest'];
export type ExpectedReuse = components['schemas']['ExpectedReuse'];
export type UsageAnswer = components['schemas']['UsageAnswer'];
export type SentMessage = components['schemas']['SentMessage'];
export type VersionedSummarizeEvent = components['schemas']['VersionedSummarizeEvent'];
export type SummaryRow = components['schemas']['SummaryRow'];
export type StopReason = components['schemas']['StopReason'];
export type SummarizedAnswer = components['schemas']['SummarizedAnswer'];
export type SummarizePlanAnswer = components['schemas']['SummarizePlanAnswer'];
export type PlannedRow = components['schemas']['PlannedRow'];
export type PlannedTokens = components['schemas']['PlannedTokens'];
export type VersionedTreesAnswer = components['schemas']['VersionedTreesAnswer'];
export type TreeRow = components['schemas']['TreeRow'];
export type TreePreferences = components['schemas']['TreePreferences'];
export type VersionedTreeAnswer = components['schemas']['VersionedTreeAnswer'];
export type VersionedLoomAgentsAnswer = components['schemas']['VersionedLoomAgentsAnswer'];
export type AgentRow = components['schemas']['AgentRow'];
export type PermissionFlags = components['schemas']['PermissionFlags'];
export type VersionedLoomAgentAnswer = components['schemas']['VersionedLoomAgentAnswer'];
export type VersionedPathsAnswer = components['schemas']['VersionedPathsAnswer'];
export type PathRow = components['schemas']['PathRow'];
export type PathChoiceRow = components['schemas']['PathChoiceRow'];
export type VersionedWalkedPathAnswer = components['schemas']['VersionedWalkedPathAnswer'];
export type PathNodeRow = components['schemas']['PathNodeRow'];
export type NodeRow = components['schemas']['NodeRow'];
export type HiddenNodeRow = components['schemas']['HiddenNodeRow'];
export type VersionedTreeMemoryAnswer = components['schemas']['VersionedTreeMemoryAnswer'];
export type PinRow = components['schemas']['PinRow'];
export type StashRow = components['schemas']['StashRow'];
export type ActionRow = components['schemas']['ActionRow'];
export type VersionedStashAnswer = components['schemas']['VersionedStashAnswer'];
export type VersionedStashDroppedAnswer = components['schemas']['VersionedStashDroppedAnswer'];
export type VersionedTreesVerifiedAnswer = components['schemas']['VersionedTreesVerifiedAnswer'];
export type ProblemRow = components['schemas']['ProblemRow'];
export type VersionedOutlineAnswer = components['schemas']['VersionedOutlineAnswer'];
export type OutlineRow = components['schemas']['OutlineRow'];
export type OutlineNodeRow = components['schemas']['OutlineNodeRow'];
export type VersionedNodeDetailsAnswer = components['schemas']['VersionedNodeDetailsAnswer'];
export type NodeDetailsRow = components['schemas']['NodeDetailsRow'];
export type ConnectionCounts = components['schemas']['ConnectionCounts'];
export type NeighborRow = components['schemas']['NeighborRow'];
export type VersionRow = components['schemas']['VersionRow'];
export type ResponseRow = components['schemas']['ResponseRow'];
export type VersionedNodeAnswer = components['schemas']['VersionedNodeAnswer'];
export type VersionedChangedNodesAnswer = components['schemas']['VersionedChangedNodesAnswer'];
export type ChangedNode = components['schemas']['ChangedNode'];
export type VersionedAssembledPathAnswer = components['schemas']['VersionedAssembledPathAnswer'];
export type TruncationAnswer = components['schemas']['TruncationAnswer'];
export type VersionedGeneratedNodesAnswer = components['schemas']['VersionedGeneratedNodesAnswer'];
export type GenerationUsage = components['schemas']['GenerationUsage'];
export type SentTokens = components['schemas']['SentTokens'];
export type VersionedTreeFilesAnswer = components['schemas']['VersionedTreeFilesAnswer'];
export type TreeFileRow = components['schemas']['TreeFileRow'];
export type VersionedTreesImportedAnswer = components['schemas']['VersionedTreesImportedAnswer'];
export type DocumentBody = components['schemas']['DocumentBody'];
export type ComposeSetRequest = components['schemas']['ComposeSetRequest'];
export type RowChange = components['schemas']['RowChange'];
export type RowView = components['schemas']['RowView'];
export type ComposeRefreshRequest = components['schemas']['ComposeRefreshRequest'];
export type WorkbenchRequest = components['schemas']['WorkbenchRequest'];
export type ViewsRequest = components['schemas']['ViewsRequest'];
export type ShowRequest = components['schemas']['ShowRequest'];
export type SymbolsRequest = components['schemas']['SymbolsRequest'];
export type RelatedRequest = components['schemas']['RelatedRequest'];
export type SearchRequest = components['schemas']['SearchRequest'];
export type WhyRequest = components['schemas']['WhyRequest'];
export type SliceRequest = components['schemas']['SliceRequest'];
export type SlicesRefreshRequest = components['schemas']['SlicesRefreshRequest'];
export type SlicesRequest = components['schemas']['SlicesRequest'];
export type AllowRequest = components['schemas']['AllowRequest'];
export type EmptyRequest = components['schemas']['EmptyRequest'];
export type NameRequest = components['schemas']['NameRequest'];
export type PresetSaveRequest = components['schemas']['PresetSaveRequest'];
export type PresetDiffRequest = components['schemas']['PresetDiffRequest'];
export type PresetRemoveRequest = components['schemas']['PresetRemoveRequest'];
export type ConfigSetRequest = components['schemas']['ConfigSetRequest'];
export type ImportProjectRequest = components['schemas']['ImportProjectRequest'];
export type PruneRequest = components['schemas']['PruneRequest'];
export type RunsListRequest = components['schemas']['RunsListRequest'];
export type RunRequest = components['schemas']['RunRequest'];
export type RunsDiffRequest = components['schemas']['RunsDiffRequest'];
export type RunTextRequest = components['schemas']['RunTextRequest'];
export type ReplayRequest = components['schemas']['ReplayRequest'];
export type CacheClearRequest = components['schemas']['CacheClearRequest'];
export type CacheVerifyRequest = components['schemas']['CacheVerifyRequest'];
export type AgentRequest = components['schemas']['AgentRequest'];
export type CheckRequest = components['schemas']['CheckRequest'];
export type SessionImportRequest = components['schemas']['SessionImportRequest'];
export type SessionAppendRequest = components['schemas']['SessionAppendRequest'];
export type SendRequest = components['schemas']['SendRequest'];
export type SummarizeRequest = components['schemas']['SummarizeRequest'];
export type NewTreeRequest = components['schemas']['NewTreeRequest'];
export type UseTreeRequest = components['schemas']['UseTreeRequest'];
export type InTree = components['schemas']['InTree'];
export type LoomAgentRequest = components['schemas']['LoomAgentRequest'];
export type WhichTree = components['schemas']['WhichTree'];
export type InTree2 = components['schemas']['InTree2'];
export type InTree3 = components['schemas']['InTree3'];
export type InTree4 = components['schemas']['InTree4'];
export type InTree5 = components['schemas']['InTree5'];
export type VerifyTreesRequest = components['schemas']['VerifyTreesRequest'];
export type InTree6 = components['schemas']['InTree6'];
export type InTree7 = components['schemas']['InTree7'];
export type InTree8 = components['schemas']['InTree8'];
export type InTree9 = components['schemas']['InTree9'];
export type InTree10 = components['schemas']['InTree10'];
export type InTree11 = components['schemas']['InTree11'];
export type InTree12 = components['schemas']['InTree12'];
export type InTree13 = components['schemas']['InTree13'];
export type InTree14 = components['schemas']['InTree14'];
export type InTree15 = components['schemas']['InTree15'];
export type InTree16 = components['schemas']['InTree16'];
export type ImportTreesRequest = components['schemas']['ImportTreesRequest'];
export type Bodies = components['schemas']['Bodies'];
export type Answers = components['schemas']['Answers'];
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
