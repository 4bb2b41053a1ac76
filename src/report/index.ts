/**
 * The formats by name. A new one is a file, a line here, and a line in the documentation. Each
 * is loaded when it is asked for: a run needs none before its end.
 */
import { type Result, err, ok } from '../result.js';
import type { RunRecord } from '../record/schema.js';
import type { TerminalOptions } from './terminal/run.js';

export const FORMATS = ['terminal', 'markdown', 'json'] as const;

export type ReportFormat = (typeof FORMATS)[number];

type Renderer = (record: RunRecord, options: TerminalOptions) => string;

const RENDERERS: { readonly [F in ReportFormat]: () => Promise<Renderer> } = {
  terminal: async () => (await import('./terminal/run.js')).renderRun,
  markdown: async () => (await import('./markdown/run.js')).renderMarkdown,
  json: async () => (await import('./json.js')).renderJson,
};

/** Renders a record; `options` concern the terminal format alone. Ends with a line break. */
export async function renderReport(
  format: ReportFormat,
  record: RunRecord,
  options: TerminalOptions,
): Promise<string> {
  return (await RENDERERS[format]())(record, options);
}

export interface ReportRequest {
  readonly format: ReportFormat;
  /** As written, relative to the working directory; null: it takes the place of the terminal report. */
  readonly path: string | null;
}

function isFormat(name: string): name is ReportFormat {
  return (FORMATS as readonly string[]).includes(name);
}

/** Reads `--report FORMAT[=PATH]`. The path is everything after the first `=`. */
export function parseReportOption(option: string): Result<ReportRequest, string> {
  const at = option.indexOf('=');
  const name = at === -1 ? option : option.slice(0, at);
  const path = at === -1 ? null : option.slice(at + 1);
  if (!isFormat(name)) {
    const near = FORMATS.find((format) => name !== '' && format.startsWith(name.toLowerCase()));
    const hint = near === undefined ? `formats are ${FORMATS.join(', ')}` : `did you mean ${near}?`;
    return err(`--report ${option}: there is no format "${name}"; ${hint}`);
  }
  if (path === '') return err(`--report ${option}: the path after = is empty`);
  return ok({ format: name, path });
}
