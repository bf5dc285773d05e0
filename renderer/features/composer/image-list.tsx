import { visibleText } from '../../shared/visible-text.ts';
import { workStrings } from '../../shared/work-strings.ts';
import { IconButton } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import { removeImage, useAttachedImages } from './attached-images.ts';

const words = workStrings.composer;

/** The images that go along with the message. */
export function ImageList({ place }: { readonly place: string }) {
  const images = useAttachedImages(place);
  if (images.length === 0) return null;
  return (
    <ul className="composer-images" aria-label={words.images}>
      {images.map(({ path, name, bytes }) => (
        <li key={path} className="composer-image">
          <Icon name="file" />
          <span className="el" title={visibleText(name)}>
            {visibleText(name)}
          </span>
          <span className="flex-none text-11 text-ink-3">{words.size(bytes)}</span>
          <IconButton
            icon="close"
            name={words.removeImage(visibleText(name))}
            onClick={() => removeImage(place, path)}
          />
        </li>
      ))}
    </ul>
  );
}
