import { configJsonSchema, specJsonSchema } from '../spec/json-schema.js';
import { recordJsonSchema } from '../record/json-schema.js';
import { EXIT } from './exit.js';
import { everywhere } from './options.js';
import { printResult } from './output.js';
import { command, type Parsed } from './parsed.js';

const positionals = {
  format: {
    type: 'string',
    choices: ['config', 'spec', 'record'] as const,
    default: 'spec',
    describe: 'Of what',
  },
} as const;
const options = everywhere;

/** `counterproof schema`: JSON Schemas for editors and for whoever reads records. */
export const schemaCommand = command({
  usage: 'schema [format]',
  describe: 'Print the JSON Schema of specs, of counterproof.yaml, or of records',
  positionals,
  options,
  run: (args: Parsed<typeof positionals & typeof options>) => {
    const schemas = { config: configJsonSchema, spec: specJsonSchema, record: recordJsonSchema };
    printResult(`${JSON.stringify(schemas[args.format](), null, 2)}\n`);
    return Promise.resolve(EXIT.proven);
  },
});
