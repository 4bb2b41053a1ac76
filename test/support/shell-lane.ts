/** A project whose tests are lines of a shell script: it needs nothing but `sh`, whoever runs it. */
import type { Files } from './project.js';
import { config, spec, swap } from './specs.js';

const SCRIPT = `# What is tested is text; a test passes where it finds its line.
has() {
  if grep -qx "$2" calc.txt
  then echo "<testcase classname='calc' name='$1'/>"
  else echo "<testcase classname='calc' name='$1'><failure message='no such line'/></testcase>"
  fi
}
[ ! -f extra.sh ] || . ./extra.sh
{
  echo "<testsuite name='calc'>"
  has add 'a + b'
  has double 'a [*] 2'
  [ ! -f more.sh ] || . ./more.sh
  echo "</testsuite>"
} > "$1"
`;

/** Tests `calc::add` and `calc::double`; two mutations, each pinned by one of them. */
export const SHELL_FILES: Files = {
  'calc.txt': 'a + b\na * 2\n',
  'run.sh': SCRIPT,
  ...config({ runner: 'junit', command: ['sh', 'run.sh', '{report}'] }),
  ...spec([
    swap('minus', 'calc.txt', ['a + b', 'a - b'], { flips: 'calc::add' }),
    swap('thrice', 'calc.txt', ['a * 2', 'a * 3'], {
      flips: 'calc::double',
      controls: 'calc::add',
    }),
  ]),
};

export const SHELL_VERDICTS = { minus: 'pinned', thrice: 'pinned' } as const;
