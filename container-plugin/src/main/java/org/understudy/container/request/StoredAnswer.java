package org.understudy.container.request;

import java.util.function.IntSupplier;
import org.understudy.container.response.Answers;
import org.understudy.container.response.CapturedResponse;
import org.understudy.container.response.ResponseBody;
import org.understudy.replication.core.request.Response;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.mime.Multipart;

/** The response of the service as it is stored for retries: its envelope, headers and attachments. */
final class StoredAnswer {
  private StoredAnswer() {}

  /**
   * Takes what the service has written.
   *
   * @param declared the family of the service's fault; null if the service has named none
   * @param wire the wire version that every replica of the view reads
   * @throws UnusableAnswerException when it cannot be stored
   */
  static Response of(SoapVersion version, DeclaredFault.Family declared, CapturedResponse captured, IntSupplier wire) {
    String type = captured.getContentType();
    byte[] bytes = captured.content().bytes();
    int length = (int) captured.content().length();
    if (length == 0 && captured.getStatus() < 300) {
      return new Response(Answers.ONE_WAY, new byte[0]);
    }
    byte format = Answers.format(version, declared == null && captured.getStatus() >= 400 ? DeclaredFault.Family.SOAP : declared);
    try {
      if (!Multipart.is(type)) {
        ResponseBody body = ResponseBody.of(bytes, length, type).readable(wire);
        return new Response(format(format, body), packed(body));
      }
      Multipart parts = Multipart.read(bytes, length, type);
      ResponseBody body = ResponseBody.of(parts.root(), parts.root().length, parts.rootType()).readable(wire);
      return new Response((byte) (format(format, body) | Answers.MULTIPART), parts.pack(packed(body)));
    } catch (IllegalArgumentException e) {
      throw new UnusableAnswerException(e);
    }
  }

  private static byte format(byte format, ResponseBody body) {
    return body.headers().isEmpty() ? format : (byte) (format | Answers.HEADERS);
  }

  private static byte[] packed(ResponseBody body) {
    return body.headers().isEmpty() ? body.content() : body.pack();
  }
}
