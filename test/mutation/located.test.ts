import { describe, expect, it, test } from 'vitest';
import { toLocatedEdit } from '../../src/mutation/located.js';

describe('the scope of an edit', () => {
  const FILE = `import a

class Client:
    limit = 1

    @property
    def pause(self):
        def inner():
            return 1
        return inner

async def naïve(
    a,
):
    return a
`;
  test.each<[number, string | null]>([
    [1, null],
    [2, null],
    [3, 'Client'],
    [4, 'Client'],
    [6, 'Client.pause'],
    [7, 'Client.pause'],
    [8, 'Client.pause.inner'],
    [9, 'Client.pause.inner'],
    [10, 'Client.pause'],
    [12, 'naïve'],
    [14, 'naïve'],
    [15, 'naïve'],
  ])('an edit of line %i is in %s', (line, scope) => {
    const edited = FILE.split('\n')
      .with(line - 1, '# edited')
      .join('\n');
    const edit = toLocatedEdit('client.py', Buffer.from(FILE), Buffer.from(edited));
    expect(edit).toMatchObject({ line, scope });
  });

  it('is not known where the encoding keeps the source from being read', () => {
    const source = '# coding: utf-16\ndef f():\n    return 1\n';
    const edited = source.replace('return 1', 'return 2');
    const edit = toLocatedEdit('client.py', Buffer.from(source), Buffer.from(edited));
    expect(edit).toMatchObject({ line: 3, scope: null });
  });
});
