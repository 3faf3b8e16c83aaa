package org.understudy.container.interceptor;

import jakarta.activation.DataSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.cxf.attachment.AttachmentDataSource;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Attachment;
import org.apache.cxf.message.Message;

/** The attachments of a message, for its digest: their content counts, and not the ids that a sender makes anew. For one thread. */
final class AttachedContent {
  private static final String CID = "cid:";
  /** Set by WS-Security. What it decrypted may have been in attachments, which are there still. */
  private static final String SECURED = "RECV_RESULTS";
  private static final int CHUNK = 8_192;

  private final Message message;
  private final Set<String> included = new HashSet<>();

  AttachedContent(Message message) {
    this.message = message;
  }

  private Collection<Attachment> attachments() {
    Collection<Attachment> attachments = message.getAttachments();
    return attachments == null ? List.of() : attachments;
  }

  /** Hashes the attachment to which an {@code xop:Include} refers; returns false when there is none. */
  boolean hash(String href, MessageDigest hash) {
    if (href == null || !href.startsWith(CID)) {
      return false;
    }
    String id = URLDecoder.decode(href.substring(CID.length()), StandardCharsets.UTF_8);
    for (Attachment attachment : attachments()) {
      if (attachment.getId().equals(id)) {
        included.add(id);
        hash(attachment, hash);
        return true;
      }
    }
    return false;
  }

  /** Hashes the attachments to which the Body does not refer. */
  void hashOthers(MessageDigest hash) {
    if (message.get(SECURED) == null) {
      for (Attachment attachment : attachments()) {
        if (!included.contains(attachment.getId())) {
          hash(attachment, hash);
        }
      }
    }
  }

  private void hash(Attachment attachment, MessageDigest hash) {
    DataSource source = attachment.getDataHandler().getDataSource();
    try {
      if (source instanceof AttachmentDataSource arriving) {
        // The service reads it too.
        arriving.cache(message);
      }
      try (InputStream in = source.getInputStream()) {
        byte[] chunk = new byte[CHUNK];
        long length = 0;
        for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
          hash.update(chunk, 0, count);
          length += count;
        }
        hash.update(Long.toString(length).getBytes(StandardCharsets.US_ASCII));
      }
    } catch (IOException e) {
      throw new Fault(e);
    }
  }
}
