package org.understudy.container.session;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.understudy.container.caller.RequestTarget;
import org.understudy.container.intake.ReceivedBody;
import org.understudy.container.response.Answers;
import org.understudy.soap.envelope.BadEnvelopeException;
import org.understudy.soap.mime.Transcoding;

/**
 * Serves the session operations at a separate address, {@code /replication}, together with their contract, which contains those on
 * transactions too.
 */
public final class ReplicationServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient SessionEndpoint operations;
  private final transient Supplier<String> service;

  /** @param service the path of a service of the group, where transactions are begun and end; empty if it has none */
  public ReplicationServlet(SessionEndpoint operations, Supplier<String> service) {
    this.operations = operations;
    this.service = service;
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    if (!Transcoding.isXml(request.getContentType())) {
      response.setHeader("Accept-Post", "text/xml, application/soap+xml");
      Answers.refuse(response, 415, "The Content-Type of a SOAP message must be text/xml or application/soap+xml.");
      return;
    }
    ReceivedBody received = ReceivedBody.of(request);
    if (received == null) {
      Answers.refuse(response, 500, "A filter of the web application does not support asynchronous requests. Set async-supported to true.");
      return;
    }
    byte[] body = received.bytes();
    if (body == null || body.length > SessionEndpoint.MAX_BYTES) {
      Answers.refuse(response, 413, "The request is larger than " + SessionEndpoint.MAX_BYTES + " bytes.");
      return;
    }
    try {
      operations.answer(request, response, Transcoding.utf8(body, request.getContentType()));
    } catch (BadEnvelopeException e) {
      Answers.refuse(response, 415, e.getMessage());
    }
  }

  @Override
  protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
    String query = request.getQueryString();
    String name = "xsd=replication.xsd".equals(query) ? "replication.xsd" : "replication.wsdl";
    try (InputStream contract = getClass().getResourceAsStream("/wsdl/" + name)) {
      if (contract == null) {
        response.sendError(404, "The contract is not part of this application.");
        return;
      }
      String text = new String(contract.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
      String application = RequestTarget.application(request);
      String here = application + request.getServletPath();
      String path = service.get();
      String transactions = path.isEmpty() ? here : application + path;
      text = text.replace("schemaLocation=\"replication.xsd\"", "schemaLocation=\"" + here + "?xsd=replication.xsd\"");
      text = located(text, "/replication", here);
      text = located(text, "/services/CounterService", transactions);
      response.setContentType("text/xml; charset=UTF-8");
      response.getWriter().write(text);
    }
  }

  /** Replaces the address with this end in the contract. */
  private static String located(String contract, String end, String address) {
    return contract.replaceAll(
        "location=\"http://127[^\"]*" + Pattern.quote(end) + '"', Matcher.quoteReplacement("location=\"" + address + '"'));
  }
}
