import { describesObjects, outputOf } from '../protocol/report-tool.ts';
import type { SchemaReport } from '../protocol/report.ts';
import { jsonIn } from './json-in-text.ts';
import { schemaValidator, type Validator } from './schema-validator.ts';

/** The structured output of a run for which a schema was asked (P8): what was sent, whether it fits, and the one repair. */
export class StructuredOutput {
  readonly #schema: Readonly<Record<string, unknown>>;
  readonly #validate: Validator;
  #value: { readonly value: unknown } | null = null;
  #errors: readonly string[] = [];
  #retries = 0;

  private constructor(schema: Readonly<Record<string, unknown>>, validate: Validator) {
    this.#schema = schema;
    this.#validate = validate;
  }

  /** Loads the validator; the schema was accepted at dispatch. */
  static async open(schema: Readonly<Record<string, unknown>>): Promise<StructuredOutput> {
    return new StructuredOutput(schema, await schemaValidator(schema));
  }

  get isValid(): boolean {
    return this.#value !== null;
  }

  /** What the model is told of an output that was not accepted: the errors, never the schema, which it has (P8). */
  get rejection(): string {
    return `The structured output was not accepted:\n${this.#errors.map((error) => `- ${error}`).join('\n')}\nSend it once more with report_result, whole and corrected. No other tool is run any more.`;
  }

  /** The accepted output; undefined while there is none. */
  get value(): unknown {
    return this.#value?.value;
  }

  get report(): SchemaReport {
    const errors = this.isValid ? [] : this.#errors.length > 0 ? this.#errors : ['no structured output was given'];
    return { valid: this.isValid, retries: this.#retries, errors: [...errors] };
  }

  /** Takes the arguments of a `report_result` call; of several the last valid one counts. */
  takeArguments(args: Readonly<Record<string, unknown>>): boolean {
    const output = outputOf(this.#schema, args);
    return this.#take(output, output === undefined ? ['the field "result" is missing'] : this.#validate(output));
  }

  /** Takes an output that was handed over as it is. */
  takeValue(output: unknown): boolean {
    return this.#take(output, this.#validate(output));
  }

  /** A `report_result` call whose arguments were cut or no JSON: a miss, never an empty object (B19). */
  refuse(error: string): void {
    this.#errors = [error];
  }

  /** Looks for the output in the text of a last message; of several values the last valid one counts (B16). */
  takeText(text: string): boolean {
    const found = jsonIn(text, !describesObjects(this.#schema));
    let errors: readonly string[] = ['the answer holds no JSON value that could be the output'];
    for (const value of found.toReversed()) {
      const wrong = this.#validate(value);
      if (wrong.length === 0) return this.#take(value, wrong);
      // Those of the last value: it is the one that was meant.
      if (value === found.at(-1)) errors = wrong;
    }
    this.#errors = errors;
    return false;
  }

  /** A repair turn begins. */
  repair(): void {
    this.#retries += 1;
  }

  #take(value: unknown, errors: readonly string[]): boolean {
    if (errors.length === 0) this.#value = { value };
    this.#errors = errors;
    return errors.length === 0;
  }
}

/** Whether a schema was asked for. */
export function isSchema(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
