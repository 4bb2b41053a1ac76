// @ts-check
/** What of the caller's environment reaches a test: what it needs to run here, and no taste. */

/** Settings that change what Python, pytest or their plugins do. */
const PYTHON = /^(PYTHON|PYTEST|PY_COLORS|COVERAGE|HYPOTHESIS|TOX_|NOX|VIRTUAL_ENV|CONDA_)/;

/** Where pip puts things instead of the environment that it belongs to. */
const PIP = /^PIP_(USER|TARGET|PREFIX|ROOT|REQUIRE_VIRTUALENV|PYTHON|DRY_RUN)$/;

const OTHERS = new RegExp(
  [
    '^COUNTERPROOF_',
    // How cargo builds. Where cargo and its registry live stays.
    '^RUST(FLAGS|DOCFLAGS|C|C_.*|_BACKTRACE|_LOG|_TEST_.*)$',
    '^CARGO_(TARGET_.*|BUILD_.*|PROFILE_.*|ENCODED_RUSTFLAGS|INCREMENTAL|TERM_.*)$',
    // A git hook that runs the tests must not aim them at its own repository.
    '^GIT_(?!SSL_|SSH)',
    '^(CI|GITHUB_.*|GITLAB_.*|BUILDKITE.*|TF_BUILD|JENKINS_.*)$',
    '^(NO_COLOR|FORCE_COLOR|CLICOLOR.*|COLORTERM|TERM|COLUMNS|LINES)$',
    '^(LANG|LANGUAGE|LC_.*|TZ)$',
    '^(NODE_OPTIONS|NODE_ENV|NODE_V8_COVERAGE)$',
    '^npm_(lifecycle|package)_',
    '^(EDITOR|VISUAL|PAGER|SOURCE_DATE_EPOCH)$',
  ].join('|'),
);

/** Set on purpose: no colour, no locale's wording, no git configuration of the user's. */
const SET = {
  LC_ALL: 'C.UTF-8',
  TZ: 'UTC',
  TERM: 'dumb',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_NOSYSTEM: '1',
};

/**
 * The environment of every test, whoever started it: `npm test`, an editor, or CI.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export function testEnvironment(env) {
  return { ...without(env, [PYTHON, PIP, OTHERS]), ...SET };
}

/**
 * For pip and venv: the user's index, proxy and certificates stay.
 *
 * @param {NodeJS.ProcessEnv} env
 * @returns {NodeJS.ProcessEnv}
 */
export const withoutPythonSettings = (env) => without(env, [PYTHON, PIP]);

/**
 * @param {NodeJS.ProcessEnv} env
 * @param {readonly RegExp[]} patterns
 */
const without = (env, patterns) =>
  Object.fromEntries(
    Object.entries(env).filter(([name]) => !patterns.some((pattern) => pattern.test(name))),
  );
