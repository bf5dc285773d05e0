import { didYouMean } from '../../delegation/batch/suggest.ts';

/** The known word that was probably meant, or null; the same judgement as in batches (S3). */
export function nearestWord(word: string, known: Iterable<string>): string | null {
  return didYouMean(word, known);
}
