package org.understudy.container.attachment;

import jakarta.servlet.ServletRequest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Collection;
import org.apache.cxf.attachment.AttachmentDataSource;
import org.apache.cxf.attachment.LazyAttachmentCollection;
import org.apache.cxf.message.Attachment;
import org.apache.cxf.message.Message;
import org.apache.cxf.phase.AbstractPhaseInterceptor;
import org.apache.cxf.phase.Phase;
import org.apache.cxf.transport.http.AbstractHTTPDestination;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.understudy.container.intake.RequestMemory;
import org.understudy.soap.mime.Multipart;

/**
 * Deletes the files of a message's attachments when its request ends. CXF deletes the file of an attachment after somebody has read it, and
 * any other after half an hour. The bytes in files count as a part of the request's memory.
 */
public final class AttachmentFiles extends AbstractPhaseInterceptor<Message> {
  private static final Logger LOG = LoggerFactory.getLogger(AttachmentFiles.class);

  public AttachmentFiles() {
    super(Phase.RECEIVE);
  }

  @Override
  public void handleMessage(Message message) {
    if (Multipart.is((String) message.get(Message.CONTENT_TYPE))
        && message.get(AbstractHTTPDestination.HTTP_REQUEST) instanceof ServletRequest request) {
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
      attachments.forEach(AttachmentFiles::delete);
    }
    close(message.getContent(InputStream.class));
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
      LOG.debug("A stream of an attachment cannot be closed.", e);
    }
  }
}
