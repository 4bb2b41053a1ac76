import { describe, expect, it } from 'vitest';
import { testId } from '../../../src/lane/junit/ids.js';
import type { JunitCase } from '../../../src/lane/junit/report.js';
import { matchIds } from '../../../src/proof/select.js';
import { ROOT, caseOf } from './support.js';

const named = (...names: readonly string[]) => names.map((name) => ({ name, file: null }));

describe('the id of a case', () => {
  it.each<readonly [string, Partial<JunitCase>, string]>([
    [
      'Vitest',
      { suites: named('test/a.test.ts'), classname: 'test/a.test.ts', name: 'group > adds' },
      'test/a.test.ts::group > adds',
    ],
    [
      'Vitest with its file attribute',
      { file: 'test/a.test.ts', classname: 'test/a.test.ts', name: 'adds' },
      'test/a.test.ts::adds',
    ],
    ['Node 20, alone', { classname: 'test', name: 'adds' }, 'adds'],
    [
      'Node 20, in a group',
      { suites: named('group', 'inner'), classname: 'test', name: 'adds' },
      'group::inner::adds',
    ],
    [
      'Node 22',
      {
        suites: named('group'),
        file: `${ROOT}/test/a.test.js`,
        classname: 'test',
        name: 'adds',
      },
      'test/a.test.js::group::adds',
    ],
    [
      'Node, a file that failed as a whole',
      { classname: 'test', name: `${ROOT}/test/a.test.js` },
      'test/a.test.js',
    ],
    [
      'pytest',
      { suites: named('pytest'), classname: 'tests.test_a.TestX', name: 'test_b[1]' },
      'tests.test_a.TestX::test_b[1]',
    ],
    [
      'pytest with files',
      { file: 'tests/test_a.py', classname: 'tests.test_a.TestX.TestY', name: 'test_b[1]' },
      'tests/test_a.py::TestX::TestY::test_b[1]',
    ],
    [
      'pytest with files, no class',
      { file: 'tests/test_a.py', classname: 'tests.test_a', name: 'test_b' },
      'tests/test_a.py::test_b',
    ],
    [
      'surefire',
      { suites: named('com.shop.CartTest'), classname: 'com.shop.CartTest', name: 'addsItems' },
      'com.shop.CartTest::addsItems',
    ],
    [
      'gotestsum',
      { suites: named('example.org/shop'), classname: 'example.org/shop', name: 'TestCart/empty' },
      'example.org/shop::TestCart/empty',
    ],
    ['CTest', { suites: named('Linux-c++'), classname: 'cart', name: 'cart' }, 'Linux-c++::cart'],
    [
      'nextest',
      { suites: named('shop::bin/tool'), classname: 'shop::bin/tool', name: 'cart::empty' },
      'shop::bin/tool::cart::empty',
    ],
    [
      'googletest',
      { suites: named('Inst/Cart'), classname: 'Inst/Cart', name: 'Adds/0' },
      'Inst/Cart::Adds/0',
    ],
    [
      'PHPUnit',
      { file: `${ROOT}/tests/CartTest.php`, classname: 'CartTest', name: 'testAdds' },
      'tests/CartTest.php::CartTest::testAdds',
    ],
    [
      'RSpec',
      { file: './spec/cart_spec.rb', classname: 'spec.cart_spec', name: 'Cart adds' },
      'spec/cart_spec.rb::Cart adds',
    ],
    [
      'jest-junit',
      { suites: named('Cart'), classname: 'Cart adds', name: 'Cart adds' },
      'Cart::Cart adds',
    ],
    [
      'mocha, with the file at a suite',
      {
        suites: [
          { name: 'Root Suite', file: `${ROOT}/test/cart.js` },
          { name: 'Cart', file: null },
        ],
        classname: 'adds',
        name: 'Cart adds',
      },
      'test/cart.js::adds::Cart adds',
    ],
    [
      'Playwright',
      { suites: named('a.spec.ts'), classname: 'a.spec.ts', name: 'group › adds' },
      'a.spec.ts::group › adds',
    ],
    [
      'Deno',
      { suites: named('./a_test.ts'), classname: './a_test.ts', name: 'adds' },
      'a_test.ts::adds',
    ],
    ['a file URL', { file: `file://${ROOT}/a%20b.js`, name: 'adds' }, 'a b.js::adds'],
    [
      'a path outside the root',
      { classname: '/usr/share/t.bats', name: 'a' },
      '/usr/share/t.bats::a',
    ],
    ['control characters', { classname: 'a\u0007\n', name: ' b\tc ' }, 'a::b c'],
    ['no name at all', {}, '(no name)'],
  ])('of %s', (_runner, found, id) => {
    expect(testId(caseOf(found), [ROOT])).toBe(id);
  });

  it('differs wherever the file, the class, the suites without one, or the name does', () => {
    const ids = [
      caseOf({ classname: 'a.test.ts', name: 'x' }),
      caseOf({ classname: 'b.test.ts', name: 'x' }),
      caseOf({ classname: 'b.test.ts', name: 'y' }),
      caseOf({ file: 'c.js', classname: 'test', name: 'x' }),
      caseOf({ file: 'c.js', classname: 'test', name: 'x', suites: named('s') }),
      caseOf({ file: 'c.php', classname: 'One', name: 'x' }),
      caseOf({ file: 'c.php', classname: 'Two', name: 'x' }),
    ].map((found) => testId(found, [ROOT]));
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('is found by its file, its folder, its class, and a pattern', () => {
    const ids = [
      caseOf({ classname: 'test/cart/a.test.ts', name: 'group > one' }),
      caseOf({ classname: 'test/cart/a.test.ts', name: 'group > two' }),
      caseOf({ classname: 'test/cart/b.test.ts', name: 'three' }),
      caseOf({ file: 'tests/test_a.py', classname: 'tests.test_a.TestX', name: 'test_b[1]' }),
    ].map((found) => testId(found, [ROOT]));
    const found = (selector: string) =>
      matchIds(selector, ids, { idPrefix: '', idForm: 'path' }).length;
    expect(found('test/cart/a.test.ts')).toBe(2);
    expect(found('test/cart')).toBe(3);
    expect(found('test/cart/a.test.ts::group > *')).toBe(2);
    expect(found('tests/test_a.py::TestX')).toBe(1);
    expect(found('tests/test_a.py::TestX::test_b')).toBe(1);
  });
});
