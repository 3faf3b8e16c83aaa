package org.understudy.container.request;

import java.nio.charset.StandardCharsets;
import org.understudy.container.response.Answers;
import org.understudy.replication.core.request.Response;
import org.understudy.soap.basefault.DeclaredFault;
import org.understudy.soap.envelope.EnvelopeWriter;
import org.understudy.soap.envelope.SoapVersion;
import org.understudy.wsrf.operation.Invocation;
import org.understudy.wsrf.operation.StandardOperation;
import org.understudy.wsrf.resource.ResourceTransaction;

/** Executes a standard operation and returns its result or fault as a response. */
final class StandardAnswer {
  private StandardAnswer() {}

  /** @param resource the id that the request names, or null */
  static Response of(Exchange exchange, String resource, ResourceTransaction transaction) {
    StandardOperation operation = exchange.operation.standard();
    SoapVersion version = exchange.envelope.version();
    Invocation invocation =
        new Invocation(exchange.endpoint, resource, transaction, version, exchange.message.envelope(), transaction.now());
    try {
      byte[] body = operation.execute(invocation);
      byte format = operation.answer() == null ? Answers.ONE_WAY : Answers.format(version, null);
      return new Response(format, body);
    } catch (DeclaredFault fault) {
      transaction.rollBack();
      return new Response(Answers.format(version, fault.family()), body(version, fault));
    }
  }

  private static byte[] body(SoapVersion version, DeclaredFault fault) {
    return EnvelopeWriter.faultBody(version, fault).getBytes(StandardCharsets.UTF_8);
  }
}
