/** As much of JSON Schema as our schemas use; an unknown keyword is an error, so nothing is skipped. */
type Schema = Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

const NOTES = new Set([
  '$schema',
  'title',
  'description',
  'format',
  'properties',
  'patternProperties',
]);

export function accepts(schema: unknown, value: unknown): boolean {
  if (typeof schema === 'boolean') return schema;
  if (!isRecord(schema)) throw new Error('no schema');
  return Object.entries(schema).every(([keyword, rule]) => {
    if (keyword === 'additionalProperties') return fieldsFit(schema, value);
    return NOTES.has(keyword) || keywordFits(keyword, rule, value);
  });
}

function keywordFits(keyword: string, rule: unknown, value: unknown): boolean {
  const matching = (): number => listOf(rule).filter((option) => accepts(option, value)).length;
  switch (keyword) {
    case 'type':
      return (Array.isArray(rule) ? rule : [rule]).some((type) => typeFits(String(type), value));
    case 'enum':
      return listOf(rule).includes(value);
    case 'const':
      return rule === value;
    case 'anyOf':
      return matching() > 0;
    case 'oneOf':
      return matching() === 1;
    case 'required':
      return !isRecord(value) || listOf(rule).every((key) => String(key) in value);
    case 'propertyNames':
      return !isRecord(value) || Object.keys(value).every((key) => accepts(rule, key));
    case 'items':
      return listOf(value).every((item) => accepts(rule, item));
    case 'minItems':
      return !Array.isArray(value) || value.length >= Number(rule);
    case 'minLength':
      return typeof value !== 'string' || value.length >= Number(rule);
    case 'pattern':
      return typeof value !== 'string' || new RegExp(String(rule), 'u').test(value);
    case 'minimum':
      return typeof value !== 'number' || value >= Number(rule);
    case 'maximum':
      return typeof value !== 'number' || value <= Number(rule);
    case 'exclusiveMinimum':
      return typeof value !== 'number' || value > Number(rule);
    default:
      throw new Error(`unknown keyword ${keyword}`);
  }
}

function typeFits(type: string, value: unknown): boolean {
  if (type === 'array') return Array.isArray(value);
  if (type === 'object') return isRecord(value);
  if (type === 'null') return value === null;
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

function fieldsFit(schema: Schema, value: unknown): boolean {
  if (!isRecord(value)) return true;
  const { properties, patternProperties, additionalProperties } = schema;
  const own = isRecord(properties) ? properties : {};
  const patterns = Object.entries(isRecord(patternProperties) ? patternProperties : {});
  return Object.entries(value).every(([key, item]) => {
    if (key in own) return accepts(own[key], item);
    const pattern = patterns.find(([source]) => new RegExp(source, 'u').test(key));
    return accepts(pattern === undefined ? additionalProperties : pattern[1], item);
  });
}
