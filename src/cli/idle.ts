import { printMessage } from './output.js';

/**
 * Says of options that `run`, `try` and `prove` share which of them mean nothing to a command. They
 * are taken all the same: a script can hand the same ones to each.
 *
 * @param idle why, by the name of the option
 */
export function tellIdle(
  command: string,
  args: Readonly<Record<string, unknown>> & { readonly quiet: boolean },
  idle: Readonly<Record<string, string>>,
): void {
  if (args.quiet) return;
  for (const [option, why] of Object.entries(idle)) {
    const given = args[option];
    if (given !== undefined && given !== false)
      printMessage(`--${option} means nothing to \`${command}\`: ${why}.\n`);
  }
}
