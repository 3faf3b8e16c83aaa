package org.understudy.container.durable;

import org.understudy.container.service.Notebook;
import org.understudy.container.service.RefusedException;

/** A service that knows nothing of durability: a text, and drafts that may be lost. */
class PlainNotebook implements Notebook {
  private final Lines text;
  private final Lines drafts;

  PlainNotebook(Lines text, Lines drafts) {
    this.text = text;
    this.drafts = drafts;
  }

  @Override
  public String append(String more) {
    text.add(more);
    drafts.add(more);
    return text();
  }

  @Override
  public String text() {
    return text.all() + "|" + drafts.all();
  }

  @Override
  public String refuse(String more) throws RefusedException {
    append(more);
    throw new RefusedException("No more.");
  }

  @Override
  public String stumble(String more) {
    append(more);
    throw new IllegalStateException("stumbled");
  }

  /** Changes nothing. */
  @Override
  public String quote(String more) {
    return text() + more;
  }

  @Override
  public String appendSlowly(String more) {
    return append(more);
  }

  @Override
  public void note(String more) {
    drafts.add(more);
  }

  @Override
  public void clear() {
    text.clear();
  }
}
