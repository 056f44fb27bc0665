// Writes `src/lib/schema.d.ts` from `openapi.json`, the server's list of operations; with `--check` it fails where that file is stale.
// Taken whole, the list would be 20,000 lines of types, because every operation repeats its errors. So only the named shapes are taken, and two
// more: `Bodies` and `Answers`, with an entry for each operation.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import openapiTS, { astToString } from 'openapi-typescript';

const from = new URL('../openapi.json', import.meta.url);
const into = new URL('../src/lib/schema.d.ts', import.meta.url);

const { paths, components, ...list } = JSON.parse(readFileSync(from, 'utf8'));
const bodies = {};
const answers = {};
for (const [path, methods] of Object.entries(paths)) {
  const { requestBody, responses } = methods.post ?? methods.get;
  const name = path.replace(/^\/(api\/)?/, '');
  const schemaOf = (part) => Object.values(part?.content ?? {})[0]?.schema;
  if (schemaOf(requestBody)) bodies[name] = schemaOf(requestBody);
  if (schemaOf(responses['200'])) answers[name] = schemaOf(responses['200']);
}
/**
 * The generator drops the properties beside a `$ref`, and reads properties beside `anyOf` as one more alternative. `allOf` says what both mean.
 * It also takes an object without declared fields for an empty one.
 */
function plain(schema) {
  if (Array.isArray(schema)) return schema.map(plain);
  if (!schema || typeof schema !== 'object') return schema;
  const all = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, plain(value)]));
  const { $ref, anyOf, oneOf, description, ...own } = all;
  const either = anyOf ?? oneOf;
  if (!own.properties && [own.type].flat().includes('object')) return { additionalProperties: true, ...all };
  if (!own.properties || !($ref || either)) return all;
  return { description, allOf: [own, ...($ref ? [{ $ref }] : []), ...(either ? [{ anyOf: either }] : [])] };
}

const each = (properties) => ({ type: 'object', properties, required: Object.keys(properties) });
const schemas = plain({ ...components?.schemas, Bodies: each(bodies), Answers: each(answers) });
// A field with a default may be left out of a request.
const options = { rootTypes: true, rootTypesNoSchemaPrefix: true, defaultNonNullable: false };
const made = astToString(await openapiTS({ ...list, paths: {}, components: { schemas } }, options));
const text = `// Made by \`npm run types\`; do not edit.\n${made}`;
if (!process.argv.includes('--check')) {
  writeFileSync(into, text);
  console.log(`${Object.keys(schemas).length} shapes, ${Object.keys(answers).length} of ${Object.keys(paths).length} operations with an answer`);
} else if (!existsSync(into) || readFileSync(into, 'utf8') !== text) {
  console.error('src/lib/schema.d.ts is stale: run `npm run types`');
  process.exit(1);
}
