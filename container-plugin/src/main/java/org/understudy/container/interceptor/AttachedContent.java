package org.understudy.container.interceptor;

import jakarta.activation.DataSource;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.cxf.attachment.AttachmentDataSource;
import org.apache.cxf.interceptor.Fault;
import org.apache.cxf.message.Attachment;
import org.apache.cxf.message.Message;

/** Hashes the attachments of a message for its digest: their content, but not their ids, which differ between attempts. For one thread. */
final class AttachedContent {
  private static final String CID = "cid:";
  /** Set by WS-Security, which leaves the encrypted attachments in the message after it has decrypted them. */
  private static final String SECURED = "RECV_RESULTS";
  private static final int CHUNK = 8_192;

  private final Message message;
  /** Null before the first reference. */
  private Map<String, Attachment> byId;
  /** Of the attachments to which the Body refers, by id. */
  private final Map<String, byte[]> hashes = new HashMap<>();

  AttachedContent(Message message) {
    this.message = message;
  }

  private Collection<Attachment> attachments() {
    Collection<Attachment> attachments = message.getAttachments();
    return attachments == null ? List.of() : attachments;
  }

  /**
   * The hash of the attachment to which a whole text, or the {@code href} of an {@code xop:Include}, refers.
   *
   * @param reference may be any text, or null
   * @return null when the text names no attachment
   */
  byte[] hash(CharSequence reference) {
    if (reference == null || reference.length() < CID.length() || !CID.contentEquals(reference.subSequence(0, CID.length()))) {
      return null;
    }
    if (byId == null) {
      byId = new HashMap<>();
      attachments().forEach(attachment -> byId.putIfAbsent(attachment.getId(), attachment));
    }
    String id = byId.isEmpty() ? null : decoded(reference.subSequence(CID.length(), reference.length()).toString());
    Attachment attachment = id == null ? null : byId.get(id);
    // A Body may refer to one attachment many times.
    return attachment == null ? null : hashes.computeIfAbsent(id, any -> hash(attachment));
  }

  private static String decoded(String id) {
    try {
      return URLDecoder.decode(id, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return id;
    }
  }

  /** The hashes of the attachments to which the Body does not refer. */
  List<byte[]> hashesOfOthers() {
    List<byte[]> others = new ArrayList<>();
    if (message.get(SECURED) == null) {
      for (Attachment attachment : attachments()) {
        if (!hashes.containsKey(attachment.getId()) || byId.get(attachment.getId()) != attachment) {
          others.add(hash(attachment));
        }
      }
    }
    return others;
  }

  private byte[] hash(Attachment attachment) {
    MessageDigest hash = BodyDigest.sha256();
    DataSource source = attachment.getDataHandler().getDataSource();
    try {
      if (source instanceof AttachmentDataSource arriving) {
        // Cached because the service reads it too.
        arriving.cache(message);
      }
      try (InputStream in = source.getInputStream()) {
        byte[] chunk = new byte[CHUNK];
        for (int count = in.read(chunk); count >= 0; count = in.read(chunk)) {
          hash.update(chunk, 0, count);
        }
      }
    } catch (IOException e) {
      throw new Fault(e);
    }
    return hash.digest();
  }
}
