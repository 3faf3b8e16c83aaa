package org.understudy.container.peer;

import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.understudy.container.configuration.Configuration;
import org.understudy.replication.api.ReplicaId;
import org.understudy.replication.runtime.PeerChannel;
import org.understudy.replication.runtime.Replica;

/** Takes peer messages: the port of {@code peer.wsdl}, and the consumer endpoint of the transfer mode notification. */
public final class PeerServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient PeerExchange exchange;

  public PeerServlet(
      Configuration configuration, PeerCredentials credentials, Replica replica, PeerChannel channel) {
    this.exchange = new PeerExchange(configuration, credentials, replica, channel);
  }

  @Override
  protected void doPost(HttpServletRequest request, HttpServletResponse response) throws IOException {
    ReplicaId from = exchange.sender(request.getHeader(PeerCredentials.HEADER), request.getRemoteAddr());
    long length = request.getContentLengthLong();
    if (from == null) {
      answer(response, PeerExchange.stranger());
    } else if (!PeerExchange.isTakenLength(length)) {
      answer(response, PeerExchange.lengthRefused());
    } else {
      byte[] body = request.getInputStream().readNBytes((int) length);
      answer(response, exchange.take(from, request.getContentType(), body));
    }
  }

  private static void answer(HttpServletResponse response, PeerExchange.Answer answer) throws IOException {
    if (answer.error() != null) {
      response.sendError(answer.status(), answer.error());
      return;
    }
    response.setStatus(answer.status());
    if (answer.answers() != null) {
      response.setHeader(PeerExchange.ANSWERS, answer.answers());
    }
    if (answer.envelope() == null) {
      response.setContentLength(0);
      return;
    }
    response.setContentType(answer.envelope().contentType());
    response.setContentLengthLong(answer.envelope().length());
    for (byte[] segment : answer.envelope().segments()) {
      response.getOutputStream().write(segment);
    }
  }
}
