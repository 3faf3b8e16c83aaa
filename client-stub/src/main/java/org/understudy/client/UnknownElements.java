package org.understudy.client;

import jakarta.xml.bind.ValidationEvent;
import jakarta.xml.bind.ValidationEventHandler;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Skips elements of a response that the interface does not know, because a newer version of the service has added them. By default CXF
 * fails the call, although the service has executed it. Anything else that the data binding reports, for example an invalid number,
 * fails the call as before.
 */
final class UnknownElements implements ValidationEventHandler {
  private static final Logger LOG = LoggerFactory.getLogger(UnknownElements.class);
  /** As in {@code unexpected element (uri:"urn:a", local:"b")}, in any language. A conversion error has a linked exception. */
  private static final Pattern UNEXPECTED = Pattern.compile("\\(uri:\".*\", [^:\"]*:\".*\"\\)", Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  @Override
  public boolean handleEvent(ValidationEvent event) {
    boolean unknown =
        event.getSeverity() == ValidationEvent.ERROR
            && event.getLinkedException() == null
            && event.getMessage() != null
            && UNEXPECTED.matcher(event.getMessage()).find();
    if (unknown) {
      LOG.debug("An element of the response is skipped: {}", event.getMessage());
    }
    return unknown;
  }
}
