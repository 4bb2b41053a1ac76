import { lookFor, type Look } from '../report/look.js';

/** `--color`, `--no-color`, or neither. */
type ColourOption = boolean | undefined;

function look(stream: NodeJS.WriteStream, colour: ColourOption): Look {
  return lookFor({
    env: process.env,
    platform: process.platform,
    isTTY: stream.isTTY,
    columns: stream.isTTY ? stream.columns : undefined,
    color: colour === undefined ? 'auto' : colour ? 'always' : 'never',
  });
}

export const stdoutLook = (colour: ColourOption): Look => look(process.stdout, colour);

export const stderrLook = (colour: ColourOption): Look => look(process.stderr, colour);
