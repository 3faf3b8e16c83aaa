package org.understudy.container.request;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import javax.xml.namespace.QName;
import org.understudy.container.soap.ReplyWriter;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.core.Reply;
import org.understudy.replication.core.Response;
import org.understudy.soap.envelope.FaultBody;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.mime.Multipart;

/** Writes the stored response of a request to one client, under headers made for this attempt. Belongs to one thread. */
final class StoredAnswer {
  private final HttpServletResponse response;
  private final RequestEnvelope envelope;
  private final Operations.Operation operation;
  private final ResponseContent content;

  StoredAnswer(
      HttpServletResponse response, RequestEnvelope envelope, Operations.Operation operation, ResponseContent content) {
    this.response = response;
    this.envelope = envelope;
    this.operation = operation;
    this.content = content;
  }

  void write(Reply stored) throws IOException {
    SoapVersion version = envelope.version();
    byte format = stored.response().format();
    Multipart parts = (format & Answers.MULTIPART) == 0 ? null : Multipart.unpack(stored.response().body());
    Reply reply =
        parts == null
            ? stored
            : new Reply(new Response(format, parts.root()), stored.status(), stored.handle(), stored.epoch());
    if ((format & Answers.FAULT) != 0) {
      writeFault(reply, version, parts);
    } else if ((format & Answers.ONE_WAY) != 0 || !content.result()) {
      Answers.result(response, 202, null, new byte[0]);
    } else {
      write(200, version, parts, ReplyWriter.reply(version, reply, operation.answer(), envelope.properties(), ""));
    }
  }

  private void writeFault(Reply reply, SoapVersion version, Multipart parts) throws IOException {
    FaultBody fault = FaultBody.read(version, reply.response().body());
    int status = version.httpStatus(fault.code());
    if (!content.fault()) {
      Disposition.write(response, null);
      Answers.reason(response, status, fault.reason());
      return;
    }
    String declared = fault.detail() == null ? null : operation.faults().get(fault.detail());
    String action = declared == null ? Answers.faultAction(reply.response().format()) : declared;
    String notUnderstood = notUnderstood(fault, version);
    write(status, version, parts, ReplyWriter.reply(version, reply, action, envelope.properties(), notUnderstood));
  }

  /** @param parts attachments beside the envelope, or null */
  private void write(int status, SoapVersion version, Multipart parts, byte[] bytes) throws IOException {
    if (parts == null) {
      Answers.result(response, status, version.contentType(), bytes);
    } else {
      Multipart.Written written = parts.write(bytes, version);
      Answers.result(response, status, written.contentType(), written.bytes());
    }
  }

  /** What the service's stack did not understand, which it names in its reason alone (SOAP 1.2 part 1, section 5.4.8). */
  private String notUnderstood(FaultBody fault, SoapVersion version) {
    StringBuilder blocks = new StringBuilder();
    if (version == SoapVersion.SOAP12 && fault.code() == SoapFault.Code.MUST_UNDERSTAND) {
      for (QName header : envelope.notUnderstood()) {
        if (fault.reason().contains(header.toString())) {
          blocks.append(SoapFault.notUnderstoodBlock(header));
        }
      }
    }
    return blocks.toString();
  }
}
