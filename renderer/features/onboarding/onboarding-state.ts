import { create } from 'zustand';

interface FirstStart {
  /** Whether it is shown; null until it is known whether there is a project. */
  readonly open: boolean | null;
  /** It was asked for: then it is shown over an open conversation too. */
  readonly asked: boolean;
}

export const useFirstStart = create<FirstStart>(() => ({ open: null, asked: false }));

export const openFirstStart = (): void => {
  useFirstStart.setState({ open: true, asked: true });
};

export const closeFirstStart = (): void => {
  useFirstStart.setState({ open: false, asked: false });
};
