/** The environment in which cargo builds: the user's own, the lane's over it, and ours over both. */

/** Set for whatever cargo starts; another program's cargo may have started us. */
const FROM_OUTSIDE =
  /^(RUST_TEST_(?!THREADS$).*|RUST_LIB_BACKTRACE|CARGO_MAKEFLAGS|CARGO_BUILD_(TARGET_DIR|DEP_INFO_BASEDIR|RUSTC_WRAPPER|INCREMENTAL)|CARGO_UNSTABLE_CHECKSUM_FRESHNESS|COUNTERPROOF_(SESSION|TEST|VALUES))$/;

export interface BuildEnvironmentInput {
  readonly inherited: Readonly<Record<string, string>>;
  readonly lane: Readonly<Record<string, string>>;
  /** Absolute folder for everything that is built. */
  readonly target: string;
  readonly capLints: 'allow' | 'warn' | null;
}

/**
 * Nobody else's target folder: whoever shares one with another tree runs the other tree's code,
 * because cargo names its files by paths relative to the workspace.
 */
export function buildEnvironment({
  inherited,
  lane,
  target,
  capLints,
}: BuildEnvironmentInput): Record<string, string> {
  const env = Object.fromEntries(
    Object.entries({ ...inherited, ...lane }).filter(([name]) => !FROM_OUTSIDE.test(name)),
  );
  return {
    ...env,
    ...cappedLints(env, capLints),
    CARGO_TARGET_DIR: target,
    // A configuration may send what lies between source and executable to a folder of all trees.
    CARGO_BUILD_BUILD_DIR: target,
    CARGO_INCREMENTAL: '1',
    // The empty word also takes away what a configuration file sets.
    RUSTC_WRAPPER: '',
    RUST_BACKTRACE: '0',
    CARGO_TERM_COLOR: 'never',
    CARGO_TERM_PROGRESS_WHEN: 'never',
    CARGO_TERM_QUIET: 'false',
  };
}

/** Only one source of flags counts for cargo, so they are put beside those of the environment. */
function cappedLints(
  env: Readonly<Record<string, string>>,
  level: 'allow' | 'warn' | null,
): Readonly<Record<string, string>> {
  if (level === null) return {};
  const encoded = env['CARGO_ENCODED_RUSTFLAGS'];
  if (encoded !== undefined) {
    const flags = [...(encoded === '' ? [] : [encoded]), '--cap-lints', level];
    return { CARGO_ENCODED_RUSTFLAGS: flags.join('\u001F') };
  }
  const plain = env['RUSTFLAGS'];
  return plain === undefined ? {} : { RUSTFLAGS: `${plain} --cap-lints=${level}`.trim() };
}

/** Whether flags of the environment keep cargo from reading those of its configuration files. */
export const hasOwnFlags = (env: Readonly<Record<string, string>>): boolean =>
  'CARGO_ENCODED_RUSTFLAGS' in env || 'RUSTFLAGS' in env;
