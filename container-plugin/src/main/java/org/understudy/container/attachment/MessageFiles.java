package org.understudy.container.attachment;

import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import org.apache.cxf.attachment.AttachmentDataSource;
import org.apache.cxf.attachment.LazyAttachmentCollection;
import org.apache.cxf.io.DelegatingInputStream;
import org.apache.cxf.message.Attachment;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.intake.RequestMemory;

/**
 * Deletes the files of a message when its request ends: those of attachments, and that of a large body of which something was not read when
 * CXF began to answer. CXF deletes a file after somebody has read it, and any other after half an hour, or never. The bytes in files count
 * as a part of the request's memory.
 */
public final class MessageFiles extends AbstractPhaseInterceptor<Message> {
  private static final Logger LOG = LoggerFactory.getLogger(MessageFiles.class);

  public MessageFiles() {
    super(Phase.RECEIVE);
  }

  @Override
  public void handleMessage(Message message) {
    if (message.get(AbstractHTTPDestination.HTTP_REQUEST) instanceof ServletRequest request) {
      RequestMemory.atEnd(request, () -> delete(message));
    }
  }

  private static void delete(Message message) {
    Collection<Attachment> attachments = message.getAttachments();
    if (attachments instanceof LazyAttachmentCollection lazy) {
      // Others would be read from the request.
      attachments = lazy.getLoadedAttachments();
    }
    if (attachments != null) {
      attachments.forEach(MessageFiles::delete);
    }
    close(message.getContent(InputStream.class));
    // That of the transport, which is left when the message has been read as a tree.
    close(message.getContent(DelegatingInputStream.class));
  }

  private static void delete(Attachment attachment) {
    if (attachment.getDataHandler().getDataSource() instanceof AttachmentDataSource source && source.isCached()) {
      source.release();
      // CXF deletes a file when its last stream is closed.
      close(source.getInputStream());
    }
  }

  private static void close(InputStream stream) {
    try {
      if (stream != null) {
        stream.close();
      }
    } catch (IOException e) {
      LOG.debug("A stream of a message cannot be closed.", e);
    }
  }
}
