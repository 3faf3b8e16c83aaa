package org.understudy.cdi.conversation;

import jakarta.enterprise.context.Conversation;
import jakarta.enterprise.context.ConversationScoped;
import jakarta.inject.Inject;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;

/** A form over several pages. */
@ConversationScoped
public class Wizard implements Serializable {
  private static final long serialVersionUID = 1L;

  @Inject private Conversation conversation;
  private final List<String> pages = new ArrayList<>();

  /** Begins a long conversation, and returns its id. */
  public String begin() {
    conversation.begin();
    return conversation.getId();
  }

  public String add(String page) {
    pages.add(page);
    return pages.toString();
  }

  public String end() {
    conversation.end();
    return pages.toString();
  }
}
