import { describe, expect, test } from 'vitest';
import { createRustPlaces, type RustExecutable } from '../../src/prove/rust-places.js';

type Sources = Readonly<Record<string, string>>;

/** `jail::bin/tool a::b`, a text for each place. */
function told(sources: Sources, executables: Readonly<Record<string, string>>, path: string) {
  const listed = Object.entries(executables).map(([id, source]): RustExecutable => ({
    id,
    source: source === '' ? null : source,
  }));
  const read: string[] = [];
  const placesOf = createRustPlaces(listed, (file) => {
    read.push(file);
    const text = sources[file];
    return text === undefined ? null : Buffer.from(text);
  });
  const places = placesOf(path).map(({ executable, modules }) =>
    [executable, modules.join('::')].join(' ').trim(),
  );
  return { places, read };
}

const CRATE: Sources = {
  'Cargo.toml': '',
  'src/lib.rs':
    'mod a;\nmod flat { pub mod deep; #[path = "odd.rs"] mod given; }\n#[path = "elsewhere/x.rs"]\n// Why.\nmod moved;\n#[cfg(test)]\nmod tests;\nmod r#try;\n',
  'src/a.rs': 'pub mod b;\nmod c;\nmod inner { mod d; #[path = "e.rs"] mod e; }\n',
  'src/a/b.rs': '',
  'src/a/c/mod.rs': 'mod f;\n',
  'src/a/c/f.rs': '',
  'src/a/inner/d.rs': '',
  'src/a/inner/e.rs': '',
  'src/flat/deep.rs': '',
  'src/flat/odd.rs': '',
  'src/elsewhere/x.rs': 'mod y;\n',
  'src/elsewhere/y.rs': '',
  'src/tests.rs': '',
  'src/try.rs': '',
  'src/forgotten.rs': '',
  'src/main.rs': 'mod tests;\nmod shared;\n',
  'src/shared.rs': '',
  'src/bin/x.rs': '',
  'src/bin/y/main.rs': 'mod z;\n',
  'src/bin/y/z.rs': '',
  'tests/stop.rs': 'mod common;\n',
  'tests/common/mod.rs': '',
  'tests/many/main.rs': 'mod one;\n',
  'tests/many/one.rs': '',
  'checks/odd.rs': '',
};

const TARGETS = {
  jail: 'src/lib.rs',
  'jail::bin/jail': 'src/main.rs',
  'jail::bin/x': 'src/bin/x.rs',
  'jail::bin/y': 'src/bin/y/main.rs',
  'jail::stop': 'tests/stop.rs',
  'jail::many': 'tests/many/main.rs',
  'jail::checked': 'checks/odd.rs',
  'gone::t': '',
};

describe('where the tests of a Rust file run', () => {
  test.each([
    ['src/lib.rs', ['jail']],
    ['src/a.rs', ['jail a']],
    ['src/a/b.rs', ['jail a::b']],
    ['src/a/c/mod.rs', ['jail a::c']],
    ['src/a/c/f.rs', ['jail a::c::f']],
    ['src/a/inner/d.rs', ['jail a::inner::d']],
    ['src/a/inner/e.rs', ['jail a::inner::e']],
    ['src/flat/deep.rs', ['jail flat::deep']],
    ['src/flat/odd.rs', ['jail flat::given']],
    ['src/elsewhere/x.rs', ['jail moved']],
    ['src/elsewhere/y.rs', ['jail moved::y']],
    ['src/try.rs', ['jail r#try']],
    // Library and program each have their own.
    ['src/tests.rs', ['jail tests', 'jail::bin/jail tests']],
    ['src/main.rs', ['jail::bin/jail']],
    ['src/shared.rs', ['jail::bin/jail shared']],
    ['src/bin/x.rs', ['jail::bin/x']],
    ['src/bin/y/main.rs', ['jail::bin/y']],
    ['src/bin/y/z.rs', ['jail::bin/y z']],
    ['tests/stop.rs', ['jail::stop']],
    ['tests/common/mod.rs', ['jail::stop common']],
    ['tests/many/main.rs', ['jail::many']],
    ['tests/many/one.rs', ['jail::many one']],
    // `[[test]] path =` in the manifest.
    ['checks/odd.rs', ['jail::checked']],
    // No `mod` leads there.
    ['src/forgotten.rs', []],
    ['tests/gone.rs', []],
  ])('%s: %j', (path, places) => {
    expect(told(CRATE, TARGETS, path).places).toEqual(places);
  });

  test('is the package of the nearest Cargo.toml; others are read only where it declares no such file', () => {
    const workspace = {
      'Cargo.toml': '',
      'src/lib.rs': 'mod tests;\n',
      'src/tests.rs': '',
      'crates/a/Cargo.toml': '',
      'crates/a/src/lib.rs': 'mod tests;\n#[path = "../../b/src/lent.rs"]\nmod lent;\n',
      'crates/a/src/tests.rs': '',
      'crates/b/Cargo.toml': '',
      'crates/b/src/lib.rs': 'mod tests;\n',
      'crates/b/src/tests.rs': '',
      'crates/b/src/lent.rs': '',
    };
    const targets = { a: 'crates/a/src/lib.rs', b: 'crates/b/src/lib.rs', top: 'src/lib.rs' };
    const own = told(workspace, targets, 'crates/b/src/tests.rs');
    expect(own.places).toEqual(['b tests']);
    expect(own.read).not.toContain('crates/a/src/lib.rs');
    expect(told(workspace, targets, 'src/tests.rs').places).toEqual(['top tests']);
    expect(told(workspace, targets, 'crates/b/src/lent.rs').places).toEqual(['a lent']);
  });

  test('is not known where a module may come from several files', () => {
    const sources = {
      'Cargo.toml': '',
      'src/lib.rs':
        '#[cfg(unix)]\n#[path = "unix.rs"]\nmod os;\n#[cfg(windows)]\n#[path = "windows.rs"]\nmod os;\n#[cfg_attr(windows, path = "win.rs")]\nmod net;\n',
      'src/unix.rs': '',
      'src/windows.rs': '',
      'src/net.rs': '',
      'src/win.rs': '',
    };
    for (const name of ['unix', 'windows', 'net', 'win'])
      expect(told(sources, { a: 'src/lib.rs' }, `src/${name}.rs`).places).toEqual([]);
    const { 'src/win.rs': _, ...less } = sources;
    expect(told(less, { a: 'src/lib.rs' }, 'src/net.rs').places).toEqual(['a net']);
  });

  test('ends where files include each other', () => {
    const sources = {
      'Cargo.toml': '',
      'src/lib.rs': '#[path = "a.rs"]\nmod a;\n',
      'src/a.rs': '#[path = "lib.rs"]\nmod back;\n',
    };
    expect(told(sources, { a: 'src/lib.rs' }, 'src/a.rs').places).toEqual(['a a']);
  });
});
