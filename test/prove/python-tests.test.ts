import { expect, test } from 'vitest';
import { PYTHON_NAMES, pythonTestsIn } from '../../src/prove/python-tests.js';

const CODE = `
def test_a(): pass
def check_b(): pass
class TestC:
    def test_d(self): pass
    def check_e(self): pass
    def helper(self):
        def test_inner(): pass
    class TestF:
        def test_g(self): pass
class CheckH:
    def check_i(self): pass
class Plain:
    def test_no(self): pass
class PlainObject(object):
    def test_no(self): pass
class TestInit:
    def __init__(self): pass
    def test_no(self): pass
class MyCase(unittest.TestCase):
    def __init__(self, name): pass
    def testCamel(self): pass
    def check_no(self): pass
class Derived(Base):
    def test_j(self): pass
def outer():
    def test_no(): pass
@pytest.fixture
def test_data(): return 1
@pytest_asyncio.fixture(scope="module")
async def test_more(): return 1
@pytest.mark.usefixtures("fixture")
def test_k(): pass
if True:
    def test_l(): pass
`;
const BYTES = Buffer.from(CODE);
const names = (given = PYTHON_NAMES): readonly string[] =>
  pythonTestsIn(BYTES, given).tests.map(({ name }) => name);

const ALWAYS = ['MyCase::testCamel', 'Derived::test_j'];

test('tests are what pytest collects by itself', () => {
  expect(names()).toEqual([
    'test_a',
    'TestC::test_d',
    'TestC::TestF::test_g',
    ...ALWAYS,
    'test_k',
    'test_l',
  ]);
});

test('python_functions and python_classes say what pytest collects', () => {
  expect(names({ functions: ['check_*'], classes: ['Check'] })).toEqual([
    'check_b',
    'CheckH::check_i',
    ...ALWAYS,
  ]);
  expect(names({ functions: ['*_d', 'check'], classes: ['*C'] })).toEqual([
    'check_b',
    'TestC::test_d',
    'TestC::check_e',
    ...ALWAYS,
  ]);
});

test('classes and functions of tests are regions of tests, and what looks like them is none', () => {
  const lines = CODE.split('\n');
  const heads = pythonTestsIn(BYTES).regions.map(({ from }) => lines[from]);
  expect(heads).toEqual([
    'def test_a(): pass',
    'class TestC:',
    'class MyCase(unittest.TestCase):',
    '@pytest.mark.usefixtures("fixture")',
    '    def test_l(): pass',
  ]);
});
