/**
 * The content policy forbids style elements and style attributes; xterm makes both. A terminal opened through
 * {@link openTerminal} gets adopted style sheets and the CSS object model instead, which the policy allows.
 */
function adoptedStyle(page: Document): HTMLElement {
  const sheet = new CSSStyleSheet();
  const element = Document.prototype.createElement.call(page, 'span');
  element.hidden = true;
  page.adoptedStyleSheets = [...page.adoptedStyleSheets, sheet];
  let text = '';
  Object.defineProperty(element, 'textContent', {
    get: () => text,
    set: (css: string) => {
      text = css;
      sheet.replaceSync(css);
    },
  });
  Object.defineProperty(element, 'remove', {
    value: () => {
      page.adoptedStyleSheets = page.adoptedStyleSheets.filter((other) => other !== sheet);
      Element.prototype.remove.call(element);
    },
  });
  return element;
}

function styledByObject(element: HTMLElement): HTMLElement {
  Object.defineProperty(element, 'setAttribute', {
    value: (name: string, value: string) => {
      if (name === 'style') element.style.cssText = value;
      else Element.prototype.setAttribute.call(element, name, value);
    },
  });
  return element;
}

function create(page: Document, tag: string): HTMLElement {
  if (tag === 'style') return adoptedStyle(page);
  const element = Document.prototype.createElement.call(page, tag);
  return tag === 'span' ? styledByObject(element) : element;
}

/** The document as xterm is to see it: for its option `documentOverride`. */
export function terminalPage(page: Document): Document {
  return new Proxy(page, {
    get(target, name) {
      if (name === 'createElement') return (tag: string) => create(target, tag);
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? (value.bind(target) as unknown) : value;
    },
    set: (target, name, value) => Reflect.set(target, name, value, target),
  });
}

/** Runs `open`, in which xterm makes one more style element past the override. */
export function openTerminal(page: Document, open: () => void): void {
  Object.defineProperty(page, 'createElement', { configurable: true, value: (tag: string) => create(page, tag) });
  try {
    open();
  } finally {
    Reflect.deleteProperty(page, 'createElement');
  }
}
