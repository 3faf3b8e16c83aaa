package org.understudy.container.response;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import javax.xml.namespace.QName;
import org.understudy.container.operation.Operation;
import org.understudy.container.soap.ReplyWriter;
import org.understudy.container.soap.RequestEnvelope;
import org.understudy.replication.core.request.Reply;
import org.understudy.replication.core.request.Response;
import org.understudy.soap.addressing.Addressing;
import org.understudy.soap.envelope.FaultBody;
import org.understudy.soap.envelope.SoapFault;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.soap.mime.Multipart;

/**
 * Converts a reply of the replica to the message for one attempt of its request.
 *
 * @param reply contains only the content of the Body
 * @param fault null for a result
 * @param headers the header blocks of the service's response as XML text; may be empty
 * @param attachments of the message, or null
 */
public record ReplyMessage(
    RequestEnvelope request, Operation operation, Reply reply, String headers, FaultBody fault, Multipart attachments) {
  private static final int OK = 200;
  private static final int ACCEPTED = 202;

  public static ReplyMessage of(Reply stored, RequestEnvelope request, Operation operation) {
    byte format = stored.response().format();
    Multipart parts = (format & Answers.MULTIPART) == 0 ? null : Multipart.unpack(stored.response().body());
    byte[] body = parts == null ? stored.response().body() : parts.root();
    String headers = "";
    if ((format & Answers.HEADERS) != 0) {
      ResponseBody unpacked = ResponseBody.unpack(body);
      headers = unpacked.headers();
      body = unpacked.content();
    }
    Reply reply =
        body == stored.response().body()
            ? stored
            : new Reply(new Response(format, body), stored.status(), stored.handle(), stored.epoch());
    FaultBody fault = (format & Answers.FAULT) == 0 ? null : FaultBody.read(request.version(), body);
    return new ReplyMessage(request, operation, reply, headers, fault, parts);
  }

  public boolean isFault() {
    return fault != null;
  }

  /** Whether the client receives an envelope instead of a status alone. */
  public boolean hasEnvelope(ResponseContent content) {
    return isFault() ? content.fault() : (reply.response().format() & Answers.ONE_WAY) == 0 && content.result();
  }

  /** @param answers those of the service */
  public int status(Answers answers) {
    return isFault() ? answers.status(request.version(), fault.code()) : OK;
  }

  /** Returns the envelope, with headers for this attempt. */
  public byte[] envelope() {
    if (!isFault()) {
      return ReplyWriter.reply(request, reply, false, operation.answer(), headers);
    }
    String declared = fault.detail() == null ? null : operation.faults().get(fault.detail());
    String ofFamily = Answers.faultAction(reply.response().format());
    String computed = ofFamily.equals(Addressing.SOAP_FAULT_ACTION) ? ResponseBody.action(headers) : null;
    String action = declared != null ? declared : computed != null ? computed : ofFamily;
    return ReplyWriter.reply(request, reply, true, action, ResponseBody.blocks(headers) + notUnderstood(request.version()));
  }

  /** Sends the status alone. */
  public void sendStatus(HttpServletResponse response, Answers answers) throws IOException {
    if (isFault()) {
      Disposition.write(response, null);
      Answers.reason(response, status(answers), fault.reason());
    } else {
      Answers.result(response, ACCEPTED, null, new byte[0]);
    }
  }

  /** Returns NotUnderstood blocks for the headers that the fault's reason names (SOAP 1.2 part 1, section 5.4.8). */
  private String notUnderstood(SoapVersion version) {
    StringBuilder blocks = new StringBuilder();
    if (version == SoapVersion.SOAP12 && fault.code() == SoapFault.Code.MUST_UNDERSTAND) {
      for (QName header : request.notUnderstood()) {
        if (fault.reason().contains(header.toString())) {
          blocks.append(SoapFault.notUnderstoodBlock(header));
        }
      }
    }
    return blocks.toString();
  }
}
