import { expect, test } from 'vitest';
import { missingName } from '../../src/proof/missing-name.js';

test.each([
  ["NameError: name 'helper' is not defined", 'helper', 'name'],
  ["NameError: name 'helper' is not defined. Did you mean: 'help'?", 'helper', 'name'],
  [
    "UnboundLocalError: cannot access local variable 'x' where it is not associated with a value",
    'x',
    'name',
  ],
  ["UnboundLocalError: local variable 'x' referenced before assignment", 'x', 'name'],
  ["AttributeError: 'Engine' object has no attribute 'stop'", 'stop', 'attribute'],
  ["AttributeError: module 'a.b' has no attribute 'c'", 'c', 'attribute'],
  ["AttributeError: <module 'a' from '/t/a.py'> does not have the attribute 'b'", 'b', 'attribute'],
  ["AttributeError: type object 'E' has no attribute 'x'. Did you mean: 'y'?", 'x', 'attribute'],
  ["ImportError: cannot import name 'new' from 'pkg.mod' (/x/mod.py)", 'new', 'import'],
  ["src/mod.py:3: ImportError: cannot import name 'new' from 'pkg.mod'", 'new', 'import'],
  ["ModuleNotFoundError: No module named 'pkg.fresh'", 'fresh', 'import'],
  ["TypeError: f() got an unexpected keyword argument 'wait'", 'wait', 'argument'],
  ["TypeError: Engine.start() got an unexpected keyword argument 'wait'", 'wait', 'argument'],
  ['TypeError: f() takes 1 positional argument but 2 were given', 'f', 'argument'],
  [
    'TypeError: Engine.start() takes from 1 to 2 positional arguments but 3 were given',
    'start',
    'argument',
  ],
  ["TypeError: f() missing 1 required positional argument: 'x'", 'f', 'argument'],
])('%s', (message, name, kind) => {
  expect(missingName(message)).toEqual({ name, kind });
});

test.each([
  null,
  '',
  "AssertionError: assert 'a' == 'b'",
  'TypeError: unsupported operand type(s)',
  "RuntimeError: NameError: name 'x' is not defined",
  "KeyError: 'x'",
  "AttributeError: 'NoneType' object has no attribute 'value'",
  "AttributeError: 'dict' object has no attribute 'value'",
  "E   AttributeError: 'str' object has no attribute 'value'",
])('%s is about no missing name', (message) => {
  expect(missingName(message)).toBeNull();
});
