package org.understudy.container.attachment;

import java.util.List;
import org.apache.cxf.attachment.LazyAttachmentCollection;
import org.apache.cxf.binding.soap.SoapFault;
import org.apache.cxf.binding.soap.SoapMessage;
import org.apache.cxf.binding.soap.interceptor.AbstractSoapInterceptor;
import org.apache.cxf.phase.Phase;

/**
 * Reads all attachments of a message before its operation runs. CXF reads those to which nothing refers when it writes the response. If
 * there are more than CXF permits, it then writes neither the response nor a fault: the operation has run, and the client gets an empty
 * answer with status 202.
 */
public final class CompleteAttachments extends AbstractSoapInterceptor {
  public CompleteAttachments() {
    super(Phase.PRE_INVOKE);
  }

  @Override
  public void handleMessage(SoapMessage message) {
    if (message.getAttachments() instanceof LazyAttachmentCollection lazy) {
      try {
        // To go through them reads them.
        lazy.forEach(attachment -> {});
      } catch (RuntimeException e) {
        // CXF would read the others again when it writes the fault.
        message.setAttachments(List.copyOf(lazy.getLoadedAttachments()));
        Throwable cause = e.getCause() == null ? e : e.getCause();
        throw new SoapFault("The attachments cannot be read: " + cause.getMessage(), message.getVersion().getSender());
      }
    }
  }
}
