package org.understudy.cdi.conversation;

import jakarta.enterprise.context.SessionScoped;
import java.io.Serializable;

/** A bean of a session. */
@SessionScoped
public class Visitor implements Serializable {
  private static final long serialVersionUID = 1L;

  private int visits;

  public int visit() {
    return ++visits;
  }
}
