/** Durations and sizes, strictly: a unit that is misread is a limit that is wrong. */

const MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const BYTES: Readonly<Record<string, number>> = {
  B: 1,
  kB: 1e3,
  KB: 1e3,
  MB: 1e6,
  GB: 1e9,
  TB: 1e12,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
};

export const DURATION = /^(\d+(?:\.\d+)?) ?(ms|s|m|h)?$/;
export const SIZE = /^(\d+(?:\.\d+)?) ?(B|[kKMGT]B|[KMGT]iB)?$/;

/** Node's timers fire at once beyond 2^31 - 1 ms, which would end every step as a timeout. */
export const MAX_MS = 2 ** 31 - 1;

/**
 * `60s`, `5m`, `250ms`, `1.5h`; a plain number is seconds.
 * @returns milliseconds, whole and above 0, or null where the text is no such duration
 */
export function parseDuration(text: string | number): number | null {
  const match = DURATION.exec(String(text));
  if (match === null) return null;
  const ms = Math.round(Number(match[1]) * (MS[match[2] ?? 's'] ?? 0));
  return ms >= 1 && ms <= MAX_MS ? ms : null;
}

/**
 * `16MiB`, `2GB`, `512kB`; a plain number is bytes. `MB` is 10^6, `MiB` is 2^20.
 * @returns bytes, whole and above 0, or null where the text is no such size
 */
export function parseSize(text: string | number): number | null {
  const match = SIZE.exec(String(text));
  if (match === null) return null;
  const bytes = Math.round(Number(match[1]) * (BYTES[match[2] ?? 'B'] ?? 0));
  return bytes >= 1 && Number.isSafeInteger(bytes) ? bytes : null;
}
