import { createContext, useContext, useState } from 'react';

/** Whether somebody was led to this row: what it keeps back until asked for is on the page, or the words would not be found. */
export const Revealed = createContext(false);

/** Whether all of a text is shown: once asked for, or once somebody was led to it. It stays so. */
export function useShownWhole(): readonly [boolean, () => void] {
  const revealed = useContext(Revealed);
  const [all, setAll] = useState(revealed);
  if (revealed && !all) setAll(true);
  return [
    all,
    () => {
      setAll(true);
    },
  ];
}
