/** What a stream can show: decided once, handed to every renderer, so that none asks the terminal. */
import pico from 'picocolors';

type Paint = (text: string) => string;

/** Colour stands only on glyph, verdict and diff; everything else stays as it is. */
export interface Palette {
  readonly good: Paint;
  readonly bad: Paint;
  readonly doubt: Paint;
  readonly alarm: Paint;
  readonly known: Paint;
}

export interface Glyphs {
  readonly pinned: string;
  readonly accepted: string;
  readonly refuted: string;
  readonly noEvidence: string;
  readonly critical: string;
  readonly arrow: string;
  readonly ellipsis: string;
  readonly spinner: readonly string[];
}

export interface Look {
  /** Columns; at least 20, whatever the terminal says. */
  readonly width: number;
  readonly colour: boolean;
  readonly unicode: boolean;
}

const UNICODE: Glyphs = {
  pinned: '✓',
  accepted: '~',
  refuted: '✗',
  noEvidence: '?',
  critical: '‼',
  arrow: '→',
  ellipsis: '…',
  spinner: ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'],
};

const ASCII: Glyphs = {
  pinned: '+',
  accepted: '~',
  refuted: 'x',
  noEvidence: '?',
  critical: '!!',
  arrow: '->',
  ellipsis: '...',
  spinner: ['|', '/', '-', '\\'],
};

export function glyphs(look: Pick<Look, 'unicode'>): Glyphs {
  return look.unicode ? UNICODE : ASCII;
}

export function palette(look: Pick<Look, 'colour'>): Palette {
  const colours = pico.createColors(look.colour);
  return {
    good: colours.green,
    bad: colours.red,
    doubt: colours.yellow,
    known: colours.cyan,
    alarm: (text) => colours.bold(colours.red(text)),
  };
}

export interface LookRequest {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly isTTY: boolean;
  readonly columns: number | undefined;
  /** `--color`; `auto` looks at the stream and at NO_COLOR, FORCE_COLOR and TERM. */
  readonly color: 'auto' | 'always' | 'never';
}

/** The width of a pipe and of a terminal that does not say: what a pasted report is read at. */
const DEFAULT_WIDTH = 80;
const MIN_WIDTH = 20;

function colourOf({ env, isTTY, color }: LookRequest): boolean {
  if (color !== 'auto') return color === 'always';
  // https://no-color.org: present and not an empty string, whatever its value.
  if ((env['NO_COLOR'] ?? '') !== '') return false;
  const force = env['FORCE_COLOR'];
  if (force !== undefined) return force !== '0' && force !== 'false';
  return isTTY && env['TERM'] !== 'dumb';
}

function unicodeOf({ env, platform }: LookRequest): boolean {
  if (platform === 'win32')
    return env['WT_SESSION'] !== undefined || env['TERM_PROGRAM'] === 'vscode';
  // The Linux console has no braille and no check marks in its fonts.
  if (env['TERM'] === 'linux') return false;
  const locale = [env['LC_ALL'], env['LC_CTYPE'], env['LANG']].find(
    (value) => (value ?? '') !== '',
  );
  // No locale at all is what containers and CI have: their logs are read as UTF-8.
  return locale === undefined || /utf-?8/i.test(locale) || platform === 'darwin';
}

/** Looks at the stream and the environment once. Respects NO_COLOR, FORCE_COLOR, TERM and the locale. */
export function lookFor(request: LookRequest): Look {
  return {
    width: Math.max(MIN_WIDTH, request.columns ?? DEFAULT_WIDTH),
    colour: colourOf(request),
    unicode: unicodeOf(request),
  };
}
