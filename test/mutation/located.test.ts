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

  const RUST = `use a::B;

pub mod stop {
    impl<T> Trait for b::Decoder<T> {
        #[inline]
        /// Steps.
        pub fn step(&mut self) -> u8
        where
            T: Copy,
        {
            let f = |x| {
                x
            };
            f(1)
        }
    }
}

struct Jail {
    held: u8,
}

macro_rules! twice {
    () => {};
}

impl [u8; 2] {
    fn naïve() {}
}
`;
  test.each<[number, string | null]>([
    [1, null],
    [2, null],
    [3, 'stop'],
    [4, 'stop::Decoder'],
    [5, 'stop::Decoder::step'],
    [6, 'stop::Decoder::step'],
    [7, 'stop::Decoder::step'],
    [9, 'stop::Decoder::step'],
    [12, 'stop::Decoder::step'],
    [14, 'stop::Decoder::step'],
    [17, 'stop'],
    [20, 'Jail'],
    [24, 'twice!'],
    [28, '[u8; 2]::naïve'],
  ])('an edit of line %i of a Rust file is in %s', (line, scope) => {
    const edited = RUST.split('\n')
      .with(line - 1, '// edited')
      .join('\n');
    const edit = toLocatedEdit('a.rs', Buffer.from(RUST), Buffer.from(edited));
    expect(edit).toMatchObject({ line, scope });
  });
});
