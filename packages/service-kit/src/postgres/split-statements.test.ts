import assert from 'node:assert/strict'
import { test } from 'node:test'
import { splitStatements } from './split-statements.ts'

test('a script is divided where a statement ends, and not within texts, names, comments and bodies', () => {
  const statements = [
    `-- the first; of three\ncreate table "a;b" (c text default 'd;''e');`,
    `\ncreate function f() returns void language plpgsql as $$ begin perform 1; raise 'x'; end $$;`,
    `\n/* a; b */ do $body$ begin execute $q$select 1;$q$; end $body$;`,
    `\nselect e'it\\'s; so', $1;`,
    `\ninsert into t values (1)`,
  ]
  assert.deepEqual(splitStatements(statements.join('')), statements)
  assert.deepEqual(splitStatements('select 1;\n-- the end; really\n'), ['select 1;'])
  assert.deepEqual(splitStatements(' -- nothing'), [])
})
