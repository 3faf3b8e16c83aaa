package org.understudy.soap.mime;

import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.envelope.SoapVersion;

/**
 * A request in a normal form: the envelope in UTF-8, and attachments beside it if there are any. The plugin reads the
 * envelope and the service's stack the whole message; both see the same content.
 *
 * @param envelope in UTF-8
 * @param attachments null when the request is an envelope alone
 */
public record RequestMessage(byte[] envelope, Multipart attachments) {
  /**
   * Finds the envelope.
   *
   * @param contentType of the request, or null
   * @throws BadEnvelopeException when the charset is not accepted, or a multipart message is not well-formed
   */
  public static RequestMessage of(byte[] bytes, String contentType) throws BadEnvelopeException {
    if (!Multipart.is(contentType)) {
      return new RequestMessage(Transcoding.utf8(bytes, contentType), null);
    }
    try {
      Multipart parts = Multipart.read(bytes, bytes.length, contentType);
      return new RequestMessage(Transcoding.utf8(parts.root(), parts.rootType()), parts);
    } catch (IllegalArgumentException e) {
      throw new BadEnvelopeException(SoapVersion.SOAP11, e.getMessage());
    }
  }

  /** The whole message, for the service's stack or another replica. */
  public Multipart.Written write(SoapVersion version) {
    return attachments == null
        ? new Multipart.Written(version.contentType(), envelope)
        : attachments.write(envelope, version);
  }
}
