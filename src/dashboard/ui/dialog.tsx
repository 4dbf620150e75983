import type { ComponentChildren } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useAction } from '../action.js';
import { ProblemNotice } from './states.js';

/** What a dialog is opened for: its first field, else what is to be copied, else the mild one of its buttons. */
const firstControl = 'form input, form select, .copy-block button, .actions button';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  /** By Escape or the close button; left out where only the content may close it. */
  readonly onClose?: (() => void) | undefined;
  /** It stays until what was sent off in it has an outcome: nobody would be told of a failure. */
  readonly busy?: boolean;
  /** Nothing of the page is seen behind it. */
  readonly cover?: boolean;
}

/** A modal dialog of the browser: it keeps the focus inside. The focus then goes back to where it was, or to the head of the page. */
export function Dialog({ title, children, onClose: close, busy = false, cover = false }: DialogProps) {
  const onClose = busy ? undefined : close;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useLayoutEffect(() => {
    const before = document.activeElement;
    const element = dialog.current;
    element?.showModal();
    element?.querySelector<HTMLElement>(firstControl)?.focus();
    return () => {
      element?.close();
      const back = before?.isConnected ? before : document.querySelector('h1');
      if (back instanceof HTMLElement) back.focus();
    };
  }, []);
  const onCancel = (event: Event) => {
    event.preventDefault();
    onClose?.();
  };
  // A browser does not ask, but closes it, on a second Escape without another act between, and where it knows no `closedby`.
  const onClosed = () => {
    if (dialog.current === null) return;
    if (onClose === undefined) dialog.current.showModal();
    else onClose();
  };
  return (
    <dialog
      ref={dialog}
      class={cover ? 'cover' : ''}
      aria-labelledby={titleId}
      closedby={onClose === undefined ? 'none' : undefined}
      onCancel={onCancel}
      onClose={onClosed}
    >
      <div class="dialog-head">
        <h2 id={titleId}>{title}</h2>
        {onClose !== undefined && (
          <button type="button" class="plain" aria-label="Close" onClick={onClose}>
            ✕
          </button>
        )}
      </div>
      {children}
    </dialog>
  );
}

interface ConfirmProps {
  /** What the button says, and the button that confirms. */
  readonly label: string;
  /** Whole name of the button for those who do not see the row that it stands in. */
  readonly name?: string;
  readonly title: string;
  /** What will happen. */
  readonly children: ComponentChildren;
  readonly disabled?: boolean;
  /** Not for what cannot be undone. */
  readonly mild?: boolean;
  onConfirm(): Promise<void>;
}

/** A button whose work is done only after a second look. */
export function ConfirmButton({ label, name, title, children, disabled, mild = false, onConfirm }: ConfirmProps) {
  const [open, setOpen] = useState(false);
  const action = useAction();
  const close = () => {
    action.clear();
    setOpen(false);
  };
  const confirm = () => action.run(onConfirm, () => setOpen(false));
  return (
    <>
      <button
        type="button"
        class={mild ? 'small' : 'small danger'}
        aria-label={name}
        disabled={disabled}
        onClick={() => setOpen(true)}
      >
        {label}
      </button>
      {open && (
        <Dialog title={title} onClose={close} busy={action.busy}>
          <div class="dialog-body">{children}</div>
          <ProblemNotice problem={action.problem} />
          <div class="actions end">
            <button type="button" disabled={action.busy} onClick={close}>
              Cancel
            </button>
            <button type="button" class={mild ? 'primary' : 'danger solid'} disabled={action.busy} onClick={confirm}>
              {label}
            </button>
          </div>
        </Dialog>
      )}
    </>
  );
}
