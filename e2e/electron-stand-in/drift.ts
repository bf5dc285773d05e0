import type { EventEmitter } from 'node:events';

type Method = (...args: never[]) => unknown;
type IsPromise<Type> = Type extends Promise<unknown> ? true : false;
/** Whether a caller of Electron's would get along with ours: a value for a value, a method for a method, a promise for a promise. */
type IsAlike<Mine, Theirs> = Mine extends Method
  ? Theirs extends Method
    ? IsPromise<ReturnType<Mine>> extends IsPromise<ReturnType<Theirs>>
      ? true
      : false
    : false
  : Theirs extends Method
    ? false
    : true;

/** Names of `Mine` that `Theirs` does not have, or has as something else. `Own` are the test's. */
type Drifted<Mine, Theirs, Own extends string> = {
  [Name in Exclude<keyof Mine, keyof EventEmitter | Own>]: Name extends keyof NonNullable<Theirs>
    ? IsAlike<Mine[Name], NonNullable<NonNullable<Theirs>[Name]>> extends true
      ? never
      : Name
    : Name;
}[Exclude<keyof Mine, keyof EventEmitter | Own>];

/** `true`, or the names by which a part of the stand-in has drifted from Electron's, which then does not compile. */
export type Fits<Mine, Theirs, Own extends string = never> = [Drifted<Mine, Theirs, Own>] extends [never]
  ? true
  : Drifted<Mine, Theirs, Own>;
