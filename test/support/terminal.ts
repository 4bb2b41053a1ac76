/** The built command on a terminal of a given width, by Python's pseudo terminals. */
import { spawn } from 'node:child_process';
import { cliEnvironment, COMMAND, type CliOptions, type TestProject } from './project.js';
import { venv } from './venvs.js';

/**
 * Copies what a terminal receives to its own stdout; `results` goes into a pipe of its own where
 * the first argument says so, and comes after everything else, behind a NUL.
 */
const SCRIPT = `
import fcntl, os, struct, subprocess, sys, termios
where, columns, command = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
main, terminal = os.openpty()
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
child = subprocess.Popen(command, stdin=terminal, stderr=terminal, start_new_session=True,
                         stdout=terminal if where == "terminal" else subprocess.PIPE)
os.close(terminal)
while True:
    try:
        chunk = os.read(main, 65536)
    except OSError:
        break
    if not chunk:
        break
    sys.stdout.buffer.write(chunk)
if where != "terminal":
    sys.stdout.buffer.write(b"\\0" + child.stdout.read())
sys.stdout.flush()
sys.exit(child.wait())
`;

export interface OnTerminal {
  readonly exitCode: number | null;
  /** Raw bytes as text, with control sequences. */
  readonly terminal: string;
  /** Of stdout, where it is a pipe; otherwise empty. */
  readonly piped: string;
}

export interface TerminalOptions extends Pick<CliOptions, 'env' | 'cwd'> {
  readonly columns: number;
  /** Where stdout goes; stderr is always the terminal. */
  readonly stdout: 'terminal' | 'pipe';
}

export async function onTerminal(
  project: TestProject,
  args: readonly string[],
  options: TerminalOptions,
): Promise<OnTerminal> {
  const { python } = await venv('default');
  const words = [options.stdout, String(options.columns), process.execPath, COMMAND, ...args];
  const child = spawn(python, ['-c', SCRIPT, ...words], {
    cwd: options.cwd ?? project.folder,
    env: await cliEnvironment(project, { TERM: 'xterm-256color', ...options.env }),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', resolve);
  });
  const [terminal = '', piped = ''] = Buffer.concat(chunks).toString('utf8').split('\0');
  return { exitCode, terminal: terminal.replaceAll('\r\n', '\n'), piped };
}
